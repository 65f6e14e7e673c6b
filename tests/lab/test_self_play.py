"""Games played for the learner of a value network, without PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

from omnibus import Match
from omnibus.bots.value_network import ValueNetwork
from omnibus.lab.training.actors import Task
from omnibus.lab.training.self_play import Lesson, PlayedDecision, Players, Playing, SelfPlay, read_lesson, targets

TASK = Task("metromania", 2, Match.new("metromania", seats=2, dice=False).options)


def shapes(task: Task, width: int = 4) -> dict[str, tuple[int, ...]]:
    game, state = task.begin()
    assert game.summary
    wide = state.seats * game.summary.each + game.summary.common
    return {
        "value.0.weight": (wide, width),
        "value.0.bias": (width,),
        "value.1.weight": (width, 1),
        "value.1.bias": (1,),
    }


def test_what_a_position_should_have_been_worth() -> None:
    """Results and later expectations are mixed; what came of a try says nothing about the moves before it."""
    steps = [
        PlayedDecision(b"a", [0.2, 0.8], False),
        PlayedDecision(b"b", [0.6, 0.4], False),
        PlayedDecision(b"c", [0.5, 0.5], True),
    ]
    found = targets(steps, [1.0, 0.0], 0.5)
    assert found[2] == [1.0, 0.0]
    assert found[1] == [0.5, 0.5]
    assert found[0] == pytest.approx([0.55, 0.45])
    assert targets(steps[:2], [1.0, 0.0], 1.0) == [[1.0, 0.0], [1.0, 0.0]]


@pytest.mark.parametrize(("networked", "simulations"), [(False, 0), (True, 0), (True, 24)])
def test_games_become_lessons(networked: bool, simulations: int) -> None:
    """By the judgement, a network or a search: rows as the game sums positions up, shares that add up to 1."""
    play = SelfPlay(TASK, Playing(games=2, simulations=simulations), "1")
    network = None
    if networked:
        arrays = {name: np.zeros(shape, np.float32) for name, shape in shapes(TASK).items()}
        network = ValueNetwork(play.game, play.fresh, arrays)
    while play.games < 2:
        play.step(network, 0.5)
    assert play.game.summary
    wide = 2 * play.game.summary.each + play.game.summary.common
    lesson = read_lesson(play.message(), wide, 2)
    assert (lesson.games, len(play.rows)) == (2, 0)
    assert len(lesson.rows) > 60
    assert simulations or lesson.decisions >= len(lesson.rows)
    assert lesson.shares.sum(1) == pytest.approx(1)
    assert set(lesson.shares[-1].tolist()) <= {0.0, 0.5, 1.0}  # what the last position led to


@pytest.mark.usefixtures("traced_processes")
def test_processes_play_until_they_are_stopped() -> None:
    """They send lessons, take up new weights, and end."""
    players = Players(TASK, Playing(games=1, sent=1), shapes(TASK), processes=2, seed=3)
    try:
        players.weights.write({name: np.zeros(shape, np.float32) for name, shape in shapes(TASK).items()})
        players.weights.tell(0.5)
        assert players.weights.version == 1
        heard: list[Lesson] = []
        while len(heard) < 2:
            heard += players.lessons(60)
        assert all(len(lesson.rows) for lesson in heard)
    finally:
        players.close()
    assert not any(process.is_alive() for process in players.processes)
