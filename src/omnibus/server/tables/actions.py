"""What users and bots do at tables: the same actions for sockets, forms, the API and the bot driver.

Who may do what is decided here. An action returns what it has changed, already stored and published, or raises:
Forbidden (not this user), Rejected (not now), TableNotFound.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from omnibus.bots import names_for
from omnibus.kernel.i18n import mark
from omnibus.server import metrics, text_input
from omnibus.server.errors import TROUBLES, Code, Forbidden, NotReplayable, NotStarted, Rejected, TableNotFound
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.store.database import PROGRAMS
from omnibus.server.store.errors import Conflict
from omnibus.server.store.models import DEFAULT_BOT, Sitter, TableSetup, User
from omnibus.server.tables.record_of_table import record_of
from omnibus.server.tables.seating import change_seat
from omnibus.server.tables.setup import levels_of
from omnibus.server.tables.table import Change, Table

if TYPE_CHECKING:
    from omnibus.server.tables.registry import TableRegistry

NOT_SET_UP: Final = mark("Only the person who set up this table can do that.")
NO_SUCH_BOT: Final = mark("There is no such bot.")
NOT_BEGUN: Final = mark("The game has not started yet.")
SITS_HERE: Final = mark("You are already at this table.")
KEEPS_A_SEAT: Final = mark("You set up this table, so you keep a seat. You can delete the table instead.")
OTHERS_PLAY: Final = mark(
    "Other people are playing here. You can resign or let a bot play for you, but you cannot close the table."
)
OTHERS_PLAYED: Final = mark("Other people have played at this table, so you cannot delete it.")
DEAL_PLAYED: Final = mark(
    "Others are playing this deal, and their results are compared with yours. You can delete this table when their "
    "games are over."
)
NO_STAND_IN: Final = mark("At a table of a deal, no bot can play for you: everyone’s own games are compared.")
STILL_GOES_ON: Final = mark("The game is not over yet.")
NO_BOTS: Final = mark("This is a rated game: bots and programs cannot take part.")
IN_A_MATCH: Final = mark("The seats of a team match are taken on its own page.")
NOT_DRAWN: Final = mark("The seats are drawn when the game starts. Create the token then.")


# before the game


async def sit(registry: TableRegistry, user: User, table_id: str, seat: int, name: str = "") -> None:
    """Take a free seat: the address of a table is the invitation to it.

    At their own table users may take several seats, for others on the same device.
    """

    def may_sit(setup: TableSetup) -> None:
        _expect_no_match(setup)
        if setup.rated or setup.owner != user.id:
            _new_here(setup, user)

    await change_seat(registry, table_id, seat, seated(user, name), permit=may_sit, expect_rating=True)


async def join(registry: TableRegistry, user: User, table_id: str, name: str = "", *, invited: bool = False) -> None:
    """Take whatever seat is free; whoever is invited by name needs no rating that the table asks for."""

    def may_join(setup: TableSetup) -> None:
        _expect_no_match(setup)
        _new_here(setup, user)

    while True:
        seat = (await registry.waiting_setup(table_id)).free()[0]
        try:
            await change_seat(registry, table_id, seat, seated(user, name), permit=may_join, expect_rating=not invited)
        except Rejected as rejected:
            if rejected.code is not Code.STALE:  # somebody was quicker; another seat may be free
                raise
        else:
            return


def expect_invitable(setup: TableSetup, user: User) -> None:
    """Reject invitations by name to a table that is not one's own, or where seats are taken by other rules."""
    _own(setup, user)
    _expect_no_match(setup)


def _new_here(setup: TableSetup, user: User) -> None:
    if user.id in setup.people():
        raise Rejected(Code.REFUSED, why=SITS_HERE)


async def stand_up(registry: TableRegistry, user: User, table_id: str, seat: int) -> None:
    """Leave one's seat before the game starts; the owner of the table may free any other seat."""
    setup = await registry.waiting_setup(table_id)
    sitter = _sitter(setup, seat)

    def may_leave(setup: TableSetup) -> None:
        own, keeper = sitter.user == user.id, setup.owner == user.id
        if not (own or keeper):
            raise Forbidden(TROUBLES[Code.NOT_YOUR_SEAT])
        if own and keeper and [other.user for other in setup.sitters].count(user.id) == 1:
            raise Rejected(Code.REFUSED, why=KEEPS_A_SEAT)

    may_leave(setup)
    if not sitter.free:
        sent_away = sitter.user if sitter.user != user.id else None
        await change_seat(registry, table_id, seat, Sitter(), instead_of=sitter, permit=may_leave, sent_away=sent_away)
        await _dismiss_programs(registry, table_id, seat)


