"""What can be changed in a position: the fields of its document, and the places on the board that they concern."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

FieldKind = Literal["number", "choice", "switch", "bag", "list"]
"""A whole number; one of the values; true or false; a list in which only the numbers of the values matter; a list in
which their order matters."""


class Value(NamedTuple):
    """Something a field can have: as it stands in the document, and in the reader's language."""

    value: Any
    text: str
    part: str = ""
    """The part of the board that it stands for: clicking there offers this value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a position document."""

    path: tuple[str | int, ...]
    """The keys that lead to it in the document."""
    text: str
    """What it is called, in the reader's language."""
    kind: FieldKind
    values: tuple[Value, ...] = ()
    least: int = 0
    most: int = 0
    """The bounds of a number; for a bag, how often it may contain the same value."""
    empty: Literal["", "null", "absent"] = ""
    """How the document says that a choice or a number is not made, if it may: by null, or by leaving the key out."""
    seat: int | None = None
    """Whose it is; None: nobody's."""
    part: str = ""
    """The part of the board that the whole field is about."""


class Place(NamedTuple):
    """A part of the board that fields are about, and what it is called in the reader's language."""

    part: str
    text: str


@dataclass(frozen=True, slots=True)
class Editing:
    """What can be changed in a position."""

    fields: tuple[Field, ...] = ()
    places: tuple[Place, ...] = ()


def values(named: Iterable[tuple[Any, str]]) -> tuple[Value, ...]:
    """Return values that stand for no part of the board."""
    return tuple(Value(value, text) for value, text in named)


def capitalised(text: str) -> str:
    """Return a text with a capital first letter, for names that are also used within sentences."""
    return text[:1].upper() + text[1:]
