"""Cleans what people type: one line of printable text, not too long."""

from __future__ import annotations

from omnibus.kernel.record import LONGEST_NAME


def clean_line(text: str, longest: int) -> str:
    """Return text as one line of a limited number of printable characters, with single spaces."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * longest])
    return " ".join(printable.split())[:longest].rstrip()


def clean_name(text: str) -> str:
    """Return a name as it may be stored; empty when nothing of it is left."""
    return clean_line(text, LONGEST_NAME)
