"""Analyses on the server: only of finished games, behind all bots at tables, kept and resumed."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import msgspec
import pytest
from anyio import fail_after

from omnibus import Match, games
from omnibus.lab.analysis.runner import decided
from omnibus.lab.analysis.saved import load
from omnibus.server import app as server_app
from omnibus.server.errors import Code, Rejected
from omnibus.server.store.models import Sitter, User
from omnibus.server.store.sqlite import SqliteDatabase
from omnibus.server.tables import analyses
from omnibus.server.tables.analyses import Subject
from omnibus.server.tables.bot_pool import BotPool
from omnibus.server.tables.bot_worker import Question
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from support.analyses import COMMAND, LOSSES, all_made_up, finished_match
from support.api_client import alone, known
from support.seats import opened


@pytest.fixture
def quick_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The workers of the app make decisions up."""
    monkeypatch.setattr(server_app, "BotPool", lambda number: BotPool(number, COMMAND))


@pytest.fixture
async def quick_registry(tmp_path: Path) -> AsyncIterator[TableRegistry]:
    database, bot_pool = SqliteDatabase(tmp_path / "omnibus.db"), BotPool(1, COMMAND)
    registry = TableRegistry(database, bot_pool)
    yield registry
    await registry.close()
    await bot_pool.close()
    database.close()


async def played(registry: TableRegistry, user: User) -> Table:
    """A table of one person, at which everybody always plays the first line."""
    table = await opened(registry, user.id, "times_square", {}, [Sitter(user=user.id), Sitter(user=user.id)])
    while table.actor is not None:
        await table.play(table.actor, table.match.lines()[0], table.event)
    return table


async def until_done(registry: TableRegistry, subject: Subject, match: Match) -> None:
    with fail_after(60):
        while (await registry.analyses.progress(subject, match)).state != "done":
            await asyncio.sleep(0.01)


async def test_a_bots_move_goes_before_a_waiting_analysis(tmp_path: Path) -> None:
    """Whatever came first."""
    log = tmp_path / "log"
    script = f"""
import json, pathlib, sys
print("ready", flush=True)
for asked in sys.stdin:
    with pathlib.Path({str(log)!r}).open("a") as log:
        log.write(json.loads(asked)["judged"] or "bot ")
    print('{{"line": "pass"}}', flush=True)
"""
    workers = BotPool(1, [sys.executable, "-c", script])
    bot, judged = Question("bus", "easy", {}, 1), Question("bus", "hard", {}, 1, judged="analysis ", seconds=0.2)
    tasks = [asyncio.create_task(workers.ask(question, "ann")) for question in (bot, judged, bot, judged, bot)]
    await asyncio.gather(*tasks)
    assert log.read_text() == "bot bot bot analysis analysis "
    await workers.close()


@pytest.mark.parametrize("number", [1, 2])
async def test_a_bot_never_waits_for_a_decision(tmp_path: Path, number: int) -> None:
    """However long it is judged: a single worker gets another beside it, for one bot at a time."""
    script = """
import json, sys, time
print("ready", flush=True)
for asked in sys.stdin:
    if json.loads(asked)["judged"]:
        time.sleep(600)
    print('{"line": "pass"}', flush=True)
"""
    workers = BotPool(number, [sys.executable, "-c", script])
    bot, judged = Question("bus", "easy", {}, 1), Question("bus", "hard", {}, 1, judged="analysis", seconds=0.2)
    judging = [asyncio.create_task(workers.ask(judged, user)) for user in ("ann", "bob")]
    await asyncio.sleep(0)
    with fail_after(60):
        for _ in range(3):
            assert (await workers.ask(bot, "ann")).answer.line == "pass"
    assert (workers.busy, len(workers.idle)) == (1, 1)
    for task in judging:
        task.cancel()
    await asyncio.gather(*judging, return_exceptions=True)
    await workers.close()


@pytest.mark.parametrize(("number", "at_once"), [(1, 1), (2, 1), (4, 3)])
async def test_a_worker_stays_free_for_bots(tmp_path: Path, number: int, at_once: int) -> None:
    """Analyses never take the last worker; if there is only one, a bot gets another."""
    busy = tmp_path / "busy"
    busy.mkdir()
    script = f"""
import os, pathlib, sys, time
print("ready", flush=True)
for asked in sys.stdin:
    (pathlib.Path({str(busy)!r}) / str(os.getpid())).touch()
    time.sleep(600)
"""
    workers = BotPool(number, [sys.executable, "-c", script])
    judged = Question("bus", "hard", {}, 1, judged="analysis", seconds=0.2)
    tasks = [asyncio.create_task(workers.ask(judged, f"user {n}")) for n in range(5)]
    with fail_after(60):
        while len(list(busy.iterdir())) < at_once:
            await asyncio.sleep(0.01)
    assert workers.busy == at_once
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await workers.close()


