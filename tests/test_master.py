"""`master`: a network guides its search, and where there is none for a game it says so."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from omnibus import Match, games
from omnibus.bots import bot, check_level, names, names_for
from omnibus.bots.guided import LEAST_PRIOR, Leaf, grow
from omnibus.bots.hard import Hard
from omnibus.bots.master import SEES_LESS, SEES_MORE, Master, network_for
from omnibus.bots.network import PolicyNetwork
from omnibus.bots.search import node
from omnibus.bots.turn import settle
from omnibus.bots.weights import FOLDER, Card, cards
from omnibus.kernel.batch import everything
from omnibus.kernel.i18n import COMMON_TEXTS, LANGUAGES, words

pytestmark = pytest.mark.engine

TRAINED = [(name, card) for name in games.names() for card in cards(games.find(name).folder)]
GUIDED = [(name, card) for name, card in TRAINED if not games.find(name).summary]
"""Those with a policy; the others are value networks (test_value_network.py)."""
MOST_BYTES = 9_000_000


def begun(card: Card, seed: int = 2) -> Match:
    return Match.new(card.game, seats=card.seats, options=dict(card.options), seed=seed)


def some_positions(card: Card, number: int = 40) -> list[Any]:
    """Return positions of random games in which a seat is to act."""
    game, random = games.find(card.game), Random(3)
    found: list[Any] = []
    while len(found) < number:
        state = begun(card, len(found)).state.clone()
        for _ in range(random.randrange(60)):
            settle(game, state, random.random)
            if moves := game.legal(state):
                game.apply(state, random.choice(moves))
        settle(game, state, random.random)
        if game.legal(state):
            found.append(state)
    return found


def policy_for(game: str, state: Any) -> PolicyNetwork:
    network = network_for(games.find(game), state)
    assert isinstance(network, PolicyNetwork)
    return network


def leaf(card: Card, state: Any) -> Leaf:
    """Return what the network is asked about a position."""
    game, asked = games.find(card.game), Leaf()
    asked.path = [node(-1, 0.0, state.seats)]
    asked.moves, asked.seat, asked.viewer = game.legal(state), state.actor, state.actor
    asked.observation, asked.seen_by_all = game.observe(state, state.actor), everything(game, state, state.actor)
    return asked


def test_some_game_has_a_master() -> None:
    """Or nothing below would test anything."""
    assert TRAINED
    assert GUIDED


@pytest.mark.parametrize(("game", "card"), TRAINED)
def test_weights_are_for_the_rules_as_they_are(game: str, card: Card) -> None:
    """A changed rule, move number or feature needs new weights."""
    found = games.find(game)
    assert card.game == game
    assert card.fits(found, begun(card).state)
    assert card.made["decisions"] > 0
    assert card.strength


def test_weights_are_small() -> None:
    """All together they stay below what a package may reasonably hold."""
    assert sum(card.file.stat().st_size for _, card in TRAINED) < MOST_BYTES


@pytest.mark.parametrize(("game", "card"), GUIDED)
def test_every_legal_move_can_be_chosen(game: str, card: Card) -> None:
    """The network may dislike a move, but the search tries it in the end."""
    states = some_positions(card)
    network = policy_for(game, states[0])
    leaves = [leaf(card, state) for state in states]
    for asked, logits, shares in zip(leaves, *network.evaluate(leaves), strict=True):
        grow(asked, logits, shares)
        children = asked.path[0].children
        assert [child.move for child in children] == asked.moves
        assert min(child.prior for child in children) >= LEAST_PRIOR
        assert sum(shares) == pytest.approx(1)


@pytest.mark.parametrize(("game", "card"), GUIDED)
def test_positions_are_judged_one_by_one(game: str, card: Card) -> None:
    """What a network says of a position does not depend on those it is asked about at the same time."""
    states = some_positions(card, 5)
    network = policy_for(game, states[0])
    leaves = [leaf(card, state) for state in states]
    together = network.evaluate(leaves)
    for number, asked in enumerate(leaves):
        for alone, among in zip(network.evaluate([asked]), together, strict=True):
            assert alone[0] == pytest.approx(among[number], abs=1e-4)


@pytest.mark.parametrize("game", games.names())
def test_seats_are_mirror_images(game: str) -> None:
    """Mirrored twice, numbers and moves are where they were; seat 0 is not mirrored."""
    found = games.find(game)
    if found.mirror is None:
        return
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


def test_a_win_in_one_turn_is_found() -> None:
    """§10.1 Three cards bring Sue to the own entrance: every one of them is played, however little it thinks."""
    match = Match.from_position(
        "times_square",
        {
            "edition": "times_square",
            "figures": {"sue": -4, "a": -8, "b": 2, "hal": 5, "deb": 5, "charlie": 0},
            "hands": [["sue", "sue", "sue", "guard1", "hal1"], ["hal2"] * 5],
            "supply": ["guard2"] * 9,
            "discards": [],
            "exhausted": 0,
            "seat": 0,
            "step": "act",
            "colour": None,
            "joker": None,
        },
        seed=1,
    )
    player = bot("master", match.game, seed=1, simulations=1)
    while match.actor == 0:
        match.play(player(match.view(0)))
    assert match.outcome is not None
    assert match.outcome.winners == (0,)


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
    game = games.find("metromania")
    state = game.setup(2, {"town_hall": "open"})
    settle(game, state, Random(1).random)
    view = game.view(state, state.actor)
    assert names_for(game, state)[-1] == "hard"
    with pytest.raises(ValueError, match="has not learned"):
        check_level("master", game, state)
    with caplog.at_level(logging.WARNING, "omnibus.bots"):
        line = bot("master", game, seed=3, simulations=30)(view)
    assert "plays like hard" in caplog.text
    assert line == Hard(game, Random(3), None, 30)(view)


@pytest.mark.parametrize("change", [{"rules": 99}, {"numbering": 99}, {"seats": 99}, {"options": {}}])
def test_a_card_for_another_game_does_not_fit(change: dict[str, Any], tmp_path: Path) -> None:
    """Weights for another version of the rules, other numbers, seats or options are not used."""
    name, card = TRAINED[0]
    told = {**json.loads(card.file.with_suffix(".json").read_text("utf-8")), **change}
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "other.json").write_text(json.dumps(told), "utf-8")
    (other,) = cards(str(tmp_path))
    assert not other.fits(games.find(name), begun(card).state)


def test_it_says_where_network_and_reasons_disagree() -> None:
    """Somewhere in a game the two see the same move differently, and that is said in every language."""
    _, card = GUIDED[0]
    game = games.find(card.game)
    said: set[str] = set()
    for state in some_positions(card):
        ideas = bot("master", game, seed=1, simulations=20).explain(game.view(state, state.actor))
        said |= {phrase for idea in ideas for phrase in idea.reasons + idea.doubts}
        assert all(len(idea.reasons) <= 2 and len(idea.doubts) <= 2 for idea in ideas)
    assert said & {SEES_MORE, SEES_LESS}
    for phrase in (SEES_MORE, SEES_LESS):
        assert len({words(language, COMMON_TEXTS).gettext(phrase) for language in LANGUAGES}) == len(LANGUAGES)
