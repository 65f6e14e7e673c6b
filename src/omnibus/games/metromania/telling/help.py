"""The help: how to play, in paragraphs."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark

HELP: Final = (
    (
        "§1",
        mark(
            "Everybody builds two metro lines through one city. In the end test passengers ride, and pay "
            "those who carry them."
        ),
    ),
    (
        "§4.1",
        mark(
            "In your turn dig three tunnels, freely divided between your two lines, or build one intermediate station."
        ),
    ),
    (
        "§4.2",
        mark(
            "Three tunnels are compulsory: a dig that would make the third impossible is not allowed, unless it "
            "ends a line."
        ),
    ),
    (
        "§5.2",
        mark(
            "A line begins in a white border cell. Your second line begins on another side, not adjacent to "
            "that of the first."
        ),
    ),
    (
        "§5.3",
        mark(
            "A tunnel fills a free triangle; its track runs along one side of it. So two lines can run "
            "alongside on one edge."
        ),
    ),
    ("§5.4", mark("No acute angles, except where a station already stands. A line never touches itself.")),
    ("§5.8", mark("A line ends in a black border cell, far from the side where it began. It has at most 18 tunnels.")),
    ("§6.1", mark("Where two lines that ran alongside separate, a station arises.")),
    ("§6.2", mark("Where a line meets another one, a station arises, unless it arrives alongside a line.")),
    ("§6.5", mark("A new station brings its builder one point for every spot it touches.")),
    ("§7.2", mark("Finishing a line gives one intermediate station on it as a bonus.")),
    (
        "§8.1",
        mark(
            "A tunnel on a spot needs a destination of that kind from your hand; one each turn, equal "
            "letters never touching."
        ),
    ),
    (
        "§9.1",
        mark(
            "The construction ends when a player has finished both lines, the stock is empty, or five lines in all "
            "(four with two players) are finished or blocked. All others then have one more turn."
        ),
    ),
    ("§10.1", mark("Both lines finished: your station points count in full. One: half. None: nothing.")),
    (
        "§11.2",
        mark(
            "Test rides go from letter to equal letter: one minute from station to station, three for every "
            "change of line."
        ),
    ),
    (
        "§11.3",
        mark(
            "Everybody on a fastest route scores 6 points with an own destination at one end, otherwise 3; "
            "5 for the ride from the lake to the park."
        ),
    ),
    ("§11.4", mark("A ride that is impossible costs the culprits 6 points.")),
)


def help(words: Words) -> list[tuple[str, str]]:  # noqa: A001 — the contract's word
    """Tell how to play, in paragraphs with their §."""
    return [(section, words.gettext(paragraph)) for section, paragraph in HELP]
