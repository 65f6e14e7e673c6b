"""Things done at the same moment: whichever comes first, the table is whole afterwards and everybody gets an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import httpx

from calling import known
from omnibus.bots import names as bot_names
from omnibus.server import acts
from omnibus.server.hall import Gone, Hall
from omnibus.server.refusals import Rejected
from omnibus.server.rows import Sitter, User
from omnibus.server.waiter import Waiter

Run = Callable[[Callable[[Hall, User], Awaitable[None]]], None]
Visit = Callable[[Callable[[httpx.AsyncClient, Hall], Awaitable[None]]], None]
WEAK = bot_names()[0]


async def waiting(hall: Hall, owner: User, *others: Sitter) -> str:
    """Set up a table of Bus that the lobby shows."""
    sitters = [Sitter(user=owner.id, name=owner.name), *others]
    return (await hall.open(owner.id, "bus", {}, sitters, listed=True)).id


def test_a_new_name_while_somebody_sits_down(in_hall: Run) -> None:
    """Who sits down at that moment keeps the seat, whether the game begins with it or not."""

    async def visit(hall: Hall, user: User) -> None:
        friend, _ = await hall.register.add_user("Bo")
        tables = [await waiting(hall, user, Sitter(), other) for other in [Sitter(), Sitter(bot=WEAK)] * 6]
        sits = [acts.sit(hall, friend, table_id, 1) for table_id in tables]
        await asyncio.gather(hall.rename(user, "Ann"), *sits)
        assert len(hall.ledger.entries(friend.id)) == len(tables)
        for entry in hall.ledger.entries(user.id):
            assert [entry.setting.sitters[seat].name for seat in (0, 1)] == ["Ann", "Bo"]

    in_hall(visit)


def test_a_new_name_while_the_table_is_deleted(in_hall: Run) -> None:
    """It is gone, and nothing of it is written down any more."""

    async def visit(hall: Hall, user: User) -> None:
        table_id = await waiting(hall, user, Sitter(), Sitter())
        await asyncio.gather(acts.delete(hall, user, table_id), hall.rename(user, "Ann"))
        assert hall.ledger.entry(table_id) is None

    in_hall(visit)


def test_sitting_down_while_the_table_is_deleted(in_hall: Run) -> None:
    """Either there is no table any more, or its game has begun and it stays."""

    async def visit(hall: Hall, user: User) -> None:
        friend, _ = await hall.register.add_user("Bo")
        first, second = [await waiting(hall, user, Sitter(), Sitter(bot=WEAK)) for _ in range(2)]
        came = await asyncio.gather(
            acts.delete(hall, user, first), acts.sit(hall, friend, first, 1), return_exceptions=True
        )
        assert [type(result) for result in came] == [type(None), Gone]
        came = await asyncio.gather(
            acts.sit(hall, friend, second, 1), acts.delete(hall, user, second), return_exceptions=True
        )
        assert [type(result) for result in came] == [type(None), Rejected]
        assert hall.table(second).standing == "live"

    in_hall(visit)


def test_one_person_in_two_seats(in_hall: Run) -> None:
    """A stranger takes one seat only, also when asking for two at once; from the lobby or by invitation."""

    async def visit(hall: Hall, user: User) -> None:
        friend, _ = await hall.register.add_user("Bo")
        table_id = await waiting(hall, user, Sitter(), Sitter(), Sitter())
        tokens = [await acts.invite(hall, user, table_id, seat) for seat in (1, 2)]
        tries = [acts.accept(hall, friend, token) for token in tokens]
        await asyncio.gather(*tries, acts.sit(hall, friend, table_id, 3), return_exceptions=True)
        assert [sitter.user for sitter in hall.gathering(table_id).sitters].count(friend.id) == 1

    in_hall(visit)


def test_who_has_set_a_table_up_keeps_a_seat(in_hall: Run) -> None:
    """Also when leaving two of them at once."""

    async def visit(hall: Hall, user: User) -> None:
        table_id = await waiting(hall, user, Sitter(user=user.id), Sitter())
        tries = [acts.stand_up(hall, user, table_id, seat) for seat in (0, 1)]
        await asyncio.gather(*tries, return_exceptions=True)
        assert hall.gathering(table_id).people() == {user.id}

    in_hall(visit)


def test_all_ask_for_the_rematch_at_once(in_hall: Run) -> None:
    """There is one."""

    async def visit(hall: Hall, user: User) -> None:
        friend, _ = await hall.register.add_user("Bo")
        table_id = await waiting(hall, user, Sitter(user=friend.id), Sitter(bot=WEAK))
        await acts.resign(hall, friend, table_id)
        await acts.abandon(hall, user, table_id)
        again = await asyncio.gather(*(acts.rematch(hall, one, table_id) for one in (user, friend, user)))
        assert len(set(again)) == 1
        assert len(hall.ledger.ids()) == 2

    in_hall(visit)


def test_talking_and_playing_while_the_table_is_deleted(in_house: Visit) -> None:
    """Who says or plays something at that moment was in time, or is told that there is nothing any more."""

    async def visit(client: httpx.AsyncClient, _hall: Hall) -> None:
        ann = await known(client, "Ann")
        wish = {"game": "bus", "seats": [{"who": "you"}, {"who": "you"}, {"who": "you"}]}
        for what in ("chat", "play") * 4:
            table = (await ann.ask("POST tables", wish, status=201))["id"]
            line = (await ann.ask(f"GET tables/{table}/scene"))["moves"][0]["line"]
            body = {"text": "hello"} if what == "chat" else {"line": line, "event": 1}
            here = f"/api/tables/{table}"
            gone, said = await asyncio.gather(
                client.delete(here, headers=ann.headers),
                client.post(f"{here}/{what}", json=body, headers=ann.headers),
            )
            assert gone.status_code == 204
            assert said.status_code in (200, 204, 404), said.text

    in_house(visit)


def test_a_player_who_waits_talks_while_the_table_is_deleted(in_hall: Run) -> None:
    """The page is told so, and stays well."""

    async def visit(hall: Hall, user: User) -> None:
        table_id = await waiting(hall, user, Sitter(), Sitter())
        page = Waiter(hall.company(hall.gathering(table_id)), user, "en")
        await asyncio.gather(acts.delete(hall, user, table_id), page.answer('{"chat": "hello", "id": "1"}'))
        assert b'"gone"' in page.said()[-1]

    in_hall(visit)
