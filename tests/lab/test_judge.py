"""The judge of an analysis: which lines it compares, for how long, and what counts as lost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import inf
from pathlib import Path
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
from omnibus.lab.analysis.judge import AGAIN, SEARCHED, Judge
from omnibus.lab.analysis.searches import Samples
from support.quick_games import finished

QUICK = 0.002


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
    """A judge that finds moves better than the last by given gaps, look after look; the last ones stay."""

    gaps: list[Sequence[float]]
    looks = 0

    def candidates(self, view: View) -> tuple[Any, list[Candidate]]:
        return bot("hard", self.game, seed=1, simulations=20).candidates(view)

    def simulate(self, root: Node, states: list[Any], number: int, deadline: float = inf) -> int:
        look, move = divmod(self.looks, len(self.gaps[0]) + 1)
        share = 0.4 + [*self.gaps[min(look, len(self.gaps) - 1)], 0.0][move]
        self.looks += 1
        root.worth = [share, *[(1 - share) / (states[0].seats - 1)] * (states[0].seats - 1)]
        return number


def opinionated(game: Game[Any], *gaps: float | Sequence[float]) -> Opinionated:
    """Return a judge with these gaps, of several moves each time or of a single one."""
    player = Opinionated(game, Random(1), None, 1)
    player.gaps = [[each] if isinstance(each, float) else each for each in gaps]
    return player


def choice(match: Match) -> tuple[Any, tuple[int, int]]:
    """Return a state in which the first seat has a choice, and two moves."""
    state = next(state for state in match.states if state.actor == 0 and len(match.game.legal(state)) > 1)
    first, second = match.game.legal(state)[:2]
    return state, (first, second)


SIMULATIONS = 64
FIRST_LOOK = 2  # pairs of searches, with so few simulations


@pytest.mark.parametrize(("first", "then", "counts"), [(0.2, 0.02, 0.02), (-0.2, 0.01, 0.01), (0.02, 0.2, 0.02)])
def test_a_decision_with_a_grade_is_compared_again(
    monkeypatch: pytest.MonkeyPatch, first: float, then: float, counts: float
) -> None:
    """Nobody is blamed or praised for what a first look found by chance; where it found nothing, it counts."""
    match = finished("times_square", seed=3)
    state, (played, _) = choice(match)
    game = match.game
    player = opinionated(game, *[first] * FIRST_LOOK, then)
    monkeypatch.setattr(Judge, "_players", lambda *_: [player])
    judged = Judge(game, 0.0, simulations=SIMULATIONS).decision(0, state, played)
    assert judged.gap == pytest.approx(counts)


@pytest.mark.parametrize("name", ["times_square", "bus"])
def test_a_line_can_be_judged_by_a_given_one(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Then no other is looked for, and one look is enough."""
    match = finished(name, seed=3)
    state, moves = choice(match)
    best, line = (match.game.write(state, move) for move in moves)
    player = opinionated(match.game, *[0.2] * FIRST_LOOK, -0.1)
    monkeypatch.setattr(Judge, "_players", lambda *_: [player])
    view = match.game.view(state, state.actor)
    judged = Judge(match.game, 0.0, simulations=SIMULATIONS).decision_against(0, view, line, best)
    assert (judged.line, judged.best) == (line, best)
    assert judged.loss == pytest.approx(0.2)


