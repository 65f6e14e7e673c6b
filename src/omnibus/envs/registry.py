"""Registers the environments with Gymnasium and PettingZoo, under names such as Omnibus/NAME-v1."""

from __future__ import annotations

import gymnasium
import pettingzoo

from omnibus import games


def name(game: str) -> str:
    """Return the registered name of a game's environments."""
    found = games.find(game)
    return f"Omnibus/{found.title.replace(' ', '')}-v{found.numbering}"


def register() -> None:
    """Register the environments with both libraries."""
    for game in games.names():
        gymnasium.register(name(game), "omnibus.envs.gymnasium_env:Single", kwargs={"game": game})
        pettingzoo.register("aec", name(game), "omnibus.envs.pettingzoo_env:aec", kwargs={"game": game})
