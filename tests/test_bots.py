"""Bots choose from views."""

from __future__ import annotations

import json
from random import Random

import pytest

from omnibus import Match, games
from omnibus.bots import bot, names
from omnibus.lab.simulate import simulate


@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize("name", names())
def test_bots_play_legal_moves_to_the_end(game: str, name: str) -> None:
    """A whole game, every choice from the view as JSON; the same seed chooses the same."""
    plies = []
    for _ in range(2):
        match = Match.new(game, seed=2)
        seated = [bot(name, match.game, seed=seat) for seat in range(match.seats)]
        while isinstance(match.actor, int):
            view = json.loads(json.dumps(match.view(match.actor)))
            match.play(seated[match.actor](view))
        assert match.outcome is not None
        plies.append(match.plies)
    assert plies[0] == plies[1]


@pytest.mark.parametrize("name", names())
def test_bots_do_not_peek(name: str) -> None:
    """States that look alike are played alike."""
    match = Match.new("times_square", seed=11)
    assert isinstance(match.actor, int)
    view = match.game.view(match.state, match.actor)
    other = match.game.redeal(view, Random(5).randrange)
    assert match.game.position(other) != match.position()
    choices = {bot(name, match.game, seed=1)(match.game.view(state, match.actor)) for state in (match.state, other)}
    assert len(choices) == 1


def test_greedy_beats_random_at_times_square() -> None:
    """Greedy is worth its name, from both seats."""
    game = games.find("times_square")
    options = {"edition": "times_square"}
    first = simulate(game, 20, seats=2, options=options, bots=["greedy", "random"], seed=1)
    second = simulate(game, 20, seats=2, options=options, bots=["random", "greedy"], seed=1)
    assert first.wins[0] + second.wins[1] >= 36


def test_unknown_bot() -> None:
    """A name nobody has is refused with those there are."""
    with pytest.raises(ValueError, match="random, greedy"):
        bot("oracle", games.find("times_square"))
