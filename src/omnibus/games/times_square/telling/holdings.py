"""What each seat has, as everybody sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnibus.kernel.game import Words


def holdings(view: Mapping[str, Any], words: Words) -> list[list[tuple[str, str]]]:
    """Return what each seat has, as everybody sees it: how many cards (§3.2)."""
    return [[(words.gettext("Cards in hand"), str(held))] for held in view["held"]]


def breakdown(view: Mapping[str, Any], words: Words) -> list[tuple[str, list[str]]]:
    """Return nothing: there are no points to break down (§10)."""
    return []
