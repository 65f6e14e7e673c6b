"""The commands `omnibus admin`: maintain a server, even while it is running."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import aclosing, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid
from rich.text import Text

from omnibus.cli.console import console
from omnibus.kernel.i18n import ENGLISH

if TYPE_CHECKING:
    from omnibus.server.store.database import Database
    from omnibus.server.store.models import Erased, UserRow

T = TypeVar("T")

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Maintain a server, even while it is running.")

Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="The server's data folder. [default: the user's data folder]"),
]

DatabaseUrl = Annotated[
    str,
    typer.Option(
        "--database",
        metavar="URL",
        envvar="OMNIBUS_DATABASE",
        help="The server's PostgreSQL database, instead of a data folder.",
        show_default=False,
    ),
]

TRACES: Final = (
    "Another program is reading the database, a backup perhaps, so traces of the texts are still in its write-ahead "
    "log. Run this command again when the other program has finished."
)
IDS: Final = {"ignore_unknown_options": True}  # an id may begin with a dash
UNITS: Final = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))


class TableState(StrEnum):
    """Which tables to list."""

    OPEN = "open"
    LIVE = "live"
    OVER = "over"
    CLOSED = "closed"


@app.command()
def tables(
    data: Data = None,
    database: DatabaseUrl = "",
    standing: Annotated[TableState | None, typer.Option(help="List only tables in this state. [default: all]")] = None,
) -> None:
    """List the tables, most recently used first."""
    from omnibus.server.store.tables import TableStore
    from omnibus.server.tables.names import names_of

    grid = Grid("table", "game", "standing", "people", "events", "idle", "age", box=None, pad_edge=False)
    entries = with_database(
        data, database, lambda store: TableStore(store).all_entries(standing.value if standing else None)
    )
    for entry, last in entries:
        setup = entry.setup
        names = names_of(setup, ENGLISH)
        people = [
            "free" if at.free else name if at.user else "bot" for at, name in zip(setup.sitters, names, strict=True)
        ]
        ages = ago(entry.updated), ago(setup.created)
        grid.add_row(*map(Text, (setup.id, setup.game, entry.standing, ", ".join(people), str(last), *ages)))
    out = wide()
    out.print(grid)
    out.print(count(len(entries), "table"))


@app.command()
def users(
    data: Data = None,
    database: DatabaseUrl = "",
    name: Annotated[str, typer.Option(help="Only users whose name contains this. [default: all]")] = "",
    table: Annotated[str, typer.Option(metavar="TABLE", help="Only players of this table. [default: all]")] = "",
) -> None:
    """List users, most recently seen first.

    The first column is the id that `erase-texts` takes.
    """
    from omnibus.server.store.users import UserStore

    grid = Grid("user", "name", "tables", "chat lines", "records", "seen", "age", box=None, pad_edge=False)
    found = with_database(data, database, lambda store: UserStore(store).listed(name=name, table=table))
    for user in found:
        amounts = str(user.tables), str(user.sayings), str(user.records)
        grid.add_row(*map(Text, (user.id, user.name, *amounts, ago(user.seen), ago(user.created))))
    out = wide()
    out.print(grid)
    out.print(count(len(found), "user"))


@app.command(context_settings=IDS)
def erase_texts(
    user: Annotated[str, typer.Argument(metavar="USER", help="The id, as shown by `omnibus admin users`.")],
    data: Data = None,
    database: DatabaseUrl = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Erase what a user has written.

    That is names, chat lines, uploaded records, and the addresses for notifications. The games are kept.
    """
    erased, gone = with_database(data, database, lambda store: _erase(store, user, ask=not yes))
    typer.echo(_report(erased))
    if not gone:
        typer.echo(TRACES, err=True)
        raise typer.Exit(1)


async def _erase(store: Database, user: str, *, ask: bool) -> tuple[Erased, bool]:
    """Erase the texts of a user, after a question; return what was erased, and whether all traces are gone."""
    from omnibus.server.store.erasing import remove_texts
    from omnibus.server.store.users import UserStore

    found = await UserStore(store).listed(user=user) if user else []
    if not found:
        raise ValueError(f"there is no user {user!r}; `omnibus admin users` lists them")
    if ask:
        typer.confirm(_question(found[0]), abort=True)
    return await remove_texts(store, user), await store.clean_up()


