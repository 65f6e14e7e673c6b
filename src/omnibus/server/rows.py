"""What the store keeps beside events: users, tables and who sits at them, uploaded records."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from omnibus.kernel.game import Document

Standing = Literal["live", "over", "closed"]


class User(Struct, frozen=True):
    """A person, known by a token."""

    id: str
    name: str


class Sitter(Struct, frozen=True):
    """Who sits in a seat: a user (under a name of their own at this table, perhaps) or a bot."""

    user: str | None = None
    bot: str | None = None
    name: str = ""


class Setting(Struct, frozen=True):
    """All that was decided when a table was set up."""

    id: str
    game: str
    rules: int
    seats: int
    options: Document
    seed: int
    sitters: list[Sitter]
    owner: str
    created: float

    def people(self) -> set[str]:
        """Return the users who sit here."""
        return {sitter.user for sitter in self.sitters if sitter.user is not None}


class Entry(Struct, frozen=True):
    """A table in a list of tables."""

    setting: Setting
    updated: float
    awaits: int | None
    standing: Standing
