"""Run a contest, or resume it, in processes or on Ray, until all games are played or the test has decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from omnibus.bots import check_level
from omnibus.kernel.match import Match
from omnibus.lab.arena.contest import Contest, GameResult, play_game
from omnibus.lab.arena.contestants import Contestant
from omnibus.lab.arena.results_log import ResultsLog, keep_fault
from omnibus.lab.arena.standings import ContestResults
from omnibus.lab.processes import spread


class BotError(Exception):
    """A built-in bot raised an error or answered with an illegal line: a bug, with the record that shows it."""

    def __init__(self, game: GameResult, record: Path) -> None:
        super().__init__(f"game {game.number} was stopped by an error in a built-in bot; its record is in {record}")
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
    """Return the contest between contestants, of which one may be named twice; ValueError if it is not possible."""
    match = Match.new(game, seats=seats, options=options, dice=False)
    for one in contestants:
        if one.level:
            check_level(one.level, match.game, match.state)
    once = tuple(dict.fromkeys(contestants))
    made = Contest(game, match.seats, match.options, once, tuple(once.index(one) for one in contestants), seed)
    assert made.schedule.size
    return made


def run(
    results: ContestResults,
    *,
    jobs: int | None = 1,
    ray: str | None = None,
    log: ResultsLog | None = None,
    tick: Callable[[], None] = lambda: None,
) -> None:
    """Play the games missing from the results, and call `tick` after each.

    Games in the log are not played again. Whatever interrupts the run, the results hold the games finished so far.
    `jobs` and `ray` are those of `spread`.
    """
    if log:
        for game in log.played.values():
            results.add(game)
    tick()
    missing = [] if results.verdict else results.missing()
    folder = log.folder if log else None
    play = partial(play_game, results.contest, folder=None if ray else folder)  # another machine has no such folder
    with closing(spread(play, missing, jobs, ray=ray)) as games:
        for game in games:
            if game.fault:
                raise BotError(game, keep_fault(folder or Path(), game))
            if log:
                log.add(game)
            results.add(game)
            tick()
            if results.verdict:
                break
