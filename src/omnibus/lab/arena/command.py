"""The command `omnibus arena`: reads what was typed, shows how it goes, and tells what came of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from omnibus import games as shelf
from omnibus.lab.arena.contestants import contestant, program
from omnibus.lab.arena.processes import Deserted
from omnibus.lab.arena.report import report, running
from omnibus.lab.arena.results_log import Journal
from omnibus.lab.arena.runner import Fault, contest, run
from omnibus.lab.arena.standings import Ledger
from omnibus.lab.arena.statistics import trial
from omnibus.lab.external_bot import rehearse

INTERRUPTED: Final = 130
OFTEN: Final = 0.5
"""Seconds between two looks at the shares: to sum them up takes longer than a quick game."""


def hold_contest(
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
    seed: int,
    sprt: str | None,
    keep: Path | None,
    out: Console,
) -> int:
    """Hold a contest and tell about it; return the exit code."""
    programs = [program(command, seconds, simulations) for command in commands]
    held = contest(
        game,
        [*programs, *(contestant(name, seconds, simulations) for name in names)],
        seats=seats,
        options=options,
        seed=seed,
    )
    ledger = Ledger(held, held.schedule.games(games), trial(sprt) if sprt else None)
    for command in commands:
        rehearse(command)
    journal = Journal(keep, held) if keep else None
    if ledger.total != games:
        out.print(f"{games:,} games are rounded up to {ledger.total:,}: whole rounds of {held.schedule.size}")
    if journal and journal.played:
        out.print(Text(f"{len(journal.played):,} games are in {keep} already"))
    return _hold(ledger, journal, jobs or os.cpu_count() or 1, out)


def _hold(ledger: Ledger, journal: Journal | None, jobs: int, out: Console) -> int:
    try:
        with _progress(out) as progress:
            run(ledger, jobs=jobs, journal=journal, tick=_tick(ledger, progress))
    except (KeyboardInterrupt, Deserted) as stop:
        out.print(report(ledger))
        out.print(Text(" ".join([*(f"{word}." for word in stop.args), _how_to_resume(ledger, journal)]), "bold"))
        return 1 if isinstance(stop, Deserted) else INTERRUPTED
    except Fault as fault:
        out.print(Text(fault.game.fault.rstrip()))
        out.print(Text(f"{fault}.", "bold"))
        return 1
    out.print(report(ledger))
    if journal:
        out.print(Text(f"The records and the journal are in {journal.folder}."))
    return 0


def _progress(out: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(
        *columns, TextColumn("{task.fields[shares]}"), console=out, transient=True, disable=not out.is_terminal
    )


def _tick(ledger: Ledger, progress: Progress) -> Callable[[], None]:
    task = progress.add_task(shelf.find(ledger.contest.game).title, total=ledger.total, shares="")
    looked = 0.0

    def tick() -> None:
        nonlocal looked
        progress.update(task, completed=len(ledger.played))
        if monotonic() - looked > OFTEN:
            progress.update(task, shares=running(ledger))
            looked = monotonic()

    return tick


def _how_to_resume(ledger: Ledger, journal: Journal | None) -> str:
    done = f"Stopped after {len(ledger.played):,} of {ledger.total:,} games"
    if journal is None:
        return f"{done}; nothing of it was kept (with --keep DIR it could go on later)."
    return f"{done}; they are in {journal.folder}, and the same command again goes on from there."
