"""Who sits where before a game: seats are taken, left and drawn here, and the last one taken starts the game."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from omnibus import games
from omnibus.kernel.i18n import mark
from omnibus.server.errors import Code, Rejected
from omnibus.server.people.bans import expect_not_banned
from omnibus.server.people.blocks import expect_welcome
from omnibus.server.store.database import SEATS
from omnibus.server.store.errors import Conflict
from omnibus.server.store.models import Sitter, TableSetup
from omnibus.server.tables.names import told_apart
from omnibus.server.tables.table import Table

if TYPE_CHECKING:
    from omnibus.server.tables.registry import TableRegistry

SEATING_TRIES: Final = 5
TOO_LATE: Final = mark("This seat is taken, or the game has already started.")
ONE_SEAT_EACH: Final = mark(
    "At a table that is listed in the lobby, one person can take only one seat, because the players of this game hide "
    "their cards from each other."
)

SHUFFLE: Final = secrets.SystemRandom()  # who sits where

Permit = Callable[[TableSetup], None]
"""Checks a table at the moment somebody sits down or leaves; raises when it is not allowed."""


async def change_seat(
    registry: TableRegistry,
    table_id: str,
    seat: int,
    sitter: Sitter,
    *,
    instead_of: Sitter | None = None,
    permit: Permit | None = None,
    sent_away: str | None = None,
    apart: str | None = None,
    expect_rating: bool = False,
) -> None:
    """Let somebody take a free seat before the game, or leave one; the game starts when no seat is free.

    Rejected when the game has started or somebody else was quicker (`instead_of` is who is thought to sit there).
    Between the check of `permit` and the change nothing else can change. `sent_away` is the user who has to leave;
    whoever sits at the table `apart` cannot sit at this one, and with `expect_rating` the rating must be one that
    this one asks for.
    """
    async with registry.seats_lock:
        for _ in range(SEATING_TRIES):
            setup = await registry.waiting_setup(table_id)
            if permit:
                permit(setup)
            if sitter.user is not None:
                await _expect_allowed(registry, setup, sitter.user, expect_rating=expect_rating)
            with suppress(Conflict):  # another process has changed the seats meanwhile
                await _change(registry, setup, seat, sitter, instead_of, apart)
                break
        else:
            raise Rejected(Code.STALE, why=TOO_LATE)
    presence = await registry.presence(setup)
    if sitter.user is not None:
        presence.saw(sitter.user)  # nobody may let a bot play for who has only just sat down
    registry.publisher.publish_setup(presence, sent_away)
    registry.database.hint(f"{SEATS}{table_id}" + (f":{sent_away}" if sent_away else ""))


async def _change(
    registry: TableRegistry,
    setup: TableSetup,
    seat: int,
    sitter: Sitter,
    instead_of: Sitter | None,
    apart: str | None,
) -> None:
    """Change who sits in a seat, and start the game when none is free; Conflict when all is different by now."""
    if not 0 <= seat < setup.seats:
        raise Rejected(Code.NOT_YOUR_SEAT)
    before, presence = setup.sitters, await registry.presence(setup)
    taken = not (sitter.free or before[seat].free)
    if taken or instead_of not in (None, before[seat]):
        raise Rejected(Code.STALE, why=TOO_LATE)
    sitter = await registry.rating_service.seated(sitter) if setup.rated else sitter
    others = [other.name for number, other in enumerate(before) if number != seat]
    sitter = replace(sitter, name=told_apart(sitter.name, others))
    setup = replace(setup, sitters=[*before[:seat], sitter, *before[seat + 1 :]])
    if setup.listed and sitter.user is not None:
        expect_one_seat_each(setup.game, setup.sitters)
    if setup.free():
        await registry.table_store.reseat(setup, before, apart=apart)
        presence.owners = [sitter.user for sitter in setup.sitters]
    else:
        setup = draw_seats(setup)
        table, first = await Table.started(registry.table_store, setup, await on_vacation(registry, setup))
        await registry.table_store.reseat(setup, before, first, apart=apart)
        registry.add(table, presence)
        await registry.publisher.publish_start(table)


async def _expect_allowed(registry: TableRegistry, setup: TableSetup, user: str, *, expect_rating: bool) -> None:
    """Reject somebody who may not sit down at a table: banned, blocked, or with a rating it does not ask for."""
    await expect_not_banned(registry.ban_store, user)
    await expect_welcome(registry.block_store, setup, user)
    if expect_rating and user != setup.owner:
        await registry.rating_service.expect_in_range(setup, user)


async def on_vacation(registry: TableRegistry, setup: TableSetup) -> dict[str, float]:
    """Return who of those at a table is on vacation and until when, if that stops their clocks."""
    by_days = setup.clock is not None and setup.clock.by_days
    return await registry.vacation_store.until(setup.people()) if by_days else {}


def draw_seats(setup: TableSetup) -> TableSetup:
    """Draw who sits where, if that is wanted and all are there."""
    if not setup.draws_seats or setup.free():
        return setup
    return replace(setup, sitters=SHUFFLE.sample(setup.sitters, setup.seats))


def expect_one_seat_each(game: str, sitters: list[Sitter]) -> None:
    """Reject two seats of one person where strangers join and hands are hidden: one would see two of them."""
    users = [sitter.user for sitter in sitters if sitter.user is not None]
    others = len(set(users)) > 1 or any(sitter.free for sitter in sitters)
    if others and not games.find(game).open and len(users) > len(set(users)):
        raise Rejected(Code.REFUSED, why=ONE_SEAT_EACH)
