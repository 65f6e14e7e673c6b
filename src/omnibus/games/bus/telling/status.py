"""Whose turn it is and what to do, or how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from omnibus.games.bus.telling.names import View, kind_name, stopping
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.names import Saying, say, say_of_all

ENDS: Final = {
    "stones": mark("The last time stone is taken: the game is over."),
    "cubes": mark("At most one player has cubes left: the game is over."),
    "plots": mark("No plot is empty: the game is over."),
}

WINS: Final = {
    None: Saying(mark("{player} wins with a score of {score}."), mark("You win with a score of {score}.")),
    "stones": Saying(
        mark("{player} wins with a score of {score}: tied, but with more time stones."),
        mark("You win with a score of {score}: tied, but with more time stones."),
    ),
    "earlier": Saying(
        mark("{player} wins with a score of {score}: tied, but reached it earlier."),
        mark("You win with a score of {score}: tied, but you reached it earlier."),
    ),
}
SHARED: Final = Saying(
    mark("{players} share the win with a score of {score}."),
    mark("You share the win with {others}, with a score of {score}."),
)

TURN: Final = Saying(mark("{player}: {task}"), mark("Your turn: {task}"))
STATUS: Final = {
    "open": mark("lay the first stick, on any street."),
    "second": mark("lay the second stick, at either end of the first."),
    "clock": mark("stop the clock for a time stone, or let it tick."),
    "clock back": mark("turn the clock back for a time stone, or let it tick."),
    "clock last": mark("take the last time stone, which ends the game, or let the clock tick."),
}


def status(view: View, names: Sequence[str], words: Words) -> str:
    """Say whose turn it is and what to do, or how it ended."""
    if view["outcome"]:
        return " ".join(outcome_told(view["outcome"], names, words))
    if view["step"] == "first":
        return words.gettext("Chance names the start player.")
    return say(TURN, view["seat"], names, words, task=_task(view, words))


def _task(view: View, words: Words) -> str:
    """Say what is to be done in a step."""
    step, number = view["step"], _still_to_do(view)
    told_at = stopping(view) if step == "clock" else step
    if told_at in STATUS:
        return words.gettext(STATUS[told_at])
    if step == "choose":
        return _choosing(view, words)
    told = {
        "found": words.ngettext(
            "put {number} building on an empty A plot.", "put {number} buildings on empty A plots.", number
        ),
        "line": words.ngettext(
            "extend your line; {number} stick left to lay.", "extend your line; {number} sticks left to lay.", number
        ),
        "passengers": words.ngettext(
            "bring {number} passenger to a station.", "bring {number} passengers to the stations.", number
        ),
        "buildings": words.ngettext(
            "build {number} building in zone {zone}.", "build {number} buildings, first in zone {zone}.", number
        ),
        "vrroomm": words.ngettext(
            "take a passenger to a free building ({kind}); {number} bus is free.",
            "take passengers to free buildings ({kind}); {number} buses are free.",
            number,
        ),
    }[step]
    return told.format(number=number, zone=view["zone"], kind=kind_name(view["clock"], words))


def _still_to_do(view: View) -> int:
    """Count what is owed and can be done: no more sticks or passengers than there are (§5.3)."""
    owed: int = view["owed"]
    there = {"line": view["sticks_left"][view["seat"]], "passengers": view["box"]}.get(view["step"])
    return owed if there is None else min(owed, there)


def _choosing(view: View, words: Words) -> str:
    placed = sum(owners.count(view["seat"]) for owners in view["fields"].values())
    return words.gettext("take an action.") if placed < 2 else words.gettext("take another action, or pass.")


def outcome_told(outcome: Mapping[str, Any], names: Sequence[str], words: Words) -> list[str]:
    """Say why the game is over and who won, with the last criterion that had to be applied (§13.2)."""
    winners, tie_break, reason = outcome["winners"], outcome["tie_break"], outcome["reason"]
    score = outcome["scores"][winners[0]]
    if tie_break == "shared":
        won = say_of_all(SHARED, winners, names, words, score=score)
    else:
        won = say(WINS[tie_break], winners[0], names, words, score=score)
    return [words.gettext(ENDS[reason]), won]
