"""Tables to set up or to join, and lists of tables."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Struct
from pydantic import ConfigDict, Field

from omnibus.bots import names as bot_names
from omnibus.kernel.game import Document
from omnibus.server.api.models.common import MOST_SEATS, TYPED, Body, Named
from omnibus.server.store.models import DAY, DEFAULT_BOT, PATIENCE, Listing, TableStatus, TimeControl
from omnibus.server.tables.clock import LONGEST_BANK, LONGEST_INCREMENT, LONGEST_TURN, Pace

HIGHEST_RATING: Final = 9999

Options = Annotated[dict[str, Any], Field(description="Options of the game by name; defaults for the others.")]


class SeatRequest(Body):
    """Who sits in a seat: you (or, under another name, somebody on your device), a bot, or whoever joins."""

    who: Literal["you", "bot", "free"]
    name: Annotated[str, Field(max_length=TYPED)] = ""
    bot: Annotated[str, Field(max_length=TYPED, examples=list(bot_names()))] = DEFAULT_BOT


class ClockRequest(Body):
    """How much time players have: a ready-made pace, or a bank with an increment or days per turn, in seconds."""

    pace: Annotated[Pace | None, Field(description="A ready-made time control; nothing else is needed then.")] = None
    bank: Annotated[
        float, Field(ge=0, le=LONGEST_BANK, allow_inf_nan=False, description="What everybody has for the whole game.")
    ] = 0
    increment: Annotated[
        float,
        Field(
            ge=0,
            le=LONGEST_INCREMENT,
            allow_inf_nan=False,
            description="What every decision adds, never beyond the bank one started with.",
        ),
    ] = 0
    turn: Annotated[
        float,
        Field(ge=0, le=LONGEST_TURN, allow_inf_nan=False, description="What every turn has before the bank is used."),
    ] = 0


class ListingRequest(Body):
    """Whom a table in the lobby is meant for."""

    language: Annotated[
        Literal["", "de", "en", "fr", "it"], Field(description="The language to chat in; empty: any.")
    ] = ""
    lowest: Annotated[int | None, Field(ge=0, le=HIGHEST_RATING, description="The lowest rating to join with.")] = None
    highest: Annotated[int | None, Field(ge=0, le=HIGHEST_RATING, description="The highest one.")] = None


class PairingRequest(ListingRequest):
    """What you would like to play, and with whom."""

    model_config = ConfigDict(json_schema_extra={"example": {"game": "times_square", "pace": "normal"}})

    game: Annotated[str, Field(max_length=TYPED, examples=["times_square"])]
    pace: Annotated[Pace | None, Field(description="A ready-made time control; null: no clock.")] = None
    seats: Annotated[int | None, Field(ge=2, le=MOST_SEATS, description="How many play; null: any number.")] = None
    rated: Annotated[bool, Field(description="Whether the game changes ratings.")] = False


class TableRequest(Body):
    """A table to set up."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"game": "times_square", "seats": [{"who": "you"}, {"who": "bot", "bot": "easy"}]}
        }
    )

    game: Annotated[str, Field(max_length=TYPED, examples=["times_square"])]
    seats: Annotated[list[SeatRequest], Field(min_length=1, max_length=MOST_SEATS)]
    options: Options = {}  # noqa: RUF012 — pydantic copies it
    listed: Annotated[bool, Field(description="Whether the lobby shows it while seats are free.")] = False
    listing: Annotated[ListingRequest | None, Field(description="Whom it is meant for, if it is listed.")] = None
    patience: Annotated[
        float,
        Field(
            ge=60,
            le=30 * DAY,
            allow_inf_nan=False,
            description="After how many seconds of absence the others may let a bot play for a player.",
        ),
    ] = PATIENCE
    clock: Annotated[ClockRequest | None, Field(description="How much time players have; null: no clock.")] = None
    rated: Annotated[
        bool,
        Field(
            description="Whether the game changes ratings: one seat is yours, the others are free, everybody has "
            "claimed their name, and who sits where is drawn when the game starts."
        ),
    ] = False
    random_seats: Annotated[
        bool, Field(description="Whether who sits where is drawn when the game starts; in rated games it always is.")
    ] = False


class TeamMatchRequest(Named):
    """A team match to set up."""

    model_config = ConfigDict(json_schema_extra={"example": {"game": "metromania", "seats": 2, "pair": True}})

    game: Annotated[str, Field(max_length=TYPED, examples=["metromania"])]
    seats: Annotated[int, Field(ge=1, le=MOST_SEATS, description="At each of the two tables: an even number.")]
    options: Options = {}  # noqa: RUF012 — pydantic copies it
    pair: Annotated[
        bool, Field(description="Whether two people play both games; only where nothing is hidden in the game.")
    ] = False


class TeamSeatRequest(Named):
    """A seat of a team match."""

    table: Annotated[int, Field(ge=0, le=1, description="The first or the second table.")]
    seat: Annotated[int, Field(ge=0, lt=MOST_SEATS)]


class SeatInfo(Struct, frozen=True):
    """A seat of a table."""

    seat: int
    name: str
    who: Literal["person", "bot", "free"]
    bot: str | None
    yours: bool


class TableInfo(Struct, frozen=True):
    """A table, as in a list of tables."""

    id: str
    link: str
    game: str
    title: str
    options: Document
    standing: TableStatus
    listed: bool
    listing: Listing | None
    """Whom it is meant for, if it is listed; null: everybody."""
    patience: float
    clock: TimeControl | None
    """How much time players have, in seconds; null: no clock."""
    rated: bool
    """Whether the game changes the players' ratings."""
    random_seats: bool
    """Whether who sits where is drawn when the game starts."""
    created: float
    updated: float
    awaits: int | None
    """The seat that is to decide, if a person decides for it."""
    mine: bool
    """Whether it is your table: you have set it up."""
    seats: list[SeatInfo]


class Tables(Struct, frozen=True):
    """Some tables, the latest first."""

    tables: list[TableInfo]


class Awaiting(Struct, frozen=True):
    """The tables that wait for you, the longest waiting first."""

    tables: list[str]
