"""How to play, in short paragraphs with their §."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark

HELP: Final = (
    (
        "§1",
        mark("Two clubs face each other at the ends of one street of 17 spaces. Lure Sue to your door, and you win."),
    ),
    (
        "§1.5",
        mark("Sue always walks between her guards, the left one (◀) and the right one (▶), never on the same space."),
    ),
    (
        "§3.4",
        mark("On your turn, do one thing: play cards or drop cards (then your hand is refilled to eight), or lure."),
    ),
    ("§4.1", mark("Play as many cards as you like, one after the other, but all of one colour. Then choose Done.")),
    (
        "§4.2",
        mark(
            "A card must be carried out completely, or it may not be played: a number means exactly that many "
            "spaces in one direction."
        ),
    ),
    ("§4.3", mark("Green: one card moves Sue one space; two together move Sue and both guards one space.")),
    ("§4.4", mark("Yellow: Hal moves as far as the card says.")),
    ("§4.5", mark("Grey: the guards move, one or both as the card says; Close in puts them beside Sue.")),
    (
        "§5",
        mark("Red: Deb moves. While she stands between Sue and your club, red cards may move another figure instead."),
    ),
    (
        "§5.3",
        mark(
            "The first joker decides what the other red cards of the turn move. Before it, red cards may move "
            "Deb into place."
        ),
    ),
    ("§5.4", mark("Moved by a red card, Sue may not meet or pass Deb.")),
    (
        "§6",
        mark(
            "Lure: instead of playing cards, send Sue or a guard straight to Hal, as long as the trio stays in order."
        ),
    ),
    ("§7", mark("Drop: instead of playing cards, discard some and draw new ones.")),
    (
        "§9.1",
        mark(
            "After your turn, Charlie moves toward your club: one space for each figure in your entrance, and "
            "one more if Sue and both guards are on your side."
        ),
    ),
    ("§10.1", mark("If Sue or Charlie reaches an entrance, that club wins at once.")),
    (
        "§10.3",
        mark(
            "The game ends when the supply is exhausted for the second time: "
            "Sue's side decides or, if she is on the manhole, Charlie's; with both on it, the game is a draw."
        ),
    ),
    (
        "§11",
        mark(
            "Royal Visit: no dropping, all red cards of a turn move the same kind, Charlie moves before the "
            "refill, and the supply may be reshuffled more often."
        ),
    ),
)


def help(words: Words) -> list[tuple[str, str]]:  # noqa: A001 — the contract's word
    """Return how to play, in paragraphs with their §."""
    return [(section, words.gettext(paragraph)) for section, paragraph in HELP]
