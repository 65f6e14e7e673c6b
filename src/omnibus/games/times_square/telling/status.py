"""The status line: whose turn it is and what to do, or how the game ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from omnibus.games.times_square.moves import DONE
from omnibus.games.times_square.rules import legal
from omnibus.games.times_square.telling.names import figure
from omnibus.games.times_square.view import redeal
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.names import Saying, say

OUTCOMES: Final = {
    "sue": Saying(mark("Sue has entered the club of {player}, who wins."), mark("Sue has entered your club: you win.")),
    "charlie": Saying(
        mark("Charlie has reached the club of {player}, who wins."), mark("Charlie has reached your club: you win.")
    ),
    "supply-sue": Saying(
        mark("The supply is exhausted and Sue stands on the side of {player}, who wins."),
        mark("The supply is exhausted and Sue stands on your side: you win."),
    ),
    "supply-charlie": Saying(
        mark("The supply is exhausted, Sue is on the manhole, Charlie on the side of {player}, who wins."),
        mark("The supply is exhausted, Sue is on the manhole, Charlie on your side: you win."),
    ),
}
DRAW: Final = mark("The supply is exhausted with Sue and Charlie on the manhole: a draw.")

DEALING: Final = {
    "deal": Saying(mark("{player} is dealt cards."), mark("You are dealt cards.")),
    "refill": Saying(mark("{player} draws."), mark("You draw.")),
}
TURN: Final = Saying(mark("{player}: {task}"), mark("Your turn: {task}"))
TASKS: Final = {
    "act": mark("play cards of one colour, lure somebody, or drop cards."),
    "act royal_visit": mark("play cards of one colour, or lure somebody."),
    "no act": mark("no card to play, nobody to lure. Choose Done."),
    "dropping": mark("drop another card, or choose Done."),
    "green": mark("play another green card, or choose Done."),
    "yellow": mark("play another yellow card, or choose Done."),
    "grey": mark("play another grey card, or choose Done."),
    "red": mark("play another red card, or choose Done."),
    "red locked": mark("play another red card on {figure}, or choose Done."),
    "no dropping": mark("no more cards to drop. Choose Done."),
    "no green": mark("no more green cards to play. Choose Done."),
    "no yellow": mark("no more yellow cards to play. Choose Done."),
    "no grey": mark("no more grey cards to play. Choose Done."),
    "no red": mark("no more red cards to play. Choose Done."),
}


def status(view: Mapping[str, Any], names: Sequence[str], words: Words) -> str:
    """Say whose turn it is and what to do, or how it ended."""
    if view["outcome"]:
        return result(view["outcome"], names, words)
    step, seat = view["step"], view["seat"]
    if step == "side":
        return words.gettext("Chance decides on whose side Hal begins.")
    if step in DEALING:
        return say(DEALING[step], seat, names, words)
    return say(TURN, seat, names, words, task=_task(view, words))


def _task(view: Mapping[str, Any], words: Words) -> str:
    """Say what is to be done."""
    key = "red locked" if view["lock"] else view["colour"] or view["step"]
    if only_done(view):
        key = f"no {view['colour'] or view['step']}"
    if f"{key} {view['options']['edition']}" in TASKS:
        key = f"{key} {view['options']['edition']}"
    moved = figure(view["lock"], words) if view["lock"] else ""
    return words.gettext(TASKS[key]).format(figure=moved)


def only_done(view: Mapping[str, Any]) -> bool:
    """Tell whether the reader sees the hand of the seat to act, and nothing is left for it but to end the turn."""
    seat: int = view["seat"]
    if view["hands"][seat] is None or view["step"] not in ("act", "playing", "dropping"):
        return False
    return legal(redeal(view, lambda _: 0)) == [DONE]  # what is hidden does not matter to the one who acts


def result(outcome: Mapping[str, Any], names: Sequence[str], words: Words) -> str:
    """Say how the game ended, and why."""
    if not outcome["winners"]:
        return words.gettext(DRAW)
    return say(OUTCOMES[outcome["reason"]], outcome["winners"][0], names, words)
