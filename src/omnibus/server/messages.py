"""What a page and a table say to each other, as JSON over a WebSocket."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from omnibus.server.position import Drawn
from omnibus.server.table import Code

LONGEST: Final = 8192  # bytes of a message to the table


class Request(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing asked of a table: exactly one of play, undo, sync, look, why, preview, hint.

    `event` is the last event the page has seen. What changes something carries an `id`: asked again under the same one,
    it is answered as the first time.
    """

    play: str | None = None
    undo: bool = False
    sync: bool = False
    look: int | None = None
    """The own seat through whose eyes to look; −1: nobody's."""
    why: str | None = None
    """A part: why can nothing be done with it?"""
    preview: str | None = None
    hint: bool = False
    event: int = 0
    id: str = ""
    ground: str = ""
    """What a sync need not send again."""
    seat: int | None = None
    """Through whose eyes the page looked when the line broke; a sync goes on there."""


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
    asked = [request.play is not None, request.undo, request.sync, request.look is not None]
    asked += [request.why is not None, request.preview is not None, request.hint]
    return request if sum(asked) == 1 and len(request.id) <= 64 else None
