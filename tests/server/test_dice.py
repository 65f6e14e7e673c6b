"""The dice on the page: promised from the beginning, secret to the end, then checked for everyone to read."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from html import unescape
from typing import Any

import httpx
import pytest

from omnibus import Match
from omnibus.bots import names as bot_names
from omnibus.kernel.dice import Dice
from omnibus.kernel.dice_proof import VERIFIED, verify
from omnibus.server.errors import Code, Rejected
from omnibus.server.store.errors import StoreError
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from support.reconnecting import rows
from support.server_process import Guest, ServerProcess

WEAK = bot_names()[0]


async def alone(
    client: httpx.AsyncClient, registry: TableRegistry, game: str = "times_square", seats: int = 2
) -> tuple[str, Table]:
    """A table at which one visitor sits everywhere, and its path."""
    form = {f"seat-{seat}": "another" for seat in range(seats)}
    path = (await client.post(f"/games/{game}/tables", data=form)).headers["location"]
    return path, await registry.table(path.removeprefix("/tables/"))


async def play_on(table: Table, plies: int = 10_000) -> None:
    while table.actor is not None and len(table.match.plies) < plies:
        await table.play(table.actor, table.match.lines()[0], table.event)


def tells(text: str, table: Table) -> bool:
    """Whether a text gives the seed away, in either of the ways it is written."""
    seed = Dice(table.setup.seed).seed
    return seed in text or str(table.setup.seed) in text


async def everything(client: httpx.AsyncClient, path: str) -> str:
    """All that a browser can ask of a table."""
    asked = [path, f"{path}/dice", f"{path}/record", f"{path}/at/5", f"{path}/at/5?seat=0", f"{path}/at/5?seat=1", "/"]
    return "".join([(await client.get(address)).text for address in asked])


async def test_the_seed_is_secret_until_the_end(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """From the first ply to the last no page tells the seed, and every one of the table's tells the commitment."""
    path, table = await alone(client, registry)
    commitment = Dice(table.setup.seed).commitment
    for plies in (0, 30, 60):
        await play_on(table, plies)
        assert table.secret
        assert not tells(await everything(client, path), table)
        for page in (path, f"{path}/dice"):
            assert commitment in (await client.get(page)).text
    assert not tells(table.record(), table)
    await play_on(table)
    assert table.standing == "over"
    for page in (path, f"{path}/dice", f"{path}/record"):
        assert Dice(table.setup.seed).seed in (await client.get(page)).text, page


def stored(server: ServerProcess, query: str, *values: str) -> list[tuple[Any, ...]]:
    """Read what a server has stored."""
    if server.database:
        return asyncio.run(rows(server.database, query, *values))
    with closing(sqlite3.connect(server.data / "omnibus.db")) as file:
        return file.execute(query, values).fetchall()


def test_the_seed_is_in_no_message(server: ServerProcess) -> None:
    """What goes over the socket never holds it: after the end it is on the page and in the record."""
    with Guest(server.url) as guest:
        table = guest.open("times_square", "you", WEAK)
        heard = []
        with guest.sit(table) as sitting:
            heard.append(sitting.sync())
            for _ in range(12):
                scene = sitting.until_asked()
                if not scene["live"]:
                    break
                sitting.say(play=scene["moves"][-1]["line"], event=scene["event"])
                heard.append(sitting.hear())
                heard.append(sitting.hear())
            sitting.say(play="nonsense", event=sitting.scene["event"])
            heard.append(sitting.hear())
        ((seed,),) = stored(server, "SELECT seed FROM tables WHERE id = ?", table)
        assert len(seed) == 64
        assert len(heard) > 10
        assert seed not in str(heard)
        assert str(int(seed, 16)) not in str(heard)


