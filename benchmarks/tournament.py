"""Measure how fast rounds are paired, and play tournaments of every format on a server from start to end.

`python3 dev.py bench --tournament` plays every format in every game; `--entrants 8 --seconds 10 --formats swiss` makes
it short. The tables are printed as they grow, and written to a file with `--out FILE`.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, get_args

from rich.console import Console
from rich.progress import Progress, TaskID

from omnibus import games
from omnibus.bots import bot
from omnibus.kernel.dice import Dice
from omnibus.kernel.game import Document
from omnibus.lab.game_loop import GameLoop
from omnibus.server.people.name_folding import folded
from omnibus.server.store.models import TimeControl, User
from omnibus.server.store.sqlite import FILE_NAME, SqliteDatabase
from omnibus.server.store.tournaments import TournamentSetup
from omnibus.server.tables import actions
from omnibus.server.tables.bot_pool import BotPool
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tournaments.service import TournamentService
from omnibus.server.tournaments.state import TournamentState
from omnibus.tournaments.results import RoundResult, TableResult
from omnibus.tournaments.tournament import Tournament, TournamentFormat, next_round, rounds_of

LOOK_S: Final = 0.1  # between two looks for tables that have opened
SAY_S: Final = 15.0  # between two lines about the progress, where there is no terminal for a bar
LIMIT_S: Final = 900.0  # for a tournament: longer, and something has gone wrong


def names(count: int) -> list[str]:
    """Return the names of so many entrants."""
    return [f"entrant {number}" for number in range(1, count + 1)]


def pairing_times(tournament: Tournament, entrants: int, rounds: int) -> list[float]:
    """Return how much processor time each round took to pair, with results drawn at random."""
    random, results, times = Random(0), list[RoundResult](), []
    everybody = names(entrants)
    for _ in range(rounds):
        began = time.process_time()
        each = next_round(tournament, everybody, everybody, results)
        times.append(time.process_time() - began)
        assert each is not None
        results.append(RoundResult(tuple(drawn(table, random) for table in each.tables), each.byes))
    return times


def drawn(table: Sequence[str], random: Random) -> TableResult:
    """Return a result drawn at random."""
    return TableResult(tuple(table), tuple(random.sample(range(1, len(table) + 1), len(table))))


def decisions(game: str, level: str, seats: int, seed: int) -> list[str]:
    """Play a game between bots with the dice of a table, and return what they decided."""
    engine, lines = games.find(game), list[str]()
    options = {name: option.default for name, option in engine.options.items()}
    loop = GameLoop(engine, engine.setup(seats, options), Dice(seed))
    bots = [bot(level, engine, seed=(seed + seat) % 2**32) for seat in range(seats)]

    def noted(view: Document) -> str:
        lines.append(bots[loop.state.actor](view))
        return lines[-1]

    loop.play([noted] * seats)
    return lines


class Pairings(logging.Handler):
    """Notes how long pairings took, from the log of the server."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: list[float] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Note the time of a round."""
        self.seconds.append(getattr(record, "seconds", 0.0))


class Report:
    """Prints what was measured, also into a file, and shows how far a tournament is."""

    def __init__(self, path: str) -> None:
        self._path = Path(path) if path else None
        if self._path:
            self._path.write_text("", encoding="utf-8")
        self._console = Console(stderr=True)

    def line(self, text: str) -> None:
        """Print a line of a table."""
        print(text, flush=True)
        if self._path:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(text + "\n")

    @contextmanager
    def progress(self, title: str) -> Iterator[Watcher]:
        """Show a bar, or a line now and then, as long as a tournament is played."""
        with Progress(console=self._console, transient=True, disable=not self._console.is_terminal) as bar:
            yield Watcher(title, bar, bar.add_task(title, total=1.0))


class Watcher:
    """Shows how far one tournament is."""

    def __init__(self, title: str, bar: Progress, task: TaskID) -> None:
        self._title = title
        self._bar = bar
        self._task = task
        self._began = self._said = time.monotonic()

    def show(self, state: TournamentState) -> None:
        """Show how far a tournament is: by the time of an arena, by the tables of a round otherwise."""
        seconds = time.monotonic() - self._began
        part = min(1.0, seconds / state.setup.time_limit) if state.is_arena else rounds_played(state)
        self._bar.update(self._task, completed=part)
        if self._bar.disable and time.monotonic() - self._said > SAY_S:
            self._said = time.monotonic()
            tables = f"{len(state.pairings) - len(state.unfinished)} tables"
            print(f"{self._title}: {part:.0%}, {tables} in {seconds:.0f} s", file=sys.stderr, flush=True)


def rounds_played(state: TournamentState) -> float:
    """Return the part of all rounds that has been played."""
    rounds = rounds_of(state.tournament, len(state.entrants)) or 1
    now = state.tables(len(state.rounds))
    left = len(state.unfinished) / len(now) if now else 0.0
    return min(1.0, (len(state.rounds) - left) / rounds)


