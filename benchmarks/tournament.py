"""Measure how fast rounds are paired, and play tournaments of every format on a server from start to end.

`python3 dev.py bench --tournament`; `--entrants 8 --rounds 1 --seconds 10 --formats swiss` makes it short.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import time
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, get_args

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
from omnibus.tournaments.tournament import Tournament, TournamentFormat, next_round

LOOK_S: Final = 0.05  # between two looks for tables that have opened


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

    async def play(self, setup: TournamentSetup) -> TournamentState:
        """Play a tournament to its end."""
        store, owner = self.service.store, User(self.entered[0], "")
        id_ = await store.add(f"{setup.game} {setup.format}", owner.id, setup)
        for user in self.entered:
            await store.enter(id_, user, ("open",), len(self.entered))
        await self.service.start(owner, id_)
        tables: dict[str, asyncio.Task[None]] = {}
        while (state := await self.service.state(id_)).row.status == "live":
            for pairing in state.unfinished:
                if pairing.opened and pairing.table not in tables:
                    tables[pairing.table] = asyncio.create_task(self.play_table(pairing.table))
            await asyncio.sleep(LOOK_S)
        await asyncio.gather(*tables.values())
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


async def play_all(asked: argparse.Namespace) -> None:
    """Play a tournament of every format in every game, and print a row for each."""
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
                state = await bench.play(setup)
                print(row(state, max(pairings.seconds), time.perf_counter() - began), flush=True)
        running.cancel()
        await bench.registry.close()
        await bot_pool.close()
        await database.aclose()


def row(state: TournamentState, slowest: float, seconds: float) -> str:
    """Describe a tournament that was played as a row of a table."""
    setup, rounds = state.setup, "" if state.is_arena else str(len(state.rounds))
    tables = "pairs" if setup.size == 2 else f"pods of {setup.size}"
    return (
        f"| {setup.game}, {setup.format}, {tables} | {len(state.entrants)} | {rounds} | {len(state.pairings)} | "
        f"{slowest * 1000:.0f} ms | {longest_wait(state):.1f} s | {seconds:.0f} s |"
    )


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entrants", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3, help="of a Swiss tournament")
    parser.add_argument("--seconds", type=float, default=60.0, help="the length of an arena")
    parser.add_argument("--level", default="easy")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--games", nargs="*", choices=games.names())
    parser.add_argument("--formats", nargs="*", choices=get_args(TournamentFormat))
    asked = parser.parse_args()
    print("| pairing | entrants | rounds | slowest round |\n|---|---|---|---|")
    for title, tournament, entrants, rounds in (
        ("Swiss", Tournament("swiss", rounds=12), 1000, 12),
        ("Swiss", Tournament("swiss", rounds=100), 200, 100),
        ("pods of 4", Tournament("swiss", 4, 3, 5, rounds=6), 200, 6),
    ):
        slowest = max(pairing_times(tournament, entrants, rounds))
        print(f"| {title} | {entrants} | {rounds} | {slowest * 1000:.0f} ms |", flush=True)
    print("\n| tournament | entrants | rounds | tables | slowest pairing | longest wait | whole |")
    print("|---|---|---|---|---|---|---|")
    asyncio.run(play_all(asked))


if __name__ == "__main__":
    main()
