"""What the store keeps beside events: users, tables and who sits at them, uploaded records."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from omnibus.kernel.game import Document

TableStatus = Literal["open", "live", "over", "closed"]
"""Open: seats are free and the game has not begun."""

TokenKind = Literal["device", "recovery", "seat", "invitation", "mail"]
"""Mail: who has it reads what is sent to the address a user gave."""

DAY: Final = 24 * 3600.0
PATIENCE: Final = 3 * DAY  # how long somebody may be away before the others may let a bot play, if nothing was said
DEFAULT_BOT: Final = "medium"  # who plays when nobody has said who
LIVE_PATIENCE: Final = 600.0


class User(Struct, frozen=True):
    """A person, known by a token."""

    id: str
    name: str


class UserRow(Struct, frozen=True):
    """A user in a list of users: when they came and were last here, and how much there is of them."""

    id: str
    name: str
    created: float
    seen: float
    tables: int
    sayings: int
    records: int


class Profile(Struct, frozen=True):
    """What a user has told us beside a name: where to tell them, when they are not here, that they are awaited."""

    webhook: str = ""
    mail: str = ""
    language: str = "en"
    confirmed: bool = False
    """Whether whoever reads the mails at that address wants to have them."""


class Token(Struct, frozen=True):
    """What a token is for: whom it makes one, and (of a seat or an invitation) where."""

    kind: TokenKind
    user: str | None
    table: str | None
    seat: int | None


class ChatLine(Struct, frozen=True):
    """Something said at a table."""

    number: int
    user: str
    seat: int
    text: str
    at: float


class Sitter(Struct, frozen=True):
    """Who sits in a seat: a user (under a name of their own at this table, perhaps), a bot, or nobody yet."""

    user: str | None = None
    bot: str | None = None
    name: str = ""

    @property
    def free(self) -> bool:
        """Whether nobody sits there yet."""
        return self.user is None and self.bot is None


class TableSetup(Struct, frozen=True):
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
    listed: bool = False
    """Whether the lobby shows it as long as seats are free."""
    patience: float = PATIENCE

    def free(self) -> list[int]:
        """Return the seats in which nobody sits yet."""
        return [seat for seat, sitter in enumerate(self.sitters) if sitter.free]

    def people(self) -> set[str]:
        """Return the users who sit here."""
        return {sitter.user for sitter in self.sitters if sitter.user is not None}


class Erased(Struct, frozen=True):
    """How many texts of a user were removed: names (one, or none), names of seats, lines of chat, records."""

    names: int
    seats: int
    sayings: int
    records: int


class TableRow(Struct, frozen=True):
    """A table in a list of tables."""

    setup: TableSetup
    updated: float
    awaits: int | None
    standing: TableStatus