def test_a_grade_that_is_sure_needs_no_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second look ends as soon as chance can hardly change the grade, and goes on where it can."""
    match = finished("times_square", seed=3)
    state, (played, _) = choice(match)
    looks = []
    for gaps in ([0.2], [0.2] * FIRST_LOOK + [0.05, 0.15] * 1000):
        player = opinionated(match.game, *gaps)
        monkeypatch.setattr(Judge, "_players", lambda *_, player=player: [player])
        Judge(match.game, 0.0, simulations=SIMULATIONS).decision(0, state, played)
        looks.append(player.looks)
    sure, unsure = looks
    assert sure == 2 * FIRST_LOOK * (1 + AGAIN[0])
    assert unsure == 2 * FIRST_LOOK * (1 + sum(AGAIN))


class Settled(Samples):
    """Rollouts that always find the same difference."""

    least = 2

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments[:4])

    def go_on(self) -> int:
        self.found.append([*[[0.5, 0.25, 0.25]] * (len(self.moves) - 1), [0.4, 0.3, 0.3]])
        return 16


@pytest.fixture
def one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the best line of the search is compared with the one played."""
    monkeypatch.setattr(judge_module, "LINES", 1)


@pytest.mark.usefixtures("one_line")
@pytest.mark.parametrize(("first", "counts"), [(0.01, 0.01), (0.02, 0.1), (0.2, 0.1), (-0.02, -0.02), (-0.2, 0.1)])
def test_a_rough_look_at_an_open_game_may_be_wrong(
    monkeypatch: pytest.MonkeyPatch, first: float, counts: float
) -> None:
    """What seems to lose half of what an inaccuracy loses is compared thoroughly, and only that counts."""
    match = finished("bus", seed=3)
    state, (played, _) = choice(match)
    monkeypatch.setattr(comparison, "Rollouts", Settled)
    monkeypatch.setattr(Judge, "_players", lambda *_: [opinionated(match.game, first)])
    judged = Judge(match.game, 0.0, simulations=SIMULATIONS).decision(0, state, played)
    assert judged.gap == pytest.approx(counts)


class Clock:
    """A clock that a test moves on; asking it takes a moment too."""

    now = 0.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


@pytest.mark.usefixtures("one_line")
@pytest.mark.parametrize("slowness", [0.1, 2.0, 8.0])
def test_a_second_look_ends_in_time_however_slow_rollouts_are(monkeypatch: pytest.MonkeyPatch, slowness: float) -> None:
    """All judges play the least number of rollouts once, not in every round; then the time for all rounds counts.

    Where even the least number takes more than twice as long, there are fewer.
    """
    match = finished("bus", seed=3)
    state, (played, _) = choice(match)
    clock = Clock()
    made = []

    class Slow(Settled):
        least = 16

        def go_on(self) -> int:
            made.append(self)
            clock.now += slowness
            return super().go_on()

    monkeypatch.setattr(comparison, "Rollouts", Slow)
    monkeypatch.setattr(judge_module, "SIMULATIONS", 0)
    monkeypatch.setattr(judge_module, "is_sure", lambda *_: False)
    monkeypatch.setattr(comparison, "perf_counter", clock)
    monkeypatch.setattr(judge_module, "perf_counter", clock)
    monkeypatch.setattr(Judge, "_players", lambda *_: [opinionated(match.game, 0.2) for _ in range(2)])
    Judge(match.game, 1.0).decision(0, state, played)
    least, allowed = 2 * Slow.least, sum(AGAIN) * (1 - SEARCHED) / slowness
    assert len(made) == pytest.approx(min(max(least, allowed), 2 * allowed), abs=2 * len(AGAIN))


@pytest.mark.parametrize(
    ("gaps", "gap"),
    [((0.2,), 0.2), ((0.2, 0.1), 0.1), ((0.1, 0.2), 0.1), ((-0.2, -0.1), -0.1), ((0.3, -0.1), 0.0), ((0.3, 0.0), 0.0)],
)
def test_judges_of_an_open_game_must_agree(gaps: tuple[float, ...], gap: float) -> None:
    """Only what all of them find is lost, or gained; what the others lose by it is in proportion."""
    match = finished("bus", seed=3)
    state, moves = choice(match)
    players = [opinionated(match.game, each) for each in gaps]
    comparer = Comparer(match.game, players, match.game.view(state, state.actor), moves)
    comparer.search_simulations(50)
    found = comparer.results()[0]
    changes = [one - other for one, other in zip(found.first, found.second, strict=True)]
    assert changes[state.actor] == pytest.approx(gap)
    assert found.gaps == pytest.approx(gaps)
    assert sum(found.first) == pytest.approx(1)
    assert sum(found.second) == pytest.approx(1)
    assert found.error == pytest.approx(0.0)


