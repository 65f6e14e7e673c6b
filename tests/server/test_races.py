"""Requests at the same moment: whichever is first, tables stay whole and everybody gets an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import httpx
import pytest

from omnibus.bots import names as bot_names
from omnibus.server.errors import Rejected, TableNotFound
from omnibus.server.people import accounts
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables import actions
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.rematches import ask_for_rematch
from omnibus.server.tables.waiting_session import WaitingSession
from support.api_client import known
from support.seats import received

pytestmark = pytest.mark.both_databases

Visit = Callable[[Callable[[httpx.AsyncClient, TableRegistry], Awaitable[None]]], None]
WEAK = bot_names()[0]


async def waiting(registry: TableRegistry, owner: User, *others: Sitter) -> str:
    """Set up a table of Bus that the lobby shows."""
    sitters = [Sitter(user=owner.id, name=owner.name), *others]
    return (await registry.open(owner.id, "bus", {}, sitters, listed=True)).id


async def test_a_new_name_while_somebody_sits_down(registry: TableRegistry, user: User) -> None:
    """Whoever sits down at that moment keeps the seat, whether the game starts with it or not."""
    friend, _ = await registry.user_store.add_user("Bo")
    tables = [await waiting(registry, user, Sitter(), other) for other in [Sitter(), Sitter(bot=WEAK)] * 6]
    sits = [actions.sit(registry, friend, table_id, 1) for table_id in tables]
    await asyncio.gather(accounts.rename(registry, user, "Ann"), *sits)
    assert len(await registry.table_store.entries(friend.id)) == len(tables)
    for entry in await registry.table_store.entries(user.id):
        assert [entry.setup.sitters[seat].name for seat in (0, 1)] == ["Ann", "Bo"]


async def test_a_new_name_while_the_table_is_deleted(registry: TableRegistry, user: User) -> None:
    """The table is gone, and nothing of it is stored again."""
    table_id = await waiting(registry, user, Sitter(), Sitter())
    await asyncio.gather(actions.delete(registry, user, table_id), accounts.rename(registry, user, "Ann"))
    assert await registry.table_store.entry(table_id) is None


async def test_sitting_down_while_the_table_is_deleted(registry: TableRegistry, user: User) -> None:
    """Either the table is gone, or its game has started and it stays."""
    friend, _ = await registry.user_store.add_user("Bo")
    first, second = [await waiting(registry, user, Sitter(), Sitter(bot=WEAK)) for _ in range(2)]
    came = await asyncio.gather(
        actions.delete(registry, user, first), actions.sit(registry, friend, first, 1), return_exceptions=True
    )
    assert [type(result) for result in came] == [type(None), TableNotFound]
    came = await asyncio.gather(
        actions.sit(registry, friend, second, 1), actions.delete(registry, user, second), return_exceptions=True
    )
    assert [type(result) for result in came] == [type(None), Rejected]
    assert (await registry.table(second)).standing == "live"


async def test_one_person_in_two_seats(registry: TableRegistry, user: User) -> None:
    """One takes only one seat, even when asking for several at once, for a certain one or for any."""
    friend, _ = await registry.user_store.add_user("Bo")
    table_id = await waiting(registry, user, Sitter(), Sitter(), Sitter())
    tries = [actions.join(registry, friend, table_id) for _ in range(2)]
    await asyncio.gather(*tries, actions.sit(registry, friend, table_id, 3), return_exceptions=True)
    assert [sitter.user for sitter in (await registry.waiting_setup(table_id)).sitters].count(friend.id) == 1


async def test_the_owner_keeps_a_seat(registry: TableRegistry, user: User) -> None:
    """Even when leaving two of them at once."""
    table_id = await waiting(registry, user, Sitter(user=user.id), Sitter())
    tries = [actions.stand_up(registry, user, table_id, seat) for seat in (0, 1)]
    await asyncio.gather(*tries, return_exceptions=True)
    assert (await registry.waiting_setup(table_id)).people() == {user.id}


async def test_all_ask_for_the_rematch_at_once(registry: TableRegistry, user: User) -> None:
    """There is only one."""
    friend, _ = await registry.user_store.add_user("Bo")
    table_id = await waiting(registry, user, Sitter(user=friend.id), Sitter(bot=WEAK))
    await actions.resign(registry, friend, table_id)
    await actions.abandon(registry, user, table_id)
    again = await asyncio.gather(*(ask_for_rematch(registry, one, table_id) for one in (user, friend, user)))
    assert len(set(again)) == 1
    assert len(await registry.table_store.ids()) == 2


async def test_talking_and_playing_while_the_table_is_deleted(client: httpx.AsyncClient) -> None:
    """A message or a move at that moment is in time, or is answered with `gone`."""
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


async def test_a_waiting_player_chats_while_the_table_is_deleted(registry: TableRegistry, user: User) -> None:
    """The message is answered, without a failure: with `gone`, or it was said just before."""
    table_id = await waiting(registry, user, Sitter(), Sitter())
    presence = await registry.presence(await registry.waiting_setup(table_id))
    page = WaitingSession(registry, presence, user, "en")
    await asyncio.gather(actions.delete(registry, user, table_id), page.answer('{"chat": "hello", "id": "1"}'))
    answer = received(page)[-1] or b""
    assert b'"gone"' in answer or b'"done"' in answer


async def test_a_table_is_deleted_while_it_is_loaded(
    registry: TableRegistry, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After its setup was read and before its events are: it is not found, like any other that is gone."""
    setup = await registry.open(user.id, "bus", {}, [Sitter(user=user.id)] * 3)
    registry.live.unload_all()
    events = registry.table_store.events

    async def deleted_meanwhile(table: str) -> list[tuple[int, bytes, str | None]]:
        return [event for event in await events(table) if table != setup.id]

    monkeypatch.setattr(registry.table_store, "events", deleted_meanwhile)
    with pytest.raises(TableNotFound):
        await registry.table(setup.id)
