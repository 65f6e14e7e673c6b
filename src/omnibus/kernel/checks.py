"""Checks that the position documents of all games need: keys, whole numbers, choices. BadPosition names the culprit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from omnibus.kernel.game import BadPosition
from omnibus.kernel.i18n import Message, mark

POSITION: Final = mark("the position")


def expect(good: bool, complaint: str, /, **blanks: Any) -> None:
    """Raise BadPosition unless the condition holds. The complaint is a message for the catalogues; it needs no mark.

    The blanks are filled only when it is told: `{name!r}` shows a value as it is written.
    """
    if not good:
        raise BadPosition(complaint, **blanks)


def check_keys(what: str, document: Any, keys: Sequence[str], *, optional: Sequence[str] = ()) -> None:
    """Check that this is an object with exactly these keys, apart from the optional ones.

    What it is called is translated if it is a marked message.
    """
    if not isinstance(document, Mapping):
        raise BadPosition("{what} must be an object", what=Message(what))
    for key in keys:
        if key not in document:
            raise BadPosition("{what} has no {key}: add it", what=Message(what), key=key)
    for key in document:
        if key not in keys and key not in optional:
            raise BadPosition("{what} has an unknown key {key!r}: remove it", what=Message(what), key=key)


def whole(name: str, value: Any, least: int, most: int) -> int:
    """Return a value that must be a whole number within bounds."""
    if not (isinstance(value, int) and not isinstance(value, bool) and least <= value <= most):
        wanted = mark("{name} must be a whole number from {least} to {most}, not {value!r}")
        raise BadPosition(wanted, name=name, least=least, most=most, value=value)
    return int(value)


def index(name: str, value: Any, choices: Sequence[str]) -> int:
    """Return the index of a value that must be one of the choices."""
    if not (isinstance(value, str) and len(value) > 0 and value in list(choices)):
        wanted = mark("{name} must be one of {choices}, not {value!r}")
        raise BadPosition(wanted, name=name, choices=", ".join(choices), value=value)
    return choices.index(value)
