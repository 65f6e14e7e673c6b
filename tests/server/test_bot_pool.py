"""Bots in processes of their own: one that ends or gets stuck is replaced, and the question is put again."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from anyio import fail_after

from omnibus import Match, games
from omnibus.bots import Bot, bot, names_for
from omnibus.bots import names as bot_names
from omnibus.server.tables import bot_pool, bot_worker
from omnibus.server.tables.bot_pool import BotPool, NoAnswer, TooManyWaiting
from omnibus.server.tables.bot_worker import Answer, KeptBots, Question

QUESTION = Question("bus", bot_names()[0], {}, 1)
EVENT_LOOPS = [
    pytest.param(("asyncio", {"use_uvloop": uvloop}), id="uvloop" if uvloop else "asyncio") for uvloop in (False, True)
]

SHAKY = """
import pathlib, sys, time
times = pathlib.Path({file!r})
began = len(times.read_text()) if times.exists() else 0
times.write_text("x" * (began + 1))
print("ready", flush=True)
for asked in sys.stdin:
    if began < {failures}:
        {failure}
    print('{{"line": "pass"}}', flush=True)
"""


def shaky(folder: Path, failure: str, failures: int) -> list[str]:
    """A worker whose first few processes fail at every question."""
    script = SHAKY.format(file=str(folder / "times"), failure=failure, failures=failures)
    return [sys.executable, "-c", script]


@pytest.mark.parametrize(
    "failure", ["sys.exit(3)", "time.sleep(60)", "print('nonsense', flush=True); continue", "print('{}', flush=True)"]
)
async def test_a_failing_worker_is_replaced(tmp_path: Path, failure: str) -> None:
    """Ended, stuck, or talking nonsense: the next one is asked, and who asked does not notice."""
    stuck = "sleep" in failure
    workers = BotPool(1, shaky(tmp_path, failure, 2), longest_thought=2 if stuck else 60)
    await workers.warm(1)
    answers = [(await workers.ask(QUESTION)).answer for _ in range(2)]
    await workers.close()
    assert answers == [Answer("pass")] * 2
    assert workers.replaced == 2


@pytest.mark.parametrize("name", games.names())
async def test_the_real_worker(name: str) -> None:
    """It answers with a legal line for every bot, and says what is wrong with a question without ending."""
    match = Match.new(name, seed=3)
    assert isinstance(match.actor, int)
    workers = BotPool(1)
    for level in names_for(match.game):
        question = Question(name, level, match.game.view(match.state, match.actor), 1)
        with pytest.raises(NoAnswer, match="KeyError"):
            await workers.ask(Question(name, level, {}, 1))
        assert (await workers.ask(question)).answer.line in match.lines()
    assert workers.replaced == 0
    await workers.close()


@pytest.mark.parametrize("anyio_backend", EVENT_LOOPS)
async def test_a_worker_that_is_killed_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As soon as it is gone; and a question that comes before the death was noticed is answered too."""
    monkeypatch.setattr(bot_pool, "RESTART_S", 0)
    workers = BotPool(1, shaky(tmp_path, "pass", 0))
    await workers.ask(QUESTION)
    (old,) = workers.idle
    os.kill(old, signal.SIGKILL)
    with fail_after(20):
        while workers.idle in ([], [old]):
            await asyncio.sleep(0.01)
    assert workers.replaced == 1
    for _ in range(3):
        assert (await workers.ask(QUESTION)).answer == Answer("pass")
        for worker in workers.idle:
            os.kill(worker, signal.SIGKILL)
        time.sleep(0.05)  # it is gone, and the event loop has had no time to hear of it
    assert (await workers.ask(QUESTION)).answer == Answer("pass")
    await workers.close()


