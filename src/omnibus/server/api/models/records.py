"""Uploaded records, and the dice of a game."""

from __future__ import annotations

from msgspec import Struct


class DiceInfo(Struct, frozen=True):
    """The commitment of the dice and, once the game is over, whether the rolls agree with it (docs/dice.md)."""

    commitment: str | None
    seed: str | None
    """Revealed when the game is over."""
    verified: bool | None
    """Null while the game is live."""
    checked: int
    """How many rolls were checked."""
    told: list[str]
    """The result in words."""
    placed: bool = False
    """Whether the game began from a position set up by hand. Then `verified` is false, and only the rolls after that
    position can be checked."""


class RecordInfo(Struct, frozen=True):
    """An uploaded record."""

    id: str
    link: str
    game: str
    seats: int
    names: list[str]
    plies: int
