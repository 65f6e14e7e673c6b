"""The games and bots on offer."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Choice(Struct, frozen=True):
    """A choice of an option."""

    value: Any
    text: str


class OptionOffer(Struct, frozen=True):
    """An option of a game."""

    name: str
    text: str
    default: Any
    choices: list[Choice]
    allowed: str
    """What else is allowed, in words (a map of the city, say); mostly empty."""


class GameOffer(Struct, frozen=True):
    """A game you can play here."""

    name: str
    title: str
    about: str
    seats: list[int]
    """The possible numbers of seats."""
    options: list[OptionOffer]


class BotOffer(Struct, frozen=True):
    """A bot you can play against."""

    name: str
    text: str


class Offer(Struct, frozen=True):
    """The games, and the bots from the weakest to the strongest."""

    games: list[GameOffer]
    bots: list[BotOffer]
