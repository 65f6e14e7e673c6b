"""What-if boards: what traces/boards does not say of them, of their pages, and of positions that are set up."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from omnibus import Match, games
from omnibus.server.boards import actions as board_actions
from omnibus.server.boards.starts import of_view, start_text
from omnibus.server.config import ServerConfig
from omnibus.server.http import rate_limits
from omnibus.server.http.rate_limits import Quota
from omnibus.server.store import boards as store
from omnibus.server.store.models import Sitter
from omnibus.server.tables.registry import TableRegistry
from support.api_client import Caller, decide, known, together
from support.people import claimed_caller

RECORD = Path(__file__).parent.parent / "games/bus/records/3-plots.game"


async def made(caller: Caller, **start: Any) -> str:
    """Make a board; return its id."""
    return str((await caller.ask("POST boards", start, status=201))["id"])


async def lines_at(caller: Caller, board: str, node: int) -> list[str]:
    return [move["line"] for move in (await caller.ask(f"GET boards/{board}/nodes/{node}"))["moves"]]


@pytest.mark.parametrize("name", games.names())
async def test_a_line_leaves_as_record_and_as_position(client: httpx.AsyncClient, name: str) -> None:
    """In every game chance is rolled first; the record and the position of a node have the same moves as the node."""
    ann = await known(client, "Ann")
    board, node = await made(ann, game=name), 0
    while (await ann.ask(f"GET boards/{board}/nodes/{node}"))["chance"]:
        node = (await ann.ask(f"POST boards/{board}/nodes", {"after": node}, status=201))["number"]
    for place in (0, 1):  # two moves of one seat are two branches
        line = (await lines_at(ann, board, node))[place]
        played = await ann.ask(f"POST boards/{board}/nodes", {"after": node, "line": line}, status=201)
    at = f"boards/{board}/nodes/{played['number']}"
    record, exported = Match.read(await ann.ask(f"GET {at}/record")), await ann.ask(f"GET {at}/position")
    assert record.position() == exported["position"]
    assert (record.length, record.plies[-1][1]) == (node + 1, line)
    again = await made(ann, **exported)
    lines = await lines_at(ann, board, played["number"])
    assert await lines_at(ann, again, 0) == lines == record.lines()


async def test_a_record_at_any_ply(client: httpx.AsyncClient) -> None:
    """The form beside the time bar opens the position the bar stands at, without the dice that were rolled."""
    text = RECORD.read_text("utf-8")
    stored = (await client.post("/records", files={"record": ("a.game", text.encode())})).headers["location"]
    page = (await client.get(stored)).text
    assert f'action="{stored}/boards"' in page
    assert 'name="ply" form="what-if"' in page
    path = (await client.post(f"{stored}/boards", data={"ply": "20"})).headers["location"]
    assert (await client.get(path)).status_code == 200
    record = Match.read((await client.get(f"/api{path}/nodes/0/record")).text)
    assert list(record.plies) == list(Match.read(text).plies[:20])
    assert record.commitment is None
    assert (await client.post(f"{stored}/boards", data={"ply": "99999"})).status_code == 404


async def hands(caller: Caller, board: str) -> list[list[str]]:
    """Return the hands with which a board begins; of no game in progress."""
    found: list[list[str]] = (await caller.ask(f"GET boards/{board}/nodes/0/position"))["position"]["hands"]
    return found


async def test_a_board_knows_no_more_than_its_seat(client: httpx.AsyncClient) -> None:
    """It has the own hand as it is, and another one for the other seat, as is seen once the game is over."""
    table, *players = await together(client)
    boards = [await made(player, table=table) for player in players]
    await players[0].ask(f"POST tables/{table}/resign")
    dealt = await hands(players[0], await made(players[0], table=table))
    for seat, board in enumerate(boards):
        found = await hands(players[0], board)
        assert sorted(found[seat]) == sorted(dealt[seat])
        assert sorted(found[1 - seat]) != sorted(dealt[1 - seat])


async def test_nothing_on_the_page_leads_out_of_a_game_in_progress(client: httpx.AsyncClient) -> None:
    """The page of a board between people says why it exports nothing, and its position cannot be edited."""
    table, ann, _ = await together(client)
    board = await made(ann, table=table)
    cookie = {"cookie": f"omnibus_user={ann.headers['authorization'].removeprefix('Bearer ')}"}
    page = (await client.get(f"/boards/{board}", headers=cookie)).text
    assert "cannot be exported" in page
    assert all(f'id="{button}"' not in page for button in ("record", "position", "edit", "copy-link", "bot-move"))
    refused = await client.get(f"/analysis/position?board={board}", headers=cookie)
    assert (refused.status_code, "cannot be exported" in refused.text) == (403, True)
    assert "when-over" not in (await client.get(f"/tables/{table}", headers=cookie)).text  # as it is for spectators


async def test_a_rated_game_in_progress(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Not even boards that an earlier version made of it are shown; once it is over, they are."""
    (ann, caller), (_, other) = [await claimed_caller(client, registry, name) for name in ("Anna", "Bert")]
    setup = await registry.open(ann.id, "times_square", {}, [Sitter(user=ann.id), Sitter()], listed=True, rated=True)
    await other.ask(f"POST tables/{setup.id}/join", {})
    await decide(setup.id, caller, other)
    match = (await registry.table(setup.id)).match
    dealt = start_text(of_view(match, 0, match.length, ""))
    board = await store.BoardStore(registry.database).add(ann.id, "times_square", dealt, table=setup.id, seat=0)
    for path in ("", "/nodes/0", "/nodes/0/position", "/nodes/0/record"):
        assert "rated game" in (await caller.ask(f"GET boards/{board}{path}", status=403))["text"]
    await caller.ask(f"POST boards/{board}/nodes", {"after": 0}, status=403)
    await caller.ask("POST boards", {"board": board}, status=403)
    await other.ask(f"POST tables/{setup.id}/resign")
    assert (await caller.ask(f"GET boards/{board}"))["bots"]


