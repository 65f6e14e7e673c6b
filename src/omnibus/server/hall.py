"""The hall: where tables stand. It sets them up, finds them again, tells those who watch, and asks the bots."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import sqlite3
import time
from collections import deque
from collections.abc import Mapping
from typing import Any, Final
from weakref import WeakValueDictionary

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.kernel.dice import SEED_BITS
from omnibus.server.ledger import Ledger, new_id
from omnibus.server.rows import Setting, Sitter
from omnibus.server.table import Rejected, Table
from omnibus.server.worker import Question, Thought
from omnibus.server.workers import Lost, Workers

LOG: Final = logging.getLogger("omnibus.hall")
KEPT_READY: Final = 300  # tables; others are read from the store again


class Gone(Exception):
    """There is no such table, or no longer."""


class Hall:
    """All tables of a house. Of each there is one live copy at most, so that there is one writer."""

    def __init__(self, ledger: Ledger, workers: Workers) -> None:
        self.ledger = ledger
        self.workers = workers
        self._tables: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._ready: deque[Table] = deque(maxlen=KEPT_READY)
        self._thoughts: dict[str, asyncio.Task[None]] = {}

    async def open(
        self,
        owner: str,
        game: str,
        options: Mapping[str, Any],
        sitters: list[Sitter],
        *,
        after: str | None = None,
    ) -> Table:
        """Set up a table; ValueError says what of it cannot be."""
        for sitter in sitters:
            if sitter.bot is not None and sitter.bot not in bot_names():
                raise ValueError(f"there is no bot {sitter.bot!r}")
        setting = Setting(
            id=new_id(),
            game=game,
            rules=games.find(game).version,
            seats=len(sitters),
            options=dict(options),
            seed=secrets.randbits(SEED_BITS),
            sitters=sitters,
            owner=owner,
            created=time.time(),
        )
        return self._welcome(await Table.opened(self.ledger, setting, after=after))

    def table(self, id_: str) -> Table:
        """Find a table; Gone when there is none, Frozen when it cannot be played with these rules."""
        table = self._tables.get(id_)
        if table is not None and not table.spoilt:
            return table
        entry = self.ledger.entry(id_)
        if entry is None:
            raise Gone
        return self._welcome(Table.loaded(self.ledger, entry.setting))

    async def remove(self, table_id: str) -> None:
        """Remove a table, whether it can be read or not."""
        table = self._tables.pop(table_id, None)
        await self.ledger.remove_table(table_id)
        for watcher in set(table.watchers) if table else ():
            watcher.close()

    async def close(self) -> None:
        """Let no bot think any longer."""
        thoughts = list(self._thoughts.values())
        for thought in thoughts:
            thought.cancel()
        await asyncio.gather(*thoughts, return_exceptions=True)

    def _welcome(self, table: Table) -> Table:
        self._tables[table.setting.id] = table
        self._ready.append(table)
        table.changed = self._changed
        table.advise = self._advise
        self._drive(table)
        return table

    def _changed(self, table: Table, since: int) -> None:
        for watcher in table.watchers:
            watcher.tell(since)
        self._drive(table)

    def _drive(self, table: Table) -> None:
        """Let the bot think whose turn it is; a thought about an earlier event is of no use any more."""
        actor = table.actor
        bot = table.sitter(actor).bot if actor is not None else None
        if actor is None or bot is None:
            return
        key = f"{table.setting.id} {table.event}"
        if key in self._thoughts:
            return
        thought = self._thoughts[key] = asyncio.create_task(self._think(table, actor, bot, table.event))
        thought.add_done_callback(lambda _: self._thoughts.pop(key, None))

    async def _advise(self, table: Table, seat: int) -> list[Thought]:
        """Ask the strongest bot what it thinks; nothing when nobody can be asked."""
        view = table.game.view(table.match.state, seat)
        question = Question(table.game.name, bot_names()[-1], view, table.event, explain=True)
        try:
            return (await self.workers.ask(question)).thoughts
        except Lost:
            return []

    async def _think(self, table: Table, seat: int, bot: str, event: int) -> None:
        view = table.game.view(table.match.state, seat)
        seed = hashlib.sha256(f"{table.setting.seed} {event}".encode()).digest()[:8]
        question = Question(table.game.name, bot, view, int.from_bytes(seed, "big"))
        try:
            answer = await self.workers.ask(question)
            await table.play(seat, answer.line, event)
        except Lost:
            LOG.error("no bot could be asked", extra={"table": table.setting.id, "event": event})
        except sqlite3.Error:
            LOG.exception("not kept", extra={"table": table.setting.id, "event": event})
        except Rejected as rejected:
            LOG.warning("bot rejected", extra={"table": table.setting.id, "event": event, "code": rejected.code.value})
