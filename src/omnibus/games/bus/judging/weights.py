"""The terms of the judgement: what each is called, what it weighs, and how it is put in words."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.i18n import mark

# What a seat has made of the game so far, and will make of this round …
SCORE: Final = 0  # rides less time stones (§13.2)
DUE: Final = 1  # rides its cubes on vrroomm will find
OPEN: Final = 2  # rides one more cube there would find
# … and what it has for the rounds to come, by how many cubes are left to use it.
NEXT: Final = 3  # rides at the clock's next kind
LATER: Final = 4  # rides at the kind after that
FLEET: Final = 5
CUBES_LEFT: Final = 6
FARES: Final = 7  # passengers on the line
DOORS: Final = 8  # buildings on the line
REACH: Final = 9  # crossings on the line
STATIONS: Final = 10
AHEAD: Final = 11  # what lies beyond the heads
FIRST: Final = 12  # beginning the next round
TIME: Final = 13  # deciding about the clock
TERM_COUNT: Final = 14

TERMS: Final = [
    "score", "due", "open", "next", "later", "fleet", "cubes", "fares", "doors", "reach", "stations", "ahead", "first",
    "time",
]  # fmt: skip

# Fitted to the results of games between bots, then tuned in matches against themselves: what a term weighs in the
# first round and toward the last, in proportion between them. A ride that is due weighs as much as one that is made,
# lest time stones seem cheap.
EARLY: Final[list[float]] = [0.5, 0.5, 0.12, 0.3, 0.08, 0.29, 0.72, 0.025, 0.035, 0.55, 0.16, 0.03, 0.02, 0.02]
LATE: Final[list[float]] = [0.85, 0.85, 0.22, 0.41, 0.355, 0.1, 0.07, 0.08, 0.14, 0.06, 0.055, 0.015, 0.11, 0.01]
# When no round comes after this one.
LAST: Final[list[float]] = [1.2, 1.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]

PHRASES: Final[dict[str, tuple[str, str]]] = {
    "score": (mark("scores points at once"), mark("costs you points")),
    "due": (mark("your buses find more rides this round"), mark("your buses find fewer rides this round")),
    "open": (
        mark("leaves rides for another of your cubes this round"),
        mark("leaves no rides for another of your cubes this round"),
    ),
    "next": (mark("prepares rides for the next round"), mark("leaves fewer rides for the next round")),
    "later": (
        mark("prepares rides for the round after the next"),
        mark("leaves fewer rides for the round after the next"),
    ),
    "fleet": (mark("gets you a bus, so that every Vrroomm brings more"), mark("leaves your fleet small")),
    "cubes": (mark("keeps a cube for richer rounds"), mark("uses up a cube")),
    "fares": (mark("brings passengers to your line"), mark("leaves passengers out of your reach")),
    "doors": (mark("gets buildings where your line passes"), mark("does nothing for buildings where your line passes")),
    "reach": (mark("makes your line longer"), mark("leaves your line short")),
    "stations": (mark("takes your line to a station"), mark("leaves your line without the station")),
    "ahead": (
        mark("lets your line go on toward passengers and buildings"),
        mark("points your line away from passengers and buildings"),
    ),
    "first": (mark("lets you begin the next round"), mark("leaves the beginning of the next round to others")),
    "time": (mark("lets you decide about the clock"), mark("leaves the clock to others")),
}
