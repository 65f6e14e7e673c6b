"""`master`: a network guides its search, and where there is none for a game it says so."""

from __future__ import annotations

import logging
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from omnibus import Match, games
from omnibus.bots import bot, check_level, names, names_for
from omnibus.bots.master import SEES_LESS, SEES_MORE, Master
from omnibus.bots.value_network import ValueNetwork
from omnibus.bots.weights import Card, cards
from omnibus.kernel.game import Game
from omnibus.kernel.i18n import COMMON_TEXTS, LANGUAGES, words
from support.winning import winning

pytestmark = pytest.mark.engine

TRAINED = [(name, card) for name in games.names() for card in cards(games.find(name).folder)]
GUIDED = [(name, card) for name, card in TRAINED if not games.find(name).summary]
"""Those with a policy; the others are value networks."""
SUMMED_UP = [(name, seats) for name in games.names() if games.find(name).summary for seats in games.find(name).seats]
MOST_BYTES = 9_000_000


def begun(card: Card, seed: int = 2) -> Match:
    return Match.new(card.game, seats=card.seats, options=dict(card.options), seed=seed)


def some_positions(card: Card, number: int = 40) -> list[Any]:
    """Return positions of random games in which a seat is to act."""
    random, found = Random(3), list[Any]()
    while len(found) < number:
        match = begun(card, len(found))
        for _ in range(random.randrange(60)):
            if match.outcome is None:
                match.play(random.choice(match.lines()))
        if match.outcome is None:
            found.append(match.state)
    return found


@pytest.mark.parametrize(("game", "card"), TRAINED)
def test_weights_are_for_the_rules_as_they_are(game: str, card: Card) -> None:
    """A changed rule, move number or feature needs new weights."""
    assert card.game == game
    assert card.fits(games.find(game), begun(card).state)
    assert card.made["decisions"] > 0
    assert card.strength


def test_weights_are_small() -> None:
    """There are some, and all together they stay below what a package may reasonably hold."""
    assert 0 < sum(card.file.stat().st_size for _, card in TRAINED) < MOST_BYTES


@pytest.mark.parametrize("found", [game for name in games.names() if (game := games.find(name)).mirror])
def test_seats_are_mirror_images(found: Game[Any]) -> None:
    """Mirrored twice, numbers and moves are where they were; seat 0 is not mirrored."""
    assert found.mirror
    for seat in range(found.seats[0]):
        for places in found.mirror(seat):
            assert [places[place] for place in places] == list(range(len(places)))
            assert seat or places == sorted(places)


def test_times_square_looks_the_same_from_both_ends() -> None:
    """§1.1 With the street reversed and the hands swapped, seat 1 sees and may do what seat 0 saw and might do."""
    card = next(card for name, card in TRAINED if name == "times_square")
    game = games.find("times_square")
    assert game.mirror
    numbers, moves = game.mirror(1)
    for state in some_positions(card):
        told = game.position(state)
        at = {name: -space for name, space in told["figures"].items()}
        at["a"], at["b"] = at["b"], at["a"]
        other = game.place({**told, "figures": at, "hands": told["hands"][::-1], "seat": 1 - told["seat"]})
        for seat in range(2):
            seen = game.observe(other, 1 - seat)
            assert bytes(seen[place] for place in numbers) == game.observe(state, seat)
        assert sorted(moves[move] for move in game.legal(state)) == sorted(game.legal(other))


@pytest.mark.parametrize("name", [name for name in winning("times_square") if "joker" not in name])
def test_a_win_in_one_turn_is_found(name: str) -> None:
    """However little it thinks: every move of the turn is played. For the one with a joker it has to think."""
    match = Match.from_position("times_square", winning("times_square")[name], seed=1)
    winner, player = match.actor, bot("master", match.game, seed=1, simulations=1)
    assert isinstance(winner, int)
    while match.actor == winner:
        match.play(player(match.view(winner)))
    assert match.outcome is not None
    assert match.outcome.winners == (winner,)


@pytest.mark.parametrize(("game", "card"), TRAINED)
def test_it_keeps_to_its_simulations_and_its_time(game: str, card: Card) -> None:
    """It makes exactly as many simulations as it may, unless the choice is clear, and some however short the time."""
    match = begun(card)
    assert isinstance(match.actor, int)
    for limits in ({"simulations": 40}, {"seconds": 0.001}):
        player = bot("master", games.find(game), seed=1, **limits)
        assert isinstance(player, Master)
        assert player(match.view(match.actor)) in match.lines()
        assert 0 < player.simulations_made <= 40


