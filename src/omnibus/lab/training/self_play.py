"""Processes that play games by the values of positions, for the learner of a value network.

A player looks one move ahead, or searches a little, and mostly takes what it likes best. Until the network knows
anything, the judgement of the game takes its place. Nothing here needs PyTorch.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, prod, sqrt
from multiprocessing.connection import Connection, wait
from random import Random
from time import perf_counter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from omnibus.bots.search import LEVEL, node
from omnibus.bots.turn import settle
from omnibus.bots.value_network import ValueNetwork
from omnibus.bots.value_search import search
from omnibus.kernel.game import OVER, Game
from omnibus.lab.training.actors import Task

Floats = NDArray[np.float32]

HEADER: Final = struct.Struct("<iii")
"""Before the rows of a message: how many there are, the games they come from, and their decisions."""
NODES: Final = 8
"""A search asks the network about the moves of so many positions at a time."""
WELL_SEARCHED: Final = 8
"""What a search says of a move with so many visits is learned too."""


@dataclass(frozen=True, slots=True)
class Playing:
    """How the games are played."""

    games: int = 32
    """At a time in each process."""
    temperature: float = 0.4
    """How much worse a move may be, in standard deviations of all moves, to be taken a third as often as the best."""
    last_temperature: float = 0.15
    trace: float = 0.9
    """λ: how much of what a position is worth is learned from what came of it, not from what was expected next."""
    slip: float = 0.02
    """A move that is worse by so much was tried out: what comes of it says nothing about the moves before."""
    simulations: int = 0
    """Of the search that chooses a move; 0: it looks one move ahead."""
    sent: int = 1024
    """A process sends what it has as soon as there are so many positions."""
    searched: float = 0.0
    """From this part of the training on it searches; before, it looks one move ahead."""


@dataclass(slots=True)
class PlayedDecision:
    """A decision in a game: the position after it, what was expected before it, and whether it was a try."""

    row: bytes
    expected: list[float]
    tried: bool


def targets(steps: Sequence[PlayedDecision], result: list[float], trace: float) -> list[list[float]]:
    """Return what each position should have been worth: results and later expectations, mixed."""
    found: list[list[float]] = []
    coming = result
    for step in reversed(steps):
        found.append(coming)
        weight = 0.0 if step.tried else trace
        coming = [(1 - weight) * one + weight * other for one, other in zip(step.expected, coming, strict=True)]
    return found[::-1]


class Weights:
    """The weights that the processes play with, in shared memory; `version` counts how often they changed."""

    def __init__(self, context: Any, shapes: dict[str, tuple[int, ...]]) -> None:
        self._shapes = shapes
        self._memory = {name: context.RawArray(ctypes.c_float, prod(shape)) for name, shape in shapes.items()}
        self._version = context.RawValue(ctypes.c_int, 0)
        self._progress = context.RawValue(ctypes.c_double, 0.0)

    @property
    def version(self) -> int:
        """How often the weights were written; 0: there are none yet."""
        return int(self._version.value)

    @property
    def progress(self) -> float:
        """How much of the training is done."""
        return float(self._progress.value)

    def tell(self, progress: float) -> None:
        """Tell the processes how much of the training is done."""
        self._progress.value = progress

    def arrays(self) -> dict[str, Floats]:
        """Return the arrays over the shared memory."""
        return {
            name: np.frombuffer(self._memory[name], np.float32).reshape(shape) for name, shape in self._shapes.items()
        }

    def write(self, arrays: dict[str, Floats]) -> None:
        """Replace the weights. A process may read some of them a moment too early, which does no harm."""
        for name, array in self.arrays().items():
            array[:] = arrays[name]
        self._version.value += 1


class SelfPlayGame:
    """One of the games of a process."""

    def __init__(self, game: Game[Any], fresh: Any, slip: float, random: Random) -> None:
        self.game, self.fresh, self.slip, self.random = game, fresh, slip, random
        self.begin()

    def begin(self) -> None:
        """Start a new game."""
        self.state = self.fresh.clone()
        self.steps: list[PlayedDecision] = []
        self.decisions = 0
        settle(self.game, self.state, self.random.random)

    def options(self) -> list[tuple[int, Any]]:
        """Return the legal moves and what they lead to. Moves that leave no choice are played."""
        while len(moves := self.game.legal(self.state)) == 1:
            self.play(moves[0])
        return [(move, self._after(move)) for move in moves]

    def _after(self, move: int) -> Any:
        after = self.state.clone()
        self.game.apply(after, move)
        return after

    def play(self, move: int) -> None:
        """Play a move, then those of chance."""
        self.decisions += 1
        self.game.apply(self.state, move)
        settle(self.game, self.state, self.random.random)

    def decide(self, options: list[tuple[int, Any]], shares: list[list[float]], heat: float) -> None:
        """Choose by the shares of each option, the better ones more often, and play it."""
        seat = self.state.actor
        worths = [one[seat] for one in shares]
        most = max(worths)
        scale = heat * max(_spread(worths), LEVEL)
        chosen = self.random.choices(range(len(worths)), [exp((worth - most) / scale) for worth in worths])[0]
        self.note(options[chosen][1], shares[worths.index(most)], most - worths[chosen] > self.slip)
        self.play(options[chosen][0])

    def note(self, after: Any, expected: list[float], tried: bool) -> None:
        """Note a decision."""
        assert self.game.summary is not None
        row = self.game.summary.of(after) if after.actor != OVER else b""
        self.steps.append(PlayedDecision(row, expected, tried))

    def search(self, network: ValueNetwork, simulations: int) -> list[tuple[bytes, list[float]]]:
        """Search, play one of the most visited moves, and return what the search found out about the others."""
        assert self.game.summary is not None
        seat, root = self.state.actor, node(-1, 0.0, self.state.seats)
        random = self.random.random
        search(self.game, root, [self.state], random, network.evaluate, NODES, simulations, inf, perf_counter)
        visited = sorted((child for child in root.children if child.visits), key=lambda child: -child.visits)
        shares = [[worth / child.visits for worth in child.worth] for child in visited]
        chosen = self.random.choices(range(len(visited)), [child.visits**2 for child in visited])[0]
        afters = [self._after(child.move) for child in visited]
        rows = [self.game.summary.of(after) if after.actor != OVER else b"" for after in afters]
        self.note(afters[chosen], shares[0], shares[0][seat] - shares[chosen][seat] > self.slip)
        self.play(visited[chosen].move)
        return [
            (row, share)
            for number, (child, row, share) in enumerate(zip(visited, rows, shares, strict=True))
            if row and number != chosen and child.visits >= WELL_SEARCHED
        ]


def _spread(worths: list[float]) -> float:
    """Return the standard deviation."""
    mean = sum(worths) / len(worths)
    return sqrt(sum((worth - mean) ** 2 for worth in worths) / len(worths))


class SelfPlay:
    """The games of one process."""

    def __init__(self, task: Task, playing: Playing, seed: str) -> None:
        self.game, fresh = task.begin()
        self.playing = playing
        self.seats: int = fresh.seats
        random = Random(seed)
        self.tables = [
            SelfPlayGame(self.game, fresh, playing.slip, Random(random.getrandbits(63))) for _ in range(playing.games)
        ]
        self.fresh = fresh
        self.trace = 1.0
        self.rows: list[bytes] = []
        self.wanted: list[list[float]] = []
        self.games = 0
        self.decisions = 0

    def step(self, network: ValueNetwork | None, progress: float) -> None:
        """Make one decision in each game, by the network or, where there is none yet, by the judgement."""
        self.trace = self.playing.trace if network else 1.0  # what the judgement expects is not to be learned
        if network and self.playing.simulations and progress >= self.playing.searched:
            self._search(network)
        else:
            self._look(network, progress)

    def _search(self, network: ValueNetwork) -> None:
        for table in self.tables:
            if table.options():
                for row, shares in table.search(network, self.playing.simulations):
                    self.rows.append(row)
                    self.wanted.append(shares)
            else:
                self._end(table)

    def _look(self, network: ValueNetwork | None, progress: float) -> None:
        seen: list[tuple[SelfPlayGame, list[tuple[int, Any]]]] = []
        for table in self.tables:
            options = table.options()
            if options:
                seen.append((table, options))
            else:
                self._end(table)
        p = self.playing
        heat = p.temperature + (p.last_temperature - p.temperature) * progress
        for (table, options), shares in zip(seen, self._shares(network, seen), strict=True):
            table.decide(options, shares, heat)

    def _shares(
        self, network: ValueNetwork | None, seen: list[tuple[SelfPlayGame, list[tuple[int, Any]]]]
    ) -> list[list[list[float]]]:
        """Return for each table and each option every seat's share."""
        judge = self.game.judge
        if network is None:
            return [[judge(after) for _, after in options] for _, options in seen]
        assert self.game.summary is not None
        summary = self.game.summary.of
        afters = [after for _, options in seen for _, after in options]
        told = iter(network.evaluate([summary(after) for after in afters if after.actor != OVER]))
        return [[judge(after) if after.actor == OVER else next(told) for _, after in options] for _, options in seen]

    def _end(self, table: SelfPlayGame) -> None:
        wanted = targets(table.steps, self.game.judge(table.state), self.trace)
        for step, shares in zip(table.steps, wanted, strict=True):
            if step.row:
                self.rows.append(step.row)
                self.wanted.append(shares)
        self.games += 1
        self.decisions += table.decisions
        table.begin()

    def message(self) -> bytes:
        """Return what there is to learn since the last message."""
        body = b"".join(self.rows) + np.array(self.wanted, np.float32).tobytes()
        told = HEADER.pack(len(self.rows), self.games, self.decisions) + body
        self.rows, self.wanted, self.games, self.decisions = [], [], 0, 0
        return told


