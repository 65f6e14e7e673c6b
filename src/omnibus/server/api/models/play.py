"""Playing and chatting at a table."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct
from pydantic import Field

from omnibus.kernel.game import Document
from omnibus.server.api.models.common import LARGEST, MOST_SEATS, Body, BotRequest, RequestId


class TurnRequest(Body):
    """A request about the table as it was at the last event seen; if there is a newer event, it is `stale`."""

    event: Annotated[int, Field(ge=0, le=LARGEST, description="The last event seen (`event` of the scene).")]
    seat: Annotated[
        int | None,
        Field(ge=0, lt=MOST_SEATS, description="Which of your seats it is for; needed only if you have several."),
    ] = None
    id: RequestId = ""


class PlayRequest(TurnRequest):
    """A line to play."""

    line: Annotated[str, Field(max_length=1000, description="One of the scene's `moves`.", examples=["sue left"])]


class StandIn(BotRequest):
    """A bot that is to play for you."""

    id: RequestId = ""


class Proposition(TurnRequest):
    """A proposal that all people at the table have to agree to."""

    what: Annotated[
        Literal["undo", "bot"],
        Field(description="To undo your last decision; to let a bot play for `away`, whose owner is away."),
    ]
    away: Annotated[int | None, Field(ge=0, lt=MOST_SEATS)] = None


class Verdict(TurnRequest):
    """Whether you agree to the proposal; false also withdraws your own."""

    agree: bool


class Sight(Struct, frozen=True):
    """What a seat may see, as data: the view that bots choose from, as in the line protocol."""

    event: int
    seat: int | None
    view: Document
    legal: list[str]
    """The legal lines, if it is this seat's turn."""


class ChatRequest(Body):
    """Something to say to the other players."""

    text: Annotated[str, Field(max_length=4000, examples=["Good luck!"])]
    id: RequestId = ""


class Muting(Body):
    """The seat whose owner to mute, or to unmute."""

    seat: Annotated[int, Field(ge=0, lt=MOST_SEATS)]
