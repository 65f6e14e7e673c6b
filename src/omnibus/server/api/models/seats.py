"""Seats of a table: invitations to them, tokens for programs."""

from __future__ import annotations

from msgspec import Struct

from omnibus.server.api.models.tables import TableInfo


class SeatToken(Struct, frozen=True):
    """A token with which a program can play in one seat of one table, and nothing else. It is shown only here."""

    token: str
    table: str
    seat: int


class NewInvitation(Struct, frozen=True):
    """An invitation: whoever uses the token or the link first may take the seat."""

    token: str
    link: str


class Invitation(Struct, frozen=True):
    """The table and the seat of an invitation."""

    table: TableInfo
    seat: int
