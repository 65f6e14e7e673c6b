"""The shapes of what is asked of the API and of what it answers; what a socket tells too is in messages.py."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct
from pydantic import BaseModel, ConfigDict, Field

from omnibus.bots import names as bot_names
from omnibus.kernel.game import Document
from omnibus.server.errors import Code
from omnibus.server.store.models import DAY, DEFAULT_BOT, PATIENCE, TableStatus

LARGEST: Final = 2**53 - 1  # the largest whole number every JSON reader gets right
MOST_SEATS: Final = 10
TYPED: Final = 240  # characters of a name before it is put right
UNKNOWN_USER: Final = "unknown_user"
FORBIDDEN: Final = "forbidden"
TOO_LARGE: Final = "too_large"
WRONG_HOST: Final = "wrong_host"
CODES: Final = [UNKNOWN_USER, FORBIDDEN, TOO_LARGE, WRONG_HOST, *map(str, Code)]


# asked


class Body(BaseModel):
    """Something asked: no field but these, each of its own type."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Named(Body):
    """A name to be called by; empty: one of the house's."""

    name: Annotated[str, Field(max_length=TYPED, examples=["Ann"])] = ""


class SeatRequest(Body):
    """Who is to sit in a seat: you (or, under another name, a neighbour of yours), a bot, or whoever comes."""

    who: Literal["you", "bot", "free"]
    name: Annotated[str, Field(max_length=TYPED)] = ""
    bot: Annotated[str, Field(max_length=TYPED, examples=list(bot_names()))] = DEFAULT_BOT


class TableRequest(Body):
    """A table to be set up."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"game": "times_square", "seats": [{"who": "you"}, {"who": "bot", "bot": "easy"}]}
        }
    )

    game: Annotated[str, Field(max_length=TYPED, examples=["times_square"])]
    seats: Annotated[list[SeatRequest], Field(min_length=1, max_length=MOST_SEATS)]
    options: Annotated[
        dict[str, Any], Field(description="Options of the game by name; those left out are as usual.")
    ] = {}
    listed: Annotated[bool, Field(description="Whether the lobby shows it as long as seats are free.")] = False
    patience: Annotated[
        float,
        Field(
            ge=60,
            le=30 * DAY,
            allow_inf_nan=False,
            description="After how many seconds away the others may let a bot play for somebody.",
        ),
    ] = PATIENCE


class BotRequest(Body):
    """A bot, by the name of its level."""

    bot: Annotated[str, Field(max_length=TYPED, examples=list(bot_names()))] = DEFAULT_BOT


class Turn(Body):
    """What is done at a table is done in the face of an event: the last one seen. A newer one makes it `stale`."""

    event: Annotated[int, Field(ge=0, le=LARGEST, description="The last event seen (`event` of the scene).")]
    seat: Annotated[
        int | None, Field(ge=0, lt=MOST_SEATS, description="For which own seat; needed only with several of them.")
    ] = None
    id: Annotated[
        str, Field(max_length=64, description="A name for this request: asked again under it, it is done once.")
    ] = ""


class PlayRequest(Turn):
    """A line to be played."""

    line: Annotated[str, Field(max_length=1000, description="One of the scene's `moves`.", examples=["sue left"])]


class Proposition(Turn):
    """Something for which all people at the table are asked."""

    what: Annotated[
        Literal["undo", "bot"],
        Field(description="To take back the own last decision; to let a bot play for `away`, whose owner is away."),
    ]
    away: Annotated[int | None, Field(ge=0, lt=MOST_SEATS)] = None


class Verdict(Turn):
    """Whether to do what is proposed; false also withdraws an own proposal."""

    agree: bool


class Saying(Body):
    """Something to be said to the others at the table."""

    text: Annotated[str, Field(max_length=4000, examples=["Good luck!"])]


class Muting(Body):
    """Whom not to hear any more, or again."""

    seat: Annotated[int, Field(ge=0, lt=MOST_SEATS)]


# answered


class Problem(Struct, frozen=True, omit_defaults=True):
    """Why something was not done: for programs, and in the reader's language for people."""

    code: Annotated[str, Meta(extra_json_schema={"enum": CODES})]
    text: str
    section: str = ""
    """The § of the rules that forbids it."""


class Me(Struct, frozen=True):
    """A user."""

    id: str
    name: str


class NewUser(Struct, frozen=True):
    """A new user, with the token that makes one this user from now on. It is told this once."""

    id: str
    name: str
    token: str


class Choice(Struct, frozen=True):
    """One thing an option can be."""

    value: Any
    text: str


class OptionOffer(Struct, frozen=True):
    """Something that can be chosen before a game."""

    name: str
    text: str
    default: Any
    choices: list[Choice]
    allowed: str
    """What else it may be, in words (a map of the city, say); mostly nothing."""


class GameOffer(Struct, frozen=True):
    """A game one can play here."""

    name: str
    title: str
    about: str
    seats: list[int]
    """For how many."""
    options: list[OptionOffer]


class BotOffer(Struct, frozen=True):
    """A bot one can play against, the weakest first."""

    name: str
    text: str


class Offer(Struct, frozen=True):
    """What can be played here, and against whom."""

    games: list[GameOffer]
    bots: list[BotOffer]


class SeatInfo(Struct, frozen=True):
    """A seat of a table."""

    seat: int
    name: str
    who: Literal["person", "bot", "free"]
    bot: str | None
    yours: bool


class TableInfo(Struct, frozen=True):
    """A table as it stands in a list of tables."""

    id: str
    link: str
    game: str
    title: str
    options: Document
    standing: TableStatus
    listed: bool
    patience: float
    created: float
    updated: float
    awaits: int | None
    """The seat that is to decide, if a person decides for it."""
    mine: bool
    """Whether you have set it up."""
    seats: list[SeatInfo]


class Tables(Struct, frozen=True):
    """Some tables, the latest first."""

    tables: list[TableInfo]


class Awaiting(Struct, frozen=True):
    """The tables that wait for you, the longest waiting first."""

    tables: list[str]


class Sight(Struct, frozen=True):
    """What a seat may see, as data: what bots choose from, and what the line protocol calls a view."""

    event: int
    seat: int | None
    view: Document
    legal: list[str]
    """The lines that can be played now, if it is this seat's turn."""


class SeatToken(Struct, frozen=True):
    """With this a program can play in one seat of one table, and do nothing else. It is told this once."""

    token: str
    table: str
    seat: int


class NewInvitation(Struct, frozen=True):
    """Whoever brings the token, or follows the link, may sit down in this seat, as long as it is free."""

    token: str
    link: str


class Invitation(Struct, frozen=True):
    """To which seat of which table somebody is invited."""

    table: TableInfo
    seat: int


class DiceInfo(Struct, frozen=True):
    """What was promised about the dice and, once the game has come to its end, whether it was kept (docs/dice.md)."""

    commitment: str | None
    seed: str | None
    """Revealed at the end."""
    verified: bool | None
    """Null while the game goes on."""
    checked: int
    """How many rolls gave what the record says."""
    told: list[str]
    """The verdict in words."""


class RecordInfo(Struct, frozen=True):
    """A record that is kept here."""

    id: str
    link: str
    game: str
    seats: int
    names: list[str]
    plies: int
