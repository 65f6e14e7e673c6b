"""Evaluation: the worth of a position in named terms, and each seat's share of the win.

A term counts something a seat has or may come to have. Its weights, early and late in the construction, are points in
the end: fitted to the scores of many games from what stood on the table at the end of each turn. Points differ less and
less from what will be counted, so the same lead is worth more toward the end.
"""

from __future__ import annotations

from math import exp
from typing import Final

from omnibus.games.metromania.board import DIGS
from omnibus.games.metromania.judging.outlook import Ahead, is_served, look_ahead
from omnibus.games.metromania.judging.race import Race, race
from omnibus.games.metromania.judging.rides import (
    FIRST_OF,
    LAKE_CORNERS,
    LETTERS_RIDDEN,
    PARK_CORNERS,
    SECOND_OF,
    Rides,
    is_lake,
    is_park,
    rides,
)
from omnibus.games.metromania.scoring import outcome
from omnibus.games.metromania.state import ACT, State
from omnibus.kernel.game import OVER
from omnibus.kernel.i18n import mark

# The terms.
STATIONS: Final = 0  # station points, as far as the lines promise to be finished (§10.1)
FINISHING: Final = 1  # lines that will be finished
TESTS: Final = 2  # points of the test rides as things stand (§11.3)
UNPLACED: Final = 3  # tests to pay for because of a destination in hand, as things stand (§11.4)
UNSERVED: Final = 4  # … because of a destination without a station
APART: Final = 5  # … because both ends are served and not connected
HAND: Final = 6  # destinations in hand
JOINED: Final = 7  # tests not yet ridden, both ends of which the own lines pass
PASSING: Final = 8  # ends of tests that the own lines pass
BONUS: Final = 9  # the best stations that can still be built on unfinished lines (§7)
TEMPO: Final = 10  # what is left of the own turn
BLOCKED: Final = 11  # blocked lines (§9.2)
MEETING: Final = 12  # points of the meetings ahead (§6.2)
SERVABLE: Final = 13  # destinations without a station that an unfinished line of the placer passes
COUNTRY: Final = 14  # spots ahead that no line has reached
PLACES: Final = 15  # kinds in hand that have a spot ahead
COUNT: Final = 16

NAMES: Final = [
    "stations",
    "finishing",
    "tests",
    "unplaced",
    "unserved",
    "apart",
    "hand",
    "joined",
    "passing",
    "bonus",
    "tempo",
    "blocked",
    "meeting",
    "servable",
    "country",
    "places",
]
EARLY: Final[list[float]] = [
    0.65, 3.8, 0.4, 0.0, -0.5, -1.0, -1.7, 1.2, 0.5, 0.9, 1.8, -4.0, 0.25, 1.2, 0.10, 0.0,
]  # fmt: skip
LATE: Final[list[float]] = [
    1.0, 1.6, 1.05, -4.2, -3.8, -4.5, -1.8, 0.8, 0.3, 0.9, 0.7, -0.5, 0.30, 0.5, 0.03, 0.5,
]  # fmt: skip
SPREAD: Final[list[float]] = [10.0, 3.5]  # so many points ahead make a position good: early, late
ROUNDS: Final = 7.0  # so many rounds before the end is early

PHRASES: Final[dict[str, tuple[str, str]]] = {
    "stations": (
        mark("earns station points that you can expect to keep"),
        mark("earns fewer station points than other moves"),
    ),
    "finishing": (
        mark("brings a line nearer to its end, in time to be finished"),
        mark("makes it less likely that your lines are finished in time"),
    ),
    "tests": (
        mark("puts your lines on the fastest routes of the test rides"),
        mark("leaves the fastest routes to the others"),
    ),
    "unplaced": (
        mark("saves you from paying for a destination in your hand"),
        mark("you would have to pay for a destination still in your hand"),
    ),
    "unserved": (
        mark("gives your destination a station, so you do not pay for it"),
        mark("leaves a destination of yours without a station"),
    ),
    "apart": (
        mark("connects the two ends of a test you would have to pay for"),
        mark("leaves the two ends of your test unconnected"),
    ),
    "hand": (
        mark("brings a destination from your hand onto the board"),
        mark("keeps you with more destinations in hand"),
    ),
    "joined": (
        mark("your lines pass both ends of a test: stations there will put you on its route"),
        mark("your lines pass both ends of fewer tests"),
    ),
    "passing": (
        mark("builds where test rides will begin and end"),
        mark("stays away from where test rides will begin and end"),
    ),
    "bonus": (
        mark("your line passes a good place for a further station"),
        mark("leaves no good place for a further station on your lines"),
    ),
    "tempo": (
        mark("leaves you something to do in this turn"),
        mark("costs you the rest of this turn"),
    ),
    "blocked": (
        mark("keeps your lines free to go on"),
        mark("a line of yours cannot go on"),
    ),
    "meeting": (
        mark("heads for other lines, where stations bring points"),
        mark("leads away from the lines where stations would bring points"),
    ),
    "servable": (
        mark("your unfinished line passes a destination of yours that still needs a station"),
        mark("fewer destinations of yours can still get a station from your own line"),
    ),
    "country": (
        mark("heads for spots that nobody has reached"),
        mark("leads into country with few spots"),
    ),
    "places": (
        mark("heads for spots where your destinations can be placed"),
        mark("leads away from the spots your destinations need"),
    ),
}


def lateness(running: Race) -> float:
    """Return how late in the construction it is: from 0 to 1."""
    return max(0.0, min(1.0, 1.0 - running.rounds / ROUNDS))


