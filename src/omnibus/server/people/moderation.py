"""What moderators do, whom the host has named: deal with reports, ban accounts, lift bans, remove names."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from omnibus.kernel.i18n import mark
from omnibus.server import text_input
from omnibus.server.errors import Forbidden, TableNotFound
from omnibus.server.people import persons
from omnibus.server.people.corrections import remove_name
from omnibus.server.people.reports import LONGEST_REASON
from omnibus.server.store.models import DAY, User
from omnibus.server.store.moderation import Ban, ModeratorStore, Report, ReportStore
from omnibus.server.store.users import hashed
from omnibus.server.tables.periodic import reload_names

if TYPE_CHECKING:
    from omnibus.server.tables.registry import TableRegistry

LOG: Final = logging.getLogger("omnibus.moderation")
NOT_A_MODERATOR: Final = mark("Only the moderators of this server can do that.")
A_MODERATOR: Final = mark("Only the person who runs this server can do that to a moderator.")
MOST_LISTED: Final = 100  # reports; when they are closed, the next ones are listed
MOST_DAYS: Final = 3650


class ModeratedAccount(Struct, frozen=True):
    """An account, as moderators see it."""

    key: str
    """What it is called in requests; it stays the same when the name changes."""
    name: str
    """Empty: it has none."""
    claimed: bool
    """Whether the name belongs to this account alone, which has a profile then."""
    banned: bool


class ReportInfo(Struct, frozen=True):
    """A report of a player, or of something a player wrote."""

    id: str
    about: ModeratedAccount
    by: ModeratedAccount
    table: str
    """The id of the table where it was; empty: at no table."""
    said: str
    """What was written, as it was; empty: the report is about the player."""
    reason: str
    at: float
    closed: float | None
    """When somebody closed the report; null: it is open."""


class ReportList(Struct, frozen=True):
    """Reports, the earliest first."""

    reports: list[ReportInfo]


class BanInfo(Struct, frozen=True):
    """A ban that is in force."""

    account: ModeratedAccount
    reason: str
    at: float
    until: float | None
    """Null: for ever."""


class BanList(Struct, frozen=True):
    """Bans, the earliest first."""

    bans: list[BanInfo]


class Moderation:
    """Reports, bans and names, for a user who is a moderator; Forbidden for everybody else."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._moderators = ModeratorStore(registry.database)
        self._reports = ReportStore(registry.database)
        self._bans = registry.ban_store

    async def open_reports(self, user: User | None) -> int | None:
        """Return how many reports wait for a moderator; None for somebody who is none."""
        if user is None or not await self._moderators.has(user.id):
            return None
        return await self._reports.count_open()

    async def reports(self, user: User | None, *, closed: bool = False) -> ReportList:
        """Return the open reports, of many those that wait longest; or the latest of all."""
        await self._expect(user)
        found = await self._reports.listed(closed=closed)
        return ReportList(
            [await self._report(each) for each in (found[-MOST_LISTED:] if closed else found[:MOST_LISTED])]
        )

    async def bans(self, user: User | None) -> BanList:
        """Return the bans that are in force."""
        await self._expect(user)
        found = await self._bans.listed()
        return BanList([BanInfo(await self._account(each.user), each.reason, each.at, each.until) for each in found])

    async def close(self, user: User | None, report: str) -> None:
        """Close a report; TableNotFound when there is none."""
        moderator = await self._expect(user)
        if await self._reports.find(report) is None:
            raise TableNotFound
        if await self._reports.close(report):
            LOG.info("report closed", extra={"moderator": moderator, "report": report})

    async def ban(self, user: User | None, other: str, days: int | None, reason: str) -> None:
        """Ban an account for some days, or (None) for ever, and close the reports about it."""
        moderator = await self._expect(user, about=other)
        now, why = time.time(), text_input.clean_line(reason, LONGEST_REASON)
        await self._bans.ban(Ban(other, why, now, None if days is None else now + days * DAY))
        for report in await self._reports.listed():
            if report.reported == other:
                await self._reports.close(report.id)
        LOG.info("account banned", extra={"moderator": moderator, "user": other, "days": days})

    async def unban(self, user: User | None, other: str) -> None:
        """Lift the ban of an account."""
        moderator = await self._expect(user)
        if await self._bans.unban(other):
            LOG.info("ban lifted", extra={"moderator": moderator, "user": other})

    async def remove_name(self, user: User | None, other: str) -> None:
        """Remove the name of an account, also at tables; nobody can take it again. TableNotFound: it has none."""
        moderator = await self._expect(user, about=other)
        try:
            await remove_name(self._registry.database, other)
        except ValueError:
            raise TableNotFound from None
        await reload_names(self._registry)
        LOG.info("name removed", extra={"moderator": moderator, "user": other})

    async def keyed(self, user: User | None, key: str) -> str:
        """Return the user of a reported or banned account; TableNotFound when there is none with this key."""
        await self._expect(user)
        reported = [report.reported for report in await self._reports.listed(closed=True)]
        known = {*reported, *(ban.user for ban in await self._bans.listed())}
        found = next((other for other in known if hashed(other) == key), None)
        if found is None:
            raise TableNotFound
        return found

    async def named(self, user: User | None, name: str) -> str:
        """Return the user of a claimed name."""
        await self._expect(user)
        return await persons.named(self._registry, name)

    async def _expect(self, user: User | None, *, about: str = "") -> str:
        """Return the id of a user who is a moderator; those cannot do anything about each other, or themselves."""
        if user is None or not await self._moderators.has(user.id):
            raise Forbidden(NOT_A_MODERATOR)
        if about and await self._moderators.has(about):
            raise Forbidden(A_MODERATOR)
        return user.id

    async def _report(self, report: Report) -> ReportInfo:
        about, by = await self._account(report.reported), await self._account(report.reporter)
        return ReportInfo(report.id, about, by, report.table, report.said, report.reason, report.at, report.closed)

    async def _account(self, user: str) -> ModeratedAccount:
        await asyncio.sleep(0)  # others have their turn: there may be many
        claim, found = await self._registry.rating_service.claims.of(user), await self._registry.user_store.find(user)
        name = claim.name if claim else found.name if found else ""
        return ModeratedAccount(hashed(user), name, claim is not None, await self._bans.is_banned(user))
