"""How to play, in paragraphs with their §."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark

HELP: Final = (
    (
        "§13.2",
        mark("Take passengers by bus to where they want to be: every ride scores a point, every time stone costs one."),
    ),
    (
        "§3.2",
        mark(
            "Set-up: each player puts two buildings on A plots, then lays a first stick on any street; the "
            "second sticks follow in reverse order."
        ),
    ),
    (
        "§4.1",
        mark(
            "A round begins with choosing actions: players take turns putting one cube on a field of an "
            "action. After two cubes you may pass. Your twenty cubes have to last the whole game."
        ),
    ),
    (
        "§5.1",
        mark(
            "Then the actions are carried out from top to bottom. For Line and Buildings, whoever chose last "
            "goes first; for the others, whoever chose first."
        ),
    ),
    (
        "§5.2",
        mark(
            "The first field of Line, Passengers and Buildings is worth the number of buses in the largest "
            "fleet, each further field one less; with five players, Line starts one higher."
        ),
    ),
    (
        "§5.4",
        mark(
            "The board shows what each field will be worth: a bus that has been chosen but has not arrived "
            "yet counts for Passengers, Buildings and its owner's rides, but not for Line."
        ),
    ),
    (
        "§6.2",
        mark(
            "A line grows from its two heads, along empty streets. It may use a taken street if all lines on "
            "that street end at this head too, or if no empty street is left there."
        ),
    ),
    ("§7.1", mark("Bus: you get one more bus; in the reprint, five at most.")),
    ("§8.1", mark("Passengers: they arrive at either station, as long as there are any in the box.")),
    ("§9.1", mark("Buildings: house, office or pub, first on the A plots, then B, C and D.")),
    (
        "§10.1",
        mark(
            "Clock: it moves from house to office to pub. The player who took it may stop it by taking a time "
            "stone (with the option of that name, turn it back). The last stone ends the game at once."
        ),
    ),
    (
        "§10.3",
        mark(
            "Passengers at a crossing with a free building of the kind the clock shows take a seat there, and "
            "nobody scores for them."
        ),
    ),
    (
        "§11.1",
        mark(
            "Vrroomm: each bus takes one waiting passenger along its own line to a free building of that "
            "kind. Every ride that is possible must be made."
        ),
    ),
    ("§11.3", mark("If you took Vrroomm several times, all your buses ride again each time.")),
    (
        "§12.1",
        mark(
            "Start: whoever took it is the next start player; otherwise it is the player to the left of the "
            "present one."
        ),
    ),
    (
        "§13.1",
        mark(
            "The game ends at once when the last time stone is taken, and at the end of a round if no plot is "
            "empty or at most one player has cubes left."
        ),
    ),
    (
        "§13.2",
        mark(
            "In a tie, more time stones win, then whoever reached the score earlier; if none of those tied ever "
            "made a ride, they share the win."
        ),
    ),
)


def help(words: Words) -> list[tuple[str, str]]:  # noqa: A001 — the contract's word
    """Tell how to play, in paragraphs with their §."""
    return [(section, words.gettext(paragraph)) for section, paragraph in HELP]
