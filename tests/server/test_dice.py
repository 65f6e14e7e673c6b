"""The dice on the pages, promised from the beginning, secret to the end and checked then; and uploaded records.

What the API tells of them is in tests/traces/dice and records, what is secret after a fault in test_faults.py.
"""

from __future__ import annotations

from html import unescape

import httpx
from fastapi import FastAPI

from omnibus import Match
from omnibus.kernel.dice_proof import VERIFIED, verify
from support.live import Person, arrive


async def play_on(ann: Person, table: str, decisions: int = 10_000) -> None:
    """Play the first lines in all seats."""
    for _ in range(decisions):
        actor = (await ann.scene(table))["actor"]
        if actor is None:
            return
        scene = await ann.scene(table, seat=actor)
        said = {"line": scene["moves"][0]["line"], "event": scene["event"], "seat": actor}
        await ann.ask(f"POST tables/{table}/play", said)


async def everything(client: httpx.AsyncClient, ann: Person, table: str) -> str:
    """All that a browser or a program can ask of a table."""
    pages = [f"/tables/{table}{page}" for page in ("", "/dice", "/record", "/at/5", "/at/5?seat=0", "/at/5?seat=1")]
    asked = ("", "/scene", "/view", "/view?seat=1", "/dice", "/positions/3")
    paths = [*pages, *(f"/api/tables/{table}{path}" for path in asked)]
    texts = [(await client.get(path, headers=ann.headers)).text for path in paths]
    async with ann.open(table) as socket:
        texts.append(str(await socket.synced()))
        socket.say(play="nonsense", event=1)
        texts.append(str(await socket.hear("error")))
    return "".join(texts)


async def read(client: httpx.AsyncClient, path: str, language: str = "en") -> str:
    """Return a page as it reads."""
    return unescape((await client.get(path, headers={"accept-language": language})).text)


async def test_the_seed_is_secret_until_the_end(app: FastAPI, client: httpx.AsyncClient) -> None:
    """From before the game to the last move nothing tells the seed; then it is told, and everybody can verify it."""
    (ann,) = await arrive(app, client, "Ann")
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
        assert commitment in (await client.get(f"/tables/{table}")).text
        page = await read(client, f"/tables/{table}/dice")
        assert [text in page for text in (commitment, "the seed is revealed here", VERIFIED)] == [True, True, False]
        await play_on(ann, table, 4)
    await play_on(ann, table)
    for path in ("", "/dice", "/record"):
        assert seed in (await client.get(f"/tables/{table}{path}")).text, path
    proof = verify((await client.get(f"/tables/{table}/record")).text)
    assert proof.verified
    page = await read(client, f"/tables/{table}/dice")
    assert VERIFIED in page
    assert f"{proof.checked} rolls were repeated from the seed" in page
    assert "I dadi sono verificati." in await read(client, f"/tables/{table}/dice", "it")


async def upload(client: httpx.AsyncClient, text: str) -> httpx.Response:
    """Upload a record with the form."""
    return await client.post("/records", files={"record": ("a.game", text.encode())})


async def test_uploaded_records_are_checked(client: httpx.AsyncClient) -> None:
    """A button where there is something to check; honest and dishonest records and those of a position told apart."""

    async def uploaded(match: Match, told: str = "", instead: str = "") -> str:
        while match.actor is not None:
            match.play(match.lines()[0])
        text = match.record().replace(told, instead) if told else match.record()
        return str((await upload(client, text)).headers["location"])

    one, other, third, fourth = (Match.new("times_square", seed=8) for _ in range(4))
    seed = f'seed: "{8:064x}"\n'
    good, hidden = await uploaded(one), await uploaded(other, seed)
    wrong = await uploaded(third, seed, f'seed: "{9:064x}"\n')
    placed = await uploaded(Match.from_position("times_square", fourth.position(), seed=9))
    for path, said, checkable in (
        (good, VERIFIED, True),
        (hidden, "does not reveal the seed", False),
        (wrong, "the SHA-256 of this seed is not the commitment", True),
    ):
        assert ("Check the dice" in (await client.get(path)).text) == checkable
        page = await read(client, f"{path}/dice")
        assert (said in page, VERIFIED in page) == (True, path == good)
    found = (await client.get(f"/api{placed}/dice")).json()
    assert (found["verified"], found["placed"], found["checked"] > 0) == (False, True, True)
    assert "Die Würfe sind geprüft und stimmen, nicht aber die Stellung" in await read(client, f"{placed}/dice", "de")
    assert VERIFIED not in await read(client, f"{placed}/dice")
    for path in ("/records/nowhere/dice", "/tables/nowhere/dice"):
        assert (await client.get(path)).status_code == 404


async def test_a_map_with_too_many_streets_is_refused(app: FastAPI, client: httpx.AsyncClient) -> None:
    """As a record, with its line, and as a table; what was stored before there was a limit is still shown."""
    names = range(1, 31)
    crossings = [{"id": name, "xy": [name % 6, name // 6], "plots": ["A"] if name > 2 else []} for name in names]
    streets = [[one, other] for one in names for other in names if one < other]
    city = {"name": "dense", "stations": [1, 2], "centre": [3, 4, 5, 6], "crossings": crossings, "streets": streets}
    text = Match.new("bus", options={"city": city}, seed=1).record()
    answer = await upload(client, text)
    assert answer.status_code == 400
    assert "435 streets; at most 90" in answer.text
    (ann,) = await arrive(app, client, "Ann")
    wish = {"game": "bus", "seats": [{"who": "you"}] * 3, "options": {"city": city}}
    assert "too large for a new game" in (await ann.ask("POST tables", wish, status=400))["text"]
    user = (await ann.ask("GET users/me"))["id"]
    stored = await app.state.registry.table_store.add_record(text, user)
    assert (await client.get(f"/records/{stored}")).status_code == 200
