"""What a worker keeps between questions: the trees of the bots that search, a few of them."""

from __future__ import annotations

import subprocess
from functools import partial
from typing import Any

import msgspec
import pytest

from omnibus import Match, games
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


def test_hard_goes_on_with_the_tree_of_its_seat() -> None:
    """The second decision of a turn begins with what was seen while thinking about the first."""
    match, kept = Match.new("times_square", seed=1), KeptBots()
    question = partial(Question, "times_square", "hard", seed=1)
    seat, before = None, 0
    while match.actor != seat or match.length > before + 1 or len(match.lines()) == 1:
        assert isinstance(match.actor, int)
        seat, before = match.actor, match.length
        asked = question(match.view(seat), seat_at=f"here {seat}")
        match.play(kept.bot(asked)(asked.view))
    visits = {}
    for where in ("here", "elsewhere"):
        asked = question(match.view(seat), seat_at=f"{where} {seat}")
        visits[where] = sum(thought.visits for thought in kept.bot(asked).explain(asked.view))
    assert visits["here"] > visits["elsewhere"]


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


def test_only_so_many_are_kept() -> None:
    """The one that was asked longest ago is forgotten; those that do not search are not kept at all."""
    kept = KeptBots(2)
    bots = [kept.bot(Question("bus", "hard", {}, 1, seat_at=seat)) for seat in ("a", "b", "a", "c", "b", "c")]
    assert bots[0] is bots[2]
    assert bots[1] is not bots[4]
    assert bots[3] is bots[5]
    assert len(kept) == 2
    for question in (Question("bus", "easy", {}, 1, seat_at="d"), Question("bus", "hard", {}, 1)):
        assert kept.bot(question) is not kept.bot(question)
    assert len(kept) == 2


def test_one_seat_of_another_game_or_level_has_its_own_bot() -> None:
    kept = KeptBots()
    bus, square = (kept.bot(Question(game, "hard", {}, 1, seat_at="a")) for game in ("bus", "times_square"))
    assert (bus.game, square.game) == (games.find("bus"), games.find("times_square"))


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
