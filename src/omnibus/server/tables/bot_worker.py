"""A worker process: questions come in as lines of JSON, answers go out the same way, until the input ends."""

from __future__ import annotations

import sys
from typing import Any

import msgspec
from msgspec import Struct

from omnibus import games
from omnibus.bots import Bot, Thought, bot


class Question(Struct, frozen=True):
    """What a bot of a name would play in this view; and, if it is to explain itself, what it thinks."""

    game: str
    bot: str
    view: dict[str, Any]
    seed: int
    explain: bool = False


class Answer(Struct, frozen=True):
    """The line it would play, and what it thinks of this and other lines, best first, if it was asked."""

    line: str
    thoughts: list[Thought] = []


def main() -> None:
    """Answer until nobody asks any more."""
    out = sys.stdout.buffer
    out.write(b"ready\n")
    out.flush()
    sys.stdout = sys.stderr  # whatever a bot may print, it is no answer
    for asked in sys.stdin.buffer:
        question = msgspec.json.decode(asked, type=Question)
        player = bot(question.bot, games.find(question.game), seed=question.seed)
        out.write(msgspec.json.encode(answered(player, question)) + b"\n")
        out.flush()


def answered(player: Bot, question: Question) -> Answer:
    """Answer a question with what a bot says."""
    if not question.explain:
        return Answer(player(question.view))
    thoughts = list(player.explain(question.view))
    return Answer(thoughts[0].line, thoughts)


if __name__ == "__main__":
    main()
