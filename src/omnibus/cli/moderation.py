"""The commands of `omnibus admin` with which a host moderates: reports, bans, corrections of results, names."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.table import Table as Grid
from rich.text import Text

from omnibus.cli.admin import Data, DatabaseUrl, ago, count, wide, with_database

if TYPE_CHECKING:
    from omnibus.server.store.database import Database
    from omnibus.server.store.models import User
    from omnibus.server.store.moderation import Ban, Report

DAY_S: Final = 24 * 3600.0

UserId = Annotated[str, typer.Argument(metavar="USER", help="The id, as shown by `omnibus admin users`.")]
TableId = Annotated[str, typer.Argument(metavar="TABLE", help="The id, as shown by `omnibus admin tables`.")]
Reason = Annotated[str, typer.Option(metavar="TEXT", help="Why, for your own records.", show_default=False)]


def reports(
    data: Data = None,
    database: DatabaseUrl = "",
    closed: Annotated[bool, typer.Option("--all", help="List closed reports too.")] = False,
) -> None:
    """List what users have reported, the earliest first."""
    grid = Grid("report", "age", "about", "by", "table", "chat line", "reason", "state", box=None, pad_edge=False)
    found = with_database(data, database, lambda store: _reports(store, closed=closed))
    for report, about, by in found:
        where, state = report.table or "–", "closed" if report.closed else "open"
        cells = (report.id, ago(report.at), about, by, where, report.said or "–", report.reason or "–", state)
        grid.add_row(*map(Text, cells))
    out = wide()
    out.print(grid)
    out.print(count(len(found), "report"))


async def _reports(store: Database, *, closed: bool) -> list[tuple[Report, str, str]]:
    """Return reports, each with whom it is about and who reported it."""
    from omnibus.server.store.moderation import ReportStore

    found = await ReportStore(store).listed(closed=closed)
    return [(each, await _called(store, each.reported), await _called(store, each.reporter)) for each in found]


async def _called(store: Database, user: str) -> str:
    """Return the id of a user, with the name if there is one."""
    found = await _user(store, user)
    return f"{user} ({found.name})" if found and found.name else user


async def _user(store: Database, user: str) -> User | None:
    from omnibus.server.store.users import UserStore

    return await UserStore(store).find(user)


def close_report(
    report: Annotated[str, typer.Argument(metavar="REPORT", help="The id, as shown by `omnibus admin reports`.")],
    data: Data = None,
    database: DatabaseUrl = "",
) -> None:
    """Close a report you have dealt with."""
    from omnibus.server.store.moderation import ReportStore

    if not with_database(data, database, lambda store: ReportStore(store).close(report)):
        raise ValueError(f"there is no open report {report!r}; `omnibus admin reports` lists them")
    typer.echo("Closed.")


def bans(data: Data = None, database: DatabaseUrl = "") -> None:
    """List the accounts that are banned."""
    grid = Grid("user", "since", "for", "reason", box=None, pad_edge=False)
    found = with_database(data, database, _bans)
    for ban, user in found:
        left = "ever" if ban.until is None else f"{max(1, round((ban.until - time.time()) / DAY_S))} d"
        grid.add_row(*map(Text, (user, ago(ban.at), left, ban.reason or "–")))
    out = wide()
    out.print(grid)
    out.print(count(len(found), "ban"))


async def _bans(store: Database) -> list[tuple[Ban, str]]:
    from omnibus.server.store.moderation import BanStore

    return [(ban, await _called(store, ban.user)) for ban in await BanStore(store).listed()]


def ban(
    user: UserId,
    data: Data = None,
    database: DatabaseUrl = "",
    days: Annotated[int | None, typer.Option(min=1, help="Number of days. [default: forever]")] = None,
    reason: Reason = "",
) -> None:
    """Ban an account: it can finish its games, but neither sit down at other tables, nor enter tournaments, nor chat.

    If it is banned already, the new ban replaces the old one.
    """
    from omnibus.server.store.moderation import Ban

    now = time.time()
    new = Ban(user, reason, now, None if days is None else now + days * DAY_S)
    called = with_database(data, database, lambda store: _ban(store, new))
    typer.echo(f"Banned {'forever' if days is None else 'for ' + count(days, 'day')}: {called}")


async def _ban(store: Database, new: Ban) -> str:
    from omnibus.server.store.moderation import BanStore

    if await _user(store, new.user) is None:
        raise ValueError(f"there is no user {new.user!r}; `omnibus admin users` lists them")
    await BanStore(store).ban(new)
    return await _called(store, new.user)


def unban(user: UserId, data: Data = None, database: DatabaseUrl = "") -> None:
    """Lift the ban of an account."""
    from omnibus.server.store.moderation import BanStore

    if not with_database(data, database, lambda store: BanStore(store).unban(user)):
        raise ValueError(f"{user!r} is not banned; `omnibus admin bans` lists who is")
    typer.echo("The ban is lifted.")


def correct(
    table: TableId,
    ranks: Annotated[list[int], typer.Argument(metavar="RANK…", help="The ranks of the seats in their order, from 1.")],
    data: Data = None,
    database: DatabaseUrl = "",
    reason: Reason = "",
) -> None:
    """Correct the result of a finished game, and calculate all ratings again.

    Equal ranks are a tie. The game itself stays as it was played; the last correction of a table counts.
    """
    _correct(table, ranks, data, database, reason)


def void(table: TableId, data: Data = None, database: DatabaseUrl = "", reason: Reason = "") -> None:
    """Void a finished game: it counts neither for ratings nor for statistics.

    To let it count again, correct its result.
    """
    _correct(table, None, data, database, reason)


def _correct(table: str, ranks: list[int] | None, data: Data, database: str, reason: str) -> None:
    from omnibus.server.people.corrections import correct as corrected

    done = with_database(data, database, lambda store: corrected(store, table, ranks, reason))
    ratings = (
        f"{count(done.changes, 'change of a rating', 'changes of ratings')} calculated again" if done.rated else ""
    )
    typer.echo(f"{'Voided' if ranks is None else 'Corrected'}. {ratings or 'It was not a rated game'}.")


def remove_name(
    user: UserId,
    data: Data = None,
    database: DatabaseUrl = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Remove the name of a user, also at tables, and let nobody take it again.

    A running server shows tables without the name within a minute.
    """
    from omnibus.server.people.corrections import remove_name as removed

    if not yes:
        typer.confirm(f"Permanently remove the name of {user}?", abort=True)
    name, seats = with_database(data, database, lambda store: removed(store, user))
    typer.echo(f"Removed: {name}, also at {count(seats, 'seat')}.")


