"""A worker process: questions come in as lines of JSON, answers go out the same way, until the input ends."""

from __future__ import annotations

import sys
from collections import OrderedDict
from typing import Any, Final

import msgspec
from msgspec import Struct

from omnibus import games
from omnibus.bots import THINKERS, Bot, Idea, bot
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.lab.analysis.document import Decision
from omnibus.lab.analysis.judge import Judge

MOST_KEPT: Final = 4  # bots with the trees they have searched: about 12 MB each, 25 at most


class Question(Struct, frozen=True):
    """What a bot of a level would play in this view; and, if it is to explain itself, what it thinks, in a language.

    `seat_at` names a seat at a table: a bot asked about the same one again may go on from what it searched before.
    With `judged`, a line that was played here, it is asked instead what that decision was worth.
    """

    game: str
    bot: str
    view: dict[str, Any]
    seed: int
    explain: bool = False
    language: str = "en"
    seat_at: str = ""
    judged: str = ""
    ply: int = 0
    seconds: float = 0.0
    """How long to think about the decision that is to be judged."""
    against: str = ""
    """The line to compare it with, where that is known; else the best one is looked for."""


class Answer(Struct, frozen=True):
    """The line it would play, its ideas, best first, if it was asked to explain itself, or a judged decision.

    `error` says instead why it has no answer.
    """

    line: str
    ideas: list[Idea] = []
    error: str = ""
    decision: Decision | None = None


class KeptBots:
    """The bots that were asked last, each with its tree; those that do not search are made anew for every question.

    A bot looks for itself whether its tree still fits the view: after an undo, or in another game, it begins a new one.
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._bots: OrderedDict[tuple[str, str, str], Bot] = OrderedDict()

    def __len__(self) -> int:
        """Return how many bots are kept."""
        return len(self._bots)

    def bot(self, question: Question) -> Bot:
        """Return the bot to be asked, seeded for this question."""
        key = (question.seat_at, question.game, question.bot)
        player = self._bots.pop(key, None)
        if player is None:
            player = bot(question.bot, games.find(question.game), seed=question.seed)
        player.random.seed(question.seed)
        if question.seat_at and question.bot in THINKERS:
            self._bots[key] = player
            if len(self._bots) > self._most:
                self._bots.popitem(last=False)
        return player


def main() -> None:
    """Answer questions until the input ends."""
    out = sys.stdout.buffer
    out.write(b"ready\n")
    out.flush()
    sys.stdout = sys.stderr  # whatever a bot may print, it is no answer
    kept = KeptBots()
    for asked in sys.stdin.buffer:
        out.write(reply(kept, asked) + b"\n")
        out.flush()


def reply(kept: KeptBots, asked: bytes | str) -> bytes:
    """Answer a line with a question by a line."""
    question = msgspec.json.decode(asked, type=Question)
    try:
        answer = judgement(question) if question.judged else answered(kept.bot(question), question)
    except Exception as error:
        answer = Answer("", error=f"{type(error).__name__}: {error}")
    return msgspec.json.encode(answer)


def answered(player: Bot, question: Question) -> Answer:
    """Answer a question with what a bot says."""
    if not question.explain:
        return Answer(player(question.view))
    ideas = player.explain(question.view, words(question.language, player.game.folder, COMMON_TEXTS))
    return Answer(ideas[0].line, ideas)


def judgement(question: Question) -> Answer:
    """Judge a decision by what its seat could see."""
    game = games.find(question.game)
    judge = Judge(game, question.seconds, seed=question.seed)
    if question.against:
        decision = judge.decision_against(question.ply, question.view, question.judged, question.against)
    else:
        decision = judge.decision_in(question.ply, question.view, question.judged)
    return Answer(decision.best, decision=decision)


if __name__ == "__main__":
    main()
