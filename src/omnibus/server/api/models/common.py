"""Limits and bodies that the routes share."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field

from omnibus.bots import names as bot_names
from omnibus.server.errors import Code
from omnibus.server.store.models import DEFAULT_BOT

LARGEST: Final = 2**53 - 1  # the largest whole number that every JSON reader gets right
MOST_SEATS: Final = 10
TYPED: Final = 240  # characters of a name before it is cleaned
RequestId = Annotated[
    str,
    Field(max_length=64, description="An id for this request: repeated with the same id, it is carried out once."),
]


class Body(BaseModel):
    """A request body: no other fields, no conversion of types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Named(Body):
    """A name; empty: none."""

    name: Annotated[str, Field(max_length=TYPED, examples=["Ann"])] = ""


class BotRequest(Body):
    """A bot, by the name of its level."""

    bot: Annotated[str, Field(max_length=TYPED, examples=list(bot_names()))] = DEFAULT_BOT


class Problem(Struct, frozen=True, omit_defaults=True):
    """Why a request was rejected: a code for programs, a text in the reader's language for people."""

    code: Code
    text: str
    section: str = ""
    """The § of the rules that forbids it."""
