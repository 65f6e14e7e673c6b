"""OpenSpiel games: after import, `pyspiel.load_game("omnibus_NAME")` loads every game.

Actions are the engine's move numbers, including those of chance. An information state is everything a seat has seen
happen; an observation is its current view. Nothing that OpenSpiel calls raises, except for an illegal action, because
C++ algorithms could not catch it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import numpy as np
import pyspiel

from omnibus import games
from omnibus.envs.arrays import FeatureLayout, row
from omnibus.envs.setup import Setup
from omnibus.kernel.batch import payoffs
from omnibus.kernel.game import CHANCE, OVER, Document, Game, Option


class TrackedState:
    """A state, its plies, and what each seat has seen of them. OpenSpiel deep-copies states; cloning is faster."""

    def __init__(self, setup: Setup, state: Any, seen: tuple[str, ...], plies: tuple[int, ...]) -> None:
        self.setup = setup
        self.state = state
        self.seen = seen
        self.plies = plies

    def __deepcopy__(self, memo: dict[int, Any]) -> TrackedState:
        return TrackedState(self.setup, self.state.clone(), self.seen, self.plies)

    def __reduce__(self) -> tuple[Callable[..., TrackedState], tuple[Any, ...]]:
        """Serialize as text: the options, the position document, and the plies before it."""
        setup = self.setup
        return _placed, (
            setup.game.name,
            setup.seats,
            setup.options,
            setup.game.position(self.state),
            self.seen,
            self.plies,
        )

    def apply(self, move: int) -> None:
        """Play a move and add it to what each seat has seen."""
        game, state = self.setup.game, self.state
        actor = "-" if state.actor == CHANCE else str(state.actor)
        noted = [f"{actor} {game.seen(state, move, seat)}\n" for seat in range(state.seats)]
        self.seen = tuple(before + now for before, now in zip(self.seen, noted, strict=True))
        self.plies = (*self.plies, move)
        game.apply(state, move)

    def redealt(self, seat: int, random: Random) -> TrackedState:
        """Return a state that looks the same to a seat, with hidden information redealt to the others."""
        game = self.setup.game
        state = game.redeal(game.view(self.state, seat), random.randrange)
        seen = [self.seen[seat] if other == seat else self._supposed(state, other) for other in range(state.seats)]
        return TrackedState(self.setup, state, tuple(seen), self.plies)

    def _supposed(self, state: Any, seat: int) -> str:
        return f"{len(self.plies)} plies\n{json.dumps(self.setup.game.view(state, seat))}\n"


def _placed(
    game: str, seats: int, options: Mapping[str, Any], position: Document, seen: tuple[str, ...], plies: tuple[int, ...]
) -> TrackedState:
    setup = Setup(game, seats, options)
    return TrackedState(setup, setup.game.place(position), seen, plies)


class SpielState(pyspiel.State):
    """A state with its history."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        setup = game.setup
        self.tracked = TrackedState(setup, setup.fresh.clone(), ("",) * setup.seats, ())

    def current_player(self) -> int:
        """Return the seat to act, or the ids of chance or the end of the game."""
        actor: int = self.tracked.state.actor
        if actor == OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if actor == CHANCE else actor

    def _legal_actions(self, player: int) -> list[int]:
        state = self.tracked.state
        return sorted(self.tracked.setup.game.legal(state)) if state.actor == player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the chance moves with their probabilities."""
        game, state = self.tracked.setup.game, self.tracked.state
        total = game.chance_total(state)
        return [(move, weight / total) for move, weight in game.chances(state)]

    def _apply_action(self, action: int) -> None:
        if action not in self.tracked.setup.game.legal(self.tracked.state):
            raise ValueError(f"action {action} ({self._action_to_string(0, action)}) is not legal")
        self.tracked.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        game, state = self.tracked.setup.game, self.tracked.state
        return game.write(state, action) if 0 <= action < game.space(state)[1] else str(action)

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return bool(self.tracked.state.actor == OVER)

    def returns(self) -> list[float]:
        """Return the rewards, which sum to zero; all are 0 until the game is over."""
        state = self.tracked.state
        outcome = self.tracked.setup.game.outcome(state)
        return payoffs(outcome, state.seats) if outcome else [0.0] * state.seats

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a state that looks the same to a player, with hidden information redealt."""
        other: SpielState = self.clone()
        other.tracked = self.tracked.redealt(player, Random(sampler()))
        return other

    def __str__(self) -> str:
        return json.dumps(self.tracked.setup.game.position(self.tracked.state))


