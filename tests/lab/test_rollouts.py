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
from omnibus.lab.analysis import rollouts
from omnibus.lab.analysis.comparison import Comparer
from omnibus.lab.analysis.rollouts import SIZES, Position, Rollouts, rollout
from omnibus.lab.analysis.searches import SMALL as SMALL_SEARCH

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
def test_each_decision_has_its_search(name: str, seats: int) -> None:
    """A search for every decision and a last one; positions without a choice are passed without any."""
    game, state = middle(name, seats)
    here, player = position(game, state), Counting(game)
    decisions = 0
    while not here.is_last:
        if len(here.moves) > 1:
            assert here.search(player) <= here.sizes[0]
            decisions += 1
        else:
            assert not here.shares
        here = here.after(here.chosen(player.random), player.random)
    assert decisions == len(SMALL) - 1


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
def test_what_is_visited_more_is_played_more(name: str, seats: int) -> None:
    """In proportion to the squares of the visits, and after a few rollouts already: real dice would be off by ten."""
    game, state = middle(name, seats)
    here, player = position(game, state, (256, 16)), Counting(game)
    here.search(player)
    tree = player.trees[0]
    squares = {child.move: child.visits**2 for child in tree.children}
    random, times = Random(3), 400
    chosen = [here.chosen(random) for _ in range(times)]
    for move, square in squares.items():
        assert chosen.count(move) == pytest.approx(times * square / sum(squares.values()), abs=3)


def test_the_dice_of_a_position_begin_anywhere() -> None:
    """Evenly spread dice that always began alike would begin every rollout with the same moves."""
    game, state = middle("bus", 3)
    firsts = set()
    for seed in range(20):
        here = position(game, state)
        here._weights = list(range(1, len(here.moves) + 1))
        firsts.add(here.chosen(Random(seed)))
    assert len(firsts) > 1


def test_batches_tell_how_uncertain_the_mean_is() -> None:
    """Results that make up for each other leave less to chance than their differences would tell."""
    game, state = middle("bus", 3)
    found = Rollouts(game, Counting(game), game.view(state, state.actor), tuple(game.legal(state)[:2]), SIZE)
    gaps = [0.1, 0.3] * 80
    found.found = [[[0.5 + gap, 0.25, 0.25 - gap], [0.5, 0.25, 0.25]] for gap in gaps]
    found.seat = 0
    assert found.variance(0) == pytest.approx(0.0, abs=1e-12)
    found.found = found.found[:12]  # too few for batches
    assert found.variance(0) == pytest.approx(0.01 / 11)


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


@pytest.mark.parametrize(("name", "seats"), OPEN)
def test_it_is_kept_where_the_first_rollouts_led(monkeypatch: pytest.MonkeyPatch, name: str, seats: int) -> None:
    """After each of the moves: to other decisions, some moves later."""
    monkeypatch.setattr(rollouts, "KEPT", 3)
    game, state = middle(name, seats)
    moves = tuple(game.legal(state)[:2])
    found = Rollouts(game, Counting(game), game.view(state, state.actor), moves, SIZE)
    for number in range(5):
        assert list(map(len, found.ends)) == [min(number, 3)] * 2
        found.go_on()
    for end in (end for ends in found.ends for end in ends):
        assert len(game.legal(end)) != 1
        assert end is not state


@pytest.mark.parametrize(("name", "seats"), OPEN)
def test_other_moves_are_compared_with_what_was_searched(name: str, seats: int) -> None:
    """Results begin again; a move that was compared before needs no search any more."""
    game, state = middle(name, seats)
    first, *_, last = game.legal(state)
    player = Counting(game)
    found = Rollouts(game, player, game.view(state, state.actor), (first, last), SIZE)
    for _ in range(30):
        found.go_on()
    made = sum(player.searched.values())
    found.turn_to((last,))
    assert (found.moments, found.ends) == (0, [[]])
    found.go_on()
    assert found.moments == 1
    assert sum(player.searched.values()) - made < SIZES[0] * SIZE // SMALL_SEARCH


@pytest.mark.parametrize("name", games.names())
def test_only_open_games_are_played_on(name: str) -> None:
    """Where something is hidden, small searches from new deals compare, however thorough it should be."""
    game, state = middle(name, games.find(name).seats[0])
    view, moves = game.view(state, state.actor), game.legal(state)
    comparer = Comparer(game, [Counting(game)], view, (moves[0], moves[-1]), size=SIZE, thorough=True)
    assert isinstance(comparer._searches[0], Rollouts) == ((name, state.seats) in OPEN)


def test_sizes_shrink() -> None:
    """The first decisions matter most."""
    assert list(SIZES) == sorted(SIZES, reverse=True)
