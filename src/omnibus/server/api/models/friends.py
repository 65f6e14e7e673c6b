"""Other people: blocked players, invitations by name, reports."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from pydantic import ConfigDict, Field

from omnibus.server.api.models.common import LARGEST, MOST_SEATS, Named
from omnibus.server.people.invitations import TableInvitation


class Whom(Named):
    """A person: by a claimed name, or by a seat at a table."""

    model_config = ConfigDict(json_schema_extra={"example": {"name": "Ann"}})

    table: Annotated[str, Field(max_length=64, description="The id of a table; empty: `name` says who is meant.")] = ""
    seat: Annotated[int, Field(ge=0, lt=MOST_SEATS)] = 0


class ReportRequest(Whom):
    """A player to report, or a line of the chat of a table where you sit."""

    model_config = ConfigDict(json_schema_extra={"example": {"name": "Bob", "reason": "insults others"}})

    line: Annotated[
        int, Field(ge=0, le=LARGEST, description="The number of a line in the chat of `table`; 0: the player.")
    ] = 0
    reason: Annotated[str, Field(max_length=4000, description="What is wrong; needed where no line shows it.")] = ""


class BlockedPlayer(Struct, frozen=True):
    """Somebody you have blocked; the key is for unblocking them."""

    key: str
    name: str


class Blocks(Struct, frozen=True):
    """Whom you have blocked."""

    blocked: list[BlockedPlayer]


class MyInvitations(Struct, frozen=True):
    """The tables to which you are invited by name."""

    invitations: list[TableInvitation]


class Invited(Struct, frozen=True):
    """The names of those who are invited to a table and have not answered yet."""

    names: list[str]