class SpielGame(pyspiel.Game):
    """An Omnibus game for OpenSpiel; `source` is its name in Omnibus."""

    source: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        found = games.find(self.source)
        given = dict(params or {})
        seats = given.get("players", found.seats[0])
        self.setup = Setup(self.source, seats, _options(found, given))
        super().__init__(_game_type(found), _game_info(self.setup), given)

    def new_initial_state(self) -> SpielState:
        """Return the initial state."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver | None:
        """Return an observer of what one player sees; other kinds of observers are not supported."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params or not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return SpielObserver(self.setup, recall=kind.perfect_recall)


class SpielObserver:
    """What one player sees: the game's features by name and, with perfect recall, the plies as it saw them.

    A ply is its move number plus one, or the number of moves plus one if the player did not see it completely.
    """

    def __init__(self, setup: Setup, *, recall: bool) -> None:
        self.recall = recall
        self.layout = FeatureLayout(setup.game.features(setup.fresh))
        size = self.layout.size
        self.tensor = np.zeros(size + (setup.game.longest if recall else 0), np.float32)
        self.dict = self.layout.named(self.tensor[:size])
        if recall:
            self.dict["plies"] = self.tensor[size:]
        self._plies = self.tensor[size:]
        self._game = setup.game

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor with what a player sees."""
        tracked = state.tracked
        self.tensor[: self.layout.size] = row(self._game.observe(tracked.state, player))
        if self.recall:
            noted = _noted(tracked, player)[: len(self._plies)]
            self._plies.fill(0)
            self._plies[: len(noted)] = noted

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a player sees as text: its view, or with perfect recall everything it saw happen."""
        tracked = state.tracked
        return tracked.seen[player] if self.recall else json.dumps(self._game.view(tracked.state, player))


def _noted(tracked: TrackedState, player: int) -> list[int]:
    """Return the plies as numbers; those a player did not see completely share one number."""
    game, state = tracked.setup.game, tracked.setup.fresh
    lines = tracked.seen[player].splitlines()
    hidden = game.space(state)[1] + 1
    if len(lines) != len(tracked.plies):  # redealt: what the others saw is not known
        return []
    return [
        move + 1 if line.partition(" ")[2] == game.write(tracked.state, move) else hidden
        for move, line in zip(tracked.plies, lines, strict=True)
    ]


def _game_type(game: Game[Any]) -> Any:
    kinds = pyspiel.GameType
    perfect = game.open
    return kinds(
        short_name=f"omnibus_{game.name}",
        long_name=game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.PERFECT_INFORMATION if perfect else kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(game.seats),
        min_num_players=min(game.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": game.seats[0], **_defaults(game)},
        default_loadable=True,
        provides_factored_observation_string=False,
    )


def _game_info(setup: Setup) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=setup.actions,
        max_chance_outcomes=setup.game.space(setup.fresh)[1],
        num_players=setup.seats,
        min_utility=-1 / (setup.seats - 1),
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=setup.game.longest,
    )


def _defaults(game: Game[Any]) -> dict[str, bool | int | str]:
    """Return the options as parameters with their defaults.

    The type of a parameter is fixed, so an option with choices of several types (20 or "unlimited") becomes one flag
    for every choice but the default: `rounds_unlimited`.
    """
    defaults: dict[str, bool | int | str] = {}
    for name, option in game.options.items():
        if _has_one_type(option):
            defaults[name] = option.default
        else:
            defaults |= dict.fromkeys(_flags(name, option), False)
    return defaults


def _has_one_type(option: Option) -> bool:
    return len({type(choice) for choice in option.choices}) == 1


def _flags(name: str, option: Option) -> dict[str, Any]:
    """Return the choices other than the default, by the names of their flags."""
    return {f"{name}_{choice}": choice for choice in option.choices if choice != option.default}


def _options(game: Game[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that parameters stand for; the game refuses impossible ones."""
    options = {name: given[name] for name in game.options if name in given}
    for name, option in game.options.items():
        for flag, choice in _flags(name, option).items():
            if given.get(flag):
                options[name] = choice
    return options


def _register() -> None:
    for name in games.names():
        kind = type(f"Spiel{games.find(name).title.replace(' ', '')}", (SpielGame,), {"source": name})
        pyspiel.register_game(_game_type(games.find(name)), kind)


_register()
