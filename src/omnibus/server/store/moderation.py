"""Reports of messages and players, bans of accounts, and who may moderate."""

from __future__ import annotations

import time

from msgspec import Struct

from omnibus.server.store.database import Database, Transaction
from omnibus.server.store.models import ChatLine
from omnibus.server.store.tournaments import withdraw_everywhere
from omnibus.server.store.users import new_id


class Report(Struct, frozen=True):
    """That somebody reported a player, or something a player wrote."""

    id: str
    reporter: str
    reported: str
    table: str
    """Where it was; empty: at no table."""
    line: int
    """The number of the chat line; 0: it is about the player."""
    said: str
    """The chat line as it was."""
    reason: str
    at: float
    closed: float | None = None
    """When the host closed the report."""


class Ban(Struct, frozen=True):
    """That an account may neither sit down, nor enter tournaments, nor chat."""

    user: str
    reason: str
    at: float
    until: float | None
    """None: for ever."""


_COLUMNS = "id, reporter, reported, table_id, line, said, reason, at, closed"


class ReportStore:
    """Stores reports until the host closes them, and afterwards."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, report: Report) -> None:
        """Add a report; the same person reports the same thing once."""
        query = f"INSERT INTO reports ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        about = (report.id, report.reporter, report.reported, report.table, report.line)
        await self.database.execute(query, *about, report.said, report.reason, report.at, report.closed)

    async def listed(self, *, closed: bool = False) -> list[Report]:
        """Return the open reports, or all of them, the earliest first."""
        where = "" if closed else "WHERE closed IS NULL"
        rows = await self.database.read(f"SELECT {_COLUMNS} FROM reports {where} ORDER BY at")
        return [Report(*row) for row in rows]

    async def find(self, report: str) -> Report | None:
        """Return a report."""
        rows = await self.database.read(f"SELECT {_COLUMNS} FROM reports WHERE id = ?", report)
        return Report(*rows[0]) if rows else None

    async def count_open(self) -> int:
        """Return how many reports are open."""
        return int((await self.database.read("SELECT count(*) FROM reports WHERE closed IS NULL"))[0][0])

    async def close(self, report: str) -> bool:
        """Close a report; False when there is no open one with this id."""
        query = "UPDATE reports SET closed = ? WHERE id = ? AND closed IS NULL"
        return bool(await self.database.execute(query, time.time(), report))

    async def chat_line(self, table: str, number: int) -> ChatLine | None:
        """Return a line of chat."""
        query = "SELECT number, user, seat, text, at FROM chat WHERE table_id = ? AND number = ? AND text <> ''"
        rows = await self.database.read(query, table, number)
        return ChatLine(*rows[0]) if rows else None


class BanStore:
    """Stores which accounts are banned."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def ban(self, ban: Ban) -> None:
        """Ban an account, or change its ban; it is withdrawn from all tournaments."""

        async def insert(transaction: Transaction) -> None:
            query = (
                "INSERT INTO bans (user_id, reason, at, until) VALUES (?, ?, ?, ?) ON CONFLICT (user_id) "
                "DO UPDATE SET reason = excluded.reason, at = excluded.at, until = excluded.until"
            )
            await transaction.execute(query, ban.user, ban.reason, ban.at, ban.until)
            await withdraw_everywhere(transaction, ban.user)

        await self.database.write(insert)

    async def unban(self, user: str) -> bool:
        """Lift the ban of an account; False when there is none."""
        return bool(await self.database.execute("DELETE FROM bans WHERE user_id = ?", user))

    async def is_banned(self, user: str) -> bool:
        """Tell whether an account is banned now."""
        query = "SELECT 1 FROM bans WHERE user_id = ? AND (until IS NULL OR until > ?)"
        return bool(await self.database.read(query, user, time.time()))

    async def listed(self) -> list[Ban]:
        """Return the bans that are in force, the earliest first."""
        query = "SELECT user_id, reason, at, until FROM bans WHERE until IS NULL OR until > ? ORDER BY at"
        return [Ban(*row) for row in await self.database.read(query, time.time())]


class ModeratorStore:
    """Stores which accounts the host has named as moderators."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, user: str) -> None:
        """Let an account moderate."""
        query = "INSERT INTO moderators (user_id, at) VALUES (?, ?) ON CONFLICT DO NOTHING"
        await self.database.execute(query, user, time.time())

    async def remove(self, user: str) -> bool:
        """Let an account moderate no more; False when it could not."""
        return bool(await self.database.execute("DELETE FROM moderators WHERE user_id = ?", user))

    async def listed(self) -> list[str]:
        """Return the accounts that may moderate, the earliest first."""
        return [row[0] for row in await self.database.read("SELECT user_id FROM moderators ORDER BY at, user_id")]

    async def has(self, user: str) -> bool:
        """Tell whether an account may moderate."""
        return bool(await self.database.read("SELECT 1 FROM moderators WHERE user_id = ?", user))


def new_report(reporter: str, reported: str, table: str, reason: str, line: ChatLine | None = None) -> Report:
    """Return a report that is still to be stored."""
    number, said = (line.number, line.text) if line else (0, "")
    return Report(new_id(), reporter, reported, table, number, said, reason, time.time())
