"""What users may do with tables, and what not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from omnibus.bots import names as bot_names
from omnibus.server import acts
from omnibus.server.hall import Gone, Hall, Open
from omnibus.server.refusals import Code, Forbidden, Rejected
from omnibus.server.rows import Sitter, User
from omnibus.server.waiter import Waiter
from omnibus.server.watcher import Watcher

Run = Callable[[Callable[[Hall, User], Awaitable[None]]], None]
WEAK = bot_names()[0]


async def opened(hall: Hall, user: User, *free: int, listed: bool = False) -> str:
    """Set up a table of Bus with three seats: the user in seat 0, bots in the others, but for those left free."""
    sitters = [Sitter(user=user.id, name="Ann"), Sitter(bot=WEAK), Sitter(bot=WEAK)]
    for seat in free:
        sitters[seat] = Sitter()
    return (await hall.open(user.id, "bus", {}, sitters, listed=listed)).id


async def begun(hall: Hall, user: User) -> tuple[str, User]:
    """Set up a table with two people, and let the game begin."""
    friend, _ = await hall.register.add_user("Bo")
    table_id = await opened(hall, user, 2)
    await acts.accept(hall, friend, await acts.invite(hall, user, table_id, 2))
    return table_id, friend


def test_sitting_down(in_hall: Run) -> None:
    """At a listed table anybody, once; at another one only who has set it up, as often as there are seats."""

    async def visit(hall: Hall, user: User) -> None:
        friend, _ = await hall.register.add_user("Bo")
        private, listed = await opened(hall, user, 1, 2), await opened(hall, user, 1, 2, listed=True)
        with pytest.raises(Forbidden):
            await acts.sit(hall, friend, private, 1)
        await acts.sit(hall, user, private, 1, "A neighbour")
        await acts.sit(hall, friend, listed, 1)
        with pytest.raises(Rejected):
            await acts.sit(hall, friend, listed, 2)
        other, _ = await hall.register.add_user("Cy")
        for taken_or_none in (1, 7, -1):
            with pytest.raises(Rejected):
                await acts.sit(hall, other, listed, taken_or_none)
        await acts.sit(hall, other, listed, 2, "  Cy\n the  third ")
        assert hall.table(listed).match.names == ("Ann", "Bo", "Cy the third")
        assert hall.gathering(private).sitters[1].name == "A neighbour"
        with pytest.raises(Rejected):
            await acts.sit(hall, other, listed, 2)

    in_hall(visit)


def test_invitations(in_hall: Run) -> None:
    """Made by who has set the table up, for a free seat; good once, for somebody who does not sit there yet."""

    async def visit(hall: Hall, user: User) -> None:
        friend, _ = await hall.register.add_user("Bo")
        table_id = await opened(hall, user, 1, 2)
        token = await acts.invite(hall, user, table_id, 1)
        with pytest.raises(Forbidden):
            await acts.invite(hall, friend, table_id, 1)
        with pytest.raises(Rejected):
            await acts.invite(hall, user, table_id, 0)
        with pytest.raises(Gone):
            await acts.invite(hall, user, table_id, 3)
        with pytest.raises(Rejected):
            await acts.accept(hall, user, token)
        assert await acts.accept(hall, friend, token, "Bobby") == table_id
        assert hall.gathering(table_id).sitters[1] == Sitter(user=friend.id, name="Bobby")
        for worthless in (token, "", await hall.register.add_token("seat", user=user.id, table=table_id, seat=0)):
            with pytest.raises(Gone):
                await acts.accept(hall, (await hall.register.add_user())[0], worthless)

    in_hall(visit)


def test_standing_up(in_hall: Run) -> None:
    """From an own seat; others are sent away by who has set the table up, who keeps a seat; not once it has begun."""

    async def visit(hall: Hall, user: User) -> None:
        friend, _ = await hall.register.add_user("Bo")
        table_id = await opened(hall, user, 1, 2, listed=True)
        await acts.sit(hall, friend, table_id, 1)
        with pytest.raises(Forbidden):
            await acts.stand_up(hall, friend, table_id, 0)
        with pytest.raises(Rejected):
            await acts.stand_up(hall, user, table_id, 0)
        with pytest.raises(Gone):
            await acts.stand_up(hall, user, table_id, -1)
        await acts.stand_up(hall, friend, table_id, 1)
        await acts.sit(hall, friend, table_id, 2)
        await acts.stand_up(hall, user, table_id, 2)
        assert hall.gathering(table_id).free() == [1, 2]
        with pytest.raises(Rejected):
            await hall.seat(table_id, 0, Sitter(), instead_of=Sitter(user=friend.id))
        with pytest.raises(Forbidden):
            await acts.fill(hall, friend, table_id, 1, WEAK)
        with pytest.raises(Rejected):
            await acts.fill(hall, user, table_id, 1, "grandmaster")
        for seat in (1, 2):
            await acts.fill(hall, user, table_id, seat, WEAK)
        assert hall.table(table_id).standing == "live"
        with pytest.raises(Rejected):
            await acts.stand_up(hall, user, table_id, 1)

    in_hall(visit)


def test_a_table_with_others_stays(in_hall: Run) -> None:
    """While others play it can be neither abandoned nor deleted; who resigns leaves the seat to a bot."""

    async def visit(hall: Hall, user: User) -> None:
        table_id, friend = await begun(hall, user)
        for act in (acts.abandon, acts.delete):
            with pytest.raises(Forbidden):
                await act(hall, friend, table_id)
            with pytest.raises(Rejected):
                await act(hall, user, table_id)
        with pytest.raises(Rejected):
            await acts.rematch(hall, user, table_id)
        await acts.resign(hall, friend, table_id)
        assert hall.table(table_id).sitter(2).bot is not None
        with pytest.raises(Forbidden):
            await acts.resign(hall, friend, table_id)
        await acts.abandon(hall, user, table_id)
        with pytest.raises(Rejected) as ended:
            await acts.abandon(hall, user, table_id)
        assert ended.value.code is Code.OVER
        with pytest.raises(Rejected):
            await acts.delete(hall, user, table_id)
        again = await acts.rematch(hall, friend, table_id)
        assert again == await acts.rematch(hall, user, table_id)
        assert hall.table(again).setting.people() == {user.id, friend.id}
        with pytest.raises(Forbidden):
            await acts.rematch(hall, (await hall.register.add_user())[0], table_id)

    in_hall(visit)


def test_an_open_table_can_be_deleted(in_hall: Run) -> None:
    """By who has set it up, whoever sits there; there is nothing yet to resign from or to abandon."""

    async def visit(hall: Hall, user: User) -> None:
        friend, _ = await hall.register.add_user("Bo")
        table_id = await opened(hall, user, 1, 2, listed=True)
        await acts.sit(hall, friend, table_id, 1)
        for act in (acts.resign, acts.abandon, acts.rematch):
            with pytest.raises(Rejected):
                await act(hall, user, table_id)
        with pytest.raises(Forbidden):
            await acts.delete(hall, friend, table_id)
        await acts.delete(hall, user, table_id)
        for act in (acts.delete, acts.resign, acts.abandon):
            with pytest.raises(Gone):
                await act(hall, user, table_id)

    in_hall(visit)


def test_a_frozen_table(in_hall: Run) -> None:
    """It can be deleted; everything else says that it cannot be read."""

    async def visit(hall: Hall, user: User) -> None:
        table_id = await opened(hall, user)
        await hall.ledger.store.write(lambda store: store.execute("UPDATE tables SET rules = 99"))
        hall._tables.clear()
        for act in (acts.resign(hall, user, table_id), acts.lend(hall, user, table_id, 0)):
            with pytest.raises(Rejected) as frozen:
                await act
            assert frozen.value.code is Code.GONE
        await acts.delete(hall, user, table_id)

    in_hall(visit)


def test_tokens_of_seats(in_hall: Run) -> None:
    """Lent by the owner of a seat; a new one, a withdrawal or standing up makes the old one worthless at once."""

    async def visit(hall: Hall, user: User) -> None:
        table_id, friend = await begun(hall, user)
        first = await acts.lend(hall, user, table_id, 0)
        with pytest.raises(Forbidden):
            await acts.lend(hall, friend, table_id, 0)
        with pytest.raises(Gone):
            await acts.lend(hall, user, table_id, 3)
        table = hall.table(table_id)
        program = Watcher(table, user, "en", only=0)
        assert table.company
        table.company.enter(program)
        second = await acts.lend(hall, user, table_id, 0)
        assert None in [program.outbox.get_nowait() for _ in range(program.outbox.qsize())]
        assert hall.register.token(first) is None
        assert hall.register.token(second) is not None
        await acts.withdraw(hall, user, table_id, 0)
        assert hall.register.token(second) is None
        await acts.resign(hall, friend, table_id)
        with pytest.raises(Forbidden):
            await acts.lend(hall, friend, table_id, 2)
        still_open = await opened(hall, user, 1, 2)
        await acts.sit(hall, user, still_open, 1)
        third = await acts.lend(hall, user, still_open, 1)
        await acts.stand_up(hall, user, still_open, 1)
        assert hall.register.token(third) is None

    in_hall(visit)


def test_who_waits_with_the_token_of_a_seat(in_hall: Run) -> None:
    """Talks for that seat only; with one of another table not at all."""

    async def visit(hall: Hall, user: User) -> None:
        table_id = await opened(hall, user, 1, 2)
        with pytest.raises(Open):
            hall.table(table_id)
        company = hall.company(hall.gathering(table_id))
        for only, heard in ((None, b'"done"'), (0, b'"done"'), (1, b'"error"'), (-1, b'"error"')):
            waiter = Waiter(company, user, "en", only=only)
            await waiter.answer('{"chat": "hello", "id": "1"}')
            assert heard in (waiter.outbox.get_nowait() or b"")

    in_hall(visit)
