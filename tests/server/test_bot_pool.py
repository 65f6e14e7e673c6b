"""Bots in processes of their own: one that ends or gets stuck is replaced, and the question is put again."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from omnibus import Match, games
from omnibus.bots import names as bot_names
from omnibus.server.tables.bot_pool import BotPool, NoAnswer
from omnibus.server.tables.bot_worker import Answer, Question

QUESTION = Question("bus", bot_names()[0], {}, 1)

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
def test_a_failing_worker_is_replaced(tmp_path: Path, failure: str) -> None:
    """Ended, stuck, or talking nonsense: the next one is asked, and who asked does not notice."""

    async def ask() -> tuple[Answer, int]:
        workers = BotPool(1, shaky(tmp_path, failure, 2), longest_thought=2)
        await workers.warm(1)
        answers = [await workers.ask(QUESTION) for _ in range(2)]
        await workers.close()
        assert answers[0] == answers[1]
        return answers[0], workers.replaced

    assert asyncio.run(ask()) == (Answer("pass"), 2)


async def test_hopeless_questions_are_given_up(tmp_path: Path) -> None:
    """After a few tries the house says so instead of trying for ever."""
    workers = BotPool(1, shaky(tmp_path, "sys.exit(3)", 99))
    with pytest.raises(NoAnswer, match="could not be asked"):
        await workers.ask(QUESTION)
    await workers.close()


def test_all_are_asked_at_once(tmp_path: Path) -> None:
    """Questions wait for a free worker; there are never more workers than allowed."""

    async def ask() -> None:
        workers = BotPool(2, shaky(tmp_path, "time.sleep(0.2)", 99))
        await workers.warm(2)
        answers = await asyncio.gather(*(workers.ask(QUESTION) for _ in range(6)))
        assert answers == [Answer("pass")] * 6
        await workers.close()

    asyncio.run(ask())
    assert len((tmp_path / "times").read_text()) == 2


@pytest.mark.parametrize("name", games.names())
async def test_the_real_worker(name: str) -> None:
    """It answers with a legal line, for every bot."""
    match = Match.new(name, seed=3)
    assert isinstance(match.actor, int)
    workers = BotPool(1)
    for bot in bot_names():
        view = match.game.view(match.state, match.actor)
        answer = await workers.ask(Question(name, bot, view, 1))
        assert answer.line in match.lines()
    assert workers.replaced == 0
    await workers.close()
