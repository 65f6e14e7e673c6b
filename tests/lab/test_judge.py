"""The judge of an analysis: which lines it compares, for how long, and what counts as lost."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random
from typing import Any

import pytest

from omnibus import Match, games
from omnibus.bots import bot
from omnibus.bots.bot import Candidate, View
from omnibus.bots.hard import Hard
from omnibus.bots.reasons import opposed_reasons
from omnibus.bots.search import Node
from omnibus.kernel.game import Game
from omnibus.lab.analysis import comparison
from omnibus.lab.analysis import judge as judge_module
from omnibus.lab.analysis.comparison import Comparer
from omnibus.lab.analysis.grades import grade
from omnibus.lab.analysis.judge import AGAIN, Judge
from omnibus.lab.analysis.searches import Samples
from support.quick_games import finished
from support.winning import winning

SIMULATIONS = 64
FOUR_OF_61 = "2 seats, 4 of 61 ways win, begun with 4 of 9 moves"


@pytest.mark.parametrize("name", games.names())
def test_what_a_seat_cannot_see_is_not_held_against_it(name: str) -> None:
    """A decision is judged alike in all states with the same view, and in the same way every time."""
    match = finished(name, seed=3)
    ply = next(
        ply for ply, (actor, _) in enumerate(match.plies) if ply > min(30, match.length // 2) and actor != "chance"
    )
    state = match.states[ply]
    move = match.game.parse(state, match.plies[ply][1])
    redealt = match.game.redeal(match.game.view(state, state.actor), Random(5).randrange)
    judge = Judge(match.game, 0.0, simulations=200)
    assert judge.decision(ply, state, move) == judge.decision(ply, redealt, move)


class Opinionated(Hard):
    """A judge that finds a move better than the last one by given gaps, look after look; the last gap stays."""

    looks = 0

    def __init__(self, game: Game[Any], gaps: Sequence[float]) -> None:
        super().__init__(game, Random(1), None, 1)
        self.gaps = gaps

    def candidates(self, view: View) -> tuple[Any, list[Candidate]]:
        return bot("hard", self.game, seed=1, simulations=20).candidates(view)

    def simulate(self, root: Node, states: list[Any], number: int, deadline: float = inf) -> int:
        look, last = divmod(self.looks, 2)
        share = 0.4 + (0.0 if last else self.gaps[min(look, len(self.gaps) - 1)])
        self.looks += 1
        root.worth = [share, *[(1 - share) / (states[0].seats - 1)] * (states[0].seats - 1)]
        return number


class Settled(Samples):
    """Rollouts that always find the same difference, and lead to the same ends."""

    least = 2

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments[:4])
        states = finished("bus", seed=3).states
        self.ends = [[states[-20]], [states[-40]]]

    def go_on(self) -> int:
        self.found.append([*[[0.5, 0.25, 0.25]] * (len(self.moves) - 1), [0.4, 0.3, 0.3]])
        return 16


def choice(match: Match) -> tuple[Any, tuple[int, int]]:
    """Return a state in which the first seat has a choice, and two moves."""
    state = next(state for state in match.states if state.actor == 0 and len(match.game.legal(state)) > 1)
    first, second = match.game.legal(state)[:2]
    return state, (first, second)


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Returns a judge by opinions, which compares only the best line of the search with the one played."""
    monkeypatch.setattr(judge_module, "LINES", 1)
    monkeypatch.setattr(comparison, "Rollouts", Settled)

    def made(game: Game[Any], *gaps: Sequence[float]) -> Judge:
        monkeypatch.setattr(Judge, "_players", lambda *_: [Opinionated(game, each) for each in gaps])
        return Judge(game, 0.0, simulations=SIMULATIONS)

    return made


@pytest.mark.parametrize(
    ("name", "gaps", "counts"),
    [
        ("times_square", [(0.2, 0.2, 0.02)], 0.02),
        ("times_square", [(-0.2, -0.2, 0.01)], 0.01),
        ("times_square", [(0.02, 0.02, 0.2)], 0.02),  # nothing was found, and nothing is looked for
        ("bus", [(0.01,)], 0.01),
        ("bus", [(0.02,)], 0.1),
        ("bus", [(0.2,)], 0.1),
        ("bus", [(-0.02,)], -0.02),
        ("bus", [(-0.2,)], 0.1),
        ("bus", [(0.4,), (-0.1,)], 0.0),
        ("bus", [(0.4,), (0.04, -0.01)], 0.1),  # the other one is in doubt
        ("bus", [(0.4,), (-0.08, -0.1)], 0.0),
    ],
)
def test_nobody_is_blamed_by_chance_or_by_one_judge_alone(judge: Any, name: str, gaps: Any, counts: float) -> None:
    """A grade is looked at again, in open games with rollouts, and only that counts; two judges have to agree."""
    match = finished(name, seed=3)
    state, (played, _) = choice(match)
    judged = judge(match.game, *gaps).decision(0, state, played)
    assert judged.gap == pytest.approx(counts)
    assert judged.loss == pytest.approx(max(counts, 0.0))
    assert (judged.best == judged.line) == (judged.before == judged.after) == (counts <= 0)


