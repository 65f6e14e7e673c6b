"""What those who sit at a table are called."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from omnibus.bots.nicknames import nickname
from omnibus.kernel.game import Words
from omnibus.kernel.record import LONGEST_NAME
from omnibus.kernel.svg import seat_name
from omnibus.server.people.name_folding import folded
from omnibus.server.store.models import Sitter, TableSetup


def told_apart(name: str, others: Iterable[str]) -> str:
    """Return a name that differs from those of the others at a table: with a number where it would not."""
    taken = {folded(other) for other in others if other}
    numbered, number = name, 1
    while name and folded(numbered) in taken:
        number += 1
        numbered = f"{name[: LONGEST_NAME - 5].rstrip()} ({number})"
    return numbered


def all_told_apart(sitters: list[Sitter]) -> list[Sitter]:
    """Return those who sit at a new table with names that differ: whoever sits further along gets a number."""
    named: list[Sitter] = []
    for sitter in sitters:
        named.append(replace(sitter, name=told_apart(sitter.name, [other.name for other in named])))
    return named


def names_of(setup: TableSetup, told: Words) -> list[str]:
    """Return the names of those who sit at a table: a person's own, a nickname for a bot, else the seat's colour."""
    people = [sitter.name for sitter in setup.sitters if sitter.name]
    return [
        sitter.name or (seat_name(seat, told) if sitter.bot is None else nickname(setup.id, seat, people, told))
        for seat, sitter in enumerate(setup.sitters)
    ]
