"""Same deal: others play a finished game against bots again; the dice are the same, and stay secret until the end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

import httpx
import pytest

from omnibus.bots import names as bot_names
from omnibus.kernel.dice_proof import verify
from omnibus.server.errors import Rejected
from omnibus.server.store import deals as store
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from support.seats import opened

from .conftest import Person

WEAK = bot_names()[0]


async def play_out(table: Table, seed: int = 1, until: Callable[[Table], bool] = lambda _: False) -> None:
    """Play a game to its end, or until something is so, also for its bots, which may be quicker now and then."""
    random = Random(seed)
    while table.actor is not None and not until(table):
        by_bot = table.awaits is None
        try:
            await table.play(table.actor, random.choice(table.match.lines()), table.event, by_bot=by_bot)
        except Rejected:
            continue


def decides_again(table: Table) -> bool:
    """Tell whether the person who has just decided is to decide again: elsewhere that can be undone."""
    return table.awaits is not None and table.match.plies[-1][0] == table.awaits


def drawn_for(table: Table) -> bool:
    """Tell whether chance has decided something after the last decision of a seat."""
    actors = [actor for actor, _ in table.match.plies]
    return set(actors) != {"chance"} and actors[-1] == "chance"


async def finished(registry: TableRegistry, user: User) -> Table:
    """Open a game of Times Square against a bot, and play it to its end."""
    sitters = [Sitter(bot=WEAK), Sitter(user=user.id, name=user.name)]
    table: Table = await opened(registry, user.id, "times_square", {}, sitters)
    await play_out(table)
    return table


async def test_a_deal(people: list[Person], registry: TableRegistry) -> None:
    """The challenger has the same seat, bots and dice; nobody learns the seed before the last game is over."""
    (ann, challenger), (_, client) = people
    first = await finished(registry, ann)
    deal = (await challenger.post(f"tables/{first.setup.id}/deal")).json()
    assert (deal["open"], deal["mine"], deal["seat"], deal["bots"]) == (True, True, 1, [WEAK])
    assert (await challenger.post(f"tables/{first.setup.id}/deal")).json()["id"] == deal["id"]
    seen = (await client.get(f"deals/{deal['id']}")).json()
    assert [(row["name"], row["table"]) for row in seen["results"]] == [("Ann", None)]
    info = (await client.post(f"deals/{deal['id']}/play")).json()
    assert (await client.post(f"deals/{deal['id']}/play")).json()["id"] == info["id"]
    second = await registry.table(info["id"])
    assert [sitter.bot for sitter in second.setup.sitters] == [WEAK, None]
    assert second.match.commitment == first.match.commitment == deal["commitment"]
    dealt = len(list(dealt_first(first)))
    assert dealt
    assert second.match.written()[:dealt] == first.match.written()[:dealt]
    assert "seed:" not in (await client.get(f"tables/{first.setup.id}/record")).text
    await play_out(second, seed=2)
    for table in (first, second):
        assert "seed:" not in (await client.get(f"tables/{table.setup.id}/record")).text
        assert (await client.get(f"tables/{table.setup.id}/dice")).json()["seed"] is None
    after = (await client.get(f"deals/{deal['id']}")).json()
    assert {row["table"] for row in after["results"]} == {first.setup.id, second.setup.id}
    assert (await client.post(f"deals/{deal['id']}/close")).status_code == 403
    assert (await challenger.post(f"deals/{deal['id']}/close")).json()["open"] is False
    texts = [(await client.get(f"tables/{table.setup.id}/record")).text for table in (first, second)]
    proofs = [verify(text) for text in texts]
    assert all(proof.verified for proof in proofs)
    assert len({proof.seed for proof in proofs}) == 1


def dealt_first(table: Table) -> Iterator[str]:
    """Yield what chance did before the first decision."""
    for actor, line in table.match.plies:
        if actor != "chance":
            return
        yield line


async def test_everybody_plays_once(
    people: list[Person], registry: TableRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deleting the table brings no second try; a full or closed deal takes nobody."""
    (ann, challenger), (_, client) = people
    first = await finished(registry, ann)
    deal = (await challenger.post(f"tables/{first.setup.id}/deal")).json()["id"]
    table = (await client.post(f"deals/{deal}/play")).json()["id"]
    assert (await client.delete(f"tables/{table}")).status_code == 204
    again = await client.post(f"deals/{deal}/play")
    assert (again.status_code, "once" in again.json()["text"]) == (409, True)
    _, token = await registry.user_store.add_user("Cleo")
    headers = {"authorization": f"Bearer {token}"}
    tables = await registry.table_store.count_tables()
    monkeypatch.setattr(store, "MOST_GAMES", 2)
    assert (await client.post(f"deals/{deal}/play", headers=headers)).status_code == 409
    await challenger.post(f"deals/{deal}/close")
    assert (await client.post(f"deals/{deal}/play", headers=headers)).status_code == 409
    assert await registry.table_store.count_tables() == tables
    assert (await client.get("deals/none")).status_code == 404