@pytest.mark.parametrize("name", ["times_square", "bus"])
def test_a_line_can_be_judged_by_a_given_one(judge: Any, name: str) -> None:
    """Then no other is looked for, and one look is enough."""
    match = finished(name, seed=3)
    state, moves = choice(match)
    best, line = (match.game.write(state, move) for move in moves)
    view = match.game.view(state, state.actor)
    judged = judge(match.game, (0.2, 0.2, -0.1)).decision_against(0, view, line, best)
    assert (judged.line, judged.best) == (line, best)
    assert judged.loss == pytest.approx(0.2)


def test_the_reasons_for_a_grade_are_what_the_rollouts_led_to(judge: Any) -> None:
    """They compare the best line with the one played; the reasons for other lines are about the end of the turn."""
    match = finished("bus", seed=3)
    state, (played, _) = choice(match)
    of_played, of_best, *others = judge(match.game, (0.2,)).decision(0, state, played).alternatives
    opposed = opposed_reasons(match.game, state.actor, [match.states[-20]], [match.states[-40]])
    assert (tuple(of_best.reasons), tuple(of_played.reasons)) == opposed
    assert of_best.reasons or of_played.reasons
    assert not of_best.doubts
    assert not of_played.doubts
    assert [each.later for each in (of_played, of_best, *others)] == [True, True, *[False] * len(others)]


@pytest.mark.parametrize(
    ("name", "case", "best", "played", "graded"),
    [
        ("times_square", "sue walks in (§10.1)", "sue left", "sue left", ""),
        ("times_square", "sue walks in (§10.1)", "sue left", "guard2 b right right", "blunder"),
        ("bus", "the last cube stops the clock", "take clock", "take clock", "only"),
        ("bus", "the last cube stops the clock", "take clock", "take bus", "blunder"),
        ("bus", "an office on the own line brings the last ride", "build office 27.1", "build pub 27.1", "blunder"),
        ("metromania", FOUR_OF_61, "station", "station solid -2,-3", "blunder"),
    ],
)
def test_a_win_at_hand_is_seen(name: str, case: str, best: str, played: str, graded: str) -> None:
    """Whoever plays what wins is not blamed, and is praised where nothing else wins; the rest is a blunder."""
    match = Match.from_position(name, winning(name)[case], dice=False)
    judged = Judge(match.game, 0.0, simulations=200).decision(0, match.state, match.game.parse(match.state, played))
    assert grade(judged) == graded
    assert judged.best.startswith(best)


@pytest.mark.parametrize("slowness", [0.1, 8.0])
def test_a_second_look_ends_in_time_however_slow_rollouts_are(
    judge: Any, monkeypatch: pytest.MonkeyPatch, slowness: float
) -> None:
    """It uses the time there is for all its rounds; where the least number of rollouts takes longer, twice as much."""
    match, now = finished("bus", seed=3), [0.0]
    state, (played, _) = choice(match)
    timed = judge(match.game, (0.2,), (0.2,))
    timed.seconds, timed.simulations = 1.0, None

    def clock() -> float:
        now[0] += 0.001  # asking takes a moment too
        return now[0]

    class Slow(Settled):
        least = 16

        def go_on(self) -> int:
            now[0] += slowness
            return super().go_on()

    monkeypatch.setattr(comparison, "Rollouts", Slow)
    monkeypatch.setattr(judge_module, "SIMULATIONS", 0)
    monkeypatch.setattr(judge_module, "is_sure", lambda *_: False)
    for module in (comparison, judge_module):
        monkeypatch.setattr(module, "perf_counter", clock)
    timed.decision(0, state, played)
    assert 0.5 * sum(AGAIN) < now[0] < 1.5 * sum(AGAIN)


@pytest.mark.walk
def test_the_mean_of_many_rollouts_settles() -> None:
    """Little is left to chance, and other dice find the same."""
    match = finished("bus", seed=4)
    game, choices = match.game, [state for state in match.states if len(match.game.legal(state)) > 1]
    state, found = choices[len(choices) // 2], []
    moves = game.legal(state)
    for seed in (1, 2):
        player = Hard(game, Random(seed), None, 1)
        view = game.view(state, state.actor)
        comparer = Comparer(game, [player], view, (moves[0], moves[-1]), size=16, thorough=True)
        comparer.search_simulations(30_000)
        found.append(comparer.results()[0])
    assert all(0 < each.noise < 0.01 and not each.rough for each in found)
    one, other = (each.first[state.actor] - each.second[state.actor] for each in found)
    assert one == pytest.approx(other, abs=3 * (found[0].noise + found[1].noise))
