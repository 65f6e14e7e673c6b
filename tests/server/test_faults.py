"""Faults while people play: a database that fails, readers who do not read, connections that are cut, old tables."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from omnibus import Match
from omnibus.server.http import connection
from omnibus.server.store.errors import StoreError
from omnibus.server.tables.bot_pool import NoAnswer
from support.live import Person, alone, arrive, play_first, sit, whose_turn

pytestmark = pytest.mark.both_databases


async def full(*_: Any, **__: Any) -> None:
    """Fail as a database does whose disk is full."""
    raise StoreError("disk is full")


@pytest.fixture
async def ann(app: FastAPI, client: httpx.AsyncClient) -> Person:
    """Somebody who plays."""
    return (await arrive(app, client, "Ann"))[0]


async def test_nothing_is_shown_that_was_not_stored(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the database fails nobody is shown the move; all are sent away, and it is made when it is sent again."""
    people = await arrive(app, client, "Ann", "Bo")
    table = await sit(people, "times_square")
    seat = await whose_turn(table, people)
    mover, reader = people[seat].open(table), people[1 - seat].open(table)
    line = (await mover.synced())["moves"][0]["line"]
    await reader.synced()
    with monkeypatch.context() as failing:
        failing.setattr(app.state.registry.table_store, "append", full)
        mover.say(play=line, event=1, id="x")
        assert (await mover.hear("closed"))["code"] == 1013
        await reader.hear("closed")
        assert "scene" not in reader.waiting()
        answer = await people[seat].ask(f"POST tables/{table}/play", {"line": line, "event": 1, "id": "x"}, status=503)
        assert answer["code"] == "unavailable"
        assert (await people[seat].scene(table))["event"] == 1
    again = await people[seat].ask(f"POST tables/{table}/play", {"line": line, "event": 1, "id": "x"})
    assert again == {"type": "done", "id": "x", "event": 2}


