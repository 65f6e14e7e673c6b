"""The status line: whose turn it is and what to do, or how the game ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from omnibus.games.times_square.telling.names import figure
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark

OUTCOMES: Final = {
    "sue": mark("Sue has entered the club of {player}, who wins."),
    "charlie": mark("Charlie has reached the club of {player}, who wins."),
    "supply-sue": mark("The supply is exhausted and Sue stands on the side of {player}, who wins."),
    "supply-charlie": mark(
        "The supply is exhausted, Sue is on the manhole, Charlie on the side of {player}, who wins."
    ),
    "draw": mark("The supply is exhausted with Sue and Charlie on the manhole: a draw."),
}

STATUS: Final = {
    "side": mark("Chance decides on whose side Hal begins."),
    "deal": mark("{player} is dealt cards."),
    "refill": mark("{player} draws."),
    "act": mark("{player}: play cards of one colour, lure, or drop cards."),
    "act royal_visit": mark("{player}: play cards of one colour, or lure."),
    "dropping": mark("{player}: drop another card, or choose Done."),
    "green": mark("{player}: play another green card, or choose Done."),
    "yellow": mark("{player}: play another yellow card, or choose Done."),
    "grey": mark("{player}: play another grey card, or choose Done."),
    "red": mark("{player}: play another red card, or choose Done."),
    "red locked": mark("{player}: play another red card on {figure}, or choose Done."),
}


def status(view: Mapping[str, Any], names: Sequence[str], words: Words) -> str:
    """Say whose turn it is and what to do, or how it ended."""
    if view["outcome"]:
        return result(view["outcome"], names, words)
    key = "red locked" if view["lock"] else view["colour"] or view["step"]
    if f"{key} {view['options']['edition']}" in STATUS:
        key = f"{key} {view['options']['edition']}"
    moved = figure(view["lock"], words) if view["lock"] else ""
    return words.gettext(STATUS[key]).format(player=names[view["seat"]], figure=moved)


def result(outcome: Mapping[str, Any], names: Sequence[str], words: Words) -> str:
    """Say how the game ended, and why."""
    player = names[outcome["winners"][0]] if outcome["winners"] else ""
    message = OUTCOMES[outcome["reason"]]
    return words.gettext(message).format(player=player)
