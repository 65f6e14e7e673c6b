"""The dice on the pages: promised from the beginning, secret to the end, then checked for everyone to read.

What the API tells of them is in tests/traces/dice, what is secret after a fault in test_faults.py.
"""

from __future__ import annotations

from html import unescape

import httpx
import pytest
from fastapi import FastAPI

from omnibus import Match
from omnibus.kernel.dice_proof import VERIFIED, verify
from support.live import Person, alone, arrive


@pytest.fixture
async def ann(app: FastAPI, client: httpx.AsyncClient) -> Person:
    """Somebody who sits everywhere at a table, so that nothing happens by itself."""
    return (await arrive(app, client, "Ann"))[0]


async def play_on(ann: Person, table: str, decisions: int = 10_000) -> None:
    for _ in range(decisions):
        actor = (await ann.scene(table))["actor"]
        if actor is None:
            return
        scene = await ann.scene(table, seat=actor)
        said = {"line": scene["moves"][0]["line"], "event": scene["event"], "seat": actor}
        await ann.ask(f"POST tables/{table}/play", said)


async def everything(client: httpx.AsyncClient, ann: Person, table: str) -> str:
    """All that a browser or a program can ask of a table."""
    pages = ["", "/dice", "/record", "/at/5", "/at/5?seat=0", "/at/5?seat=1"]
    texts = [(await client.get(f"/tables/{table}{page}", headers=ann.headers)).text for page in pages]
    for path in ("", "/scene", "/view", "/view?seat=1", "/dice", "/positions/3"):
        texts.append((await client.get(f"/api/tables/{table}{path}", headers=ann.headers)).text)
    async with ann.open(table) as socket:
        texts.append(str(await socket.synced()))
        socket.say(play="nonsense", event=1)
        texts.append(str(await socket.hear("error")))
    return "".join(texts)


async def test_the_seed_is_secret_until_the_end(app: FastAPI, client: httpx.AsyncClient, ann: Person) -> None:
    """From before the game to the last move nothing tells the seed, and the pages tell the commitment."""
    wish = {"game": "times_square", "seats": [{"who": "you"}, {"who": "free"}]}
    table = (await ann.ask("POST tables", wish, status=201))["id"]
    waiting = (await client.get(f"/tables/{table}")).text
    await ann.ask(f"PUT tables/{table}/seats/1", {"name": "Bo"})
    commitment = (await ann.ask(f"GET tables/{table}/dice"))["commitment"]
    assert commitment in waiting
    ((seed,),) = await app.state.registry.database.read("SELECT seed FROM tables WHERE id = ?", table)
    assert len(seed) == 64
    for _ in range(3):
        told = await everything(client, ann, table)
        assert seed not in told
        assert str(int(seed, 16)) not in told
        for page in ("", "/dice"):
            assert commitment in (await client.get(f"/tables/{table}{page}")).text
        await play_on(ann, table, 4)
    await play_on(ann, table)
    for page in ("", "/dice", "/record"):
        assert seed in (await client.get(f"/tables/{table}{page}")).text, page


async def test_checked_once_over(client: httpx.AsyncClient, ann: Person) -> None:
    """In words, in the reader's language; the record that is downloaded is verified anywhere."""
    table = await alone(ann, "times_square", 2)
    waiting = unescape((await client.get(f"/tables/{table}/dice")).text)
    assert "When it is over, the seed is revealed here" in waiting
    assert VERIFIED not in waiting
    await play_on(ann, table)
    page = unescape((await client.get(f"/tables/{table}/dice")).text)
    assert VERIFIED in page
    proof = verify((await client.get(f"/tables/{table}/record")).text)
    assert proof.verified
    assert f"{proof.checked} rolls were repeated from the seed" in page
    italian = await client.get(f"/tables/{table}/dice", headers={"accept-language": "it"})
    assert "I dadi sono verificati." in italian.text


def finished(match: Match) -> str:
    """Play a match to its end, and return its record."""
    while match.actor is not None:
        match.play(match.lines()[0])
    return match.record()


async def uploaded(client: httpx.AsyncClient, text: str) -> str:
    answer = await client.post("/records", files={"record": ("a.game", text.encode())})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


async def test_uploaded_records_are_checked(client: httpx.AsyncClient) -> None:
    """A button where there is something to check; honest and dishonest ones told apart."""
    good = finished(Match.new("times_square", seed=8))
    hidden = good.replace(f'seed: "{8:064x}"\n', "")
    wrong = good.replace(f'seed: "{8:064x}"', f'seed: "{9:064x}"')
    paths = [await uploaded(client, text) for text in (good, hidden, wrong)]
    assert ["Check the dice" in (await client.get(path)).text for path in paths] == [True, False, True]
    told = [unescape((await client.get(f"{path}/dice")).text) for path in paths]
    assert VERIFIED in told[0]
    assert "does not reveal the seed" in told[1]
    assert "the SHA-256 of this seed is not the commitment" in told[2]
    assert (await client.get("/records/nowhere/dice")).status_code == 404
    assert (await client.get("/tables/nowhere/dice")).status_code == 404


async def test_a_position_set_up_by_hand_is_told(client: httpx.AsyncClient) -> None:
    """The page and the API say that only the rolls after it are verified, in the reader's language."""
    start = Match.new("times_square", seed=8).position()
    path = await uploaded(client, finished(Match.from_position("times_square", start, seed=9)))
    found = (await client.get(f"/api{path}/dice")).json()
    assert (found["verified"], found["placed"]) == (False, True)
    assert found["checked"] > 0
    page = unescape((await client.get(f"{path}/dice", headers={"accept-language": "de"})).text)
    assert "Die Würfe sind geprüft und stimmen, nicht aber die Stellung" in page
    assert VERIFIED not in unescape((await client.get(f"{path}/dice")).text)
