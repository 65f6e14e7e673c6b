"""Running a contest: begin it or go on with it, in several processes, until all is played or decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from omnibus.kernel.match import Match
from omnibus.lab.arena.contest import Contest, Played
from omnibus.lab.arena.contestants import Contestant
from omnibus.lab.arena.processes import played
from omnibus.lab.arena.results_log import Journal, keep_fault
from omnibus.lab.arena.standings import Ledger


class Fault(Exception):
    """One of our own bots failed, or answered with an illegal line: a bug, with the record that shows it."""

    def __init__(self, game: Played, record: Path) -> None:
        super().__init__(f"game {game.number} was broken off by one of our own bots; its record is in {record}")
        self.game = game
        self.record = record


def contest(
    game: str,
    contestants: Sequence[Contestant],
    *,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
) -> Contest:
    """Return the contest between contestants as they were named, some perhaps twice; ValueError for what cannot be."""
    match = Match.new(game, seats=seats, options=options, dice=False)
    once = tuple(dict.fromkeys(contestants))
    made = Contest(game, match.seats, match.options, once, tuple(once.index(one) for one in contestants), seed)
    assert made.schedule.size
    return made


def run(
    ledger: Ledger,
    *,
    jobs: int = 1,
    journal: Journal | None = None,
    tick: Callable[[], None] = lambda: None,
) -> None:
    """Play what the ledger misses; `tick` is called after each game. Whatever stops it, the ledger has what is done.

    Games that stand in the journal are not played again.
    """
    if journal:
        for game in journal.played.values():
            ledger.add(game)
    tick()
    missing = [] if ledger.verdict else ledger.missing()
    folder = journal.folder if journal else None
    with closing(played(ledger.contest, missing, min(jobs, len(missing) or 1), folder)) as games:
        for game in games:
            if game.fault:
                raise Fault(game, keep_fault(folder or Path(), game))
            if journal:
                journal.add(game)
            ledger.add(game)
            tick()
            if ledger.verdict:
                break
