"""What those who sit at a table are called."""

from __future__ import annotations

from omnibus.bots.nicknames import nickname
from omnibus.kernel.game import Words
from omnibus.kernel.svg import seat_name
from omnibus.server.store.models import TableSetup


def names_of(setup: TableSetup, told: Words) -> list[str]:
    """Return the names of those who sit at a table: a person's own, a nickname for a bot, else the seat's colour."""
    people = [sitter.name for sitter in setup.sitters if sitter.name]
    return [
        sitter.name or (seat_name(seat, told) if sitter.bot is None else nickname(setup.id, seat, people, told))
        for seat, sitter in enumerate(setup.sitters)
    ]
