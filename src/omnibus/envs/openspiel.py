"""OpenSpiel: `omnibus_bus`, `omnibus_times_square` and `omnibus_metromania`, known to `pyspiel.load_game` after import.

Actions are the engine's own numbers, those of chance too. An information state is what a seat has seen happen, ply by
ply; an observation is its view now. Nothing that OpenSpiel calls raises, except for an illegal action: C++ algorithms
could not catch it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import numpy as np
import pyspiel

from omnibus import games
from omnibus.envs.arrays import Layout, row
from omnibus.envs.setup import Room
from omnibus.kernel.batch import payoffs
from omnibus.kernel.game import CHANCE, OVER, Document, Game

PERFECT = ("bus",)  # where nothing is hidden and nobody needs to remember anything


class Sitting:
    """What a state of OpenSpiel holds of ours. OpenSpiel copies states by deep copies; a clone is a quicker one."""

    def __init__(self, room: Room, state: Any, seen: tuple[str, ...], plies: tuple[int, ...]) -> None:
        self.room = room
        self.state = state
        self.seen = seen
        self.plies = plies

    def __deepcopy__(self, memo: dict[int, Any]) -> Sitting:
        return Sitting(self.room, self.state.clone(), self.seen, self.plies)

    def __reduce__(self) -> tuple[Callable[..., Sitting], tuple[Any, ...]]:
        """Serialize as text: what was chosen, the position document, and what happened before it."""
        room = self.room
        return _placed, (
            room.game.name,
            room.seats,
            room.options,
            room.game.position(self.state),
            self.seen,
            self.plies,
        )

    def apply(self, move: int) -> None:
        """Play a move; every seat notes it as it saw it."""
        game, state = self.room.game, self.state
        actor = "-" if state.actor == CHANCE else str(state.actor)
        noted = [f"{actor} {game.seen(state, move, seat)}\n" for seat in range(state.seats)]
        self.seen = tuple(before + now for before, now in zip(self.seen, noted, strict=True))
        self.plies = (*self.plies, move)
        game.apply(state, move)

    def redealt(self, seat: int, random: Random) -> Sitting:
        """Return a sitting that looks the same to a seat; the others have seen what goes with their new secrets."""
        game = self.room.game
        state = game.redeal(game.view(self.state, seat), random.randrange)
        seen = [self.seen[seat] if other == seat else self._supposed(state, other) for other in range(state.seats)]
        return Sitting(self.room, state, tuple(seen), self.plies)

    def _supposed(self, state: Any, seat: int) -> str:
        return f"{len(self.plies)} plies\n{json.dumps(self.room.game.view(state, seat))}\n"


def _placed(
    game: str, seats: int, options: Mapping[str, Any], position: Document, seen: tuple[str, ...], plies: tuple[int, ...]
) -> Sitting:
    room = Room(game, seats, options)
    return Sitting(room, room.game.place(position), seen, plies)


class SpielState(pyspiel.State):
    """A position, with all that happened before it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        room = game.room
        self.sitting = Sitting(room, room.fresh.clone(), ("",) * room.seats, ())

    def current_player(self) -> int:
        """Return the seat to decide, or chance, or that the game is over."""
        actor: int = self.sitting.state.actor
        if actor == OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if actor == CHANCE else actor

    def _legal_actions(self, player: int) -> list[int]:
        state = self.sitting.state
        return sorted(self.sitting.room.game.legal(state)) if state.actor == player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may do, with probabilities."""
        game, state = self.sitting.room.game, self.sitting.state
        total = game.chance_total(state)
        return [(move, weight / total) for move, weight in game.chances(state)]

    def _apply_action(self, action: int) -> None:
        if action not in self.sitting.room.game.legal(self.sitting.state):
            raise ValueError(f"action {action} ({self._action_to_string(0, action)}) is not legal")
        self.sitting.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        game, state = self.sitting.room.game, self.sitting.state
        return game.write(state, action) if 0 <= action < game.space(state)[1] else str(action)

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return bool(self.sitting.state.actor == OVER)

    def returns(self) -> list[float]:
        """Return the rewards, zero in sum; all are 0 until the game is over."""
        state = self.sitting.state
        outcome = self.sitting.room.game.outcome(state)
        return payoffs(outcome, state.seats) if outcome else [0.0] * state.seats

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a state that looks the same to a player, what it cannot see dealt anew."""
        other: SpielState = self.clone()
        other.sitting = self.sitting.redealt(player, Random(sampler()))
        return other

    def __str__(self) -> str:
        return json.dumps(self.sitting.room.game.position(self.sitting.state))


