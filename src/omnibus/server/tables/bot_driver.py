"""Asks the bots at live tables for their moves, and plays what they answer."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final

from omnibus.bots import names as bot_names
from omnibus.server.errors import Rejected
from omnibus.server.store.errors import StoreError
from omnibus.server.tables.bot_pool import BotPool, NoAnswer
from omnibus.server.tables.bot_worker import Question, Thought
from omnibus.server.tables.table import Table

LOG: Final = logging.getLogger("omnibus.bots")
TICK_S: Final = 0.1  # how long a bot thinks depends on what it holds: it is told in ticks

Play = Callable[[Table, int, str, int], Awaitable[None]]
"""Plays a bot's line at a table: the table, the seat, the line, and the event the bot has seen."""


class BotDriver:
    """Asks the bot whose turn it is; an answer about an earlier event is dropped."""

    def __init__(self, bot_pool: BotPool, play: Play) -> None:
        self._bot_pool = bot_pool
        self._play = play
        self._thoughts: dict[str, asyncio.Task[None]] = {}

    def drive(self, table: Table) -> None:
        """Ask the bot whose turn it is at a table that was loaded or has changed, unless it is thinking already."""
        actor = table.actor
        bot = table.sitter(actor).bot if actor is not None else None
        if actor is None or bot is None:
            return
        key = f"{table.setting.id} {table.event}"
        if key in self._thoughts:
            return
        thought = self._thoughts[key] = asyncio.create_task(self._think(table, actor, bot, table.event))
        thought.add_done_callback(lambda _: self._thoughts.pop(key, None))

    async def hint(self, table: Table, seat: int) -> list[Thought]:
        """Ask the strongest bot what it thinks; nothing when no worker can be asked."""
        view = table.game.view(table.match.state, seat)
        question = Question(table.game.name, bot_names()[-1], view, table.event, explain=True)
        try:
            return (await self._bot_pool.ask(question)).thoughts
        except NoAnswer:
            return []

    async def close(self) -> None:
        """Cancel all thoughts."""
        thoughts = list(self._thoughts.values())
        for thought in thoughts:
            thought.cancel()
        await asyncio.gather(*thoughts, return_exceptions=True)

    async def _think(self, table: Table, seat: int, bot: str, event: int) -> None:
        view = table.game.view(table.match.state, seat)
        seed = hashlib.sha256(f"{table.setting.seed} {event}".encode()).digest()[:8]
        question = Question(table.game.name, bot, view, int.from_bytes(seed, "big"))
        asked = time.monotonic()
        try:
            answer = await self._bot_pool.ask(question)
            if not table.game.open:
                await asyncio.sleep(-(time.monotonic() - asked) % TICK_S)
            await self._play(table, seat, answer.line, event)
        except NoAnswer:
            LOG.error("no bot could be asked", extra={"table": table.setting.id, "event": event})
        except StoreError:
            LOG.exception("not kept", extra={"table": table.setting.id, "event": event})
        except Rejected as rejected:
            LOG.warning("bot rejected", extra={"table": table.setting.id, "event": event, "code": rejected.code.value})
