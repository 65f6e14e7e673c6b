"""The ratings of the bots: fixed, from games of the arena, on the scale of people (`benchmarks/rating_models.py`)."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from omnibus.ratings.log import Pool
from omnibus.ratings.model import Rating


@cache
def _all() -> dict[Pool, dict[str, Rating]]:
    document = json.loads(files("omnibus.ratings").joinpath("bots.json").read_text(encoding="utf-8"))
    return {
        (game, seats): {level: Rating(*rating) for level, rating in levels.items()}
        for game, pools in document["ratings"].items()
        for seats, levels in pools.items()
    }


def bot_ratings(pool: Pool) -> dict[str, Rating]:
    """Return the ratings of the bots in a pool, by level; none where the arena has not measured them."""
    return dict(_all().get(pool, {}))