async def test_the_first_table_stays_while_others_play(people: list[Person], registry: TableRegistry) -> None:
    """Its owner can delete it afterwards; however it goes, the dice of those who still play are a secret."""
    (ann, challenger), (_, client) = people
    first = await finished(registry, ann)
    deal = (await challenger.post(f"tables/{first.setup.id}/deal")).json()["id"]
    second = await registry.table((await client.post(f"deals/{deal}/play")).json()["id"])
    await challenger.post(f"deals/{deal}/close")
    refused = await challenger.delete(f"tables/{first.setup.id}")
    assert (refused.status_code, "Others are playing this deal" in refused.json()["text"]) == (409, True)
    async with registry.seats_lock:
        await registry.remove(first.setup)  # as when an account is erased
    assert await registry.keeps_seed(second.setup.id)
    await play_out(second, seed=2)
    assert not await registry.keeps_seed(second.setup.id)
    proof = verify((await client.get(f"tables/{second.setup.id}/record")).text)
    assert proof.verified


async def test_whoever_deleted_their_game_is_told_why_there_is_none(
    client: httpx.AsyncClient, registry: TableRegistry
) -> None:
    """The page of the deal says that everyone plays once."""
    ann, token = await registry.user_store.add_user("Ann")
    first, mine = await finished(registry, ann), {"cookie": f"omnibus_user={token}"}
    path = (await client.post(f"/tables/{first.setup.id}/deal", headers=mine)).headers["location"]
    table = (await client.post(f"{path}/play")).headers["location"]
    assert "You have played this deal before" not in (await client.get(path)).text
    await client.post(f"{table}/delete")
    assert "You have played this deal before" in (await client.get(path)).text