async def fill(registry: TableRegistry, user: User, table_id: str, seat: int, bot: str) -> None:
    """Put a bot into a free seat of one's own table."""
    setup = _own(await registry.waiting_setup(table_id), user)
    if setup.rated:
        raise Rejected(Code.REFUSED, why=NO_BOTS)
    _expect_no_match(setup)
    if bot not in levels_of(setup):
        raise Rejected(Code.MALFORMED, why=NO_SUCH_BOT)
    await change_seat(registry, table_id, seat, Sitter(bot=bot))


def seated(user: User, name: str) -> Sitter:
    """Return a user who sits down, under another name perhaps."""
    return Sitter(user=user.id, name=text_input.clean_name(name) or user.name)


def _expect_no_match(setup: TableSetup) -> None:
    """Reject what would put anybody at a table of a team match but by its own rules."""
    if setup.deal:
        raise Rejected(Code.REFUSED, why=IN_A_MATCH)


def _sitter(setup: TableSetup, seat: int) -> Sitter:
    if not 0 <= seat < setup.seats:
        raise TableNotFound
    return setup.sitters[seat]


def _own(setup: TableSetup, user: User) -> TableSetup:
    if setup.owner != user.id:
        raise Forbidden(NOT_SET_UP)
    return setup


# during the game, and afterwards


async def play(
    registry: TableRegistry,
    table: Table,
    seat: int,
    line: str,
    event: int,
    request: str | None = None,
    *,
    by_bot: bool = False,
) -> Change:
    """Play a line for a seat, for a person or a bot; a request that is repeated is carried out once."""
    began = time.perf_counter()
    change = await registry.publisher.publish(table, table.play(seat, line, event, request, by_bot=by_bot))
    if change.new:
        metrics.count_move(began, by_bot=by_bot)
    return change


async def undo(registry: TableRegistry, table: Table, seat: int, event: int, request: str | None = None) -> Change:
    """Undo the last decision of a seat, if nothing has been decided or drawn since."""
    return await registry.publisher.publish(table, table.undo(seat, event, request))


async def hand_over(
    registry: TableRegistry, table: Table, seats: Sequence[int], bot: str, request: str | None = None
) -> Change:
    """Let a bot play in a user's seats until the user takes over again."""
    if not seats:
        raise Rejected(Code.NOT_YOUR_SEAT)
    if table.setup.deal:
        raise Rejected(Code.REFUSED, why=NO_STAND_IN)
    if bot not in names_for(table.game, table.match.state):
        raise Rejected(Code.MALFORMED, why=NO_SUCH_BOT)
    return [
        await registry.publisher.publish(table, table.hand_over(seat, bot, request if seat == seats[-1] else None))
        for seat in seats
    ][-1]


async def resume_seats(
    registry: TableRegistry, table: Table, seats: Sequence[int], request: str | None = None
) -> Change:
    """Let a user play again in seats that were handed over to a bot."""
    if not seats:
        raise Rejected(Code.NOT_YOUR_SEAT)
    return [
        await registry.publisher.publish(table, table.resume(seat, request if seat == seats[-1] else None))
        for seat in seats
    ][-1]


async def resign(registry: TableRegistry, user: User, table_id: str, *, only: int | None = None) -> Change:
    """Give up a user's seats, or the only one in question; whoever resigns does not win.

    When only one seat is left, it wins at once. Otherwise bots play on in the seats that were given up, as long as
    other people play at the table; else the game ends here, without a winner.
    """
    table = await live_table(registry, table_id)
    every = table.seats_of(user.id)
    own = [seat for seat in every if only is None or seat == only]
    if not own:
        raise Forbidden(TROUBLES[Code.NOT_YOUR_SEAT])
    if own == every and table.people() == {user.id}:
        seat = table.actor if table.actor in own else own[0]
        return await registry.publisher.publish(table, table.resign(seat, None))
    for seat in own:
        bot = None if len(table.match.resigned) == table.match.seats - 2 else DEFAULT_BOT
        change = await registry.publisher.publish(table, table.resign(seat, bot))
        if bot is None:
            break
    return change


async def time_out(registry: TableRegistry, table: Table) -> None:
    """Let a bot play for whoever has run out of time; if a move or another process was quicker, wait for the next."""
    with suppress(Rejected):
        change = await registry.publisher.publish(table, table.time_out(DEFAULT_BOT))
        if change.new:
            return
    registry.clock_keeper.watch(table)


