"""The OpenSpiel games: the library's own checks, parity with records, and information states."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("pyspiel")
import pyspiel
from open_spiel.python.algorithms import generate_playthrough

import omnibus.envs.openspiel  # noqa: F401 — registers the games
from omnibus import Match, games
from omnibus.kernel.batch import payoffs
from support.rules import possible


def loadable() -> Iterator[str]:
    """Name every game as OpenSpiel loads it: with its defaults, and with every other choice of a single option."""
    for name in games.names():
        game = games.find(name)
        yield f"omnibus_{name}"
        choices = [(key, each, option.default) for key, option in game.options.items() for each in option.choices]
        for number, (key, choice, default) in enumerate(each for each in choices if each[1] != each[2]):
            seats = [*game.seats[number % len(game.seats) :], *game.seats]
            fitting = next(each for each in seats if possible(name, each, {key: choice}))
            chosen = f"{key}={choice}" if type(choice) is type(default) else f"{key}_{choice}=True"
            yield f"omnibus_{name}(players={fitting},{chosen})"


LOADED = list(loadable())
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
every_game = pytest.mark.parametrize("loaded", LOADED)


def walk(loaded: str, seed: int, plies: int = 10_000) -> Any:
    """Play random moves; return the last state."""
    state = pyspiel.load_game(loaded).new_initial_state()
    random = Random(seed)
    while not state.is_terminal() and state.move_number() < plies:
        state.apply_action(random.choice(state.legal_actions()))
    return state


@pytest.mark.walk
@every_game
def test_openspiel_accepts_it(loaded: str) -> None:
    """A random game with serialization at every state, in OpenSpiel's own test."""
    pyspiel.random_sim_test(pyspiel.load_game(loaded), num_sims=1, serialize=True, verbose=False)


def folded(playthrough: str) -> str:
    """Shorten tensors and other long lines to a beginning and a hash: a change shows, and the file stays small."""
    joined = re.sub(r"\n(?=[ ◯◉]+$)", " ", playthrough, flags=re.MULTILINE)  # the rows of a tensor
    return "".join(
        line if len(line) <= 100 else f"{line[:40]} … {hashlib.sha256(line.encode()).hexdigest()[:12]}\n"
        for line in joined.splitlines(keepends=True)
    )


@pytest.mark.walk
@pytest.mark.parametrize("name", games.names())
def test_playthrough(name: str) -> None:
    """OpenSpiel's playthrough of a game is what it was: kinds, sizes, actions, strings and the numbers behind them.

    Where the change is meant, write the file anew with `folded(playthrough("omnibus_…", None, seed=1))`.
    """
    golden = (PLAYTHROUGHS / f"omnibus_{name}.txt").read_text("utf-8")
    actions = [int(action) for action in re.findall(r"^action: (\d+)$", golden, re.MULTILINE)]
    assert len(actions) > 50
    assert folded(generate_playthrough.playthrough(f"omnibus_{name}", actions, seed=1)) == golden


@every_game
def test_parity_with_records(loaded: str) -> None:
    """The history, played in a match by hand, gives the same record, position and returns; it ends when this does."""
    state = walk(loaded, 3)
    setup = state.get_game().setup
    match = setup.begin(None, dice=False)
    for played in state.full_history():
        assert played.player == (-1 if match.actor == "chance" else match.actor)
        match.play_move(played.action)
    assert Match.read(match.record()).record() == match.record()
    assert match.position() == setup.game.position(state.tracked.state)
    assert match.outcome is not None
    assert state.returns() == pytest.approx(payoffs(match.outcome, setup.seats))
    for seat in range(setup.seats):
        seen = "".join(f"{'-' if actor == 'chance' else actor} {line}\n" for actor, line in match.view(seat)["plies"])
        assert state.information_state_string(seat) == seen


@every_game
def test_serialization_goes_on_the_same(loaded: str) -> None:
    """A state written as text and read again has the same past, and the same moves ahead."""
    state = walk(loaded, 4, min(40, pyspiel.load_game(loaded).max_game_length() // 4))
    _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    for seat in range(state.num_players()):
        assert read.information_state_string(seat) == state.information_state_string(seat)
        assert read.observation_tensor(seat) == state.observation_tensor(seat)
    assert read.legal_actions() == state.legal_actions()
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert str(read) == str(state)
    assert clone.history() != state.history()


@pytest.mark.parametrize("loaded", ["omnibus_times_square", "omnibus_metromania(players=3)"])
def test_information_states_tell_what_a_seat_saw(loaded: str) -> None:
    """A resampled state is the same to its player, as text and as numbers, whatever the others hold."""

    def known(state: Any, seat: int) -> tuple[Any, ...]:
        text = state.information_state_string(seat), state.observation_string(seat)
        return *text, tuple(state.information_state_tensor(seat)), tuple(state.observation_tensor(seat))

    state, random = walk(loaded, 6, 60), Random(1)
    others = [state.resample_from_infostate(0, random.random) for _ in range(20)]
    assert {known(other, 0) for other in others} == {known(state, 0)}
    assert len({known(other, 1)[0] for other in others}) > 1
    assert len({known(other, 1)[3] for other in others}) > 1


def test_perfect_recall() -> None:
    """The numbers of an information state are the plies: what was seen by its move, what was not by one number."""
    state = walk("omnibus_times_square", 6, 60)
    game = state.get_game().setup.game
    size = len(state.observation_tensor(0))
    noted = [int(number) for number in state.information_state_tensor(0)[size:] if number]
    lines = state.information_state_string(0).splitlines()
    assert len(noted) == len(lines) == 60
    hidden = game.space(state.tracked.state)[1] + 1
    for number, line in zip(noted, lines, strict=True):
        said = line.partition(" ")[2]
        assert number == (hidden if said == "draw ?" else game.parse(state.tracked.state, said) + 1)
    assert hidden in noted


def test_chance_has_the_weights_of_the_game() -> None:
    """Probabilities are the engine's weights; they add up to one."""
    state = pyspiel.load_game("omnibus_times_square").new_initial_state()
    assert state.chance_outcomes() == [(95, 0.5), (96, 0.5)]
    state.apply_action(95)
    drawn = dict(state.chance_outcomes())
    assert drawn[97] == pytest.approx(12 / 55)
    assert sum(drawn.values()) == pytest.approx(1)
    assert state.action_to_string(97) == "draw sue"


@every_game
def test_illegal_actions_are_refused(loaded: str) -> None:
    """An action that is not legal changes nothing, wherever its number comes from."""
    state = pyspiel.load_game(loaded).new_initial_state()
    before = str(state)
    for action in (-3, 0, 5000):
        with pytest.raises(ValueError, match="not legal"):
            state.apply_action(action)
    assert str(state) == before


@pytest.mark.parametrize(
    ("loaded", "why"),
    [
        ("omnibus_bus(players=9)", "3, 4 or 5"),
        ("omnibus_bus(city=nowhere)", "city may be"),
        ("omnibus_metromania(town_hall=strict)", "four players"),
    ],
)
def test_errors(loaded: str, why: str) -> None:
    """What cannot be played is refused in a sentence."""
    with pytest.raises(ValueError, match=why):
        pyspiel.load_game(loaded)
