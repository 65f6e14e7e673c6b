"""How to play, in paragraphs with their §."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark

HELP: Final = (
    (
        "§13.2",
        mark(
            "Bring passengers by bus to where they want to be: every ride is a point, every time stone takes one away."
        ),
    ),
    (
        "§3.2",
        mark(
            "Set-up: everybody puts two buildings on A plots, then lays a first stick on any street; "
            "second sticks follow in reverse order."
        ),
    ),
    (
        "§4.1",
        mark(
            "A round begins with choosing: one cube at a time on a field of an action. "
            "After two cubes you may pass. The twenty cubes are for the whole game."
        ),
    ),
    (
        "§5.1",
        mark(
            "Then the actions are carried out from left to right. "
            "For lines and buildings whoever chose last acts first, otherwise whoever chose first."
        ),
    ),
    (
        "§5.2",
        mark(
            "The first field of line, passengers and buildings is worth the largest fleet at the table, "
            "every further one a piece less; "
            "with five players Line begins one higher."
        ),
    ),
    (
        "§5.4",
        mark(
            "The board shows what every field will yield: a bus that is taken but not yet delivered counts for "
            "passengers, buildings and its buyer's rides, not for line."
        ),
    ),
    (
        "§6.2",
        mark(
            "A line grows at its two heads, along empty streets. "
            "A used street may be taken if all its lines end at that head too, "
            "or if no empty street is left there."
        ),
    ),
    ("§7.1", mark("Bus: one more bus. In the reprint five is the most.")),
    ("§8.1", mark("Passengers: they arrive at either station, while the box lasts.")),
    ("§9.1", mark("Buildings: house, office or pub, first on the A plots, then B, C and D.")),
    (
        "§10.1",
        mark(
            "Clock: it goes from house to office to pub. Whoever took it may stop it for a time stone. The "
            "last stone ends the game at once."
        ),
    ),
    (
        "§10.3",
        mark(
            "Whoever stands beside a building of the kind the clock shows takes a seat there, and nobody gets a point."
        ),
    ),
    (
        "§11.1",
        mark(
            "Vrroomm: each bus takes one waiting passenger along its own line to a free building of that kind. "
            "What is possible must be done."
        ),
    ),
    (
        "§13.1",
        mark(
            "The game ends with the last time stone, with the last empty plot, or when at most one "
            "player has cubes left."
        ),
    ),
    (
        "§13.2",
        mark("In a tie more time stones win, then whoever reached the score earlier."),
    ),
)


def help(words: Words) -> list[tuple[str, str]]:  # noqa: A001 — the contract's word
    """Tell how to play, in paragraphs with their §."""
    return [(section, words.gettext(paragraph)) for section, paragraph in HELP]