def moderators(data: Data = None, database: DatabaseUrl = "") -> None:
    """List who may moderate on the page /moderation of the server."""
    grid = Grid("user", box=None, pad_edge=False)
    found = with_database(data, database, _moderators)
    for user in found:
        grid.add_row(Text(user))
    out = wide()
    out.print(grid)
    out.print(count(len(found), "moderator"))


async def _moderators(store: Database) -> list[str]:
    from omnibus.server.store.moderation import ModeratorStore

    return [await _called(store, user) for user in await ModeratorStore(store).listed()]


def moderator(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A claimed name, or the id of a user.")],
    data: Data = None,
    database: DatabaseUrl = "",
    remove: Annotated[bool, typer.Option("--remove", help="They may moderate no more.")] = False,
) -> None:
    """Let somebody moderate: see reports on the page /moderation, ban accounts, lift bans and remove names."""
    called = with_database(data, database, lambda store: _name_moderator(store, name, remove=remove))
    typer.echo(f"{'No moderator any more' if remove else 'Moderator'}: {called}")


async def _name_moderator(store: Database, name: str, *, remove: bool) -> str:
    from omnibus.server.people.name_folding import folded
    from omnibus.server.store.claims import ClaimStore
    from omnibus.server.store.moderation import ModeratorStore

    claim = await ClaimStore(store).find(folded(name))
    user = claim.user if claim else name
    if claim is None and await _user(store, user) is None:
        raise ValueError(f"nobody has claimed the name {name!r}, and there is no user with this id")
    if not remove:
        await ModeratorStore(store).add(user)
    elif not await ModeratorStore(store).remove(user):
        raise ValueError(f"{name!r} is no moderator; `omnibus admin moderators` lists who is")
    return await _called(store, user)


COMMANDS: Final = (reports, close_report, bans, ban, unban, correct, void, remove_name, moderators, moderator)
