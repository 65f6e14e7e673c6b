"""What a worker keeps between questions: the trees of the bots that search, a few of them."""

from __future__ import annotations

import subprocess
from functools import partial
from typing import Any

import msgspec
import pytest

from omnibus import Match
from omnibus.bots import Bot, bot
from omnibus.server.tables import bot_worker
from omnibus.server.tables.bot_pool import COMMAND
from omnibus.server.tables.bot_worker import Answer, KeptBots, Question


@pytest.fixture(autouse=True)
def few_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    """`hard` makes so many simulations, whatever time they take."""

    def made(name: str, game: Any, *, seed: int) -> Bot:
        return bot(name, game, seed=seed, simulations=60 if name == "hard" else None)

    monkeypatch.setattr(bot_worker, "bot", made)


def test_after_an_undo_it_chooses_as_a_fresh_one_does() -> None:
    """A tree that no longer fits the record is of no use, and does no harm."""
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


def test_a_question_without_an_answer_does_not_end_the_worker() -> None:
    """It says what went wrong, and answers the next one."""
    match = Match.new("bus", seed=1)
    assert isinstance(match.actor, int)
    asked = [msgspec.json.encode(Question("bus", "random", view, 1)) for view in ({}, match.view(match.actor))]
    done = subprocess.run(COMMAND, input=b"\n".join(asked), capture_output=True, check=True)
    ready, *answers = done.stdout.splitlines()
    failed, answered = (msgspec.json.decode(answer, type=Answer) for answer in answers)
    assert ready == b"ready"
    assert failed.error
    assert not answered.error
    assert answered.line in match.lines()
