"""`omnibus analyse`: what each decision of a finished game was worth."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid
from rich.text import Text

from omnibus.bots import checked_seconds
from omnibus.cli.console import console, language, seat_names
from omnibus.cli.parameters import Jobs, Language, Ray, RecordFile, jobs_or_one, naming, read_match
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import COMMON_TEXTS, mark, words
from omnibus.kernel.match import Match
from omnibus.lab.analysis.accounts import ACCOUNT_HELP, INSTEAD, accounts, entries, moments
from omnibus.lab.analysis.document import LATER, Alternative, Analysis, Decision
from omnibus.lab.analysis.grades import ERRORS, GRADES, accuracies, grade
from omnibus.lab.analysis.runner import SECONDS, NotOver
from omnibus.lab.analysis.runner import analyse as analyse_record
from omnibus.lab.analysis.saved import load as load_analysis
from omnibus.lab.analysis.saved import saved

QUALITY: Final = (
    mark("player"),
    mark("accuracy"),
    *(GRADES[name] for name in ERRORS),
)
ACCOUNT: Final = (
    mark("player"),
    mark("start"),
    mark("luck"),
    mark("own errors"),
    mark("others’ errors"),
    mark("unexplained"),
    mark("result"),
)
INDENT: Final = 6
"""The lines told of a decision begin here, after the ply."""


def analyse(
    file: RecordFile,
    seconds: Annotated[float, typer.Option(help="Thinking time per decision.")] = SECONDS,
    jobs: Jobs = None,
    ray: Ray = None,
    keep: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the analysis here; run the same command again to resume."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save the whole analysis as JSON, like those a server exports."),
    ] = None,
    load: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Show a saved analysis, or one from a server, instead of making one."),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="List every decision, not only the moments that decided.")
    ] = False,
    lang: Language = None,
) -> None:
    """Analyse a finished game: errors, accuracy, luck and skill, and the moments that decided it."""
    checked_seconds(seconds)
    match = read_match(file, None, lang)
    out = console(match.game)
    told = words(lang or language(), match.game.folder, COMMON_TEXTS)
    if save is not None:
        _check_writable(save)
    if load is not None:
        with naming(load, lang):
            found = load_analysis(load.read_bytes(), match)
    else:
        found = _made(file, match, seconds=seconds, jobs=jobs, ray=ray, keep=keep, lang=lang, out=out)
    if save is not None:
        save.write_bytes(saved(found))
    _report(found, match, told, out, every=every)


def _check_writable(file: Path) -> None:
    """Check that a file can be written, and leave it as it is; OSError."""
    new = not file.exists()
    file.open("ab").close()
    if new:
        file.unlink()


def _made(
    file: Path,
    match: Match,
    *,
    seconds: float,
    jobs: int | None,
    ray: str | None,
    keep: Path | None,
    lang: str | None,
    out: Console,
) -> Analysis:
    """Analyse a record, and show how far it is."""
    with naming(file, lang):
        if match.outcome is None:
            raise NotOver
    bar = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*bar, console=out, transient=True, disable=not out.is_terminal) as progress:
        task = progress.add_task(match.game.title, total=None)
        return analyse_record(
            file.read_text(encoding="utf-8"),
            seconds=seconds,
            jobs=jobs_or_one(jobs, ray),
            ray=ray,
            keep=keep,
            tick=lambda done, total: progress.update(task, completed=done, total=total),
        )


def _report(found: Analysis, match: Match, told: Words, out: Console, *, every: bool) -> None:
    names = match.names or seat_names(match.seats, told)
    out.print(_quality(found, names, told))
    out.print()
    out.print(_accounts(found, names, told))
    out.print(Text(told.gettext(ACCOUNT_HELP), "section"))
    out.print()
    shown = found.decisions if every else moments(found.decisions)
    if not every:
        heading = mark("The moments that decided the game") if shown else mark("No decision was a clear mistake.")
        out.print(Text(told.gettext(heading), "bold"))
    for decision in shown:
        moment = _moment(decision, match, names, told).wrap(out, out.width - INDENT)
        out.print(Text.assemble((f"{decision.ply:>4}  ", "section"), Text("\n" + " " * INDENT).join(moment)))


def _quality(found: Analysis, names: Sequence[str], told: Words) -> Grid:
    """Return a row for each player: accuracy and numbers of errors."""
    grid = _grid(QUALITY, told)
    for seat, accurate in enumerate(accuracies(found.decisions, found.seats)):
        own = [grade(each) for each in found.decisions if each.seat == seat]
        counts = [str(own.count(name)) for name in ERRORS]
        grid.add_row(
            Text(names[seat], f"seat{seat}"), "–" if accurate is None else _percent(accurate / 100, told), *counts
        )
    return grid


def _accounts(found: Analysis, names: Sequence[str], told: Words) -> Grid:
    """Return a row for each player: where the result came from, in points."""
    grid = _grid(ACCOUNT, told)
    for seat, account in enumerate(accounts(found)):
        grid.add_row(Text(names[seat], f"seat{seat}"), *entries(account))
    return grid


def _grid(heads: Sequence[str], told: Words) -> Grid:
    grid = Grid(*(told.gettext(head) for head in heads), box=None, pad_edge=False)
    for column in grid.columns[1:]:
        column.justify = "right"
    return grid


def _moment(decision: Decision, match: Match, names: Sequence[str], told: Words) -> Text:
    """Tell what was played at a decision, what was better, and why."""
    view = match.game.view(match.states[decision.ply], decision.seat)
    text = Text.assemble(
        (names[decision.seat], f"seat{decision.seat}"), f": {match.game.label(view, decision.line, told)}"
    )
    if found := grade(decision):
        text.append(f" – {told.gettext(GRADES[found])}", "bold")
    if round(100 * decision.loss):
        text.append("\n" + _lost(decision, names, told), "section")
        better = next(each for each in decision.alternatives if each.line == decision.best)
        label = match.game.label(view, better.line, told)
        text.append("\n" + told.gettext("better: {line}").format(line=label) + _why(better, told))
    return text


def _lost(decision: Decision, names: Sequence[str], told: Words) -> str:
    """Say what a decision did to the chance of its player, and how sure that is."""
    seat = decision.seat
    best, left = (_percent(shares[seat], told) for shares in (decision.before, decision.after))
    said = told.gettext(INSTEAD).format(player=names[seat], after=left, before=best)
    return f"{said} (± {100 * decision.error:.0f})"


def _percent(share: float, told: Words) -> str:
    return told.gettext("{percent}%").format(percent=round(100 * share))


def _why(line: Alternative, told: Words) -> str:
    reasons = "; ".join(told.gettext(reason) for reason in line.reasons)
    later = f"{told.gettext(LATER)} " if line.later else ""
    return f" ({later}{reasons})" if reasons else ""