async def abandon(registry: TableRegistry, user: User, table_id: str) -> Change:
    """Close a user's table before the end of its game, unless others play there."""
    _own(await _setup(registry, table_id), user)
    table = await live_table(registry, table_id)
    if table.people() - {user.id}:
        raise Rejected(Code.REFUSED, why=OTHERS_PLAY)
    return await registry.publisher.publish(table, table.abandon())


async def delete(registry: TableRegistry, user: User, table_id: str) -> None:
    """Delete one's own table, if it has not started or nobody else sits or sat there."""
    async with registry.seats_lock:
        setup = _own(await _setup(registry, table_id), user)
        entry = await registry.table_store.entry(table_id)
        if entry and entry.standing != "open" and setup.people() - {user.id}:
            raise Rejected(Code.REFUSED, why=OTHERS_PLAY if entry.standing == "live" else OTHERS_PLAYED)
        if await registry.deal_store.others_play(table_id):
            raise Rejected(Code.REFUSED, why=DEAL_PLAYED)
        try:
            await registry.remove(setup)
        except Conflict:  # another process was quicker
            raise Rejected(Code.STALE) from None


async def record(registry: TableRegistry, user: User | None, table_id: str) -> str:
    """Return the record of a table, once it holds no secrets any more."""
    try:
        table = await registry.table(table_id)
    except NotStarted:
        raise Rejected(Code.NOT_YOUR_TURN, why=NOT_BEGUN) from None
    except NotReplayable as error:
        if not await may_read_record(registry, user, error):
            raise Rejected(Code.REFUSED, why=STILL_GOES_ON) from None
        reveal = await _ended(registry, table_id) and not await registry.keeps_seed(table_id)
        return record_of(error.setup, error.history, reveal=reveal)
    await table.settled()
    if table.secret:
        raise Rejected(Code.REFUSED, why=STILL_GOES_ON)
    return table.record(reveal=not await registry.keeps_seed(table_id))


async def may_read_record(registry: TableRegistry, user: User | None, error: NotReplayable) -> bool:
    """Tell whether a user may know all about a table that does not replay: its game is over, or nobody else plays."""
    alone = user is not None and error.setup.people() == {user.id}
    return alone or await _ended(registry, error.setup.id)


async def _ended(registry: TableRegistry, table_id: str) -> bool:
    entry = await registry.table_store.entry(table_id)
    return entry is not None and entry.standing not in ("open", "live")


async def live_table(registry: TableRegistry, table_id: str) -> Table:
    """Find a table whose game has started; Rejected when it has not, or does not replay."""
    try:
        return await registry.table(table_id)
    except NotStarted:
        raise Rejected(Code.NOT_YOUR_TURN, why=NOT_BEGUN) from None
    except NotReplayable:
        raise Rejected(Code.GONE) from None


async def _setup(registry: TableRegistry, table_id: str) -> TableSetup:
    entry = await registry.table_store.entry(table_id)
    if entry is None:
        raise TableNotFound
    return entry.setup


# tokens for programs


async def lend(registry: TableRegistry, user: User, table_id: str, seat: int) -> str:
    """Create a token for a program to play in one's seat; an earlier one is revoked."""
    await withdraw(registry, user, table_id, seat)
    entry = await registry.table_store.entry(table_id)
    if entry is not None and entry.setup.rated:
        raise Rejected(Code.REFUSED, why=NO_BOTS)
    if entry is not None and entry.setup.random_seats and entry.standing == "open":
        raise Rejected(Code.REFUSED, why=NOT_DRAWN)
    await spend(Quota.TOKEN)
    return await registry.user_store.add_token("seat", user=user.id, table=table_id, seat=seat)


async def withdraw(registry: TableRegistry, user: User, table_id: str, seat: int) -> None:
    """Revoke the token of one's seat, and disconnect programs that use it."""
    owners = await _owners(registry, table_id)
    if not 0 <= seat < len(owners):
        raise TableNotFound
    if owners[seat] != user.id:
        raise Forbidden(TROUBLES[Code.NOT_YOUR_SEAT])
    await _dismiss_programs(registry, table_id, seat)


async def _owners(registry: TableRegistry, table_id: str) -> list[str | None]:
    try:
        return (await registry.table(table_id)).owners()
    except NotStarted as still_open:
        return [sitter.user for sitter in still_open.setup.sitters]
    except NotReplayable:
        raise Rejected(Code.GONE) from None


async def _dismiss_programs(registry: TableRegistry, table_id: str, seat: int) -> None:
    """Delete the tokens of a seat, and close the connections that were opened with them."""
    await registry.user_store.drop_seat_tokens(table_id, seat)
    registry.live.interrupt_seat(table_id, seat)
    registry.database.hint(f"{PROGRAMS}{table_id}:{seat}")