async def test_there_are_limits(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the boards of a user, pasted records among them, and the nodes of a board; all say what to do."""
    ann = await known(client, "Ann")
    monkeypatch.setattr(store, "MOST_BOARDS", 1)
    monkeypatch.setattr(store, "MOST_NODES", 1)
    board = await made(ann, game="bus")
    assert "Delete some" in (await ann.ask("POST boards", {"game": "bus"}, status=409))["text"]
    await ann.ask(f"POST boards/{board}/nodes", {"after": 0, "line": "first 0"}, status=201)
    full = await ann.ask(f"POST boards/{board}/nodes", {"after": 0, "line": "first 1"}, status=409)
    assert "too many moves" in full["text"]
    pasted = {"game": "bus", "text": RECORD.read_text("utf-8")}
    assert (await client.post("/analysis", data=pasted)).status_code == 303
    answer = await client.post("/analysis", data=pasted)
    assert (answer.status_code, "Delete some" in answer.text) == (409, True)


async def test_positions_are_checked(client: httpx.AsyncClient) -> None:
    """The editor begins with a normal start; what is wrong is named beside it, and the text stays."""
    page = (await client.get("/analysis/position?game=times_square")).text
    assert "&#34;figures&#34;" in page
    document = Match.new("times_square", dice=False).position()
    wrong = json.dumps({**document, "exhausted": 7})
    for text, why in ((wrong, "exhausted"), ("{,", "line 1, column 2"), ("[]", "JSON object"), ("game: 1", "line")):
        draft = {"game": "times_square", "text": text}
        assert why in (await client.post("/analysis/check", json=draft)).json()["problem"]
        answer = await client.post("/analysis", data=draft)
        assert (answer.status_code, html.escape(text).replace("&quot;", "&#34;") in answer.text) == (400, True)
    good = await client.post("/analysis", data={"game": "times_square", "text": json.dumps(document)})
    started = await client.post("/analysis/bus", data={"seats": "4", "option-sticks": "1"})
    assert Match.read((await client.get(f"/api{started.headers['location']}/nodes/0/record")).text).seats == 4
    assert (await client.post("/analysis/chess")).status_code == 404
    assert (await client.get("/analysis")).text.count('href="/boards/') == 2
    assert "&#34;figures&#34;" in (await client.get(f"/analysis/position?board={good.headers['location'][8:]}")).text
    assert "&#34;figures&#34;" not in (await client.get("/analysis/position")).text
    assert (await client.get("/analysis/position?game=bus&seats=9")).status_code == 400


async def test_a_checked_draft_is_answered_with_what_is_new(client: httpx.AsyncClient) -> None:
    """The picture and what can be changed are sent once; a further check of a small draft has a small answer."""
    draft = {"game": "bus", "text": json.dumps(Match.new("bus", dice=False).position())}
    first = (await client.post("/analysis/check", json=draft)).json()
    assert first["fields"]
    assert first["position"]["svg"]
    draft |= {"editing": first["editing"], "ground": first["position"]["ground"]}
    again = await client.post("/analysis/check", json=draft)
    left_out = {"fields": [], "places": [], "names": [], "position": first["position"] | {"svg": None}}
    assert again.json() == first | left_out
    assert len(again.content) < 16 * len(draft["text"])
    other = (await client.post("/analysis/check", json=draft | {"editing": "another"})).json()
    assert other["fields"] == first["fields"]


@pytest.mark.server_config(ServerConfig(limits=True))
async def test_drafts_are_limited(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """To read them is work, valid or not: those of the editor, of its form, and of programs count together."""
    monkeypatch.setitem(rate_limits.LIMITS, Quota.DRAFT, ("3 per 1 minute", "4 per 1 minute"))
    ann, text = await known(client, "Ann"), json.dumps(Match.new("bus", dice=False).position())
    for _ in range(2):
        await ann.ask("POST boards", {"game": "bus", "position": {}}, status=400)
    assert (await client.post("/analysis/check", json={"game": "bus", "text": text})).status_code == 200
    assert (await client.post("/analysis", data={"game": "bus", "text": "{"})).status_code == 400
    draft = {"game": "bus", "text": text}
    for answer in (await client.post("/analysis/check", json=draft), await client.post("/analysis", data=draft)):
        assert (answer.status_code, int(answer.headers["retry-after"]) > 0) == (429, True)
    await ann.ask("POST boards", {"game": "bus"}, status=429)


async def test_positions_are_edited_field_by_field(client: httpx.AsyncClient) -> None:
    """A valid position comes with its picture and its fields; what follows from a change is changed with it."""

    async def check(document: dict[str, Any], *, edited: bool) -> Any:
        draft = {"game": "bus", "text": json.dumps(document), "edited": edited}
        return (await client.post("/analysis/check", json=draft)).json()

    for beginning in ("", "&begin=middle"):
        page = (await client.get(f"/analysis/position?game=bus{beginning}")).text
        written = page.partition("<textarea")[2].partition(">")[2].partition("</textarea")[0]
        document = json.loads(html.unescape(written))
        found = await check(document, edited=False)
        assert (found["problem"], found["text"]) == ("", "")
        assert "<svg" in found["position"]["svg"]
        assert ["waiting"] in [field["path"] for field in found["fields"]]
        assert ["action-line", "Line"] in found["places"]
    assert document["step"] != "first"
    document = Match.read(RECORD.read_text("utf-8")).at(40).position()
    assert document["box"]
    document["waiting"].append(document["waiting"][0])
    assert "15" in (await check(document, edited=False))["problem"]
    settled = await check(document, edited=True)
    assert json.loads(settled["text"])["box"] == document["box"] - 1
    assert settled["problem"] == ""
    document["clock"] = "midnight"
    refused = await check(document, edited=True)
    assert "clock" in refused["problem"]
    assert json.loads(refused["text"])["box"] == document["box"] - 1
    for malformed in ({}, {**document, "players": [1]}, {**document, "waiting": None}):
        assert (await check(malformed, edited=True))["problem"]


async def test_a_pasted_record_can_be_gone_back_in(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its board opens at its last position, with its moves as the first line; of a very long one with the last ones."""
    text = RECORD.read_text("utf-8")
    record = Match.read(text)
    for left_out in (0, 7):
        monkeypatch.setattr(board_actions, "LONGEST_LINE", record.length - left_out)
        answer = await client.post("/analysis", data={"game": "metromania", "text": text})
        path, _, node = answer.headers["location"].partition("?node=")
        assert int(node) == record.length - left_out
        assert f'"node":{node},' in (await client.get(answer.headers["location"])).text
        tree = (await client.get(f"/api{path}")).json()
        assert [found["line"] for found in tree["nodes"]] == [line for _, line in record.plies[left_out:]]
        assert [found["parent"] for found in tree["nodes"]] == list(range(int(node)))
        assert tree["game"] == "bus"
        for at, plies in ((node, record.length), ("0", left_out), ("20", left_out + 20)):
            line = Match.read((await client.get(f"/api{path}/nodes/{at}/record")).text)
            assert list(line.plies) == list(record.plies[:plies])
    assert record.outcome
    assert (await client.get(f"/api{path}/nodes/{node}")).json()["moves"] == []
    begun = await client.post("/analysis", data={"game": "bus", "text": start_text(record, 0)})
    assert "?" not in begun.headers["location"]
