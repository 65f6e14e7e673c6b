"""What each seat has, and in the end the breakdown of its score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from omnibus.games.metromania.board import LINES, TUNNELS
from omnibus.games.metromania.telling.names import View, line_name, signed
from omnibus.kernel.game import Words

FIRST_TEST: Final = 2  # the row of the breakdown with the first test ride


def holdings(view: View, words: Words) -> list[list[tuple[str, str]]]:
    """Name what each seat has, its station points first, and how many tunnels are left of each line."""
    return [
        [
            (words.gettext("Station points"), str(view["points"][seat])),
            *((line_name(name, words), str(TUNNELS - len(view["lines"][seat][name]))) for name in LINES),
            (words.gettext("Destinations in hand"), str(sum(view["held"][seat]))),
        ]
        for seat in range(view["seats"])
    ]


def breakdown(view: View, words: Words) -> list[tuple[str, list[str]]]:
    """Add the final scores up: line points (§10.1), then test by test (§12.1); nothing while the game goes on."""
    if not view["outcome"]:
        return []
    details = view["outcome"]["details"]
    lost = [left - had for left, had in zip(details["lines"], details["stations"], strict=True)]
    return [
        (words.gettext("Station points"), _numbers(details["stations"])),
        (words.gettext("Unfinished lines"), _numbers(lost)),
        *((test_name(test, words), _numbers(test["scores"])) for test in details["tests"]),
        (words.gettext("Total"), _numbers(view["outcome"]["scores"])),
    ]


def test_name(test: Mapping[str, Any], words: Words) -> str:
    """Name a test ride."""
    return words.gettext("Sunday ride") if test["test"] == "sunday" else f"{test['test']}–{test['test']}"


def _numbers(scores: list[int]) -> list[str]:
    return [signed(score) for score in scores]
