"""Bots: they choose a move from a view, never from the full state."""

from omnibus.bots.bot import Bot, Idea
from omnibus.bots.levels import (
    ERRING,
    THINKERS,
    bot,
    check_level,
    checked_seconds,
    checked_simulations,
    names,
    names_for,
    strongest,
)

__all__ = [
    "ERRING",
    "THINKERS",
    "Bot",
    "Idea",
    "bot",
    "check_level",
    "checked_seconds",
    "checked_simulations",
    "names",
    "names_for",
    "strongest",
]
