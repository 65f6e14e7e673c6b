"""Bots choose a move from a view — never from a state they could peek into."""

from omnibus.bots.bot import Bot, bot, names

__all__ = ["Bot", "bot", "names"]
