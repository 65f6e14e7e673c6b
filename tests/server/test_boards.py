"""What-if boards: made from anything that can be played, played on in branches, seen by others, kept within limits."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from omnibus import Match, games
from omnibus.bots import names as bot_names
from omnibus.server.boards import actions as board_actions
from omnibus.server.boards.actions import Boards
from omnibus.server.boards.starts import of_view, start_text
from omnibus.server.config import ServerConfig
from omnibus.server.http import rate_limits
from omnibus.server.http.rate_limits import Quota
from omnibus.server.store import boards as store
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables import actions
from omnibus.server.tables.registry import TableRegistry
from support.api_client import known
from support.people import claimed, claimed_caller
from support.seats import opened, play_first

from .conftest import Person

WEAK = bot_names()[0]
RECORD = Path(__file__).parent.parent / "games/bus/records/3-plots.game"


async def made(client: httpx.AsyncClient, **start: Any) -> dict[str, Any]:
    answer = await client.post("boards", json=start)
    assert answer.status_code == 201, answer.text
    board: dict[str, Any] = answer.json()
    return board


async def played(client: httpx.AsyncClient, board: str, after: int, **what: Any) -> int:
    answer = await client.post(f"boards/{board}/nodes", json={"after": after, **what})
    assert answer.status_code == 201, answer.text
    return int(answer.json()["number"])


async def lines_at(client: httpx.AsyncClient, board: str, node: int) -> list[str]:
    return [move["line"] for move in (await client.get(f"boards/{board}/nodes/{node}")).json()["moves"]]


@pytest.mark.parametrize("name", games.names())
async def test_lines_branch(people: list[Person], name: str) -> None:
    """From the start chance is rolled or chosen; two moves of a seat make two branches; the same move is one node."""
    (_, client), _ = people
    board = (await made(client, game=name))["id"]
    node = 0
    while (await client.get(f"boards/{board}/nodes/{node}")).json()["chance"]:
        node = await played(client, board, node)
    first, second = (await lines_at(client, board, node))[:2]
    one, other = await played(client, board, node, line=first), await played(client, board, node, line=second)
    assert await played(client, board, node, line=first) == one
    tree = (await client.get(f"boards/{board}")).json()
    by_number = {found["number"]: found for found in tree["nodes"]}
    assert by_number[one]["parent"] == by_number[other]["parent"] == node
    assert all(found["label"] for found in tree["nodes"])
    assert [found["number"] for found in (await client.get(f"boards/{board}?since={one}")).json()["nodes"]] == [other]
    record = Match.read((await client.get(f"boards/{board}/nodes/{other}/record")).text)
    exported = (await client.get(f"boards/{board}/nodes/{other}/position")).json()
    assert record.position() == exported["position"]
    again = await made(client, game=exported["game"], position=exported["position"])
    assert await lines_at(client, again["id"], 0) == record.lines()
    assert (await client.delete(f"boards/{board}/nodes/{by_number[one]['parent']}")).status_code == (
        204 if node else 404
    )
    assert (await client.get(f"boards/{board}")).json()["kept"] == list(range(1, node))


async def test_what_cannot_be_played(people: list[Person]) -> None:
    """The rules say why; a line that is none, a node that is gone and a bot that is none are told apart."""
    (_, client), _ = people
    board = (await made(client, game="bus", seats=3))["id"]
    node = await played(client, board, 0, line="first 0")
    refused = await client.post(f"boards/{board}/nodes", json={"after": node, "line": "pass"})
    assert (refused.status_code, refused.json()["code"]) == (409, "refused")
    assert refused.json()["section"].startswith("§")
    for at, section in ((node, refused.json()["section"]), (0, "")):  # at the start, chance decides
        reason = (await client.get(f"boards/{board}/nodes/{at}/why?part=pass")).json()
        assert reason["section"] == section
    for body, status in (
        ({"after": node, "line": "?"}, 400),
        ({"after": 99, "line": "pass"}, 404),
        ({"after": node}, 409),
        ({"after": node, "bot": "genius"}, 400),
    ):
        assert (await client.post(f"boards/{board}/nodes", json=body)).status_code == status, body
    for start in ({}, {"game": "bus", "table": "t"}):
        assert (await client.post("boards", json=start)).status_code == 400
    assert (await client.post("boards", json={"game": "bus", "seats": 2})).json()["text"].startswith("Bus is for 3, 4")


async def test_only_the_owner_changes_a_board(people: list[Person]) -> None:
    """Others with the link look on, and play in a copy of their own."""
    (_, ann), (_, bo) = people
    board = (await made(ann, game="bus"))["id"]
    node = await played(ann, board, 0, line="first 1")
    seen = (await bo.get(f"boards/{board}")).json()
    assert (seen["mine"], len(seen["nodes"])) == (False, 1)
    assert (await bo.post(f"boards/{board}/nodes", json={"after": node})).status_code == 403
    assert (await bo.delete(f"boards/{board}/nodes/{node}")).status_code == 403
    assert (await bo.delete(f"boards/{board}")).status_code == 403
    copy = await made(bo, board=board)
    assert (copy["mine"], copy["nodes"]) == (True, seen["nodes"])
    line = (await lines_at(bo, copy["id"], node))[0]
    assert await played(bo, copy["id"], node, line=line) > node
    assert [found["id"] for found in (await bo.get("boards")).json()["boards"]] == [copy["id"]]
    assert (await ann.delete(f"boards/{board}")).status_code == 204
    assert (await bo.get(f"boards/{board}")).status_code == 404


async def test_bots_answer(people: list[Person]) -> None:
    """A bot plays for whoever is to decide, and the node says so."""
    (_, client), _ = people
    board = (await made(client, game="bus"))["id"]
    node = await played(client, board, 0, line="first 0")
    answer = (await client.post(f"boards/{board}/nodes", json={"after": node, "bot": WEAK})).json()
    assert (answer["bot"], answer["seat"]) == (WEAK, 0)
    assert answer["line"] in await lines_at(client, board, node)


async def test_a_record_at_any_ply(client: httpx.AsyncClient, people: list[Person], registry: TableRegistry) -> None:
    """The form beside the time bar opens the position the bar stands at, without the dice that were rolled."""
    text = RECORD.read_text("utf-8")
    stored = await registry.table_store.add_record(text, people[0][0].id)
    page = (await client.get(f"/records/{stored}")).text
    assert f'action="/records/{stored}/boards"' in page
    assert 'name="ply" form="what-if"' in page
    answer = await client.post(f"/records/{stored}/boards", data={"ply": "20"})
    path = answer.headers["location"]
    assert (await client.get(path)).status_code == 200
    record = Match.read((await client.get(f"/api{path}/nodes/0/record")).text)
    assert list(record.plies) == list(Match.read(text).plies[:20])
    assert record.commitment is None
    assert (await client.post(f"/records/{stored}/boards", data={"ply": "99999"})).status_code == 404


def live(registry: TableRegistry, *users: User) -> Any:
    """Open a game of Times Square between two users, or a user and a bot."""
    sitters = [Sitter(user=user.id, name=user.name) for user in users] + [Sitter(bot=WEAK)] * (2 - len(users))
    return opened(registry, users[0].id, "times_square", {}, sitters)


async def started_with(registry: TableRegistry, board: str) -> Match:
    """Return the match that a board begins with."""
    row = await store.BoardStore(registry.table_store.database).board(board)
    assert row
    return Match.read(row.start)


async def page_of(client: httpx.AsyncClient, path: str) -> httpx.Response:
    """Open a page as somebody who otherwise calls the API."""
    token = client.headers["authorization"].removeprefix("Bearer ")
    headers = {"cookie": f"omnibus_user={token}", "accept": "text/html"}
    return await client.get(f"http://server{path}", headers=headers)


EXPORTS = ("nodes/0/position", "nodes/0/record")


async def test_a_game_between_people_in_progress(people: list[Person], registry: TableRegistry) -> None:
    """A player gets a board of what the own seat sees: private, without bots, and nothing leaves it."""
    (ann, client), (bo, other) = people
    table = await live(registry, ann, bo)
    board = await made(client, table=table.setup.id)
    assert (board["live"], board["seat"], board["bots"], board["exports"]) == (True, 0, [], False)
    match = await started_with(registry, board["id"])
    assert match.game.view(match.state, 0) == table.game.view(table.match.state, 0)
    asked = await client.post(f"boards/{board['id']}/nodes", json={"after": 0, "bot": WEAK})
    assert asked.status_code == 403
    assert "Other people" in asked.json()["text"]
    for path in ("", "/nodes/0", "/nodes/0/position", "/nodes/0/record", "/nodes/0/why?part=pass"):
        assert (await other.get(f"boards/{board['id']}{path}")).status_code == 403
    assert (await other.post("boards", json={"board": board["id"]})).status_code == 403
    assert (await client.post("boards", json={"table": table.setup.id, "seat": 1})).status_code == 403
    copy = await made(client, board=board["id"])
    assert (copy["live"], copy["seat"], copy["bots"], copy["exports"]) == (True, 0, [], False)
    refusals = [await client.get(f"boards/{copy['id']}/{export}") for export in EXPORTS]
    for refused in (*refusals, await page_of(client, f"/analysis/position?board={copy['id']}")):
        assert refused.status_code == 403
        assert "cannot be exported" in refused.text
    page = (await page_of(client, f"/boards/{copy['id']}")).text
    assert "cannot be exported" in page
    assert all(f'id="{button}"' not in page for button in ("record", "position", "edit", "copy-link", "bot-move"))
    await actions.resign(registry, bo, table.setup.id)
    for path in (f"boards/{copy['id']}", *[f"boards/{copy['id']}/{export}" for export in EXPORTS]):
        assert (await other.get(path)).status_code == 200


async def test_those_who_do_not_play_get_no_board(
    client: httpx.AsyncClient, people: list[Person], registry: TableRegistry
) -> None:
    """Neither spectators nor those who have resigned, by page or API, at any ply; nor do they read anybody's board."""
    (ann, player), (bo, other) = people
    sitters = [Sitter(user=ann.id), Sitter(user=bo.id), Sitter(bot=WEAK)]
    table = await opened(registry, ann.id, "bus", {}, sitters)
    board = await made(player, table=table.setup.id)
    await actions.resign(registry, bo, table.setup.id)
    for ply in (None, 0):
        for seat in (None, *range(3)):
            start = {"table": table.setup.id, "ply": ply, "seat": seat}
            assert (await other.post("boards", json=start)).status_code == 403
    assert (await client.post(f"/tables/{table.setup.id}/boards")).status_code == 409
    assert (await client.get(f"/boards/{board['id']}")).status_code == 403
    assert (await client.post(f"/boards/{board['id']}/copy")).status_code == 403
    assert "when-over" in (await client.get(f"/tables/{table.setup.id}")).text
    assert "when-over" not in (await page_of(player, f"/tables/{table.setup.id}")).text