async def test_the_page_of_a_deal(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """It says what to beat; its buttons begin a game and close the deal."""
    ann, token = await registry.user_store.add_user("Ann")
    first, mine = await finished(registry, ann), {"cookie": f"omnibus_user={token}"}
    path = (await client.post(f"/tables/{first.setup.id}/deal", headers=mine)).headers["location"]
    page = (await client.get(path)).text
    assert "Same deal: Times Square" in page
    assert "Ann" in page
    begun = await client.post(f"{path}/play")
    assert (begun.status_code, begun.headers["location"].startswith("/tables/")) == (303, True)
    client.cookies.clear()
    assert (await client.post(f"{path}/close", headers=mine)).headers["location"] == path
    assert (await client.post(f"{path}/play")).status_code == 409
    page = (await client.get(path)).text
    assert "The seed is revealed when" in page  # one game goes on
    assert "/dice" not in page
    await play_out(await registry.table(begun.headers["location"].rsplit("/", 1)[1]), seed=2)
    page = (await client.get(path)).text
    proof = re.search(r'the seed is revealed.*href="(/tables/[^"]*/dice)"', page)
    assert proof
    assert "The dice are verified." in (await client.get(proof[1])).text


async def test_names(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Whoever has no name can say it before playing; those who do not are told apart by numbers."""
    ann, token = await registry.user_store.add_user("")
    first, mine = await finished(registry, ann), {"cookie": f"omnibus_user={token}"}
    path = (await client.post(f"/tables/{first.setup.id}/deal", headers=mine)).headers["location"]
    page = (await client.get(path)).text
    assert "Player 1 played this deal" in page
    assert 'name="name"' in page
    for name in ("", "Bo"):
        client.cookies.clear()
        assert (await client.post(f"{path}/play", data={"name": name})).status_code == 303
    page = (await client.get(path)).text
    assert re.findall(r'<th scope="row">([^<(]*)', page) == ["Player 1", "Player 2", "Bo "]
    assert 'name="name"' not in page


async def test_the_profile_keeps_the_dice(people: list[Person], registry: TableRegistry) -> None:
    """An analysed game would show the dice of a deal: others find it in the profile once the deal is over."""
    (ann, challenger), (_, client) = people
    await registry.user_store.add_token("recovery", user=ann.id)
    await challenger.post("users/me/claim", json={"name": "Ann"})
    first = await finished(registry, ann)
    await registry.analyses.store.keep_results(first.setup.id, [(None, 0.125), (81.5, -0.125)])

    async def found(reader: httpx.AsyncClient) -> list[str]:
        return [game["table"] for game in (await reader.get("players/Ann")).json()["analysed"]]

    assert await found(client) == [first.setup.id]
    deal = (await challenger.post(f"tables/{first.setup.id}/deal")).json()["id"]
    assert (await found(client), await found(challenger)) == ([], [first.setup.id])
    table = await registry.table((await client.post(f"deals/{deal}/play")).json()["id"])
    await challenger.post(f"deals/{deal}/close")
    assert await found(client) == []
    await play_out(table, seed=2)
    assert await found(client) == [first.setup.id]


async def test_what_cannot_be_compared(people: list[Person], registry: TableRegistry) -> None:
    """Not a game in progress, of somebody else, of two people, or in which dice were rolled again."""
    (ann, challenger), (bo, client) = people
    live = await opened(registry, ann.id, "bus", {}, [Sitter(user=ann.id), Sitter(user=ann.id), Sitter(user=ann.id)])
    assert (await challenger.post(f"tables/{live.setup.id}/deal")).status_code == 409
    assert (await client.post(f"tables/{live.setup.id}/deal")).status_code == 403
    shared = await opened(registry, ann.id, "bus", {}, [Sitter(user=ann.id), Sitter(user=bo.id), Sitter(bot=WEAK)])
    assert (await challenger.post(f"tables/{shared.setup.id}/deal")).status_code == 403
    undone = await opened(registry, ann.id, "times_square", {}, [Sitter(user=ann.id), Sitter(bot=WEAK)])
    await play_out(undone, until=drawn_for)
    async with undone.writing():
        await undone.undo_to(max(ply for ply, (actor, _) in enumerate(undone.match.plies) if actor != "chance"))
    await play_out(undone)
    assert "undone" in (await challenger.post(f"tables/{undone.setup.id}/deal")).json()["text"]


async def test_no_help_at_a_table_of_a_deal(people: list[Person], registry: TableRegistry) -> None:
    """Neither hints nor undone turns, nor bots in one's seat, nor bots or exports on a what-if board of it."""
    (ann, challenger), (_, client) = people
    first = await finished(registry, ann)
    deal = (await challenger.post(f"tables/{first.setup.id}/deal")).json()["id"]
    table = await registry.table((await client.post(f"deals/{deal}/play")).json()["id"])
    scene = (await client.get(f"tables/{table.setup.id}/scene")).json()
    assert (scene["hint"], scene["takeback"]) == (False, False)
    await play_out(table, until=decides_again)
    scene = (await client.get(f"tables/{table.setup.id}/scene")).json()
    assert (scene["undo"], scene["takeback"]) == (False, False)
    undone = await client.post(f"tables/{table.setup.id}/undo", json={"event": table.event, "id": "u"})
    assert (undone.status_code, "turns cannot be undone" in undone.json()["text"]) == (409, True)
    assert (await client.get(f"tables/{table.setup.id}/scene")).json()["event"] == table.event
    handed = await client.put(f"tables/{table.setup.id}/stand-in", json={"bot": WEAK, "id": "a"})
    assert (handed.status_code, "no bot can play for you" in handed.json()["text"]) == (409, True)
    board = (await client.post("boards", json={"table": table.setup.id})).json()
    assert (board["bots"], board["exports"]) == ([], False)
    for export in ("position", "record"):
        assert (await client.get(f"boards/{board['id']}/nodes/0/{export}")).status_code == 403


async def test_whoever_resigns_does_not_see_the_other_games(people: list[Person], registry: TableRegistry) -> None:
    """They see them when the deal is closed and all games of it are over; whoever plays to the end, at once."""
    (ann, challenger), (_, client) = people
    first = await finished(registry, ann)
    deal = (await challenger.post(f"tables/{first.setup.id}/deal")).json()["id"]
    _, token = await registry.user_store.add_user("Cleo")
    headers = {"authorization": f"Bearer {token}"}
    third = await registry.table((await client.post(f"deals/{deal}/play", headers=headers)).json()["id"])
    second = (await client.post(f"deals/{deal}/play")).json()["id"]
    await client.post(f"tables/{second}/resign")
    seen = (await client.get(f"deals/{deal}")).json()
    assert {row["table"] for row in seen["results"]} == {None, second}
    await challenger.post(f"deals/{deal}/close")
    await play_out(third, seed=2, until=decides_again)
    assert None in {row["table"] for row in (await client.get(f"deals/{deal}")).json()["results"]}
    await play_out(third, seed=2)
    for asking in ({}, headers):
        seen = (await client.get(f"deals/{deal}", headers=asking)).json()
        assert {row["table"] for row in seen["results"]} == {first.setup.id, second, third.setup.id}