@dataclass(frozen=True, slots=True)
class Lesson:
    """Positions and what they should have been worth, with the number of games and decisions they come from."""

    rows: NDArray[np.uint8]
    shares: Floats
    games: int
    decisions: int


def read_lesson(message: bytes, wide: int, seats: int) -> Lesson:
    """Read a message of a process."""
    count, games, decisions = HEADER.unpack_from(message)
    rows = np.frombuffer(message, np.uint8, count * wide, HEADER.size).reshape(count, wide)
    shares = np.frombuffer(message[HEADER.size + count * wide :], np.float32).reshape(count, seats)
    return Lesson(rows, shares, games, decisions)


def width(task: Task) -> int:
    """Return how many numbers the summary of a position has."""
    game, state = task.begin()
    assert game.summary is not None
    return int(state.seats * game.summary.each + game.summary.common)


class Players:
    """The processes that play."""

    def __init__(
        self, task: Task, playing: Playing, shapes: dict[str, tuple[int, ...]], processes: int, seed: int
    ) -> None:
        self.seats, self.wide = task.seats, width(task)
        context = multiprocessing.get_context("spawn")
        self.weights = Weights(context, shapes)
        self._stopped = context.RawValue(ctypes.c_bool, False)
        self._pipes: list[Connection] = []
        self.processes = []
        for number in range(processes):
            inward, outward = context.Pipe(duplex=False)
            asked = task, playing, self.weights, f"{seed} {number}", outward, self._stopped
            process = context.Process(target=_play, args=asked, daemon=True)
            process.start()
            outward.close()
            self._pipes.append(inward)
            self.processes.append(process)

    def lessons(self, seconds: float) -> list[Lesson]:
        """Return what has come in, after so many seconds at most."""
        found = []
        for pipe in wait(self._pipes, seconds):
            assert isinstance(pipe, Connection)
            try:
                found.append(read_lesson(pipe.recv_bytes(), self.wide, self.seats))
            except EOFError:
                raise RuntimeError("a process that plays games has ended") from None
        return found

    def close(self) -> None:
        """End the processes."""
        self._stopped.value = True
        for pipe in self._pipes:
            pipe.close()
        for process in self.processes:
            process.join(5)
            if process.is_alive():
                process.terminate()
                process.join()


def _play(task: Task, playing: Playing, weights: Weights, seed: str, outward: Connection, stopped: Any) -> None:
    """Play until the learner stops it or is gone."""
    play = SelfPlay(task, playing, seed)
    network: ValueNetwork | None = None
    known = 0
    try:
        while not stopped.value:
            if weights.version != known:
                known = weights.version
                network = ValueNetwork(play.game, play.fresh, weights.arrays())
            play.step(network, weights.progress)
            if len(play.rows) >= playing.sent:
                outward.send_bytes(play.message())
    except (BrokenPipeError, ConnectionResetError):
        return