async def test_a_rated_game_in_progress(
    client: httpx.AsyncClient, people: list[Person], registry: TableRegistry
) -> None:
    """There are no boards of it at all, not even those made by an earlier version; once it is over, there are."""
    ann, caller = await claimed_caller(client, registry, "Anna")
    bert = await claimed(registry, "Bert")
    setup = await registry.open(ann.id, "times_square", {}, [Sitter(user=ann.id), Sitter()], listed=True, rated=True)
    await actions.sit(registry, bert, setup.id, 1)
    table = await registry.table(setup.id)
    await play_first(registry, table)
    for ply in (None, 0):
        refused = await caller.ask("POST boards", {"table": setup.id, "ply": ply}, status=409)
        assert "rated game" in refused["text"]
    boards = Boards(registry)
    dealt = of_view(table.match, table.seats_of(ann.id)[0], table.match.length, "")
    earlier = await boards.store.add(ann.id, "times_square", start_text(dealt), table=setup.id, seat=0)
    for path in (
        f"boards/{earlier}",
        *[f"boards/{earlier}/{export}" for export in EXPORTS],
        f"boards/{earlier}/nodes/0",
    ):
        assert "rated game" in (await caller.ask(f"GET {path}", status=403))["text"]
    await caller.ask(f"POST boards/{earlier}/nodes", {"after": 0}, status=403)
    await caller.ask("POST boards", {"board": earlier}, status=403)
    await actions.resign(registry, bert, setup.id)
    assert (await caller.ask(f"GET boards/{earlier}"))["bots"]
    assert (await caller.ask("POST boards", {"table": setup.id}, status=201))["live"] is False


