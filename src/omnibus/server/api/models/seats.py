"""Seats of a table: tokens for programs."""

from __future__ import annotations

from msgspec import Struct


class SeatToken(Struct, frozen=True):
    """A token with which a program can play in one seat of one table, and nothing else. It is shown only here."""

    token: str
    table: str
    seat: int
