"""Many games at once, numpy arrays in and out: for fast self-play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from omnibus.envs.arrays import Bytes
from omnibus.envs.setup import Room
from omnibus.kernel.batch import Batch


class Turn(NamedTuple):
    """Where all games stand: one row for each game. The arrays are new ones every time."""

    observation: Bytes
    """(games, layout.size): what the seat to decide sees."""
    mask: Bytes
    """(games, actions): 1 for what it may do."""
    seat: NDArray[np.int64]
    """(games,): the seat to decide."""
    reward: NDArray[np.float32]
    """(games, seats): what the last action earned each seat."""
    over: NDArray[np.bool_]
    """(games,): the last action ended the game; everything else is about the new one already, but for `reward`."""


def vector(
    game: str,
    *,
    games: int,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    seed: int | None = None,
    shaping: float = 0.0,
) -> Vector:
    """Make an environment that steps so many games of one kind together."""
    if games < 1:
        raise ValueError(f"games must be at least 1, not {games!r}")
    return Vector(Room(game, seats, options), games, seed, shaping)


class Vector:
    """A batch of games, each always waiting for a seat's decision; one that ends begins anew at once."""

    def __init__(self, room: Room, games: int, seed: int | None, shaping: float) -> None:
        self.room = room
        self.games = games
        self.seats = room.seats
        self.actions = room.actions
        self.layout = room.layout
        self.shaping = float(shaping)
        self._seed = seed
        self._random = Random()
        self._batch: Batch | None = None

    def reset(self, seed: int | None = None) -> Turn:
        """Begin all games anew; the same seed and the same actions lead to the same games."""
        if seed is None:
            seed, self._seed = self._seed, None
        if seed is not None:
            self._random = Random(int(seed))
        rolls = [Random(self._random.getrandbits(63)).random for _ in range(self.games)]
        self._batch = Batch(self.room.game, self.room.fresh, rolls, self.shaping)
        return self._turn(self._batch)

    def step(self, actions: NDArray[Any] | Sequence[int]) -> Turn:
        """Play one action in each game; ValueError for an illegal one, before anything has changed."""
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
        """Write the last game that ended in a slot, or the one under way, as a `.game` record."""
        batch = self._begun()
        played = batch.ended[slot] if ended else batch.played[slot]
        if ended and not played:
            raise ValueError(f"no game has ended in slot {slot} yet")
        match = self.room.begin(None, dice=False)
        for move in played:
            match.play_move(move)
        return match.record()

    def _begun(self) -> Batch:
        if self._batch is None:
            raise RuntimeError("no game has begun: call reset() first")
        return self._batch

    def _named(self, state: Any, action: int) -> str:
        known = 0 <= action < self.actions
        return f"action {action} ({self.room.game.write(state, action)})" if known else f"action {action}"

    def _turn(self, batch: Batch) -> Turn:
        return Turn(
            np.frombuffer(batch.observations(), np.uint8).reshape(self.games, self.layout.size),
            np.frombuffer(batch.masks(), np.uint8).reshape(self.games, self.actions),
            np.array(batch.actors(), np.int64),
            np.array(batch.rewards, np.float32).reshape(self.games, self.seats),
            np.frombuffer(batch.over, np.bool_),
        )
