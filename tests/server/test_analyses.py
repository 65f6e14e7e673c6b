"""Analyses on the server: behind all bots at tables, kept, resumed and read; traces/analyses has who gets none."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from anyio import fail_after
from msgspec.structs import replace

from omnibus import Match, games
from omnibus.lab.analysis.document import Decision
from omnibus.lab.analysis.runner import decided
from omnibus.lab.analysis.saved import load
from omnibus.server import app as server_app
from omnibus.server.store.models import Sitter
from omnibus.server.tables.bot_pool import BotPool
from omnibus.server.tables.bot_worker import Question
from omnibus.server.tables.registry import TableRegistry
from support.analyses import COMMAND, LOSSES, all_made_up, finished_match, rows
from support.api_client import Caller, known
from support.seats import opened

from .conftest import app_at

BOT = Question("bus", "easy", {}, 1)
JUDGED = Question("bus", "hard", {}, 1, judged="analysis ", seconds=0.2)
KEEP = "INSERT INTO table_analyses (table_id, ply, basis, decision) VALUES (?, ?, ?, ?)"


@pytest.fixture
def quick_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The workers of the app make decisions up."""
    monkeypatch.setattr(server_app, "BotPool", lambda number: BotPool(number, COMMAND))


async def until_done(caller: Caller, path: str) -> Any:
    with fail_after(60):
        while (found := await caller.ask(f"GET {path}"))["state"] != "done":
            await asyncio.sleep(0.01)
    return found


def worker(folder: Path, judge: str) -> list[str]:
    """Return a worker that notes in a file who asks, then does something before it answers an analysis."""
    note = f"open({str(folder)!r} + f'/{{os.getpid()}}', 'a').write(judged or 'bot ')"
    loop = f"for asked in sys.stdin:\n judged = json.loads(asked)['judged']\n {note}\n if judged: {judge}\n"
    return [sys.executable, "-c", f"import json, os, sys, time\nprint('ready', flush=True)\n{loop} {ANSWER}"]


ANSWER = """print('{"line": "pass"}', flush=True)"""


async def test_a_bots_move_goes_before_a_waiting_analysis(tmp_path: Path) -> None:
    """Whatever came first."""
    workers = BotPool(1, worker(tmp_path, "pass"))
    tasks = [asyncio.create_task(workers.ask(question, "ann")) for question in (BOT, JUDGED, BOT, JUDGED, BOT)]
    await asyncio.gather(*tasks)
    assert [file.read_text() for file in tmp_path.iterdir()] == ["bot bot bot analysis analysis "]
    await workers.close()


@pytest.mark.parametrize(("number", "at_once"), [(1, 1), (2, 1), (4, 3)])
async def test_a_bot_never_waits_for_a_decision(tmp_path: Path, number: int, at_once: int) -> None:
    """However long it is judged: analyses leave one worker to bots, and a single one gets another beside it."""
    workers = BotPool(number, worker(tmp_path, "time.sleep(600)"))
    judging = [asyncio.create_task(workers.ask(JUDGED, f"user {user}")) for user in range(5)]
    with fail_after(60):
        while len(list(tmp_path.iterdir())) < at_once:
            await asyncio.sleep(0.01)
        for _ in range(3):
            assert (await workers.ask(BOT, "ann")).answer.line == "pass"
    assert len(list(tmp_path.iterdir())) == at_once + 1
    assert (workers.busy, len(workers.idle)) == (at_once, 1)
    for task in judging:
        task.cancel()
    await asyncio.gather(*judging, return_exceptions=True)
    await workers.close()


@pytest.mark.parametrize("given", [False, True])
async def test_the_real_worker_judges_a_line(*, given: bool) -> None:
    """From the view of the seat, as the judge itself does; where the best line is known, by that one alone."""
    match = finished_match()
    ply = next(ply for ply in decided(match) if len(match.game.legal(match.states[ply])) > 3)
    state = match.states[ply]
    line, other = [match.game.write(state, move) for move in match.game.legal(state)][2:4]
    view, against = match.game.view(state, state.actor), other if given else ""
    workers = BotPool(1)
    asked = Question("times_square", "hard", view, 0, judged=line, ply=ply, seconds=0.01, against=against)
    decision = (await workers.ask(asked, "ann")).answer.decision
    await workers.close()
    assert decision
    assert (decision.ply, decision.seat, decision.line) == (ply, state.actor, line)
    assert decision.choices == len(match.game.legal(state))
    assert ([each.line for each in decision.alternatives] == [line, other]) is given


def judged_before(match: Match) -> tuple[Decision, Decision]:
    """Return two mistakes as they were judged before; of the second one the search hardly saw the best line."""
    first, second = [each for each in all_made_up(match) if each.gap == max(LOSSES) and len(each.alternatives) == 4][:2]
    searched = [replace(each, visits=visits) for each, visits in zip(second.alternatives, (50, 30, 70, 0), strict=True)]
    return replace(first, error=0.5), replace(second, alternatives=searched)