async def test_a_game_against_bots_in_progress(people: list[Person], registry: TableRegistry) -> None:
    """Whoever plays alone may ask bots on the board too; the board still shows one seat's view, dealt anew."""
    (ann, client), (_, other) = people
    table = await live(registry, ann)
    board = await made(client, table=table.setup.id)
    assert (board["seat"], WEAK in board["bots"]) == (0, True)
    scene = (await client.get(f"boards/{board['id']}/nodes/0?seat=1")).json()
    assert scene["position"]["seat"] == scene["seat"]
    assert (await other.post("boards", json={"table": table.setup.id})).status_code == 403


async def test_whose_hand_is_shown(people: list[Person], registry: TableRegistry) -> None:
    """On a board of a game in progress the hand of whoever decides: one's own, or the one that is supposed."""
    (ann, client), (bo, other) = people
    table = await live(registry, ann, bo)
    assert table.actor is not None
    views = [table.game.view(table.match.state, seat) for seat in (0, 1)]
    for seat, caller in enumerate((client, other)):
        board = (await made(caller, table=table.setup.id))["id"]
        scene = (await caller.get(f"boards/{board}/nodes/0?seat={1 - table.actor}")).json()
        assert (scene["seat"], scene["position"]["seat"]) == (table.actor, table.actor)
        assert scene["supposed"] == (seat != table.actor)
        begun = await started_with(registry, board)
        assert begun.game.view(begun.state, seat) == views[seat]
        assert (begun.game.view(begun.state, 1 - seat) == views[1 - seat]) is False
    bus = await opened(registry, ann.id, "bus", {}, [Sitter(user=ann.id), Sitter(user=bo.id), Sitter(bot=WEAK)])
    for caller in (client, other):
        board = (await made(caller, table=bus.setup.id))["id"]
        assert (await caller.get(f"boards/{board}/nodes/0")).json()["supposed"] is False


