"""Analyses without a search: made-up decisions. Run as a script, this is a worker that answers with them."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import msgspec

from omnibus import Match, games
from omnibus.kernel.game import Game
from omnibus.lab.analysis.document import Alternative, Decision
from omnibus.lab.analysis.runner import decided
from omnibus.server.tables import analyses
from omnibus.server.tables.bot_worker import Answer, Question

COMMAND = (sys.executable, __file__)
LOSSES = (0.0, 0.01, 0.06, -0.2, 0.12, 0.0, 0.25)
"""What decisions lose in turn: nothing, an inaccuracy, the only good move, a mistake, a blunder."""
BEST = 0.6


def shares(seats: int, seat: int, own: float) -> list[float]:
    return [own if number == seat else (1 - own) / (seats - 1) for number in range(seats)]


def made_up(game: Game[Any], view: dict[str, Any], line: str, ply: int) -> Decision:
    """Judge a decision by its number alone; the first other legal line is the better one."""
    state = game.redeal(view, Random(ply).randrange)
    others = [other for other in (game.write(state, move) for move in game.legal(state)) if other != line][:3]
    seat, seats = state.actor, state.seats
    gap = LOSSES[ply % len(LOSSES)] if others else 0.0
    own = BEST - max(0.0, gap)
    phrases = [good for good, _ in game.phrases.values()]
    lines = [
        Alternative(line, shares(seats, seat, own), 50, [line], [], phrases[:1]),
        *(
            Alternative(
                line=other,
                shares=shares(seats, seat, own + gap - number / 20),
                visits=80 - 40 * number,
                continuation=[other],
                reasons=phrases[:1],
                doubts=[],
                later=number == 0,
            )
            for number, other in enumerate(others)
        ),
    ]
    return Decision(
        ply=ply,
        seat=seat,
        line=line,
        best=others[0] if gap > 0 else line,
        choices=len(others) + 1,
        before=shares(seats, seat, BEST),
        after=shares(seats, seat, own),
        gap=gap,
        error=0.01,
        alternatives=lines,
    )


def all_made_up(match: Match) -> list[Decision]:
    """Judge all decisions of a match."""
    return [
        made_up(match.game, match.game.view(match.states[ply], match.states[ply].actor), match.plies[ply][1], ply)
        for ply in decided(match)
    ]


def finished_match(game: str = "times_square", seed: int = 5) -> Match:
    """A game in which everybody always plays the first line."""
    match = Match.new(game, seed=seed)
    while match.actor is not None:
        match.play(match.lines()[0])
    return match


def rows(match: Match, id_: str, decisions: list[Decision] | None = None) -> list[tuple[str, int, str, str]]:
    """The rows with which the database keeps the made-up analysis of a table or a record, or some decisions of it."""
    basis = analyses.basis_of(match)
    kept = all_made_up(match) if decisions is None else decisions
    return [(id_, each.ply, basis, msgspec.json.encode(each).decode()) for each in kept]


def main() -> None:
    out = sys.stdout.buffer
    out.write(b"ready\n")
    out.flush()
    for asked in sys.stdin.buffer:
        question = msgspec.json.decode(asked, type=Question)
        decision = made_up(games.find(question.game), question.view, question.judged, question.ply)
        out.write(msgspec.json.encode(Answer(decision.best, decision=decision)) + b"\n")
        out.flush()


if __name__ == "__main__":
    main()
