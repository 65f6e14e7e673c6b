"""Team matches: two tables with the same dice and swapped seats; nobody plays at both, unless nothing is hidden."""

from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random

import httpx
import pytest
from fastapi import FastAPI

from omnibus.kernel.dice_proof import verify
from omnibus.kernel.i18n import LANGUAGES
from omnibus.server.errors import Rejected
from omnibus.server.store.models import User
from omnibus.server.tables import actions
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from omnibus.server.tables.team_matches import nothing_hidden, team_at

Clients = list[httpx.AsyncClient]


@pytest.fixture
async def users(registry: TableRegistry) -> list[tuple[User, str]]:
    """Nine users with their tokens."""
    names = ("Ann", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hal", "Ida")
    return [await registry.user_store.add_user(name) for name in names]


@pytest.fixture
async def clients(app: FastAPI, users: list[tuple[User, str]]) -> AsyncIterator[Clients]:
    """Programs of these users, which call the API."""
    found = []
    for _, token in users:
        transport, headers = httpx.ASGITransport(app), {"authorization": f"Bearer {token}"}
        found.append(httpx.AsyncClient(transport=transport, base_url="http://server/api/", headers=headers))
    yield found
    for client in found:
        await client.aclose()


async def play_out(table: Table, seed: int = 1) -> None:
    """Play a game to its end."""
    random = Random(seed)
    while table.actor is not None:
        await table.play(table.actor, random.choice(table.match.lines()), table.event)


async def filled(clients: Clients, game: str, seats: int) -> str:
    """Set up a match, and let others take the free seats; return its id."""
    match = (await clients[0].post("team-matches", json={"game": game, "seats": seats})).json()["id"]
    free = [(table, seat) for table in range(2) for seat in range(seats)][1:]
    for client, (table, seat) in zip(clients[1:], free, strict=False):
        answer = await client.post(f"team-matches/{match}/sit", json={"table": table, "seat": seat})
        assert answer.status_code == 200, answer.text
    return str(match)


async def test_teams(clients: Clients, registry: TableRegistry) -> None:
    """Eight people, two tables of Bus with the same dice; each game stays hidden from the other table's players."""
    match = await filled(clients, "bus", 4)
    seen = [(await client.get(f"team-matches/{match}")).json() for client in (clients[0], clients[4], clients[8])]
    shown = [[table["table"] is not None for table in each["tables"]] for each in seen]
    assert shown == [[True, False], [False, True], [False, False]]
    first = await registry.table(seen[0]["tables"][0]["table"])
    second = await registry.table(seen[1]["tables"][1]["table"])
    assert first.match.commitment == second.match.commitment == seen[0]["commitment"]
    assert first.match.written()[:1] == second.match.written()[:1]
    for number, table in enumerate(seen[0]["tables"]):
        assert [seat["team"] for seat in table["seats"]] == [team_at(number, seat) for seat in range(4)]
    assert {team["names"][0] for team in seen[0]["teams"]} == {"Ann", "Bo"}
    again = await clients[0].post(f"team-matches/{match}/sit", json={"table": 1, "seat": 0})
    assert again.status_code == 409
    await play_out(first, 1)
    assert (await clients[0].get(f"team-matches/{match}")).json()["tables"][1]["table"] == second.setup.id
    assert "seed:" not in (await clients[0].get(f"tables/{first.setup.id}/record")).text
    await play_out(second, 2)
    done = (await clients[8].get(f"team-matches/{match}")).json()
    assert done["over"]
    assert sum(team["wins"] for team in done["teams"]) == pytest.approx(2, abs=0.02)
    scores = [0, 0]
    for number, outcome in enumerate(table.match.outcome for table in (first, second)):
        assert outcome
        for seat, score in enumerate(outcome.scores):
            scores[team_at(number, seat)] += score
    assert [team["score"] for team in done["teams"]] == scores
    page = (await clients[8].get(f"http://server/team-matches/{match}")).text
    assert f'href="/tables/{first.setup.id}/dice"' in page
    texts = [(await clients[0].get(f"tables/{table.setup.id}/record")).text for table in (first, second)]
    proofs = [verify(text) for text in texts]
    assert all(proof.verified for proof in proofs)
    assert len({proof.seed for proof in proofs}) == 1


async def test_whoever_resigns_waits_for_the_other_game(clients: Clients, registry: TableRegistry) -> None:
    """The others of the table see the other one when their own game is over; who has resigned, when both are."""
    match = await filled(clients, "times_square", 2)
    first, second = [
        await registry.table((await clients[seat].get(f"team-matches/{match}")).json()["tables"][table]["table"])
        for table, seat in enumerate((0, 2))
    ]
    await clients[0].post(f"tables/{first.setup.id}/resign")
    assert first.standing == "over"
    shown = [(await clients[seat].get(f"team-matches/{match}")).json()["tables"][1]["table"] for seat in (0, 1)]
    assert shown == [None, second.setup.id]
    await play_out(second)
    assert (await clients[0].get(f"team-matches/{match}")).json()["tables"][1]["table"] == second.setup.id


async def test_two_people(clients: Clients, registry: TableRegistry) -> None:
    """Where nothing is hidden, two people play both games, each in both seats; elsewhere that is refused."""
    wish = {"game": "metromania", "seats": 2, "pair": True}
    match = (await clients[0].post("team-matches", json=wish)).json()["id"]
    joined = (await clients[1].post(f"team-matches/{match}/sit", json={"table": 0, "seat": 1})).json()
    assert [[seat["name"] for seat in table["seats"]] for table in joined["tables"]] == [["Ann", "Bo"], ["Bo", "Ann"]]
    assert [team["names"] for team in joined["teams"]] == [["Ann"], ["Bo"]]
    assert [table["standing"] for table in joined["tables"]] == ["live", "live"]
    tables = [await registry.table(table["table"]) for table in joined["tables"]]
    assert tables[0].match.written() == tables[1].match.written()
    refused = await clients[0].post("team-matches", json={"game": "times_square", "seats": 2, "pair": True})
    assert (refused.status_code, "hidden" in refused.json()["text"]) == (409, True)


def test_what_is_hidden() -> None:
    """It depends on the game and the number of seats."""
    assert nothing_hidden("metromania", 2, b"{}")
    assert not nothing_hidden("metromania", 4, b"{}")
    assert not nothing_hidden("times_square", 2, b"{}")


async def test_what_is_refused(clients: Clients, users: list[tuple[User, str]], registry: TableRegistry) -> None:
    """Odd numbers of seats, unknown seats, seats that are taken, and every other way to a seat of a match."""
    assert (await clients[0].post("team-matches", json={"game": "bus", "seats": 3})).status_code == 409
    assert (await clients[0].post("team-matches", json={"game": "chess", "seats": 2})).status_code == 400
    match = (await clients[0].post("team-matches", json={"game": "times_square", "seats": 2})).json()
    sit = f"team-matches/{match['id']}/sit"
    for table, seat in ((0, 0), (0, 2), (1, 9)):
        assert (await clients[1].post(sit, json={"table": table, "seat": seat})).status_code == 409
    own = match["tables"][0]["table"]
    for seat in range(2):
        with pytest.raises(Rejected):
            await actions.sit(registry, users[0][0], own, seat)
        with pytest.raises(Rejected):
            await actions.fill(registry, users[0][0], own, seat, "easy")
        with pytest.raises(Rejected):
            await actions.join(registry, users[1][0], own)
    assert (await clients[1].post(sit, json={"table": 1, "seat": 0})).status_code == 200
    left = (await clients[1].post(f"team-matches/{match['id']}/leave")).json()
    assert not left["joined"]
    assert (await clients[1].get("team-matches/none")).status_code == 404


async def test_pages(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """The form, the match and its open tables, in every language."""
    for language in LANGUAGES:
        page = (await client.get("/team-matches/new?game=metromania", headers={"accept-language": language})).text
        assert page.count("<option ") == 5
    made = await client.post("/team-matches", data={"match": "times_square 2 teams", "name": "Ann"})
    path = made.headers["location"]
    for language in LANGUAGES:
        page = (await client.get(path, headers={"accept-language": language})).text
        assert "<strong>Ann</strong>" in page
        assert page.count("/sit/") == 0
    match = await registry.deal_store.match(path.rsplit("/", 1)[1])
    assert match
    assert (await client.get(f"/tables/{match.first}")).headers["location"] == path
    assert (await client.get(f"/deals/{match.id}")).headers["location"] == path
    for wrong in ("bus", "bus x teams", "chess 2 teams", "bus 44 teams"):
        assert (await client.post("/team-matches", data={"match": wrong})).status_code == 400