async def test_hands_on_one_device_stay_apart(people: list[Person], registry: TableRegistry) -> None:
    """Where two hands are hidden from each other on one device, the page opens no board."""
    (ann, client), _ = people
    table = await live(registry, ann, ann)
    assert table.hides([0, 1])
    refused = await client.post("boards", json={"table": table.setup.id})
    assert (refused.status_code, "share this device" in refused.json()["text"]) == (409, True)


async def test_there_are_limits(people: list[Person], registry: TableRegistry, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the boards of a user and the nodes of a board; both say what to do."""
    (_, client), _ = people
    monkeypatch.setattr(store, "MOST_BOARDS", 1)
    monkeypatch.setattr(store, "MOST_NODES", 1)
    board = (await made(client, game="bus"))["id"]
    assert "Delete some" in (await client.post("boards", json={"game": "bus"})).json()["text"]
    await played(client, board, 0, line="first 0")
    full = await client.post(f"boards/{board}/nodes", json={"after": 0, "line": "first 1"})
    assert (full.status_code, "too many moves" in full.json()["text"]) == (409, True)


async def test_positions_are_checked(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """The editor begins with a normal start; what is wrong is named beside it, and the text stays."""
    page = (await client.get("/analysis/position?game=times_square")).text
    assert "&#34;figures&#34;" in page
    document = Match.new("times_square", dice=False).position()
    wrong = json.dumps({**document, "exhausted": 7})
    for text, why in (
        (wrong, "exhausted"),
        ("{,", "line 1, column 2"),
        ("[]", "JSON object"),
        ("game: 1", "line"),
    ):
        answer = await client.post("/analysis", data={"game": "times_square", "text": text})
        assert answer.status_code == 400
        told = (await client.post("/analysis/check", json={"game": "times_square", "text": text})).json()["problem"]
        assert why in told
    assert "exhausted" in (await client.post("/analysis", data={"game": "times_square", "text": wrong})).text
    good = await client.post("/analysis", data={"game": "times_square", "text": json.dumps(document)})
    assert (await client.get(good.headers["location"])).status_code == 200
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
    assert again.json() == first | {
        "fields": [],
        "places": [],
        "names": [],
        "position": first["position"] | {"svg": None},
    }
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
    for answer in (
        await client.post("/analysis/check", json={"game": "bus", "text": text}),
        await client.post("/analysis", data={"game": "bus", "text": text}),
    ):
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0
    await ann.ask("POST boards", {"game": "bus"}, status=429)


async def test_positions_are_edited_field_by_field(client: httpx.AsyncClient) -> None:
    """A valid position comes with its picture and its fields; what follows from a change is changed with it."""

    async def check(document: dict[str, Any], *, edited: bool) -> Any:
        draft = {"game": "bus", "text": json.dumps(document), "edited": edited}
        return (await client.post("/analysis/check", json=draft)).json()

    for beginning in ("", "&begin=middle"):
        page = (await client.get(f"/analysis/position?game=bus{beginning}")).text
        document = json.loads(
            html.unescape(page.partition("<textarea")[2].partition(">")[2].partition("</textarea")[0])
        )
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


async def test_a_pasted_record_counts_as_a_board(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user who has too many boards is told what to do."""
    monkeypatch.setattr(store, "MOST_BOARDS", 0)
    answer = await client.post("/analysis", data={"game": "bus", "text": RECORD.read_text("utf-8")})
    assert (answer.status_code, "Delete some" in answer.text) == (409, True)
