"""What a page and a table say to each other, as JSON over a WebSocket."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

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
"""A number that every reader of JSON, and the store, can hold."""


class Request(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing asked of a table: exactly one of the first thirteen.

    `event` is the last event the page has seen. What changes something carries an `id`: asked again under the same one,
    it is answered as the first time.
    """

    play: str | None = None
    """A line: one of the scene's `moves`."""
    undo: bool = False
    """To take back the own last decision, as far as nothing has been decided or drawn since."""
    sync: bool = False
    """To be told how things stand, as a scene."""
    look: Whole | None = None
    """The own seat through whose eyes to look; −1: nobody's."""
    why: str | None = None
    """A part: why can nothing be done with it?"""
    preview: str | None = None
    """A line: where would the pieces lie after it?"""
    hint: bool = False
    """To be told what a strong bot would do; only while no other person sits here."""
    propose: Literal["undo", "bot"] | None = None
    """To take back the own last decision; to let a bot play for `seat`, whose owner is away. All people must agree."""
    agree: bool | None = None
    """Whether to do what is proposed; False also withdraws an own proposal."""
    hand: str | None = None
    """A bot that is to play in the own seats; nobody (the empty text): they are taken back."""
    chat: str | None = None
    """Something to be said to the other players."""
    heard: Whole | None = None
    """Tell what was said after the line of this number."""
    mute: Whole | None = None
    """The seat whose owner is not to be heard any more, or again."""
    event: Whole = 0
    """The last event seen; what changes the game is `stale` if there is a newer one."""
    id: str = ""
    """A name for this request, at most 64 characters."""
    ground: str = ""
    """What a sync need not send again."""
    seat: Whole | None = None
    """Of a proposal: where a bot is to play. Of a sync: through whose eyes the page looked when the line broke."""


class Done(Struct, frozen=True, tag="done"):
    """It is done, and kept as this event."""

    id: str
    event: int


class Trouble(Struct, frozen=True, tag="error"):
    """It is not done: why, in the reader's language, with the § if the rules forbid it."""

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
    """Who is here: of each seat whether its owner is (None: a bot, or nobody), which have been away too long."""

    here: list[bool | None]
    absent: list[int]
    watching: int


class Said(Struct, frozen=True):
    """Something said by the owner of a seat."""

    number: int
    seat: int
    text: str
    at: float
    own: bool


class Chat(Struct, frozen=True, tag="chat"):
    """What was said after the line of a number, and the seats whose owners the reader does not want to hear."""

    since: int
    lines: list[Said]
    muted: list[int]


class Awaited(Struct, frozen=True, tag="awaited"):
    """The tables that wait for the reader, the longest waiting first."""

    tables: list[str]


class Changed(Struct, frozen=True, tag="changed"):
    """Something at an open table is no longer what it was: who sits there, or that it is open."""


class Preview(Struct, frozen=True, tag="preview"):
    """The pieces as they would lie after a line."""

    line: str
    pieces: list[Drawn]


class Idea(Struct, frozen=True):
    """A line a strong bot thinks of: how likely it makes the win, what is for it and what against."""

    line: str
    label: str
    share: float
    reasons: list[str]
    doubts: list[str]


class Hint(Struct, frozen=True, tag="hint"):
    """What a strong bot would do, best first; nothing when none could be asked."""

    event: int
    ideas: list[Idea]


_DECODER: Final = msgspec.json.Decoder(Request)
write: Final = msgspec.json.Encoder().encode


def read(text: str | bytes) -> Request | None:
    """Read a request; None for what is none."""
    if len(text) > LONGEST:
        return None
    try:
        request = _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeError):
        return None
    said = {field: getattr(request, field) for field in QUESTIONS}
    asked = [field for field, value in said.items() if value is not None and (value is not False or field == "agree")]
    return request if len(asked) == 1 and len(request.id) <= 64 else None
