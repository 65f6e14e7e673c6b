"""The commands `omnibus admin`: for whoever looks after a house, also while it runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid
from rich.text import Text

from omnibus.cli.terminal import console
from omnibus.kernel.i18n import ENGLISH

if TYPE_CHECKING:
    from omnibus.server.store.models import Erased, UserRow

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Look after a house, also while it runs.")

Data = Annotated[Path | None, typer.Option("--data", metavar="DIR", help="where the house keeps its tables")]

UNITS: Final = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))


class Standing(StrEnum):
    """What tables are asked for."""

    OPEN = "open"
    LIVE = "live"
    OVER = "over"
    CLOSED = "closed"


@app.command()
def tables(
    data: Data = None,
    standing: Annotated[Standing | None, typer.Option(help="only those that are this [default: all]")] = None,
) -> None:
    """List the tables, the latest first."""
    from omnibus.server.store.maintenance import opened
    from omnibus.server.store.tables import TableStore
    from omnibus.server.tables.table import names_of

    grid = Grid("table", "game", "standing", "people", "events", "idle", "age", box=None, pad_edge=False)
    with closing(opened(data)) as store:
        entries = TableStore(store).all_entries(standing.value if standing else None)
    for entry, last in entries:
        setting = entry.setting
        names = names_of(setting.sitters, ENGLISH)
        people = [
            "free" if at.free else name if at.user else "bot" for at, name in zip(setting.sitters, names, strict=True)
        ]
        ages = _ago(entry.updated), _ago(setting.created)
        grid.add_row(*map(Text, (setting.id, setting.game, entry.standing, ", ".join(people), str(last), *ages)))
    out = _wide()
    out.print(grid)
    out.print(_count(len(entries), "table"))


@app.command()
def users(
    data: Data = None,
    name: Annotated[str, typer.Option(help="whose name, here or at a table, holds this [default: any]")] = "",
    table: Annotated[str, typer.Option(metavar="TABLE", help="who sit at this table [default: any]")] = "",
) -> None:
    """Find users, who was here last first: what there is of them, and the id that `texts` takes."""
    from omnibus.server.store.maintenance import opened
    from omnibus.server.store.users import UserStore

    grid = Grid("user", "name", "tables", "chat lines", "records", "seen", "age", box=None, pad_edge=False)
    with closing(opened(data)) as store:
        found = UserStore(store).listed(name=name, table=table)
    for user in found:
        amounts = str(user.tables), str(user.sayings), str(user.records)
        grid.add_row(*map(Text, (user.id, user.name, *amounts, _ago(user.seen), _ago(user.created))))
    out = _wide()
    out.print(grid)
    out.print(_count(len(found), "user"))


@app.command(context_settings={"ignore_unknown_options": True})  # an id may begin with a dash
def texts(
    user: Annotated[str, typer.Argument(metavar="USER", help="the id, as `omnibus admin users` shows it")],
    data: Data = None,
    yes: Annotated[bool, typer.Option("--yes", help="do not ask")] = False,
) -> None:
    """Remove what a user has written: names, chat lines, uploaded records. The games stay."""
    from omnibus.server.store.maintenance import opened
    from omnibus.server.store.tables import TableStore
    from omnibus.server.store.users import UserStore

    with closing(opened(data)) as store:
        found = UserStore(store).listed(user=user) if user else []
        if not found:
            raise ValueError(f"there is no user {user!r}; `omnibus admin users` finds them")
        if not yes:
            typer.confirm(_question(found[0]), abort=True)
        removed = asyncio.run(TableStore(store).remove_texts(user))
    typer.echo(_told(removed))


def _question(user: UserRow) -> str:
    called = f" ({user.name})" if user.name else ""
    said, kept = _count(user.sayings, "chat line"), _count(user.records, "record")
    return f"Remove the name of {user.id}{called}, also at {_count(user.tables, 'table')}, {said} and {kept} for ever?"


def _told(removed: Erased) -> str:
    names, seats = _count(removed.names, "name"), _count(removed.seats, "name of a seat", "names of seats")
    return f"Removed: {names}, {seats}, {_count(removed.sayings, 'chat line')}, {_count(removed.records, 'record')}."


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="the backup; it must not be there yet")],
    data: Data = None,
) -> None:
    """Write a backup of everything, as it is at this moment."""
    from omnibus.server.store.maintenance import backed_up

    with _bar("Backing up") as progress:
        size = backed_up(data, file, progress)
    typer.echo(f"{file}: {size / 1_000_000:,.1f} MB")


@app.command()
def check(data: Data = None) -> None:
    """Look whether everything kept can be read and adds up; exit code 1 when something does not."""
    from omnibus.server.store.maintenance import checked, opened

    with closing(opened(data)) as store, _bar("Checking tables") as progress:
        report = checked(store, progress)
    for table in report.frozen:
        typer.echo(f"frozen, and kept as it is: {table}")
    for fault in report.faults:
        typer.echo(f"wrong: {fault}")
    looked_at = f"{_count(report.tables, 'table')}, {_count(report.events, 'event')}, {len(report.frozen):,} frozen"
    typer.echo(f"{looked_at}: {'something is wrong' if report.faults else 'all is well'}.")
    raise typer.Exit(1 if report.faults else 0)


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show how far something has come."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    out = Console(stderr=True)
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def _wide() -> Console:
    """Where nobody looks, lines are as long as they need to be, for other programs to read."""
    out = console()
    return out if out.is_terminal else Console(highlight=False, width=1000)


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _ago(at: float) -> str:
    """Say how long ago something was, in the largest unit that fits."""
    seconds = max(0, int(time.time() - at))
    size, unit = next((pair for pair in UNITS if seconds >= pair[0]), UNITS[-1])
    return f"{seconds // size} {unit}"