def _question(user: UserRow) -> str:
    named = f" ({user.name})" if user.name else ""
    lines, records = count(user.sayings, "chat line"), count(user.records, "record")
    tables = count(user.tables, "table")
    what = f"the name of {user.id}{named}, also at {tables}, {lines}, {records} and addresses for notifications"
    return f"Permanently erase {what}?"


def _report(erased: Erased) -> str:
    names, seats = count(erased.names, "name"), count(erased.seats, "name at a table", "names at tables")
    written = f"{count(erased.sayings, 'chat line')}, {count(erased.records, 'record')}"
    return f"Erased: {names}, {seats}, {written}, {count(erased.addresses, 'address', 'addresses')}."


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup file; it must not exist yet.")],
    data: Data = None,
    database: DatabaseUrl = "",
) -> None:
    """Back up the whole database, also one in PostgreSQL, into a SQLite file."""
    from omnibus.server.store.maintenance import write_backup

    with progress_bar("Backing up") as progress:
        size = write_backup(data, file, progress, database)
    typer.echo(f"{file}: {size / 1_000_000:,.1f} MB")


@app.command()
def load(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup, or the file omnibus.db of a server.")],
    database: DatabaseUrl = "",
) -> None:
    """Load a database file into an empty PostgreSQL database, and compare the two."""
    from omnibus.server.store.maintenance import load_file

    with progress_bar("Loading") as progress:
        counts = asyncio.run(load_file(file, database, progress))
    tables, events = count(counts["tables"], "table"), count(counts["events"], "event")
    typer.echo(f"{count(counts['users'], 'user')}, {tables}, {events}: all is as in the file.")


@app.command()
def push_keys(
    data: Data = None,
    database: DatabaseUrl = "",
    new: Annotated[bool, typer.Option("--new", help="Replace it; all devices must be switched on again.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Show the public key with which the server signs push messages.

    The private key is made when it is first needed, and kept in the database.
    """
    from omnibus.server.notices.web_push import AVAILABLE, new_key, public_key
    from omnibus.server.store.push import PushStore

    if not AVAILABLE:
        raise ValueError("push messages need the package cryptography: pip install 'omnibus-games[push]'")
    if new:
        if not yes:
            typer.confirm("Replace the key? Every device has to be switched on again.", abort=True)
        devices = with_database(data, database, lambda store: PushStore(store).replace_key(new_key()))
        typer.echo(f"{count(devices, 'device')} removed.", err=True)
    typer.echo(public_key(with_database(data, database, lambda store: PushStore(store).key(new_key))))


@app.command()
def check(data: Data = None, database: DatabaseUrl = "") -> None:
    """Check that the database is consistent.

    Everything stored is read and replayed; the exit code is 1 if there is a problem.
    """
    from omnibus.server.tables.check import check_database

    with progress_bar("Checking tables") as progress:
        report = with_database(data, database, lambda store: check_database(store, progress))
    for table in report.not_replayable:
        typer.echo(f"frozen, and kept as it is: {table}")
    for fault in report.faults:
        typer.echo(f"wrong: {fault}")
    counts = f"{count(report.tables, 'table')}, {count(report.events, 'event')}, {len(report.not_replayable):,} frozen"
    typer.echo(f"{counts}: {'something is wrong' if report.faults else 'all is well'}.")
    raise typer.Exit(1 if report.faults else 0)


def with_database(data: Path | None, address: str, work: Callable[[Database], Coroutine[Any, Any, T]]) -> T:
    """Do something with the database of a server, and close it."""
    from omnibus.server.store.maintenance import open_existing

    async def run() -> T:
        async with aclosing(open_existing(data, address)) as store:
            await store.connect()
            return await work(store)

    return asyncio.run(run())


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    out = Console(stderr=True)
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def wide() -> Console:
    """Return a console that does not wrap lines when the output goes to another program."""
    out = console()
    return out if out.is_terminal else Console(highlight=False, width=1000)


def count(number: int, one: str, many: str = "") -> str:
    """Write a number of things."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def ago(at: float) -> str:
    """Return how long ago something was, in the largest unit that fits."""
    seconds = max(0, int(time.time() - at))
    size, unit = next((pair for pair in UNITS if seconds >= pair[0]), UNITS[-1])
    return f"{seconds // size} {unit}"
