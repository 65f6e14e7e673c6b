"""What lies before each seat, and in the end how its score came about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnibus.games.bus.telling.names import View
from omnibus.kernel.game import Words


def holdings(view: View, words: Words) -> list[list[tuple[str, str]]]:
    """Name what each seat has, its score first."""
    return [
        [
            (words.gettext("Score"), _signed(view["scores"][seat])),
            (words.gettext("Buses"), str(player["buses"])),
            (words.gettext("Cubes"), str(player["cubes"])),
            (words.gettext("Sticks"), _left(view["sticks_left"][seat])),
            (words.gettext("Time stones"), str(player["stones"])),
        ]
        for seat, player in enumerate(view["players"])
    ]


def breakdown(view: View, words: Words) -> list[tuple[str, list[str]]]:
    """Add the final scores up: rides less time stones (§13.2); nothing while the game goes on."""
    if not view["outcome"]:
        return []
    details = view["outcome"]["details"]
    return [
        (words.gettext("Passengers taken"), [str(rides) for rides in details["rides"]]),
        *_reached(view["outcome"], words),
        (words.gettext("Time stones"), [_signed(-stones) for stones in details["stones"]]),
        (words.gettext("Score"), [_signed(score) for score in view["outcome"]["scores"]]),
    ]


def _reached(outcome: Mapping[str, Any], words: Words) -> list[tuple[str, list[str]]]:
    """Tell when everybody reached their score, where that broke a tie."""
    if outcome["tie_break"] != "earlier":
        return []
    return [(words.gettext("The last one with ride number"), [str(at or "–") for at in outcome["details"]["reached"]])]


def _left(sticks: int | None) -> str:
    return "∞" if sticks is None else str(sticks)


def _signed(number: int) -> str:
    return str(number).replace("-", "−")
