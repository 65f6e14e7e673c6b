"""Positions with a win at hand, which come with the tests of each game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

GAMES = Path(__file__).parents[1] / "games"


def winning(name: str) -> dict[str, dict[str, Any]]:
    """Return the positions of a game in which the seat to act can win, by their names."""
    found = json.loads((GAMES / name / "winning.json").read_text("utf-8"))
    return found if isinstance(found, dict) else {case["name"]: case["position"] for case in found}