def test_games_without_a_network_say_so(tmp_path: Path) -> None:
    """Asking for a master that there is not names the strongest bot there is."""
    without = replace(games.find("bus"), folder=str(tmp_path))
    assert names_for(without) == tuple(name for name in names() if name != "master")
    with pytest.raises(ValueError, match=r"no master of .* the strongest bot is hard"):
        bot("master", without)


def test_other_options_are_refused(caplog: pytest.LogCaptureFixture) -> None:
    """Options nothing was trained for have no master; one that is asked all the same plays like hard, and says so."""
    match = Match.new("metromania", seats=2, options={"town_hall": "open"}, seed=1)
    assert isinstance(match.actor, int)
    assert names_for(match.game, match.state)[-1] == "hard"
    with pytest.raises(ValueError, match="has not learned"):
        check_level("master", match.game, match.state)
    hard, master = (bot(level, match.game, seed=3, simulations=30) for level in ("hard", "master"))
    with caplog.at_level(logging.WARNING, "omnibus.bots"):
        line = master(match.view(match.actor))
    assert "plays like hard" in caplog.text
    assert line == hard(match.view(match.actor))


def test_it_says_where_network_and_reasons_disagree() -> None:
    """Somewhere in a game the two see the same move differently, and that is said in every language."""
    name, card = GUIDED[0]
    said: set[str] = set()
    for state in some_positions(card):
        ideas = bot("master", name, seed=1, simulations=20).explain(games.find(name).view(state, state.actor))
        said |= {phrase for idea in ideas for phrase in idea.reasons + idea.doubts}
        assert all(len(idea.reasons) <= 2 and len(idea.doubts) <= 2 for idea in ideas)
    assert said & {SEES_MORE, SEES_LESS}
    for phrase in (SEES_MORE, SEES_LESS):
        assert len({words(language, COMMON_TEXTS).gettext(phrase) for language in LANGUAGES}) == len(LANGUAGES)


# Value networks, with random weights


def untrained(game: Game[Any], state: Any, seed: int = 0, width: int = 8) -> ValueNetwork:
    """Return a small network with random weights."""
    assert game.summary
    random = np.random.default_rng(seed)
    sizes = [state.seats * game.summary.each + game.summary.common, width, width, 1]
    arrays: dict[str, NDArray[Any]] = {}
    for layer, (rows, columns) in enumerate(pairwise(sizes)):
        arrays[f"value.{layer}.weight"] = random.normal(0, 0.1 / (1 if layer else 40), (rows, columns))
        arrays[f"value.{layer}.bias"] = random.normal(0, 0.1, columns)
    return ValueNetwork(game, state, arrays)


@pytest.mark.walk
@pytest.mark.parametrize(("name", "seats"), SUMMED_UP)
def test_a_network_treats_all_seats_alike(name: str, seats: int) -> None:
    """If everybody moves one seat on, so do the shares; they add up to 1, whatever else is asked at the same time."""
    match, random = Match.new(name, seats=seats, seed=1), Random(1)
    for _ in range(30):
        match.play(random.choice(match.lines()))
    game, state = match.game, match.state
    assert game.summary
    network, told = untrained(game, state), game.summary.of(state)
    each = game.summary.each
    own, rest = told[: seats * each], told[seats * each :]
    turned = own[each:] + own[:each] + rest
    first, second = network.shares([told, turned])
    assert first.sum() == pytest.approx(1)
    assert np.roll(first, -1) == pytest.approx(second, abs=1e-5)
    assert first.max() - first.min() > 1e-4
    assert network.shares([told])[0] == pytest.approx(first, abs=1e-5)


@pytest.mark.walk
@pytest.mark.parametrize("name", sorted({name for name, _ in SUMMED_UP}))
def test_a_win_at_hand_is_played_whatever_the_network_thinks(name: str) -> None:
    """Where a move ends the game, its share is what the seat gets; one position needs more thought."""
    for position in list(winning(name).values())[:7]:
        match = Match.from_position(name, position, seed=1)
        winner, others = match.actor, bot("random", name, seed=1)
        player = Master(match.game, Random(1), None, 60, untrained(match.game, match.state))
        while isinstance(match.actor, int):
            match.play((player if match.actor == winner else others)(match.view(match.actor)))
        assert match.outcome
        assert match.outcome.winners == (winner,)
