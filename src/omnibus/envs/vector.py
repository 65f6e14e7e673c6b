"""Many games at once with numpy arrays, for fast self-play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from omnibus.envs.arrays import Bytes
from omnibus.envs.setup import Setup
from omnibus.kernel.batch import Batch


class Turn(NamedTuple):
    """The current step of all games, one row per game. The arrays are new in every step."""

    observation: Bytes
    """(games, layout.size): what the seat to act sees."""
    mask: Bytes
    """(games, actions): 1 for every legal action."""
    seat: NDArray[np.int64]
    """(games,): the seat to act."""
    reward: NDArray[np.float32]
    """(games, seats): the rewards of the last action."""
    over: NDArray[np.bool_]
    """(games,): whether the last action ended the game; all else but `reward` is already about the next game."""


def vector(
    game: str,
    *,
    games: int,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    seed: int | None = None,
    shaping: float = 0.0,
) -> Vector:
    """Make an environment that steps many games of one kind together."""
    if games < 1:
        raise ValueError(f"games must be at least 1, not {games!r}")
    return Vector(Setup(game, seats, options), games, seed, shaping)


class Vector:
    """A batch of games, each waiting for a decision of a seat; one that ends is restarted at once."""

    def __init__(self, setup: Setup, games: int, seed: int | None, shaping: float) -> None:
        self.setup = setup
        self.games = games
        self.seats = setup.seats
        self.actions = setup.actions
        self.layout = setup.layout
        self.shaping = float(shaping)
        self._seed = seed
        self._random = Random()
        self._batch: Batch | None = None

    def reset(self, seed: int | None = None) -> Turn:
        """Restart all games; the same seed and actions give the same games."""
        if seed is None:
            seed, self._seed = self._seed, None
        if seed is not None:
            self._random = Random(int(seed))
        rolls = [Random(self._random.getrandbits(63)).random for _ in range(self.games)]
        self._batch = Batch(self.setup.game, self.setup.fresh, rolls, self.shaping)
        return self._turn(self._batch)

    def step(self, actions: NDArray[Any] | Sequence[int]) -> Turn:
        """Play one action in each game; ValueError for an illegal one, and nothing changes."""
        batch = self._begun()
        given = np.asarray(actions)
        if given.shape != (self.games,) or given.dtype.kind not in "iu":
            raise ValueError(f"actions must be {self.games} whole numbers, not {given.dtype} of shape {given.shape}")
        chosen: list[int] = given.tolist()
        slot = batch.refused(chosen)
        if slot >= 0:
            raise ValueError(f"game {slot}: {self._named(batch.states[slot], chosen[slot])} is not legal")
        batch.step(chosen)
        return self._turn(batch)

    def sample(self) -> NDArray[np.int64]:
        """Return a random legal action for each game."""
        return np.array(self._begun().choices(self._random.random), np.int64)

    def record(self, slot: int, *, ended: bool = True) -> str:
        """Return the record of the last game that ended in a slot, or of the current one."""
        batch = self._begun()
        played = batch.ended[slot] if ended else batch.played[slot]
        if ended and not played:
            raise ValueError(f"no game has ended in slot {slot} yet")
        match = self.setup.begin(None, dice=False)
        for move in played:
            match.play_move(move)
        return match.record()

    def _begun(self) -> Batch:
        if self._batch is None:
            raise RuntimeError("no game has begun: call reset() first")
        return self._batch

    def _named(self, state: Any, action: int) -> str:
        known = 0 <= action < self.actions
        return f"action {action} ({self.setup.game.write(state, action)})" if known else f"action {action}"

    def _turn(self, batch: Batch) -> Turn:
        return Turn(
            np.frombuffer(batch.observations(), np.uint8).reshape(self.games, self.layout.size),
            np.frombuffer(batch.masks(), np.uint8).reshape(self.games, self.actions),
            np.array(batch.actors(), np.int64),
            np.array(batch.rewards, np.float32).reshape(self.games, self.seats),
            np.frombuffer(batch.over, np.bool_),
        )