def counts(state: State, running: Race, ridden: Rides, ahead: Ahead) -> list[float]:
    """Return how much there is of each term, by seat · COUNT + term."""
    found = [0.0] * (COUNT * state.seats)
    for seat in range(state.seats):
        zero = seat * COUNT
        finishing = running.prospects[2 * seat] + running.prospects[2 * seat + 1]
        found[zero + STATIONS] = state.points[seat] * finishing * 0.5
        found[zero + FINISHING] = finishing
        found[zero + TESTS] = float(ridden.won[seat])
        found[zero + UNPLACED] = float(ridden.unplaced[seat])
        found[zero + UNSERVED] = float(ridden.unserved[seat])
        found[zero + APART] = float(ridden.apart[seat])
        found[zero + HAND] = float(_size(state.hands[seat]))
        found[zero + BLOCKED] = float(_size(state.blocked >> 2 * seat & 3))
        _count_line(running, ahead, found, zero, 2 * seat)
        _count_line(running, ahead, found, zero, 2 * seat + 1)
    if state.actor >= 0 and state.step >= ACT:
        found[state.seat * COUNT + TEMPO] = float(DIGS - state.dug) / DIGS
    _count_ends(state, ridden, ahead, found)
    return found


def _size(chosen: int) -> int:
    size = 0
    while chosen:
        size += chosen & 1
        chosen >>= 1
    return size


def _count_line(running: Race, ahead: Ahead, found: list[float], zero: int, line: int) -> None:
    """What an unfinished line promises."""
    found[zero + BONUS] = found[zero + BONUS] + running.prospects[line] * ahead.best[line]
    found[zero + MEETING] = found[zero + MEETING] + float(ahead.meeting[line])
    found[zero + COUNTRY] = found[zero + COUNTRY] + float(ahead.country[line])
    found[zero + PLACES] = found[zero + PLACES] + float(ahead.places[line])


def _count_ends(state: State, ridden: Rides, ahead: Ahead, found: list[float]) -> None:
    """What the lines pass of the ends of all tests."""
    for letter in range(LETTERS_RIDDEN):
        one = FIRST_OF[letter]
        other = SECOND_OF[letter]
        here = ahead.around[one]
        there = ahead.around[other]
        _count_passing(state, ridden.riders[letter], found, here, there)
        if ridden.riders[letter] < 0:
            _count_servable(state, found, one, here)
            _count_servable(state, found, other, there)
    lake = 0
    park = 0
    for sector in range(len(state.sectors)):
        code = state.sectors[sector]
        if is_park(code):
            park = _lines_through(state, PARK_CORNERS[sector * 18 + code])
        elif is_lake(code):
            lake = _lines_through(state, LAKE_CORNERS[sector * 18 + code])
    _count_passing(state, ridden.riders[LETTERS_RIDDEN], found, lake, park)


def _lines_through(state: State, vertices: list[int]) -> int:
    lines = 0
    for vertex in vertices:
        lines |= state.on[vertex]
    return lines


def _count_passing(state: State, riders: int, found: list[float], here: int, there: int) -> None:
    """Both ends on one line are a ride without a change; on two lines half as good (§11.2)."""
    for seat in range(state.seats):
        zero = seat * COUNT
        begin = here >> 2 * seat & 3
        end = there >> 2 * seat & 3
        found[zero + PASSING] = found[zero + PASSING] + (begin > 0) + (end > 0)
        if begin and end and (riders < 0 or not riders >> seat & 1):
            found[zero + JOINED] = found[zero + JOINED] + (1.0 if begin & end else 0.5)


def _count_servable(state: State, found: list[float], one: int, around: int) -> None:
    if state.placed[one] >= 0 and not is_served(state, one):
        seat = state.placer[one]
        if (around & ~state.finished) >> 2 * seat & 3:
            found[seat * COUNT + SERVABLE] = found[seat * COUNT + SERVABLE] + 1.0


def worths(state: State) -> list[float]:
    """Return the worth of each term, weighted, by seat · COUNT + term: shares are made of their sums."""
    running = race(state)
    late = lateness(running)
    found = counts(state, running, rides(state), look_ahead(state))
    spread = SPREAD[0] + (SPREAD[1] - SPREAD[0]) * late
    for term in range(COUNT):
        weight = (EARLY[term] + (LATE[term] - EARLY[term]) * late) / spread
        for at in range(term, len(found), COUNT):
            found[at] = found[at] * weight
    return found


def terms(state: State, seat: int) -> dict[str, float]:
    """Return the worth of each term for a seat, by name."""
    found = worths(state)
    return {NAMES[term]: found[seat * COUNT + term] for term in range(COUNT)}


def judge(state: State) -> list[float]:
    """Return each seat's share of the win; a shared win is shared."""
    if state.actor == OVER:
        return _won(state)
    seats = state.seats
    found = worths(state)
    shares = [0.0] * seats
    total = 0.0
    for seat in range(seats):
        worth = 0.0
        for at in range(seat * COUNT, seat * COUNT + COUNT):
            worth += found[at]
        shares[seat] = exp(worth)
        total += shares[seat]
    for seat in range(seats):
        shares[seat] = shares[seat] / total
    return shares


def _won(state: State) -> list[float]:
    shares = [0.0] * state.seats
    ended = outcome(state)
    if ended:
        for seat in ended.winners:
            shares[seat] = 1.0 / len(ended.winners)
    return shares
