"""Removes what a user has written, at their own request or because it breaks the rules of the server."""

from __future__ import annotations

import time
from functools import partial

import msgspec

from omnibus.server.store.database import Database, Transaction
from omnibus.server.store.models import Erased, Sitter
from omnibus.server.store.tables import SITTERS
from omnibus.server.store.tournaments import leave_tournaments


async def remove_name(database: Database, user: str, folded: str) -> int:
    """Remove the name of a user, also at tables, and keep everybody from taking it again; return at how many seats.

    `folded` is what the name is compared by.
    """

    async def remove(transaction: Transaction) -> int:
        await transaction.execute("DELETE FROM claims WHERE user = ?", user)
        await transaction.execute("UPDATE users SET name = '' WHERE id = ?", user)
        if folded:
            bar = "INSERT INTO removed_names (folded, at) VALUES (?, ?) ON CONFLICT DO NOTHING"
            await transaction.execute(bar, folded, time.time())
        return await _unname_everywhere(transaction, user)

    return await database.write(remove)


async def remove_texts(database: Database, user: str) -> Erased:
    """Remove what a user has written: the name, names at tables, what was said, records, addresses for messages.

    What was said stays as an empty line, so that no number is given twice. `clean_up` of the database removes the last
    traces.
    """
    return await database.write(partial(_remove_texts, user=user))


async def _remove_texts(transaction: Transaction, *, user: str) -> Erased:
    named = await transaction.execute("UPDATE users SET name = '' WHERE id = ? AND name <> ''", user)
    sayings = await transaction.execute("UPDATE chat SET text = '' WHERE user = ? AND text <> ''", user)
    records = await transaction.execute("DELETE FROM records WHERE owner = ?", user)
    await transaction.execute("DELETE FROM claims WHERE user = ?", user)
    await leave_tournaments(transaction, user)
    await transaction.execute("DELETE FROM friends WHERE user_id = ?1 OR friend = ?1", user)
    await transaction.execute("DELETE FROM invitations WHERE guest = ?1 OR host = ?1", user)
    await transaction.execute("DELETE FROM boards WHERE owner = ?", user)  # they begin with records, which hold names
    await transaction.execute("UPDATE reports SET said = '' WHERE reported = ?", user)
    await transaction.execute("UPDATE reports SET reason = '' WHERE reporter = ?", user)
    seats = await _unname_everywhere(transaction, user)
    return Erased(named, seats, sayings, records, await _remove_addresses(transaction, user))


async def _unname_everywhere(transaction: Transaction, user: str) -> int:
    """Remove the names of a user at all tables; return at how many seats."""
    query = "SELECT id, sitters FROM tables WHERE id IN (SELECT table_id FROM sitting WHERE user = ?)"
    seats = 0
    for table, sitters in await transaction.read(query, user):
        seats += await _unname(transaction, table, SITTERS.decode(sitters), user)
    return seats


async def _remove_addresses(transaction: Transaction, user: str) -> int:
    """Remove where messages to a user go: webhook, email address with its links, devices; return how many."""
    rows = await transaction.read("SELECT webhook, mail FROM users WHERE id = ?", user)
    await transaction.execute("UPDATE users SET webhook = '', mail = '', confirmed = 0 WHERE id = ?", user)
    await transaction.execute("DELETE FROM tokens WHERE user = ? AND kind = 'mail'", user)
    devices = await transaction.execute("DELETE FROM push_subscriptions WHERE user = ?", user)
    return devices + len([address for row in rows for address in row if address])


async def _unname(transaction: Transaction, table: str, sitters: list[Sitter], user: str) -> int:
    """Remove the names from the seats of a user; return how many had one."""
    named = [sitter for sitter in sitters if sitter.user == user and sitter.name]
    unnamed = [Sitter(user=user) if sitter in named else sitter for sitter in sitters]
    text = msgspec.json.encode(unnamed).decode()
    await transaction.execute("UPDATE tables SET sitters = ? WHERE id = ?", text, table)
    return len(named)
