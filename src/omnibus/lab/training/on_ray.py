"""The processes that play for a learner, on the machines of a Ray cluster. Needs the extra `ray`.

They play the same games as processes of this machine, given the same seeds, actions and weights, and talk to the
learner in the same way: see actors.py and self_play.py. What was done by one that vanishes is done again by another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from omnibus import __version__
from omnibus.bots.value_network import ValueNetwork
from omnibus.lab import ray_cluster
from omnibus.lab.errors import WorkerDied
from omnibus.lab.ray_cluster import connected, cores, import_ray
from omnibus.lab.training.actors import ACTION, GROUPS, Actors, Task, batches, publish, shapes
from omnibus.lab.training.self_play import Floats, Lesson, Players, Playing, SelfPlay, read_lesson, width

AnyActors: TypeAlias = "Actors | RayActors"
AnyPlayers: TypeAlias = "Players | RayPlayers"

AHEAD: Final = 2
"""Messages that a player has been asked for: while one is read, it plays for the next."""


class Stepper:
    """The games of one actor, on some machine of the cluster."""

    def __init__(self, task: Task, number: int, games: int, seed: int) -> None:
        game, fresh = task.begin()
        self._batches = batches(task, number, games, seed)
        found = shapes(games, task.seats, sum(feature.size for feature in game.features(fresh)), game.space(fresh)[0])
        self._arrays = {name: np.zeros(shape, kind) for name, (shape, kind) in found.items() if name != ACTION}

    def version(self) -> str:
        """Return the version of Omnibus on its machine."""
        return __version__

    def step(self, group: int, actions: list[int] | None) -> dict[str, NDArray[Any]]:
        """Play an action in each game of a group, if there are any yet; return where the games stand."""
        batch = self._batches[group]
        if actions is not None:
            batch.step(actions)
        publish(batch, self._arrays)
        return self._arrays


class RayActors:
    """Actors on a cluster, in place of `Actors`: so many, with so many games each in every group."""

    def __init__(self, task: Task, processes: int | None, games: int, seed: int, address: str) -> None:
        self._stack = ExitStack()
        self._stack.enter_context(connected(address, processes))
        self._ray = import_ray(address)
        self._task, self._each, self._seed = task, games, seed
        self._number = processes or cores(self._ray)
        game, state = task.begin()
        self.games = self._number * games
        self.numbers = sum(feature.size for feature in game.features(state))
        self.actions = game.space(state)[0]
        found = shapes(self.games, task.seats, self.numbers, self.actions)
        self.groups = [{name: np.zeros(shape, kind) for name, (shape, kind) in found.items()} for _ in range(GROUPS)]
        self._starts = 0
        self._begin()

    def _begin(self) -> None:
        """Start the actors, with new games."""
        seed, self._starts = self._seed + self._starts, self._starts + 1
        self.actors = [
            _remote(self._ray, Stepper, self._task, number, self._each, seed) for number in range(self._number)
        ]
        _check_versions(self._ray, self.actors)
        self._pending: list[list[Any]] = [
            [actor.step.remote(group, None) for actor in self.actors] for group in range(GROUPS)
        ]

    def wait(self, group: int) -> dict[str, NDArray[Any]]:
        """Return the arrays of a group as soon as all its games wait for a decision; WorkerDied if an actor is gone."""
        pending, self._pending[group] = self._pending[group], []
        if not pending:
            return self.groups[group]
        parts = _found(self._ray, pending)
        for number, part in enumerate(parts):
            rows = slice(number * self._each, (number + 1) * self._each)
            for name, array in part.items():
                self.groups[group][name][rows] = array
        return self.groups[group]

    def play(self, group: int) -> None:
        """Have the actions of a group played, which are in its arrays."""
        actions = self.groups[group][ACTION].tolist()
        self._pending[group] = [
            actor.step.remote(group, actions[number * self._each : (number + 1) * self._each])
            for number, actor in enumerate(self.actors)
        ]

    def renew(self) -> None:
        """Start again with new actors and games."""
        self._end()
        self._begin()

    def _end(self) -> None:
        for actor in self.actors:
            self._ray.kill(actor)

    def close(self) -> None:
        """End the actors."""
        self._end()
        self._stack.close()


class Player:
    """The games of one player, on some machine of the cluster."""

    def __init__(self, task: Task, playing: Playing, seed: str) -> None:
        self._play, self._sent = SelfPlay(task, playing, seed), playing.sent
        self._version = 0
        self._network: ValueNetwork | None = None

    def version(self) -> str:
        """Return the version of Omnibus on its machine."""
        return __version__

    def message(self, version: int, weights: Mapping[str, Floats] | None, progress: float) -> bytes:
        """Play with some weights until there is enough to learn from; return it."""
        if weights is not None and version != self._version:
            self._version, self._network = version, ValueNetwork(self._play.game, self._play.fresh, dict(weights))
        while len(self._play.rows) < self._sent:
            self._play.step(self._network, progress)
        return self._play.message()


class RayWeights:
    """The weights that the players play with, in place of `Weights`."""

    def __init__(self, put: Callable[[Any], Any]) -> None:
        self._put = put
        self.version = 0
        self.progress = 0.0
        self.stored: Any = None
        """Where the cluster finds them; None: there are none yet."""

    def tell(self, progress: float) -> None:
        """Tell the players how much of the training is done."""
        self.progress = progress

    def write(self, arrays: dict[str, Floats]) -> None:
        """Replace the weights; players use them from their next message on."""
        self.stored = self._put(arrays)
        self.version += 1


@dataclass
class _Seat:
    """Where a player plays, one after the other if they vanish."""

    number: int
    starts: int = 0
    failures: int = 0
    """Since something last came from here."""
    player: Any = None
    pending: list[Any] = field(default_factory=list)


class RayPlayers:
    """Players on a cluster, in place of `Players`."""

    def __init__(self, task: Task, playing: Playing, processes: int | None, seed: int, address: str) -> None:
        self._stack = ExitStack()
        self._stack.enter_context(connected(address, processes))
        self._ray = import_ray(address)
        self._task, self._playing, self._seed = task, playing, seed
        self.seats, self.wide = task.seats, width(task)
        self.weights = RayWeights(self._ray.put)
        self.processes = [_Seat(number) for number in range(processes or cores(self._ray))]
        for seat in self.processes:
            self._begin(seat)
        _check_versions(self._ray, [seat.player for seat in self.processes])

    def _begin(self, seat: _Seat) -> None:
        """Start a player, in place of one that vanished perhaps."""
        seed = f"{self._seed} {seat.number}" + (f" {seat.starts}" if seat.starts else "")
        seat.starts += 1
        seat.player, seat.pending = _remote(self._ray, Player, self._task, self._playing, seed), []
        self._ask(seat)

    def _ask(self, seat: _Seat) -> None:
        weights = self.weights
        while len(seat.pending) < AHEAD:
            seat.pending.append(seat.player.message.remote(weights.version, weights.stored, weights.progress))

    def lessons(self, seconds: float) -> list[Lesson]:
        """Return what has come in, after so many seconds at most."""
        asked = {seat.pending[0]: seat for seat in self.processes}
        finished, _ = self._ray.wait(list(asked), num_returns=1, timeout=seconds)
        finished += self._ray.wait(list(asked), num_returns=len(asked), timeout=0)[0]
        return [lesson for ref in dict.fromkeys(finished) if (lesson := self._lesson(asked[ref])) is not None]

    def _lesson(self, seat: _Seat) -> Lesson | None:
        """Return what a player has sent, and ask for more; None if it has vanished, and another plays in its place."""
        try:
            (message,) = _found(self._ray, [seat.pending.pop(0)])
        except WorkerDied:
            seat.failures += 1
            if seat.failures > ray_cluster.TRIES:
                raise
            self._begin(seat)
            return None
        seat.failures = 0
        self._ask(seat)
        return read_lesson(message, self.wide, self.seats)

    def close(self) -> None:
        """End the players."""
        for seat in self.processes:
            self._ray.kill(seat.player)
        self._stack.close()


def _remote(ray: Any, kind: type[Any], *arguments: Any) -> Any:
    """Start an object of a class on one core of the cluster."""
    return ray.remote(num_cpus=1)(kind).remote(*arguments)


def _check_versions(ray: Any, workers: list[Any]) -> None:
    """Raise ValueError when a machine of the cluster has another version of Omnibus."""
    others = {*_found(ray, [worker.version.remote() for worker in workers])} - {__version__}
    if others:
        raise ValueError(f"this machine has Omnibus {__version__}, but another one of the cluster has {others.pop()}")


def _found(ray: Any, asked: list[Any]) -> list[Any]:
    """Return what was asked for; WorkerDied when one of those who were asked has vanished."""
    try:
        found: list[Any] = ray.get(asked)
    except ray.exceptions.RayActorError as error:
        raise WorkerDied(f" ({str(error).splitlines()[0]})") from None
    return found
