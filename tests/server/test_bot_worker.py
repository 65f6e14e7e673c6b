"""What a worker keeps between questions: the trees of the bots that search, a few of them."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from omnibus import Match
from omnibus.bots import Bot, bot
from omnibus.server.tables import bot_worker
from omnibus.server.tables.bot_worker import KeptBots, Question


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
