"""The messages of the WebSocket, as JSON."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from omnibus.bots import Idea
from omnibus.server.errors import Code
from omnibus.server.tables.board_view import Drawn

LONGEST: Final = 8192  # bytes of a message to the table
QUESTIONS: Final = (
    "play",
    "undo",
    "sync",
    "look",
    "why",
    "preview",
    "hint",
    "propose",
    "agree",
    "hand",
    "chat",
    "heard",
    "mute",
)


Whole = Annotated[int, Meta(ge=-1, le=2**53 - 1)]
"""A number that every JSON reader and the database can hold."""


class Request(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A request to a table: exactly one of the first thirteen fields.

    `event` is the last event seen. A request that changes something has an `id`: repeated with the same id, it is
    carried out once and answered the same.
    """

    play: str | None = None
    """A line: one of the scene's `moves`."""
    undo: bool = False
    """To undo your last decision, if nothing has been decided or drawn since."""
    sync: bool = False
    """To be sent the scene."""
    look: Whole | None = None
    """Which of your seats to look through; −1: as a spectator."""
    why: str | None = None
    """A part of the board: why can nothing be done with it? Or, with `picked`, why does it not go with those?"""
    preview: str | None = None
    """A line: where would the pieces be after it?"""
    hint: bool = False
    """To be sent what a strong bot would do; only if no other person sits here."""
    propose: Literal["undo", "bot"] | None = None
    """To undo your last decision; to let a bot play for `seat`, whose owner is away. All people must agree."""
    agree: bool | None = None
    """Whether you agree to the proposal; false also withdraws your own."""
    hand: str | None = None
    """The bot that is to play in your seats; empty: you play in them again."""
    chat: str | None = None
    """Something to say to the other players."""
    heard: Whole | None = None
    """To be sent what was said after the line of this number."""
    mute: Whole | None = None
    """The seat whose owner to mute, or to unmute."""
    event: Whole = 0
    """The last event seen; a request that changes the game is `stale` if there is a newer one."""
    id: str = ""
    """An id for this request, at most 64 characters."""
    ground: str = ""
    """The `ground` that a sync need not send again."""
    wide: bool = False
    """In a sync: whether the board is to be drawn in landscape from now on."""
    differences: bool = False
    """In a sync: whether later scenes may be differences to those before (`base`), and have no picture sent before."""
    picked: list[Annotated[str, Meta(max_length=200)]] = []
    """For `why`: the parts that were chosen before."""
    seat: Whole | None = None
    """In a proposal: the seat for the bot. In a sync: the seat you looked through before the connection broke."""


class Done(Struct, frozen=True, tag="done"):
    """The request was carried out, and stored as this event."""

    id: str
    event: int


class Trouble(Struct, frozen=True, tag="error"):
    """The request was rejected: why, in the reader's language, with the § if the rules forbid it."""

    code: Code
    id: str
    text: str
    section: str = ""


class Reason(Struct, frozen=True, tag="reason"):
    """Why nothing can be done with a part."""

    part: str
    text: str
    section: str


class People(Struct, frozen=True, tag="people"):
    """Who is here: for each seat whether its owner is (null: a bot, or nobody), and which have been away too long."""

    here: list[bool | None]
    absent: list[int]
    watching: int


class Said(Struct, frozen=True):
    """Something said by somebody in a seat."""

    number: int
    seat: int
    text: str
    at: float
    own: bool
    name: str | None = None
    """The name of the author, if they no longer have this seat; null: it is the name of the seat."""


class Chat(Struct, frozen=True, tag="chat"):
    """What was said after the line of a number, and the seats the reader has muted."""

    since: int
    lines: list[Said]
    muted: list[int]


class Awaited(Struct, frozen=True, tag="awaited", omit_defaults=True):
    """The tables that wait for the reader, the longest waiting first."""

    tables: list[str]
    inbox: int = 0
    """How many invitations and friend requests wait for the reader's answer."""
    opened: list[str] = []
    """The tables of the reader's tournaments that have opened, and to which the reader has not come yet."""


class OpenTables(Struct, frozen=True, tag="open_tables"):
    """The tables with free seats have changed: the list as the lobby page shows it. `GET /api/lobby` gives the data."""

    html: str


class Changed(Struct, frozen=True, tag="changed"):
    """Something has changed at a table with free seats: who sits there, or the game has started."""

    reason: Literal["", "removed"] = ""
    """Removed: the person who set up the table has cleared your seat."""
    text: str = ""
    """The reason in the reader's language."""


class Preview(Struct, frozen=True, tag="preview"):
    """The pieces as they would be after a line."""

    line: str
    pieces: list[Drawn]


class Hint(Struct, frozen=True, tag="hint"):
    """What a strong bot would do, best first; empty when no bot could be asked."""

    event: int
    ideas: list[Idea]


_DECODER: Final = msgspec.json.Decoder(Request)
write: Final = msgspec.json.Encoder().encode


def read(text: str | bytes) -> Request | None:
    """Read a request; None if it is not valid."""
    if len(text) > LONGEST:
        return None
    try:
        request = _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeError):
        return None
    said = {field: getattr(request, field) for field in QUESTIONS}
    asked = [field for field, value in said.items() if value is not None and (value is not False or field == "agree")]
    return request if len(asked) == 1 and len(request.id) <= 64 else None
