"""The rows of the database: users, tokens, tables and who sits at them, chat lines."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from omnibus.kernel.game import Document

TableStatus = Literal["open", "live", "over", "closed"]
"""Open: seats are free, and the game has not started."""

TokenKind = Literal["device", "recovery", "seat", "mail"]
"""Mail: proves that its holder reads the emails to the address a user entered."""

DAY: Final = 24 * 3600.0
PATIENCE: Final = 3 * DAY  # how long a player may be away before the others can let a bot take over, by default
DEFAULT_BOT: Final = "medium"  # the bot that plays when none was chosen
LIVE_PATIENCE: Final = 600.0


class User(Struct, frozen=True):
    """A person, identified by a token."""

    id: str
    name: str


class UserRow(Struct, frozen=True):
    """A user in a list of users: when they were created and last seen, and how much they have."""

    id: str
    name: str
    created: float
    seen: float
    tables: int
    sayings: int
    records: int


class Profile(Struct, frozen=True):
    """Where and in which language a user gets messages when it is their turn."""

    webhook: str = ""
    mail: str = ""
    language: str = "en"
    confirmed: bool = False
    """Whether the email address is confirmed."""
    push: bool = False
    """Whether some device gets push messages."""


class RecoveryLink(Struct, frozen=True):
    """The recovery link of a user: when it was created, and when it was used last."""

    created: float
    used: float | None
    """None: never."""


class Token(Struct, frozen=True):
    """What a token is for: a user, and for a seat also the table and the seat."""

    kind: TokenKind
    user: str
    table: str | None
    seat: int | None


class ChatLine(Struct, frozen=True):
    """A line of chat."""

    number: int
    user: str
    seat: int
    text: str
    at: float


class Sitter(Struct, frozen=True):
    """Who sits in a seat: a user, perhaps with a name of their own at this table, a bot, or nobody yet."""

    user: str | None = None
    bot: str | None = None
    name: str = ""

    @property
    def free(self) -> bool:
        """Whether nobody sits there yet."""
        return self.user is None and self.bot is None


class TimeControl(Struct, frozen=True):
    """How much time there is, in seconds."""

    bank: float
    """What every seat starts with, and never has more than."""
    increment: float = 0.0
    """What every decision adds to the bank."""
    turn: float = 0.0
    """What every turn has for itself before the bank is used; it does not add up."""

    @property
    def by_days(self) -> bool:
        """Whether turns take days: nobody is expected to sit at the page meanwhile."""
        return self.turn >= DAY


class Listing(Struct, frozen=True, omit_defaults=True):
    """Whom a listed table is meant for."""

    language: str = ""
    """The language its owner would like to chat in; empty: any."""
    lowest: int | None = None
    """The lowest rating with which somebody may join from the lobby; None: any."""
    highest: int | None = None

    def admits(self, rating: int) -> bool:
        """Tell whether somebody with a rating may join from the lobby."""
        return (self.lowest is None or rating >= self.lowest) and (self.highest is None or rating <= self.highest)


class TableSetup(Struct, frozen=True):
    """What was decided when a table was set up."""

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
    """Whether the lobby lists it while seats are free."""
    patience: float = PATIENCE
    deal: str = ""
    """The deal it belongs to, which others play with the same dice; empty: none."""
    clock: TimeControl | None = None
    """How much time the players have; None: as much as they like."""
    rated: bool = False
    """Whether the game changes the players' ratings."""
    tournament: str = ""
    """The tournament it belongs to; empty: none."""
    random_seats: bool = False
    """Whether it is drawn who sits where when the game starts; in rated games it always is."""
    listing: Listing | None = None
    """Whom it is meant for, if it is listed."""

    @property
    def draws_seats(self) -> bool:
        """Whether it is drawn who sits where; in a tournament its pairings say so."""
        return (self.rated or self.random_seats) and not self.tournament

    def free(self) -> list[int]:
        """Return the free seats."""
        return [seat for seat, sitter in enumerate(self.sitters) if sitter.free]

    def seats_of(self, user: str | None) -> list[int]:
        """Return the seats a user has taken, even if they have resigned since."""
        return [seat for seat, sitter in enumerate(self.sitters) if user is not None and sitter.user == user]

    def people(self) -> set[str]:
        """Return the users who sit here."""
        return {sitter.user for sitter in self.sitters if sitter.user is not None}


class Erased(Struct, frozen=True):
    """How many texts of a user were removed: names (one or none), names at tables, chat lines, records, addresses."""

    names: int
    seats: int
    sayings: int
    records: int
    addresses: int
    """Webhook, email address, and devices that get push messages."""


class TableRow(Struct, frozen=True):
    """A table in a list of tables."""

    setup: TableSetup
    updated: float
    awaits: int | None
    standing: TableStatus
    winners: list[int] | None = None
    """The seats that won, once the game is over."""