class Bench:
    """A server without a port on which tournaments are played, by bots in other processes."""

    def __init__(self, registry: TableRegistry, executor: Executor, level: str) -> None:
        self.registry = registry
        self.service = TournamentService(registry)
        self.executor = executor
        self.level = level
        self.entered: list[str] = []

    async def enter(self, count: int) -> None:
        """Make so many users with claimed names."""
        for name in names(count):
            user, _ = await self.registry.user_store.add_user(name)
            await self.registry.rating_service.claims.claim(user.id, name, folded(name))
            self.entered.append(user.id)

    async def play(self, setup: TournamentSetup, watcher: Watcher) -> TournamentState:
        """Play a tournament to its end; whatever goes wrong at a table ends it at once."""
        store, owner = self.service.store, User(self.entered[0], "")
        id_ = await store.add(f"{setup.game} {setup.format}", owner.id, setup)
        for user in self.entered:
            await store.enter(id_, user, ("open",), len(self.entered))
        await self.service.start(owner, id_)
        begun = set[str]()
        try:
            async with asyncio.timeout(LIMIT_S), asyncio.TaskGroup() as tables:
                while (state := await self.service.state(id_)).row.status == "live":
                    for pairing in state.unfinished:
                        if pairing.opened and pairing.table not in begun:
                            begun.add(pairing.table)
                            tables.create_task(self.play_table(pairing.table))
                    watcher.show(state)
                    await asyncio.sleep(LOOK_S)
        finally:
            await store.cancel(id_)  # if something went wrong
        return state

    async def play_table(self, id_: str) -> None:
        """Play a table through the actions that people use."""
        table = await self.registry.table(id_)
        asked = (table.setup.game, self.level, table.setup.seats, table.setup.seed)
        for line in await asyncio.get_running_loop().run_in_executor(self.executor, decisions, *asked):
            assert table.actor is not None
            await actions.play(self.registry, table, table.actor, line, table.event)


def setup_of(game: str, format_: TournamentFormat, asked: argparse.Namespace) -> TournamentSetup | None:
    """Return a tournament of a game, at tables of two or in pods; None where there is none of this format."""
    seats = games.find(game).seats
    size = 2 if 2 in seats else 4
    if format_ == "round_robin" and size > 2:
        return None
    clock = TimeControl(bank=3600.0) if format_ == "arena" else None
    limit = asked.seconds if format_ == "arena" else 24 * 3600.0
    rounds = asked.rounds if format_ == "swiss" else 0
    return TournamentSetup(game, games.find(game).version, {}, format_, size, rounds, limit, clock)


def longest_wait(state: TournamentState) -> float:
    """Return the longest time between the end of somebody's table and the opening of their next one."""
    ended: dict[str, float] = {}
    longest = 0.0
    for pairing in state.pairings:
        for user in pairing.players:
            longest = max(longest, pairing.opened - ended.get(user, pairing.opened))
            ended[user] = pairing.ended
    return longest


async def play_all(asked: argparse.Namespace, report: Report) -> bool:
    """Play a tournament of every format in every game, and print a row for each; tell whether all went well."""
    well = True
    pairings = Pairings()
    logging.getLogger("omnibus.tournaments").addHandler(pairings)
    logging.getLogger("omnibus.tournaments").setLevel(logging.INFO)
    with TemporaryDirectory() as folder, ProcessPoolExecutor(asked.jobs, get_context("spawn")) as executor:
        database, bot_pool = SqliteDatabase(Path(folder) / FILE_NAME), BotPool(1)
        await database.connect()
        bench = Bench(TableRegistry(database, bot_pool), executor, asked.level)
        running = asyncio.create_task(bench.service.runner.keep_running())
        await bench.enter(asked.entrants)
        for game, format_ in product(asked.games or games.names(), asked.formats or get_args(TournamentFormat)):
            setup = setup_of(game, format_, asked)
            if setup is not None:
                pairings.seconds.clear()
                began = time.perf_counter()
                try:
                    with report.progress(f"{game}, {format_}") as watcher:
                        state = await bench.play(setup, watcher)
                except Exception as error:  # the others are played all the same
                    report.line(f"| {game}, {format_} | failed after {time.perf_counter() - began:.0f} s: {error!r} |")
                    well = False
                else:
                    report.line(row(state, max(pairings.seconds), time.perf_counter() - began))
        running.cancel()
        await bench.registry.close()
        await bot_pool.close()
        await database.aclose()
    return well


def row(state: TournamentState, slowest: float, seconds: float) -> str:
    """Describe a tournament that was played as a row of a table."""
    setup, rounds = state.setup, "" if state.is_arena else str(len(state.rounds))
    tables = "pairs" if setup.size == 2 else f"pods of {setup.size}"
    return (
        f"| {setup.game}, {setup.format}, {tables} | {len(state.entrants)} | {rounds} | {len(state.pairings)} | "
        f"{slowest * 1000:.0f} ms | {longest_wait(state):.1f} s | {seconds:.0f} s |"
    )


def main() -> None:
    """Print both tables, and how long it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entrants", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=0, help="of a Swiss tournament; 0: as many as it takes")
    parser.add_argument("--seconds", type=float, default=30.0, help="the length of an arena")
    parser.add_argument("--level", default="easy")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--games", nargs="*", choices=games.names())
    parser.add_argument("--formats", nargs="*", choices=get_args(TournamentFormat))
    parser.add_argument("--out", default="", help="a file to write the tables to")
    asked = parser.parse_args()
    report, began = Report(asked.out), time.perf_counter()
    report.line("| pairing | entrants | rounds | slowest round |\n|---|---|---|---|")
    for title, tournament, entrants, rounds in (
        ("Swiss", Tournament("swiss", rounds=12), 1000, 12),
        ("Swiss", Tournament("swiss", rounds=100), 200, 100),
        ("pods of 4", Tournament("swiss", 4, 3, 5, rounds=6), 200, 6),
    ):
        slowest = max(pairing_times(tournament, entrants, rounds))
        report.line(f"| {title} | {entrants} | {rounds} | {slowest * 1000:.0f} ms |")
    report.line("\n| tournament | entrants | rounds | tables | slowest pairing | longest wait | whole |")
    report.line("|---|---|---|---|---|---|---|")
    well = asyncio.run(play_all(asked, report))
    report.line(f"\nAll of it took {time.perf_counter() - began:.0f} s.")
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
