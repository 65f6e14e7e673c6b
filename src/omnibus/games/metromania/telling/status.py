"""The status line: whose turn it is and what to do, or how the game ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from omnibus.games.metromania.telling.names import View, points
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark

STATUS: Final = {
    "pieces": mark("The city is being laid out."),
    "doubles": mark("{player}: name the kind to hold twice."),
    "deal": mark("The destinations are being dealt."),
    "act": mark("{player}: dig three tunnels, or build an intermediate station."),
    "digging": mark("{player}: dig the next tunnel ({number} of 3)."),
    "place": mark("{player}: place a destination on the spot just dug."),
    "bonus": mark("{player}: build a bonus station on the finished line, or none."),
}
LAST_TURN: Final = mark("It is the last turn of {player}.")
WON: Final = {
    None: mark("{players} wins with {points}."),
    "lines": mark("{players} wins with {points}, by more finished lines."),
    "shared": mark("{players} share the victory with {points}."),
}


def status(view: View, names: Sequence[str], words: Words) -> str:
    """Say whose turn it is and what to do, or how it ended."""
    if view["outcome"]:
        return result(view["outcome"], names, words)
    player = names[view["seat"]]
    key = "digging" if view["step"] == "act" and view["dug"] else view["step"]
    told = words.gettext(STATUS[key]).format(player=player, number=view["dug"] + 1)
    if view["ended"] is not None:
        told += " " + words.gettext(LAST_TURN).format(player=player)
    return told


def result(outcome: Mapping[str, Any], names: Sequence[str], words: Words) -> str:
    """Say who has won, and how a tie was broken (§12.1)."""
    players = ", ".join(names[seat] for seat in outcome["winners"])
    score = points(outcome["scores"][outcome["winners"][0]], words)
    decided: str | None = outcome["tie_break"]
    return words.gettext(WON[decided]).format(players=players, points=score)