async def test_a_worker_that_cannot_start_is_not_started_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a question there is one attempt to replace it."""
    monkeypatch.setattr(bot_pool, "RESTART_S", 0)
    times = tmp_path / "times"
    once = f"import pathlib, sys; times = pathlib.Path({str(times)!r}); times.write_text(times.read_text() + 'x')"
    times.write_text("")
    workers = BotPool(1, [sys.executable, "-c", f"{once}; len(times.read_text()) > 1 or print('ready', flush=True)"])
    await workers.warm(1)
    with fail_after(20):
        while times.read_text() != "xx":
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)
    assert times.read_text() == "xx"
    await workers.close()


async def test_a_core_compiled_meanwhile_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker answers with the core it has; once a compiled one is complete, it is replaced by one that uses it."""
    script = """
import os, sys
print("ready", flush=True)
for asked in sys.stdin:
    print('{"line": "%s"}' % os.path.basename(os.environ.get("PYTHONPATH", "none")), flush=True)
"""
    core = tmp_path / "core"
    core.mkdir()
    monkeypatch.setenv("OMNIBUS_NEXT_CORE", str(core))
    monkeypatch.setenv("PYTHONPATH", "source")
    workers = BotPool(1, [sys.executable, "-c", script])
    assert [(await workers.ask(QUESTION)).answer.line for _ in range(2)] == ["source"] * 2  # it is not complete yet
    (core / "done").touch()
    assert (await workers.ask(QUESTION)).answer.line == "source"
    assert [(await workers.ask(QUESTION)).answer.line for _ in range(2)] == ["core"] * 2
    assert workers.replaced == 0
    await workers.close()


async def test_who_stops_waiting_is_forgotten(tmp_path: Path) -> None:
    """A question that was not put yet is not put any more; one that was is answered to nobody, and the next follows."""
    log, go_on = tmp_path / "log", tmp_path / "go on"
    script = f"""
import json, pathlib, sys, time
print("ready", flush=True)
for asked in sys.stdin:
    with pathlib.Path({str(log)!r}).open("a") as log:
        log.write(str(json.loads(asked)["seed"]))
    while not pathlib.Path({str(go_on)!r}).exists():
        time.sleep(0.01)
    print('{{"line": "pass"}}', flush=True)
"""
    workers = BotPool(1, [sys.executable, "-c", script])
    questions = [Question("bus", "easy", {}, seed) for seed in range(4)]
    tasks = [asyncio.create_task(workers.ask(question)) for question in questions]
    with fail_after(20):
        while not log.exists():
            await asyncio.sleep(0.01)
    for task in tasks[:3]:
        task.cancel()
    await asyncio.sleep(0)
    go_on.touch()
    assert (await tasks[3]).answer == Answer("pass")
    assert log.read_text() == "03"
    await workers.close()


async def test_too_many_questions_of_one_user(tmp_path: Path) -> None:
    """They are turned down at once, while others are still answered."""
    workers = BotPool(1, shaky(tmp_path, "pass", 0))
    tasks = [asyncio.create_task(workers.ask(QUESTION, "ann")) for _ in range(bot_pool.MOST_WAITING + 2)]
    await asyncio.sleep(0)
    with pytest.raises(TooManyWaiting):
        await tasks.pop()
    assert (await workers.ask(QUESTION, "bob")).answer == Answer("pass")
    await asyncio.gather(*tasks)
    await workers.close()


async def test_nobody_waits_for_ever(tmp_path: Path) -> None:
    """A hopeless question is given up after a few tries; who waits when all is closed hears that there is no answer."""
    workers = BotPool(1, shaky(tmp_path, "sys.exit(3)", 99))
    with pytest.raises(NoAnswer, match="could not be asked"):
        await workers.ask(QUESTION)
    await workers.close()
    workers = BotPool(1, shaky(tmp_path, "time.sleep(60)", 99))
    tasks = [asyncio.create_task(workers.ask(QUESTION)) for _ in range(3)]
    await asyncio.sleep(0.1)
    await workers.close()
    assert [type(result) for result in await asyncio.gather(*tasks, return_exceptions=True)] == [NoAnswer] * 3
    with pytest.raises(NoAnswer):
        await workers.ask(QUESTION)


def test_after_an_undo_it_chooses_as_a_fresh_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree that no longer fits the record is of no use, and does no harm."""

    def made(name: str, game: Any, *, seed: int) -> Bot:
        return bot(name, game, seed=seed, simulations=60)  # whatever time they take

    monkeypatch.setattr(bot_worker, "bot", made)
    match, kept = Match.new("bus", seed=1), KeptBots()
    assert isinstance(match.actor, int)
    first = match.actor
    line = match.lines()[-1]
    match.play(line)
    assert isinstance(match.actor, int)
    question = partial(Question, "bus", "hard", seed=5)
    later = question(match.view(match.actor), seat_at="table 0")
    kept.bot(later)(later.view)
    match.undo()
    again = question(match.view(first), seat_at="table 0")
    fresh = question(match.view(first), seat_at="other 0")
    assert kept.bot(again).explain(again.view) == kept.bot(fresh).explain(fresh.view)