async def test_the_real_worker_judges_a_decision() -> None:
    """From the view of the seat, as the judge itself does."""
    match = finished_match()
    ply = decided(match)[3]
    state, line = match.states[ply], match.plies[ply][1]
    view = match.game.view(state, state.actor)
    workers = BotPool(1)
    answer = (await workers.ask(Question("times_square", "hard", view, 0, judged=line, ply=ply, seconds=0.01))).answer
    await workers.close()
    assert answer.decision
    assert (answer.decision.ply, answer.decision.seat, answer.decision.line) == (ply, state.actor, line)
    assert answer.decision.choices == len(match.game.legal(state))


async def test_the_real_worker_judges_a_line_by_another() -> None:
    """Where the best line is known, that one counts, and no other is looked for."""
    match = finished_match()
    ply = next(ply for ply in decided(match) if len(match.game.legal(match.states[ply])) > 3)
    state = match.states[ply]
    line, against = [match.game.write(state, move) for move in match.game.legal(state)][2:4]
    view = match.game.view(state, state.actor)
    question = Question("times_square", "hard", view, 0, judged=line, ply=ply, seconds=0.01, against=against)
    workers = BotPool(1)
    decision = (await workers.ask(question)).answer.decision
    await workers.close()
    assert decision
    assert [each.line for each in decision.alternatives] == [line, against]


async def test_made_once_kept_and_resumed(quick_registry: TableRegistry, tmp_path: Path) -> None:
    """Judged decisions are not judged again, by this server or the next; a deleted table takes them along."""
    registry = quick_registry
    user, _ = await registry.user_store.add_user()
    table = await played(registry, user)
    subject, wanted = Subject("table", table.setup.id), all_made_up(table.match)
    assert (await registry.analyses.progress(subject, table.match)).state == "none"
    assert await registry.analyses.finished(subject, table.match) is None
    basis = analyses.basis_of(table.match)
    mark = msgspec.structs.replace(wanted[0], error=0.5)  # this one was judged before
    await registry.analyses.store.add("table", subject.id, mark.ply, basis, msgspec.json.encode(mark).decode())
    await registry.analyses.store.add("table", subject.id, wanted[1].ply, "another basis", "{}")
    assert (await registry.analyses.start(subject, table.match, user.id)).state == "running"
    assert (await registry.analyses.start(subject, table.match, "somebody else")).state == "running"
    await until_done(registry, subject, table.match)
    found = await registry.analyses.finished(subject, table.match)
    assert found
    assert found.decisions == [mark, *wanted[1:]]
    assert await registry.analyses.finished(subject, table.match) is found
    await registry.remove(table.setup)
    assert (await registry.analyses.progress(subject, table.match)).done == 0


async def test_a_stopped_server_goes_on_where_it_was(tmp_path: Path) -> None:
    """What was judged before it stopped is there, and the rest follows when somebody asks again."""
    match, subject = finished_match(), Subject("record", "")
    for _ in range(2):
        database, bot_pool = SqliteDatabase(tmp_path / "omnibus.db"), BotPool(1, COMMAND)
        registry = TableRegistry(database, bot_pool)
        if not subject.id:
            user, _ = await registry.user_store.add_user()
            subject = Subject("record", await registry.table_store.add_record(match.record(), user.id))
            await registry.analyses.start(subject, match, user.id)
            with fail_after(60):
                while (await registry.analyses.progress(subject, match)).done < 2:
                    await asyncio.sleep(0.001)
        else:
            assert (await registry.analyses.progress(subject, match)).state == "none"
            assert (await registry.analyses.progress(subject, match)).done >= 2
            await registry.analyses.start(subject, match, user.id)
            await until_done(registry, subject, match)
        await registry.close()
        await bot_pool.close()
        database.close()


