"""The help: how to play, in paragraphs."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark

HELP: Final = (
    (
        "§1",
        mark(
            "Each player builds two metro lines through the same city. At the end, test passengers ride and "
            "pay those who carry them."
        ),
    ),
    (
        "§4.1",
        mark(
            "On your turn, dig three tunnels, divided between your two lines as you like, or build one "
            "intermediate station."
        ),
    ),
    (
        "§4.2",
        mark(
            "You must dig all three tunnels: a tunnel that would make the third impossible is not allowed, "
            "unless it ends a line."
        ),
    ),
    ("§4.3", mark("In your first turn you may begin only one of your lines.")),
    (
        "§5.2",
        mark(
            "A line begins in a white border cell. Your second line may not begin on the side of the first, "
            "nor on an adjacent one."
        ),
    ),
    (
        "§5.3",
        mark(
            "A tunnel fills a free triangle, and its track runs along one side of it, so two lines can run "
            "side by side along one edge. There is no digging under the lake and the park."
        ),
    ),
    ("§5.4", mark("A line makes no acute angles, except where there is already a station, and never touches itself.")),
    ("§5.8", mark("A line ends in a black border cell, far from the side where it began. It has at most 18 tunnels.")),
    ("§6.1", mark("Where two lines running side by side part, a station is built.")),
    ("§6.2", mark("Where a line meets another, a station is built, unless it arrives alongside a line.")),
    ("§6.4", mark("A tunnel that needs more stations than are left in the stock is not allowed.")),
    ("§6.5", mark("A new station scores its builder one point for every spot it touches.")),
    ("§7.2", mark("Finishing a line earns one intermediate station on it as a bonus.")),
    (
        "§8.1",
        mark(
            "A tunnel on a spot needs a destination of that kind from your hand: one per turn, and equal "
            "letters may not touch."
        ),
    ),
    (
        "§9.1",
        mark(
            "Construction ends when a player has finished both lines, the stock is empty, or five lines in "
            "all (four with two players) are finished or blocked. Everyone else then has one more turn."
        ),
    ),
    ("§10.1", mark("With both lines finished, your station points count in full; with one, half; with none, nothing.")),
    (
        "§11.2",
        mark(
            "Test rides go between equal letters: one minute from station to station, three for every change of line."
        ),
    ),
    (
        "§11.3",
        mark(
            "Every player on a fastest route scores 6 points if one end is their own destination, otherwise "
            "3; the ride from the lake to the park scores 5."
        ),
    ),
    (
        "§11.4",
        mark(
            "An impossible ride costs 6 points whoever still holds one of its destinations, or placed one that no "
            "station serves; if both are served but not connected, both who placed them. Sunday never costs anything."
        ),
    ),
    (
        "§11.5",
        mark(
            "With two players, a ride scores nothing if both have a stretch of a fastest route, and costs nothing "
            "if both would have to pay."
        ),
    ),
    ("§12.1", mark("The highest total wins; in a tie, whoever finished more lines, or the win is shared.")),
)


def help(words: Words) -> list[tuple[str, str]]:  # noqa: A001 — the contract's word
    """Tell how to play, in paragraphs with their §."""
    return [(section, words.gettext(paragraph)) for section, paragraph in HELP]
