"""Names under which `gymnasium.make` and `pettingzoo.make` know the environments: Omnibus/Bus-v0 and so on."""

from __future__ import annotations

import gymnasium
import pettingzoo

from omnibus import games


def name(game: str) -> str:
    """Return the registered name of a game's environments."""
    found = games.find(game)
    return f"Omnibus/{found.title.replace(' ', '')}-v{found.numbering}"


def register() -> None:
    """Make the environments known to both libraries."""
    for game in games.names():
        gymnasium.register(name(game), "omnibus.envs.gymnasium_env:Single", kwargs={"game": game})
        pettingzoo.register("aec", name(game), "omnibus.envs.pettingzoo_env:aec", kwargs={"game": game})