async def test_limits(quick_registry: TableRegistry, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user has two analyses made at a time; others have theirs."""
    registry = quick_registry
    user, _ = await registry.user_store.add_user()
    match = finished_match()
    ids = [await registry.table_store.add_record(match.record() + "\n" * n, user.id) for n in range(3)]
    started = [registry.analyses.start(Subject("record", id_), match, "ann") for id_ in ids[:2]]
    await asyncio.gather(*started)
    with pytest.raises(Rejected) as caught:
        await registry.analyses.start(Subject("record", ids[2]), match, "ann")
    assert caught.value.code is Code.TOO_FAST
    assert (await registry.analyses.start(Subject("record", ids[2]), match, "bob")).state == "running"


@pytest.mark.usefixtures("quick_workers")
async def test_by_program(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Begun, followed and read by the API; other lines can be tried."""
    ann = await known(client, "Ann")
    user = await registry.user_store.find((await ann.ask("GET users/me"))["id"])
    assert user
    table = await played(registry, user)
    path = f"tables/{table.setup.id}/analysis"
    assert (await ann.ask(f"GET {path}"))["state"] == "none"
    begun = await ann.ask(f"POST {path}")
    assert begun["total"] == len(all_made_up(table.match))
    await until_done(registry, Subject("table", table.setup.id), table.match)
    client.cookies.clear()
    found = (await client.get(f"/api/{path}")).json()  # everybody who knows the table may read it
    assert found["done"] == found["total"] == len(found["analysis"]["decisions"]) == len(found["grades"])
    assert load(json.dumps(found).encode(), table.match).seats == 2  # as the command reads it
    assert {"blunder", "mistake", "inaccuracy", "only", ""} == set(found["grades"])
    assert len(found["moments"]) == 3
    assert len(found["accounts"]) == len(found["accuracies"]) == 2
    moment = next(each for each in found["analysis"]["decisions"] if each["gap"] == max(LOSSES))
    tried = [
        await ann.ask(f"POST {path}/{moment['ply']}/try", {"line": line}) for line in (moment["best"], moment["line"])
    ]
    assert tried == [{"loss": 0.0, "passes": True}, {"loss": pytest.approx(25), "passes": False}]
    await ann.ask(f"POST {path}/{moment['ply']}/try", {"line": "nonsense"}, status=400)
    await ann.ask(f"POST {path}/99999/try", {"line": moment["line"]}, status=404)


@pytest.mark.usefixtures("quick_workers")
async def test_a_line_the_analysis_does_not_know_is_judged(quick_registry: TableRegistry) -> None:
    """By a question to the workers; a line it has searched well is known."""
    match = finished_match()
    decision = next(each for each in all_made_up(match) if each.gap > 0 and len(each.alternatives) == 4)
    ask = quick_registry.analyses.points_lost
    known = msgspec.structs.replace(decision.alternatives[2], visits=70)
    searched = msgspec.structs.replace(decision, alternatives=[*decision.alternatives[:2], known])
    assert await ask(match, searched, known.line, "ann") == pytest.approx(5)
    rare = [msgspec.structs.replace(decision.alternatives[1], visits=30), known]  # the search hardly saw the best line
    searched = msgspec.structs.replace(decision, alternatives=[decision.alternatives[0], *rare])
    assert await ask(match, searched, known.line, "ann") == pytest.approx(100 * decision.gap)
    asked = await ask(match, decision, decision.alternatives[3].line, "ann")
    assert asked == pytest.approx(100 * decision.gap)  # by the number of its ply, as the quick judge does


async def test_a_live_game_is_not_analysed(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Nothing is said about it but that it is not over; nor about one that was closed before its end."""
    ann = await known(client, "Ann")
    table = await alone(ann)
    for verb, path in (("GET", "analysis"), ("POST", "analysis")):
        refused = await ann.ask(f"{verb} tables/{table}/{path}", status=409)
        assert refused == {"code": "refused", "text": "The game is not over yet."}
    assert "not over" in (await ann.ask(f"POST tables/{table}/analysis/0/try", {"line": "x"}, status=409))["text"]
    await ann.ask(f"POST tables/{table}/abandon")
    closed = await ann.ask(f"POST tables/{table}/analysis", status=409)
    assert "played to the end" in closed["text"]
    await ann.ask("GET tables/nowhere/analysis", status=404)
    assert await registry.table_store.database.read("SELECT count(*) FROM table_analyses") == [(0,)]


@pytest.mark.parametrize("name", games.names())
def test_made_up_decisions_are_possible(name: str) -> None:
    """What the quick judge says is legal, so that tests that use it mean something."""
    match = finished_match(name)
    for decision in all_made_up(match)[:20]:
        state = match.states[decision.ply]
        legal = [match.game.write(state, move) for move in match.game.legal(state)]
        assert decision.line in legal
        assert decision.best in [each.line for each in decision.alternatives]
