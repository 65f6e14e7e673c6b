"""Processes that step many games at once and exchange positions and actions with the learner in shared memory.

Nothing here needs PyTorch, so that a process starts quickly and stays small.
"""

from __future__ import annotations

import ctypes
import multiprocessing
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from omnibus.kernel.batch import Batch
from omnibus.kernel.game import Game
from omnibus.kernel.match import Match

PATIENCE: Final = 120.0
"""Seconds the learner waits for a process, which is far longer than a step takes."""
GROUPS: Final = 2
"""While the learner chooses the actions of one group of games, the processes step the other."""
ACTION: Final = "action"
"""The array that the learner writes; all others are written by the processes."""


@dataclass(frozen=True, slots=True)
class Task:
    """The game to be learned: its seats, its options."""

    game: str
    seats: int
    options: Mapping[str, Any]

    def begin(self) -> tuple[Game[Any], Any]:
        """Return the game and the state before anything has happened."""
        match = Match.new(self.game, seats=self.seats, options=dict(self.options), dice=False)
        return match.game, match.state


def shapes(games: int, seats: int, numbers: int, actions: int) -> dict[str, tuple[tuple[int, ...], str]]:
    """Return the arrays of a group of games, a row for each game: shape and type."""
    return {
        "full": ((games, seats * numbers), "u1"),  # what all seats see, the one to act first
        "mask": ((games, actions), "u1"),
        "seat": ((games,), "u1"),
        "between": ((games, seats * numbers), "u1"),  # the same before chance acted, the last to act first
        "paused": ((games,), "u1"),  # whether chance acted
        "over": ((games,), "u1"),
        "shares": ((games, seats), "f4"),  # of the win, where a game is over
        ACTION: ((games,), "i4"),
    }


class Buffers:
    """The arrays of a group of games, in shared memory."""

    def __init__(self, context: Any, games: int, seats: int, numbers: int, actions: int) -> None:
        self._shapes = shapes(games, seats, numbers, actions)
        self._memory = {
            name: context.RawArray(ctypes.c_uint8, prod(shape) * int(kind[1]))
            for name, (shape, kind) in self._shapes.items()
        }

    def array(self, name: str) -> NDArray[Any]:
        """Return an array over the shared memory."""
        shape, kind = self._shapes[name]
        return np.frombuffer(self._memory[name], kind).reshape(shape)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all arrays by name."""
        return {name: self.array(name) for name in self._shapes}


class Actors:
    """The processes and their games, in two groups that take turns."""

    def __init__(self, task: Task, processes: int, games: int, seed: int) -> None:
        """Start so many processes with so many games each in every group."""
        game, state = task.begin()
        context = multiprocessing.get_context("spawn")
        self.games = processes * games
        self.numbers = sum(feature.size for feature in game.features(state))
        self.actions = game.space(state)[0]
        self._buffers = [Buffers(context, self.games, task.seats, self.numbers, self.actions) for _ in range(GROUPS)]
        self.groups = [buffers.arrays() for buffers in self._buffers]
        self._done = [context.Semaphore(0) for _ in range(GROUPS)]
        self._go = [[context.Semaphore(0) for _ in range(GROUPS)] for _ in range(processes)]
        self._stopped = context.RawValue(ctypes.c_bool, False)
        self._waited = [False] * GROUPS
        self._processes = [
            context.Process(
                target=_act,
                args=(task, self._buffers, number, games, seed, self._go[number], self._done, self._stopped),
                daemon=True,
            )
            for number in range(processes)
        ]
        for process in self._processes:
            process.start()

    def wait(self, group: int) -> dict[str, NDArray[Any]]:
        """Return the arrays of a group as soon as all its games wait for a decision."""
        if not self._waited[group]:
            for _ in self._processes:
                if not self._done[group].acquire(timeout=PATIENCE):
                    raise RuntimeError("a process that plays games has ended or does not answer")
            self._waited[group] = True
        return self.groups[group]

    def play(self, group: int) -> None:
        """Have the actions of a group played, which are in its arrays."""
        self._waited[group] = False
        for gates in self._go:
            gates[group].release()

    def close(self) -> None:
        """End the processes."""
        self._stopped.value = True
        for gates in self._go:
            for gate in gates:
                gate.release()
        for process in self._processes:
            process.join(5)
            if process.is_alive():
                process.terminate()
                process.join()


def _act(
    task: Task,
    buffers: list[Buffers],
    number: int,
    games: int,
    seed: int,
    go: list[Any],
    done: list[Any],
    stopped: Any,
) -> None:
    """Step the games of one process until the learner stops it or is gone."""
    rows = slice(number * games, number * games + games)
    playing: list[tuple[Batch, dict[str, NDArray[Any]]]] = []
    for group, (batch, shared) in enumerate(zip(batches(task, number, games, seed), buffers, strict=True)):
        arrays = {name: array[rows] for name, array in shared.arrays().items()}
        playing.append((batch, arrays))
        publish(batch, arrays)
        done[group].release()
    while True:
        for group, (batch, arrays) in enumerate(playing):
            while not go[group].acquire(timeout=PATIENCE):
                parent = multiprocessing.parent_process()
                if parent is None or not parent.is_alive():
                    return
            if stopped.value:
                return
            batch.step(arrays[ACTION].tolist())
            publish(batch, arrays)
            done[group].release()


def batches(task: Task, number: int, games: int, seed: int) -> list[Batch]:
    """Return the games of the process of this number, one batch for each group."""
    game, fresh = task.begin()
    found = []
    for group in range(GROUPS):
        seeds = Random(f"{seed} {number} {group}")
        found.append(Batch(game, fresh, [Random(seeds.getrandbits(63)).random for _ in range(games)], 0.0))
        found[-1].watched = True
    return found


def publish(batch: Batch, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write what happened in a batch and where it stands now to the arrays."""
    width = arrays["full"].shape[1]
    arrays["full"][:] = np.frombuffer(batch.full_observations(), np.uint8).reshape(-1, width)
    arrays["mask"][:] = np.frombuffer(batch.masks(), np.uint8).reshape(arrays["mask"].shape)
    arrays["seat"][:] = batch.actors()
    arrays["over"][:] = np.frombuffer(batch.over, np.uint8)
    rewards = np.array(batch.rewards, np.float32).reshape(-1, batch.seats)
    arrays["shares"][:] = (rewards * (batch.seats - 1) + 1) / batch.seats
    paused = [slot for slot, row in enumerate(batch.between) if row]
    arrays["paused"][:] = 0
    if paused:
        arrays["paused"][paused] = 1
        told = b"".join([batch.between[slot] for slot in paused])
        arrays["between"][paused] = np.frombuffer(told, np.uint8).reshape(-1, width)
