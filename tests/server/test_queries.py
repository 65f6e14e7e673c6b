"""Hints: what a strong bot would do, for users who play alone against bots."""

from __future__ import annotations

import pytest

from omnibus import Match
from omnibus.bots import bot
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables.bot_pool import NoAnswer, Reply
from omnibus.server.tables.bot_worker import Answer, Question, answered
from omnibus.server.tables.registry import TableRegistry
from support.seats import Seat, opened


def test_a_bot_explains_itself() -> None:
    """Its ideas come with the answer, if asked for: a share of the win for each seat, reasons and doubts."""
    match = Match.new("times_square", seed=1)
    assert isinstance(match.actor, int)
    view = match.view(match.actor)
    asked = answered(bot("easy", match.game, seed=1), Question("times_square", "easy", view, 1, explain=True))
    assert asked.line == asked.ideas[0].line
    assert all(sum(idea.shares) == pytest.approx(1) for idea in asked.ideas)
    assert any(idea.reasons for idea in asked.ideas)
    assert any(idea.doubts for idea in asked.ideas)
    plain = answered(bot("easy", match.game, seed=1), Question("times_square", "easy", view, 1))
    assert plain == Answer(asked.line)


async def test_a_hint_is_told_in_words(registry: TableRegistry, user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot explains itself in the reader's language: the labels are those of the moves."""
    table = await opened(registry, user.id, "bus", {}, [Sitter(user=user.id)] * 3)

    async def ask(question: Question, _user: str) -> Reply:
        assert question.language == "de"
        return Reply(answered(bot("easy", table.game, seed=1), question), 0.0)

    monkeypatch.setattr(registry.bot_pool, "ask", ask)
    seat = Seat(registry, table, user, "de")
    await seat.say(sync=True)
    scene = await seat.scene()
    assert scene["hint"] is True
    await seat.say(hint=True, event=1)
    ideas = (await seat.hear())["ideas"]
    assert ideas
    for idea in ideas:
        assert idea["label"] == next(move["label"] for move in scene["moves"] if move["line"] == idea["line"])
        assert idea["share"] == idea["shares"][table.actor or 0]


async def test_no_hints_among_people(registry: TableRegistry, user: User) -> None:
    """Neither where somebody else plays, nor for spectators, nor out of turn."""
    other, _ = await registry.user_store.add_user()
    table = await opened(
        registry, user.id, "bus", {}, [Sitter(user=user.id), Sitter(user=other.id), Sitter(user=user.id)]
    )
    for sitter in (user, other, None):
        seat = Seat(registry, table, sitter)
        await seat.say(hint=True, event=1)
        assert (await seat.hear())["code"] in ("not_your_turn", "not_your_seat")


async def test_no_bot_can_be_asked(registry: TableRegistry, user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the hint is empty, and the table is as before."""

    async def lost(_question: Question, _user: str) -> Reply:
        raise NoAnswer

    monkeypatch.setattr(registry.bot_pool, "ask", lost)
    table = await opened(registry, user.id, "bus", {}, [Sitter(user=user.id)] * 3)
    seat = Seat(registry, table, user)
    seat.session.viewpoint.look_through(table.actor)
    await seat.say(hint=True, event=1)
    assert await seat.hear() == {"type": "hint", "event": 1, "ideas": []}
