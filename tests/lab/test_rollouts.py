"""Rollouts: playing on from a position, again and again, to compare moves where nothing is hidden."""

from __future__ import annotations

from math import inf
from random import Random
from typing import Any

import pytest

from omnibus import Match, games
from omnibus.bots import bot
from omnibus.bots.hard import Hard
from omnibus.bots.search import Node, node
from omnibus.kernel.game import CHANCE, Game
from omnibus.lab.analysis.comparison import Comparer
from omnibus.lab.analysis.rollouts import Position, Rollouts, rollout

OPEN = [("bus", 3), ("metromania", 2)]
SIZE = 16
SMALL = (32, 16, 16)


class Counting(Hard):
    """Counts the positions and simulations it is asked for."""

    def __init__(self, game: Game[Any], seed: int = 1) -> None:
        super().__init__(game, Random(seed), None, 1)
        self.searched: dict[int, int] = {}
        self.trees: list[Node] = []  # kept, so that no two have the same id

    def simulate(self, root: Node, states: list[Any], number: int, deadline: float = inf) -> int:
        self.trees.append(root)
        made = super().simulate(root, states, number, deadline)
        self.searched[id(root)] = self.searched.get(id(root), 0) + made
        return made


def played(name: str, seats: int) -> Match:
    match = Match.new(name, seats=seats, seed=4)
    player = bot("easy", match.game, seed=4)
    while isinstance(match.actor, int):
        match.play(player(match.view(match.actor)))
    return match


def middle(name: str, seats: int) -> tuple[Game[Any], Any]:
    """Return a position in the middle of a game in which somebody has a choice."""
    match = played(name, seats)
    choices = [state for state in match.states if len(match.game.legal(state)) > 1]
    return match.game, choices[len(choices) // 2]


def position(game: Game[Any], state: Any, sizes: tuple[int, ...] = SMALL) -> Position:
    return Position(game, state, node(-1, 0.0, state.seats), sizes)


@pytest.mark.parametrize(("name", "seats"), OPEN)
def test_a_position_is_searched_once(name: str, seats: int) -> None:
    """However many rollouts come through a position, its search has the size it should have."""
    game, state = middle(name, seats)
    here, player = position(game, state), Counting(game)
    made = [rollout(here, player)[1] for _ in range(200)]
    assert max(player.searched.values()) <= SMALL[0]
    assert made[0] >= SMALL[0]
    assert made[-1] == 0
    assert sum(made) == sum(player.searched.values())


@pytest.mark.parametrize(("name", "seats"), OPEN)
def test_the_end_of_a_game_counts_as_it_is(name: str, seats: int) -> None:
    """Nothing is searched where the game is over: its result is what a rollout finds."""
    match = played(name, seats)
    last = max(ply for ply, (actor, _) in enumerate(match.plies) if actor != "chance")
    state, (_, line) = match.states[last], match.plies[last]
    after = position(match.game, state).after(match.game.parse(state, line), Random(1))
    end, made = rollout(after, Counting(match.game))
    assert (end.shares, made) == (match.game.judge(match.states[-1]), 0)


def test_chance_acts_anew_in_every_rollout() -> None:
    """A position after a move of chance is not kept: it is another one each time."""
    match = played("times_square", 2)
    game = match.game
    state, line = next(
        (state, match.plies[ply][1])
        for ply, state in enumerate(match.states[:-1])
        if state.actor != CHANCE and match.states[ply + 1].actor == CHANCE
    )
    here, move, random = position(game, state), game.parse(state, line), Random(2)
    afters = [here.after(move, random) for _ in range(20)]
    assert len({str(game.position(after.state)) for after in afters}) > 1
    assert all(after.state.actor != CHANCE for after in afters)


@pytest.mark.parametrize(("name", "seats"), OPEN)
def test_the_mean_of_many_rollouts_settles(name: str, seats: int) -> None:
    """Little is left to chance, and other dice find the same."""
    game, state = middle(name, seats)
    view, moves = game.view(state, state.actor), game.legal(state)
    found = []
    for seed in (1, 2):
        comparer = Comparer(game, [Counting(game, seed)], view, (moves[0], moves[-1]), size=SIZE, thorough=True)
        comparer.search_simulations(30_000)
        found.append(comparer.results()[0])
    assert all(0 < each.noise < 0.01 and not each.rough for each in found)
    one, other = (each.first[state.actor] - each.second[state.actor] for each in found)
    assert one == pytest.approx(other, abs=3 * (found[0].noise + found[1].noise))


@pytest.mark.parametrize("name", games.names())
def test_only_open_games_are_played_on(name: str) -> None:
    """Where something is hidden, small searches from new deals compare, however thorough it should be."""
    game, state = middle(name, games.find(name).seats[0])
    view, moves = game.view(state, state.actor), game.legal(state)
    comparer = Comparer(game, [Counting(game)], view, (moves[0], moves[-1]), size=SIZE, thorough=True)
    assert isinstance(comparer._searches[0], Rollouts) == ((name, state.seats) in OPEN)