class SpielGame(pyspiel.Game):
    """One of our games, as OpenSpiel has it; `source` is its name here."""

    source: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        found = games.find(self.source)
        given = dict(params or {})
        seats = given.get("players", found.seats[0])
        self.room = Room(self.source, seats, _options(found, given))
        super().__init__(_game_type(found), _game_info(self.room), given)

    def new_initial_state(self) -> SpielState:
        """Return the state before anything has happened."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver | None:
        """Return an observer of what one player sees; there are none of what only some see, or all."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params or not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return SpielObserver(self.room, recall=kind.perfect_recall)


class SpielObserver:
    """What one player sees: our features by name, and with perfect recall the plies as it saw them.

    A ply is a number: its move plus one, or one more than all moves where the player did not see all of it.
    """

    def __init__(self, room: Room, *, recall: bool) -> None:
        self.recall = recall
        self.layout = Layout(room.game.features(room.fresh))
        size = self.layout.size
        self.tensor = np.zeros(size + (room.game.longest if recall else 0), np.float32)
        self.dict = self.layout.named(self.tensor[:size])
        if recall:
            self.dict["plies"] = self.tensor[size:]
        self._plies = self.tensor[size:]
        self._game = room.game

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor with what a player sees."""
        sitting = state.sitting
        self.tensor[: self.layout.size] = row(self._game.observe(sitting.state, player))
        if self.recall:
            noted = _noted(sitting, player)[: len(self._plies)]
            self._plies.fill(0)
            self._plies[: len(noted)] = noted

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a player sees as text: its view, or with perfect recall all it saw happen."""
        sitting = state.sitting
        return sitting.seen[player] if self.recall else json.dumps(self._game.view(sitting.state, player))


def _noted(sitting: Sitting, player: int) -> list[int]:
    """Return the plies as numbers, those a player did not see as one number for all."""
    game, state = sitting.room.game, sitting.room.fresh
    lines = sitting.seen[player].splitlines()
    hidden = game.space(state)[1] + 1
    if len(lines) != len(sitting.plies):  # redealt: what others saw is only supposed
        return []
    return [
        move + 1 if line.partition(" ")[2] == game.write(sitting.state, move) else hidden
        for move, line in zip(sitting.plies, lines, strict=True)
    ]


def _game_type(game: Game[Any]) -> Any:
    kinds = pyspiel.GameType
    perfect = game.name in PERFECT
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


def _game_info(room: Room) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=room.actions,
        max_chance_outcomes=room.game.space(room.fresh)[1],
        num_players=room.seats,
        min_utility=-1 / (room.seats - 1),
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=room.game.longest,
    )


def _defaults(game: Game[Any]) -> dict[str, bool | str]:
    """Return the options as parameters: true or false, or text.

    OpenSpiel reads text that looks like a number as a number, so an option that is a number or a word (20 rounds, or
    unlimited) becomes a question: `rounds_unlimited`.
    """
    defaults: dict[str, bool | str] = {}
    for name, option in game.offered.items():
        if isinstance(option.default, (bool, str)):
            defaults[name] = option.default
        else:
            defaults[f"{name}_{option.choices[1]}"] = False
    return defaults


def _options(game: Game[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that parameters stand for; what cannot be is left for the game to refuse."""
    options = {name: given[name] for name in game.offered if name in given}
    for name, option in game.offered.items():
        if given.get(f"{name}_{option.choices[1]}"):
            options[name] = option.choices[1]
    return options


def _register() -> None:
    for name in games.names():
        kind = type(f"Spiel{games.find(name).title.replace(' ', '')}", (SpielGame,), {"source": name})
        pyspiel.register_game(_game_type(games.find(name)), kind)


_register()
