"""Measure how fast rounds are paired, and play tournaments between bots from the first round to the last.

`python3 dev.py bench --tournament`; `--entrants 8 --rounds 1` makes it short.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from omnibus import games
from omnibus.bots import bot
from omnibus.kernel.dice import Dice
from omnibus.lab.game_loop import GameLoop
from omnibus.lab.processes import spread
from omnibus.ratings.ranks import ranks
from omnibus.tournaments.results import RoundResult, TableResult
from omnibus.tournaments.tournament import Round, Tournament, next_round, places


class PlayedTable(NamedTuple):
    """A table that was played, and when it ended."""

    result: TableResult
    ended: float


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


def play_table(game: str, level: str, seed: int, table: tuple[str, ...]) -> PlayedTable:
    """Play a table to its end."""
    engine = games.find(game)
    options = {name: option.default for name, option in engine.options.items()}
    loop = GameLoop(engine, engine.setup(len(table), options), Dice(seed))
    loop.play([bot(level, engine, seed=seed + seat) for seat in range(len(table))])
    outcome = engine.outcome(loop.state)
    assert outcome is not None
    return PlayedTable(TableResult(table, tuple(ranks(outcome))), time.time())


def play_round(game: str, level: str, number: int, each: Round, jobs: int) -> list[PlayedTable]:
    """Play all tables of a round."""
    return list(spread(partial(play_table, game, level, 1000 * number), each.tables, jobs))


def play_tournament(game: str, level: str, entrants: int, rounds: int, jobs: int) -> str:
    """Play a Swiss tournament of a game, at tables of two or in pods, and describe it as a row of a table."""
    seats = games.find(game).seats
    size = 2 if 2 in seats else 4
    tournament = Tournament("swiss", size, min(size, *seats) if size > 2 else 2, max(seats) if size > 2 else 2, rounds)
    results, waits, pairing, tables = list[RoundResult](), list[float](), list[float](), 0
    ended: dict[str, float] = {}
    began = time.time()
    while True:
        start = time.perf_counter()
        each = next_round(tournament, names(entrants), names(entrants), results)
        pairing.append(time.perf_counter() - start)
        if each is None:
            break
        waits += [time.time() - at for at in ended.values()]
        played = play_round(game, level, len(results), each, jobs)
        ended = {player: table.ended for table in played for player in table.result.players}
        tables += len(played)
        results.append(RoundResult(tuple(table.result for table in played), each.byes))
    winner = places(tournament, names(entrants), results)[0][1]
    return (
        f"| {game}, {'pairs' if size == 2 else f'pods of {size}'} | {entrants} | {len(results)} | {tables} | "
        f"{max(pairing) * 1000:.1f} ms | {max(waits, default=0.0):.1f} s | {time.time() - began:.0f} s | {winner} |"
    )


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entrants", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--level", default="easy")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    print("| pairing | entrants | rounds | slowest round |\n|---|---|---|---|")
    for title, tournament, entrants, rounds in (
        ("Swiss", Tournament("swiss", rounds=12), 1000, 12),
        ("Swiss", Tournament("swiss", rounds=100), 200, 100),
        ("pods of 4", Tournament("swiss", 4, 3, 5, rounds=6), 200, 6),
    ):
        slowest = max(pairing_times(tournament, entrants, rounds))
        print(f"| {title} | {entrants} | {rounds} | {slowest * 1000:.0f} ms |", flush=True)
    print("\n| tournament | entrants | rounds | tables | slowest pairing | longest wait | whole | winner |")
    print("|---|---|---|---|---|---|---|---|")
    for game in games.names():
        print(play_tournament(game, asked.level, asked.entrants, asked.rounds, asked.jobs), flush=True)


if __name__ == "__main__":
    main()