async def test_checked_once_over(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """In words, in the reader's language; the record that is downloaded is verified anywhere."""
    path, table = await alone(client, registry)
    waiting = unescape((await client.get(f"{path}/dice")).text)
    assert "When it is over, the seed is revealed here" in waiting
    assert VERIFIED not in waiting
    await play_on(table)
    with pytest.raises(Rejected) as caught:
        await table.undo(0, table.event)
    assert caught.value.code is Code.OVER  # with the dice known, nothing may be rolled again
    page = unescape((await client.get(f"{path}/dice")).text)
    assert VERIFIED in page
    record = (await client.get(f"{path}/record")).text
    proof = verify(record)
    assert proof.verified
    assert f"{proof.checked} rolls were repeated from the seed" in page
    italian = await client.get(f"{path}/dice", headers={"accept-language": "it"})
    assert "I dadi sono verificati." in italian.text


async def test_a_closed_table_reveals_its_seed(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Nothing more will be rolled there; taken up from the store it says the same."""
    path, table = await alone(client, registry)
    await play_on(table, 40)
    await client.post(f"{path}/abandon")
    record = (await client.get(f"{path}/record")).text
    assert verify(record).verified
    assert Dice(table.setup.seed).seed in record
    registry.live.unload_all()
    assert (await client.get(f"{path}/record")).text == record
    assert VERIFIED in (await client.get(f"{path}/dice")).text


async def test_an_end_that_was_not_kept_reveals_nothing(
    client: httpx.AsyncClient, registry: TableRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the store fails at the last move the game goes on before it, so its dice are still secret."""
    path, table = await alone(client, registry)
    await play_on(table)
    database = registry.table_store.database
    await database.execute("DELETE FROM events WHERE table_id = ? AND number = ?", table.setup.id, table.event)
    await database.execute("UPDATE tables SET standing = 'live' WHERE id = ?", table.setup.id)
    registry.live.unload_all()
    again = await registry.table(table.setup.id)
    assert again.actor is not None

    async def fail(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(registry.table_store, "append", fail)
    final = table.match.plies[len(again.match.plies)][1]
    with pytest.raises(StoreError):
        await again.play(again.actor, final, again.event)
    assert again.match.actor is None
    assert again.secret
    assert again.seed is None
    assert not tells(again.record(), again)
    assert not tells(await everything(client, path), again)


@pytest.mark.parametrize("ended", [False, True])
async def test_a_frozen_table_reveals_what_its_standing_allows(
    client: httpx.AsyncClient, registry: TableRegistry, ended: bool
) -> None:
    """Only what has come to its end; the dice of a table that cannot be replayed cannot be checked."""
    path, table = await alone(client, registry, "bus", 3)
    if ended:
        await table.abandon()
    change = "UPDATE tables SET rules = 99 WHERE id = ?"
    await registry.table_store.database.execute(change, table.setup.id)
    registry.live.unload_all()
    record = (await client.get(f"{path}/record")).text
    assert "commitment" in record
    assert tells(record, table) == ended
    answer = await client.get(f"{path}/dice")
    assert (answer.status_code, answer.headers["location"]) == (303, path)


async def uploaded(client: httpx.AsyncClient, text: str) -> str:
    answer = await client.post("/records", files={"record": ("a.game", text.encode())})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


async def test_uploaded_records_are_checked(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """A button where there is something to check; honest and dishonest ones told apart."""
    match = Match.new("times_square", seed=8)
    while match.actor is not None:
        match.play(match.lines()[0])
    good = match.record()
    hidden = good.replace(f'seed: "{8:064x}"\n', "")
    wrong = good.replace(f'seed: "{8:064x}"', f'seed: "{9:064x}"')
    button = "Check the dice"
    paths = [await uploaded(client, text) for text in (good, hidden, wrong)]
    assert [button in (await client.get(path)).text for path in paths] == [True, False, True]
    told = [unescape((await client.get(f"{path}/dice")).text) for path in paths]
    assert VERIFIED in told[0]
    assert "does not reveal the seed" in told[1]
    assert "Line 6: the SHA-256 of this seed is not the commitment" in told[2]
    assert (await client.get("/records/nowhere/dice")).status_code == 404
    assert (await client.get("/tables/nowhere/dice")).status_code == 404


async def test_a_record_that_can_no_longer_be_read(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Kept from another version of this program: refused with its line, as on the way in."""
    text = Match.new("times_square", seed=8).record().replace("rules: 1", "rules: 99")
    user, _ = await registry.user_store.add_user()
    id_ = await registry.table_store.add_record(text, user.id)
    answer = await client.get(f"/records/{id_}/dice")
    assert answer.status_code == 400
    assert "Line 2:" in answer.text


async def test_a_position_set_up_by_hand_is_told(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """The page and the API say that only the rolls after it are verified, in the reader's language."""
    match = Match.from_position("times_square", Match.new("times_square", seed=8).position(), seed=9)
    while match.actor is not None:
        match.play(match.lines()[0])
    path = await uploaded(client, match.record())
    found = (await client.get(f"/api{path}/dice")).json()
    assert (found["verified"], found["placed"]) == (False, True)
    assert found["checked"] > 0
    page = unescape((await client.get(f"{path}/dice", headers={"accept-language": "de"})).text)
    assert "Die Würfe sind geprüft und stimmen, nicht aber die Stellung" in page
    assert VERIFIED not in unescape((await client.get(f"{path}/dice")).text)