@pytest.mark.usefixtures("quick_workers")
async def test_by_program(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """An analysis is begun, followed and read by the API; nothing is judged twice, and it is deleted with its table.

    What a line loses is known that the analysis has searched well, as it has the best one; of others a worker is asked.
    """
    ann, bo = await known(client, "Ann"), await known(client, "Bo")
    user = (await ann.ask("GET users/me"))["id"]
    table = await opened(registry, user, "times_square", {}, [Sitter(user=user), Sitter(user=user)])
    while table.actor is not None:
        await table.play(table.actor, table.match.lines()[0], table.event)
    path, before = f"tables/{table.setup.id}/analysis", judged_before(table.match)
    by_ply = {each.ply: each for each in (*all_made_up(table.match), *before)}
    kept = rows(table.match, table.setup.id, list(before))
    kept.append((table.setup.id, min(by_ply), "another basis", "{}"))
    await registry.database.write(lambda transaction: transaction.execute_many(KEEP, kept))
    assert (await ann.ask(f"GET {path}"))["state"] == "none"
    for caller in (ann, bo):
        assert (await caller.ask(f"POST {path}"))["total"] == len(by_ply)
    await until_done(ann, path)
    found = (await client.get(f"/api/{path}")).json()  # everybody who knows the table may read it
    assert found["done"] == found["total"] == len(found["grades"])
    assert load(json.dumps(found).encode(), table.match).seats == 2  # as the command reads it
    assert msgspec.convert(found["analysis"]["decisions"], list[Decision]) == list(by_ply.values())
    assert {"blunder", "mistake", "inaccuracy", "only", ""} == set(found["grades"])
    assert (len(found["moments"]), len(found["accounts"]), len(found["accuracies"])) == (3, 2, 2)
    first, second = before
    for decision, line, loss in (
        (first, first.best, 0),
        (first, first.line, 25),
        (first, first.alternatives[2].line, 5),
        (first, first.alternatives[3].line, 25),  # by the number of its ply, as the quick judge does
        (second, second.alternatives[2].line, 25),
    ):
        tried = await ann.ask(f"POST {path}/{decision.ply}/try", {"line": line})
        assert tried == {"loss": pytest.approx(loss), "passes": loss == 0}, line
    await ann.ask(f"POST {path}/{first.ply}/try", {"line": "nonsense"}, status=400)
    await ann.ask(f"POST {path}/99999/try", {"line": first.line}, status=404)
    await ann.ask(f"DELETE tables/{table.setup.id}", status=204)
    assert await registry.database.read("SELECT count(*) FROM table_analyses") == [(0,)]


async def uploaded(caller: Caller, match: Match, more: str = "") -> str:
    """Upload a record; return the path of its analysis."""
    sent = await caller.client.post("/api/records", content=match.record() + more, headers=caller.headers)
    return f"records/{sent.json()['id']}/analysis"


@pytest.mark.usefixtures("quick_workers")
async def test_a_stopped_server_goes_on_where_it_was(tmp_path: Path) -> None:
    """What was judged before it stopped is there, and the rest follows when somebody asks again."""
    match, path = finished_match(), ""
    for begun in (False, True):
        async with (
            app_at(tmp_path) as app,
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://server") as client,
        ):
            ann = await known(client, "Ann")
            path = path or await uploaded(ann, match)
            if begun:
                found = await ann.ask(f"GET {path}")
                assert (found["state"], found["done"] >= 2) == ("none", True)
            await ann.ask(f"POST {path}")
            with fail_after(60):
                while (await ann.ask(f"GET {path}"))["done"] < 2:
                    await asyncio.sleep(0.001)
            if begun:
                await until_done(ann, path)


async def test_limits(client: httpx.AsyncClient) -> None:
    """A user has two analyses made at a time; others have theirs."""
    ann, bo = await known(client, "Ann"), await known(client, "Bo")
    paths = [await uploaded(ann, finished_match(), "\n" * number) for number in range(3)]
    for path in paths[:2]:
        assert (await ann.ask(f"POST {path}"))["state"] == "running"
    assert "Two of your games" in (await ann.ask(f"POST {paths[2]}", status=429))["text"]
    assert (await bo.ask(f"POST {paths[2]}"))["state"] == "running"


@pytest.mark.parametrize("name", games.names())
def test_made_up_decisions_are_possible(name: str) -> None:
    """What the quick judge says is legal, so that tests that use it mean something."""
    match = finished_match(name)
    for decision in all_made_up(match)[:20]:
        state = match.states[decision.ply]
        legal = [match.game.write(state, move) for move in match.game.legal(state)]
        assert decision.line in legal
        assert decision.best in [each.line for each in decision.alternatives]