@pytest.mark.usefixtures("one_line")
@pytest.mark.parametrize(("second", "counts"), [([-0.1], 0.0), ([0.04, -0.01], 0.1), ([-0.08, -0.1], 0.0)])
def test_a_judge_alone_blames_nobody_in_an_open_game(
    monkeypatch: pytest.MonkeyPatch, second: list[float], counts: float
) -> None:
    """What only one of two judges finds bad is no error. It is looked at again only if the other is in doubt."""
    match = finished("bus", seed=3)
    state, (played, _) = choice(match)
    players = [opinionated(match.game, 0.4), opinionated(match.game, *second)]
    monkeypatch.setattr(comparison, "Rollouts", Settled)
    monkeypatch.setattr(Judge, "_players", lambda *_: players)
    judged = Judge(match.game, 0.0, simulations=SIMULATIONS).decision(0, state, played)
    assert judged.loss == pytest.approx(counts)
    assert (judged.best == judged.line) == (judged.before == judged.after) == (not counts)


@pytest.mark.usefixtures("one_line")
def test_the_reasons_for_a_grade_are_what_the_rollouts_led_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """They compare the best line with the one played; the reasons for other lines are about the end of the turn."""
    match = finished("bus", seed=3)
    state, (played, _) = choice(match)
    ends = [match.states[-20]], [match.states[-40]]

    class Ended(Settled):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.ends = [*ends]

    monkeypatch.setattr(comparison, "Rollouts", Ended)
    monkeypatch.setattr(Judge, "_players", lambda *_: [opinionated(match.game, 0.2)])
    judged = Judge(match.game, 0.0, simulations=SIMULATIONS).decision(0, state, played)
    of_played, of_best, *others = judged.alternatives
    assert (tuple(of_best.reasons), tuple(of_played.reasons)) == opposed_reasons(match.game, state.actor, *ends)
    assert of_best.reasons or of_played.reasons
    assert not of_best.doubts
    assert not of_played.doubts
    assert [each.later for each in judged.alternatives] == [True, True, *[False] * len(others)]


WAYS = "2 seats, 4 of 61 ways win, begun with 4 of 9 moves"


@pytest.mark.parametrize(
    ("name", "case", "best", "played", "graded"),
    [
        ("times_square", "sue walks in (§10.1)", "sue left", "sue left", ""),
        ("times_square", "sue walks in (§10.1)", "sue left", "guard2 b right right", "blunder"),
        ("bus", "the last cube stops the clock", "take clock", "take clock", "only"),
        ("bus", "the last cube stops the clock", "take clock", "take bus", "blunder"),
        ("bus", "an office on the own line brings the last ride", "build office 27.1", "build pub 27.1", "blunder"),
        (
            "metromania",
            "2 seats, 4 of 61 ways win, begun with 4 of 9 moves",
            "station",
            "station solid -2,-3",
            "blunder",
        ),
    ],
)
def test_a_win_at_hand_is_seen(name: str, case: str, best: str, played: str, graded: str) -> None:
    """Whoever plays what wins is not blamed, and is praised where nothing else wins; the rest is a blunder."""
    cases = json.loads((Path(__file__).parents[1] / "games" / name / "winning.json").read_text("utf-8"))
    if not isinstance(cases, dict):
        cases = {each["name"]: each["position"] for each in cases}
    match = Match.from_position(name, cases[case], dice=False)
    judge = Judge(match.game, 0.0, simulations=200)
    judged = judge.decision(0, match.state, match.game.parse(match.state, played))
    assert grade(judged) == graded
    assert judged.best.startswith(best)
