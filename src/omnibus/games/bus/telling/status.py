"""Whose turn it is and what to do, or how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from omnibus.games.bus.telling.names import View, kind_name
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark

ENDS: Final = {
    "stones": mark("The last time stone is taken: the game is over."),
    "cubes": mark("At most one player has cubes left: the game is over."),
    "plots": mark("No plot is empty: the game is over."),
}

WINS: Final = {
    None: mark("{player} wins with a score of {score}."),
    "stones": mark("{player} wins with a score of {score}: tied, but with more time stones."),
    "earlier": mark("{player} wins with a score of {score}: tied, but reached it earlier."),
    "shared": mark("{player} share the win with a score of {score}."),
}

STATUS: Final = {
    "first": mark("Chance names the start player."),
    "open": mark("{player}: lay the first stick, on any street."),
    "second": mark("{player}: lay the second stick, at either end of the first."),
    "clock": mark("{player}: stop the clock for a time stone, or let it tick."),
}


def status(view: View, names: Sequence[str], words: Words) -> str:
    """Say whose turn it is and what to do, or how it ended."""
    if view["outcome"]:
        return " ".join(outcome_told(view["outcome"], names, words))
    step = view["step"]
    player = names[view["seat"]] if view["seat"] is not None else ""
    if step in STATUS:
        return words.gettext(STATUS[step]).format(player=player)
    if step == "choose":
        return _choosing(view, words).format(player=player)
    number = view["owed"]
    told = {
        "found": words.ngettext(
            "{player}: put {number} building on an empty A plot.",
            "{player}: put {number} buildings on empty A plots.",
            number,
        ),
        "line": words.ngettext(
            "{player}: extend your line; {number} stick left to lay.",
            "{player}: extend your line; {number} sticks left to lay.",
            number,
        ),
        "passengers": words.ngettext(
            "{player}: bring {number} passenger to a station.",
            "{player}: bring {number} passengers to the stations.",
            number,
        ),
        "buildings": words.ngettext(
            "{player}: build {number} building in zone {zone}.",
            "{player}: build {number} buildings, first in zone {zone}.",
            number,
        ),
        "vrroomm": words.ngettext(
            "{player}: take a passenger to a free building ({kind}); {number} bus is free.",
            "{player}: take passengers to free buildings ({kind}); {number} buses are free.",
            number,
        ),
    }[step]
    return told.format(player=player, number=number, zone=view["zone"], kind=kind_name(view["clock"], words))


def _choosing(view: View, words: Words) -> str:
    placed = sum(owners.count(view["seat"]) for owners in view["fields"].values())
    if placed < 2:
        return words.gettext("{player}: take an action.")
    return words.gettext("{player}: take another action, or pass.")


def outcome_told(outcome: Mapping[str, Any], names: Sequence[str], words: Words) -> list[str]:
    """Say why the game is over and who won, with the last criterion that had to be applied (§13.2)."""
    winners, tie_break, reason = outcome["winners"], outcome["tie_break"], outcome["reason"]
    player = ", ".join(names[seat] for seat in winners)
    won = words.gettext(WINS[tie_break]).format(player=player, score=outcome["scores"][winners[0]])
    return [words.gettext(ENDS[reason]), won]
