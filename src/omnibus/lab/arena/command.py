"""What `omnibus arena` does: check its arguments, run the contest, report the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from omnibus import games as catalogue
from omnibus.lab.arena.contestants import contestant, program
from omnibus.lab.arena.report import report, running
from omnibus.lab.arena.results_log import ResultsLog
from omnibus.lab.arena.runner import BotError, contest, run
from omnibus.lab.arena.standings import ContestResults
from omnibus.lab.arena.statistics import sequential_test
from omnibus.lab.errors import WorkerDied
from omnibus.lab.external_bot import check_command

INTERRUPTED: Final = 130
REFRESH: Final = 0.5
"""Seconds between two updates of the shares: summing them up can take longer than a game."""


def run_arena(
    game: str,
    names: Sequence[str],
    commands: Sequence[str],
    games: int,
    *,
    seats: int | None,
    options: Mapping[str, Any],
    seconds: float | None,
    simulations: int | None,
    jobs: int | None,
    ray: str | None = None,
    seed: int,
    sprt: str | None,
    keep: Path | None,
    out: Console,
) -> int:
    """Run a contest and report on it; return the exit code."""
    programs = [program(command, seconds, simulations) for command in commands]
    new_contest = contest(
        game,
        [*programs, *(contestant(name, seconds, simulations) for name in names)],
        seats=seats,
        options=options,
        seed=seed,
    )
    results = ContestResults(new_contest, new_contest.schedule.games(games), sequential_test(sprt) if sprt else None)
    for command in commands:
        check_command(command)
    log = ResultsLog(keep, new_contest) if keep else None
    if results.total != games:
        out.print(f"{games:,} games are rounded up to {results.total:,}: whole rounds of {new_contest.schedule.size}")
    if log and log.played:
        out.print(Text(f"{len(log.played):,} games are already in {keep}"))
    return _run(results, log, jobs, ray, out)


def _run(results: ContestResults, log: ResultsLog | None, jobs: int | None, ray: str | None, out: Console) -> int:
    try:
        with _progress(out) as progress:
            run(results, jobs=jobs, ray=ray, log=log, tick=_tick(results, progress))
    except (KeyboardInterrupt, WorkerDied) as stop:
        out.print(report(results))
        out.print(Text(" ".join([*(f"{word}." for word in stop.args), _how_to_resume(results, log)]), "bold"))
        return 1 if isinstance(stop, WorkerDied) else INTERRUPTED
    except BotError as failed:
        out.print(Text(failed.game.fault.rstrip()))
        out.print(Text(f"{failed}.", "bold"))
        return 1
    out.print(report(results))
    if log:
        out.print(Text(f"The records and results are in {log.folder}."))
    return 0


def _progress(out: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(
        *columns, TextColumn("{task.fields[shares]}"), console=out, transient=True, disable=not out.is_terminal
    )


def _tick(results: ContestResults, progress: Progress) -> Callable[[], None]:
    task = progress.add_task(catalogue.find(results.contest.game).title, total=results.total, shares="")
    updated = 0.0

    def tick() -> None:
        nonlocal updated
        progress.update(task, completed=len(results.played))
        if monotonic() - updated > REFRESH:
            progress.update(task, shares=running(results))
            updated = monotonic()

    return tick


def _how_to_resume(results: ContestResults, log: ResultsLog | None) -> str:
    done = f"Stopped after {len(results.played):,} of {results.total:,} games"
    if log is None:
        return f"{done}; nothing was kept (use --keep DIR to be able to resume)."
    return f"{done}; they are in {log.folder}. Run the same command again to resume."