async def test_what_is_stored_is_acknowledged(app: FastAPI, ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the database fails when others are to be told which tables wait for them."""
    table = await alone(ann, "bus", 3)
    monkeypatch.setattr(app.state.registry.online, "tell_turn", full)
    for event in range(2, 5):
        assert (await ann.play(table))["event"] == event


async def test_an_end_that_was_not_stored_reveals_nothing(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the store fails at the last event the game goes on before it, so its dice are still secret."""
    people = await arrive(app, client, "Ann", "Bo")
    table = await sit(people, "times_square")
    with monkeypatch.context() as failing:
        failing.setattr(app.state.registry.table_store, "append", full)
        await people[0].ask(f"POST tables/{table}/resign", status=503)
    assert (await people[0].ask(f"GET tables/{table}/dice"))["seed"] is None
    assert (await people[0].ask(f"GET tables/{table}/record", status=409))["code"] == "refused"
    assert (await people[0].scene(table))["live"]


@pytest.mark.parametrize("ended", [False, True])
async def test_a_table_that_does_not_replay(app: FastAPI, ann: Person, client: httpx.AsyncClient, ended: bool) -> None:
    """It is gone, but its owner can read its record, which tells the seed only after the end, and delete it."""
    table, fine = await alone(ann, "bus", 3), await alone(ann, "bus", 3)
    if ended:
        await ann.ask(f"POST tables/{table}/abandon")
    await app.state.registry.database.execute("UPDATE tables SET rules = 99 WHERE id = ?", table)
    app.state.registry.live.unload_all()
    for verb, path in (("GET", "scene"), ("POST", "resign"), ("POST", "seats/0/token")):
        assert (await ann.ask(f"{verb} tables/{table}/{path}", status=404))["code"] == "gone"
    record = (await client.get(f"/api/tables/{table}/record", headers=ann.headers)).text
    assert ("commitment:" in record, "seed:" in record) == (True, ended)
    async with ann.open(table) as socket:
        assert (await socket.hear("closed"))["code"] == 4404
    assert (await ann.scene(fine))["event"] == 1
    await ann.ask(f"DELETE tables/{table}", status=204)


async def test_no_bot_can_be_asked(app: FastAPI, ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then a hint is empty, and the table is as before."""

    async def lost(*_: Any) -> None:
        raise NoAnswer

    monkeypatch.setattr(app.state.registry.bot_pool, "ask", lost)
    table = await alone(ann, "bus", 3)
    assert await ann.ask(f"GET tables/{table}/hint") == {"type": "hint", "event": 1, "ideas": []}


async def test_a_reader_who_is_behind_gets_the_newest_scene(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """One whole scene stands for all that were not read, with the log and the picture; later ones differ from it."""
    monkeypatch.setattr(connection, "BEHIND_BYTES", 1)
    table = await alone(ann, "bus", 3)
    async with ann.open(table) as reader:
        await reader.synced(differences=True)
        reader.reads.clear()
        await play_first(table, [ann] * 3, 9)
        reader.reads.set()
        scenes = [await reader.hear("scene")]
        while scenes[-1]["event"] < 10:
            scenes.append(await reader.hear("scene"))
        assert len(scenes) <= 3
        assert (scenes[-1]["base"], scenes[-1]["since"]) == (None, 0)
        assert scenes[-1]["position"]["svg"]
        await ann.play(table)
        assert (await reader.hear("scene"))["base"] == 10


@pytest.mark.parametrize(("limit", "most"), [("MOST_WAITING", 3), ("MOST_BYTES", 1000)])
async def test_messages_do_not_pile_up(ann: Person, monkeypatch: pytest.MonkeyPatch, limit: str, most: int) -> None:
    """Who asks on and on and never reads is cut off, and nothing more they ask is done."""
    table = await alone(ann, "bus", 3)
    async with ann.open(table) as socket:
        await socket.synced()
        monkeypatch.setattr(connection, limit, most)
        socket.reads.clear()
        for number in range(50):
            socket.say(why="x" * 99, event=1, id=str(number))
        socket.say(chat="still here", id="c")
        await socket.cut_off()
    assert (await ann.ask(f"GET tables/{table}/chat"))["lines"] == []


async def test_a_move_is_finished_when_the_connection_is_cut_off(
    app: FastAPI, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is being stored, so the others are told, and the table stays as it is."""
    table = await alone(ann, "bus", 3)
    storing, go_on, append = asyncio.Event(), asyncio.Event(), app.state.registry.database.append

    async def slowly(event: Any) -> None:
        storing.set()
        await go_on.wait()
        await append(event)

    async with ann.open(table) as reader:
        line = (await reader.synced())["moves"][0]["line"]
        monkeypatch.setattr(app.state.registry.database, "append", slowly)
        player = ann.open(table)
        player.say(play=line, event=1, id="x")
        async with asyncio.timeout(60):
            await storing.wait()
        await player.break_off()
        go_on.set()
        assert (await reader.hear("scene"))["event"] == 2
    assert (await ann.play(table))["event"] == 3


async def test_deleting_while_others_talk_and_play(ann: Person) -> None:
    """A message or a move at that moment is in time, or is answered with `gone`."""
    for what in ("chat", "play") * 4:
        table = await alone(ann, "bus", 3)
        line = (await ann.scene(table))["moves"][0]["line"]
        body = {"text": "hello"} if what == "chat" else {"line": line, "event": 1}
        here = f"/api/tables/{table}"
        gone, said = await asyncio.gather(
            ann.client.delete(here, headers=ann.headers),
            ann.client.post(f"{here}/{what}", json=body, headers=ann.headers),
        )
        assert gone.status_code == 204
        assert said.status_code in (200, 204, 404), said.text
        await ann.ask(f"GET tables/{table}", status=404)


async def test_sitting_down_while_a_table_is_deleted_or_its_owner_renamed(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    """Either the table is gone, or its game has started and it stays; who sits down keeps the seat and the name."""
    ann, bo = await arrive(app, client, "Ann", "Bo")
    wish = {"game": "times_square", "seats": [{"who": "you"}, {"who": "free"}]}
    for number in range(8):
        table = (await ann.ask("POST tables", wish, status=201))["id"]
        tries = [
            ann.client.delete(f"/api/tables/{table}", headers=ann.headers),
            client.post(f"/api/tables/{table}/join", json={}, headers=bo.headers),
            client.patch("/api/users/me", json={"name": f"Anna {number}"}, headers=ann.headers),
        ]
        answers = await asyncio.gather(*(tries if number % 2 else tries[::-1]))
        deleted, joined, renamed = answers if number % 2 else answers[::-1]
        assert renamed.status_code == 200
        assert (deleted.status_code, joined.status_code) in ((204, 404), (409, 200))
        if joined.status_code == 200:
            seats = (await bo.ask(f"GET tables/{table}"))["seats"]
            assert [seat["name"] for seat in seats] == [f"Anna {number}", "Bo"]


async def test_a_table_for_other_rules(app: FastAPI, ann: Person, client: httpx.AsyncClient) -> None:
    """Nobody sits down where the game would be another one; what it needs is said, and the dice stay a secret."""
    wish = {"game": "bus", "seats": [{"who": "you"}, {"who": "free"}, {"who": "free"}], "listed": True}
    table = (await ann.ask("POST tables", wish, status=201))["id"]
    await app.state.registry.database.execute("UPDATE tables SET rules = 99 WHERE id = ?", table)
    page = await client.get(f"/tables/{table}")
    assert (page.status_code, "no longer matches the rules" in page.text) == (200, True)
    assert (await client.post(f"/tables/{table}/join", data={"name": "Anna"})).status_code == 404
    assert (await client.get(f"/tables/{table}/record")).status_code == 409
    seats = (await ann.ask(f"GET tables/{table}"))["seats"]
    assert [seat["who"] for seat in seats] == ["person", "free", "free"]
    assert (await client.get("/")).status_code == 200


async def test_a_record_of_other_rules(app: FastAPI, client: httpx.AsyncClient, ann: Person) -> None:
    """Kept from another version of this program: refused with its line, as on the way in."""
    text = Match.new("times_square", seed=8).record().replace("rules: 1", "rules: 99")
    id_ = await app.state.registry.table_store.add_record(text, (await ann.ask("GET users/me"))["id"])
    answer = await client.get(f"/records/{id_}/dice")
    assert (answer.status_code, "Line 2:" in answer.text) == (400, True)
