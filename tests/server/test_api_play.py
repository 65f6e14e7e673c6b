"""The API: playing at a table over HTTP alone."""

from __future__ import annotations

import httpx

from omnibus import Match
from omnibus.kernel.i18n import ENGLISH
from omnibus.server.tables.registry import TableRegistry
from support.api_client import Caller, alone, decide, known, together


async def test_from_the_invitation_to_the_end(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Two programs play a whole game; then there is a record, and a rematch."""
    table, ann, bo = await together(client)
    stranger = Caller(client)
    assert [seat["name"] for seat in (await stranger.ask(f"GET tables/{table}"))["seats"]] == ["Ann", "Bobby"]
    assert (await stranger.ask(f"GET tables/{table}/record", status=409))["code"] == "refused"
    await stranger.ask(f"POST tables/{table}/play", {"line": "x", "event": 1}, status=401)
    promised = await stranger.ask(f"GET tables/{table}/dice")
    assert (promised["seed"], promised["verified"]) == (None, None)
    decisions = 0
    while (await stranger.ask(f"GET tables/{table}"))["standing"] == "live":
        await decide(table, ann, bo)
        decisions += 1
    assert decisions > 10
    record = await stranger.ask(f"GET tables/{table}/record")
    assert Match.read(record).outcome is not None
    proof = await stranger.ask(f"GET tables/{table}/dice")
    assert (proof["commitment"], proof["verified"]) == (promised["commitment"], True)
    assert proof["checked"] > 0
    over = await ann.ask(f"POST tables/{table}/play", {"line": "sue left", "event": 999}, status=409)
    assert over["code"] == "over"
    asked = await bo.ask(f"POST tables/{table}/rematch")
    assert (asked["standing"], [seat["name"] for seat in asked["seats"]]) == ("open", ["Bobby", ""])
    rematch = {"table": asked["id"], "text": "Bobby wants a rematch."}
    assert (await ann.ask(f"GET tables/{table}/scene"))["rematch"] == rematch
    assert (await bo.ask(f"GET tables/{table}/scene"))["rematch"] is None
    again = await ann.ask(f"POST tables/{table}/rematch")
    assert (again["id"], again["standing"]) == (asked["id"], "live")
    assert (await ann.ask(f"GET tables/{table}/scene"))["rematch"] is None
    assert [seat["name"] for seat in again["seats"]] == ["Bobby", "Ann"]
    assert [entry["id"] for entry in (await ann.ask("GET users/me/tables"))["tables"]] == [again["id"], table]
    await ann.ask(f"DELETE tables/{table}", status=409)
    await bo.ask(f"DELETE tables/{table}", status=403)


async def test_playing_and_undoing(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Stale and malformed lines; repeated ids; undo alone, or if everybody agrees."""
    table, ann, bo = await together(client)
    scene = await decide(table, ann, bo)
    first, second = (ann, bo) if scene["own"] == [0] else (bo, ann)
    now = scene["event"] + 1
    path = f"POST tables/{table}"
    assert (await first.ask(f"{path}/play", {"line": "sue left", "event": 1}, status=409))["code"] == "stale"
    turn = {"event": now}
    if (await first.ask(f"GET tables/{table}/scene"))["undo"]:
        now = (await first.ask(f"{path}/undo", turn))["event"]
        asked = {"line": scene["moves"][0]["line"], "event": now, "id": "again"}
        done = [await first.ask(f"{path}/play", asked) for _ in range(2)]
        assert done[0] == done[1] == {"type": "done", "id": "again", "event": now + 1}
        now += 1
    mover, other = (first, second)
    while not (await second.ask(f"GET tables/{table}/scene"))["moves"]:
        await decide(table, first)
    seen = await other.ask(f"GET tables/{table}/scene")
    assert (await other.ask(f"{path}/play", {"line": "nonsense", "event": seen["event"]}, status=400))["text"]
    proposed = await mover.ask(f"{path}/proposal", {"what": "undo", "event": seen["event"]})
    shown = await other.ask(f"GET tables/{table}/scene")
    assert shown["proposal"]["asked"] is True
    agreed = {"agree": True, "event": proposed["event"]}
    assert (await mover.ask(f"{path}/proposal/verdict", agreed, status=409))["code"] == "not_your_turn"
    await other.ask(f"{path}/proposal/verdict", agreed)
    back = await mover.ask(f"GET tables/{table}/scene")
    assert back["position"]["plies"] < seen["position"]["plies"]
    away = {"what": "bot", "away": 0, "event": back["event"]}
    assert (await second.ask(f"{path}/proposal", away, status=409))["code"] == "refused"


async def test_the_first_answer_does_not_depend_on_the_seat(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """At a shared device with hidden hands what was carried out is answered as before, also if no seat is named."""
    ann = await known(client, "Ann")
    wish = {"game": "times_square", "seats": [{"who": "you"}, {"who": "you"}]}
    table = (await ann.ask("POST tables", wish, status=201))["id"]
    path = f"POST tables/{table}/play"
    scene = await ann.ask(f"GET tables/{table}/scene")
    seen = await ann.ask(f"GET tables/{table}/scene", seat=scene["actor"])
    asked = {"line": seen["moves"][0]["line"], "event": seen["event"], "id": "one"}
    done = await ann.ask(path, {**asked, "seat": scene["actor"]})
    assert await ann.ask(path, asked) == done
    assert (await ann.ask(path, {**asked, "id": "another"}, status=403))["code"] == "not_your_seat"


async def test_looking(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Scenes, views and earlier positions, through an own seat or as a spectator; pictures on request."""
    table, ann, bo = await together(client)
    stranger = Caller(client)
    assert (await ann.ask(f"GET tables/{table}/scene"))["position"]["svg"] is None
    upright = (await ann.ask(f"GET tables/{table}/scene", pictures=True))["position"]
    assert upright["svg"].startswith("<svg")
    for path in (f"GET tables/{table}/positions/0", f"GET tables/{table}/scene"):
        shown = await ann.ask(path, pictures=True, wide=True)
        position = shown.get("position", shown)
        assert position["wide"] is True
        assert position["svg"].partition(">")[0] != upright["svg"].partition(">")[0]  # its size differs
    await ann.ask(f"GET tables/{table}/scene", seat=1, status=403)
    await stranger.ask(f"GET tables/{table}/scene", seat=0, status=403)
    await ann.ask(f"GET tables/{table}/scene", seat="x", status=400)
    own, seen = await ann.ask(f"GET tables/{table}/view"), await stranger.ask(f"GET tables/{table}/view")
    assert own["view"]["hand"]
    assert "hand" not in seen["view"] or not seen["view"]["hand"]
    assert own["legal"] == [move["line"] for move in (await ann.ask(f"GET tables/{table}/scene"))["moves"]]
    assert (await bo.ask(f"GET tables/{table}/positions/0", seat=1))["ply"] == 0
    await bo.ask(f"GET tables/{table}/positions/9999", status=404)
    await bo.ask(f"GET tables/{table}/positions/0", seat=0, status=403)
    people = await stranger.ask(f"GET tables/{table}/people")
    assert people == {"type": "people", "here": [False, False], "absent": [], "watching": 0}
    await stranger.ask("GET tables/nowhere/scene", status=404)


async def test_previews_reasons_and_hints(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """On one's own turn; hints only if nobody else sits there."""
    ann = await known(client, "Ann")
    table = await alone(ann)
    while not (scene := await ann.ask(f"GET tables/{table}/scene"))["moves"]:
        await (await registry.table(table)).settled()
    event, line = scene["event"], scene["moves"][0]["line"]
    upright, wide = [
        await ann.ask(f"GET tables/{table}/preview", event=event, line=line, wide=wide) for wide in (False, True)
    ]
    assert [piece[0] for piece in upright["pieces"]] == [piece[0] for piece in wide["pieces"]]
    assert upright["pieces"] != wide["pieces"]
    await ann.ask(f"GET tables/{table}/preview", event=event, line="nonsense", status=409)
    await ann.ask(f"GET tables/{table}/preview", event=event - 1, line=line, status=409)
    reason = await ann.ask(f"GET tables/{table}/why", event=event, part="nothing at all")
    assert reason == {"type": "reason", "part": "nothing at all", "text": "", "section": ""}
    ideas = (await ann.ask(f"GET tables/{table}/hint"))["ideas"]
    assert ideas[0]["line"] in [move["line"] for move in scene["moves"]]


async def test_awaited(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """The tables that wait for the user are listed."""
    table, ann, bo = await together(client)
    waiting = [(await player.ask("GET users/me/awaited"))["tables"] for player in (ann, bo)]
    assert sorted(waiting) == [[], [table]]


async def test_refusals_cite_their_section(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """A line the rules forbid is rejected with the § and the reason, in the reader's language."""
    table, ann, bo = await together(client)
    for player in (ann, bo):
        player.headers["accept-language"] = "it"
        scene = await player.ask(f"GET tables/{table}/scene")
        if scene["moves"]:
            break
    match = (await registry.table(table)).match
    game, state = match.game, match.state
    illegal = next(move for move in range(game.space(state)[0]) if game.refusal(state, move) is not None)
    wish = {"line": game.write(state, illegal), "event": scene["event"]}
    problem = await player.ask(f"POST tables/{table}/play", wish, status=409)
    assert problem["code"] == "refused"
    refusal = game.refusal(state, illegal)
    assert refusal
    assert problem["section"] == refusal.section
    assert problem["text"] != game.explain(refusal, ENGLISH)
