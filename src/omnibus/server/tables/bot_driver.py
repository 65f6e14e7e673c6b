"""Asks the bots at live tables for their moves, and plays what they answer."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from itertools import islice
from math import ceil, inf
from typing import Final, Protocol
from weakref import WeakKeyDictionary, WeakValueDictionary

from omnibus.bots import THINKERS, Idea, strongest
from omnibus.bots.hard import SECONDS
from omnibus.server.errors import Rejected
from omnibus.server.store.errors import StoreError
from omnibus.server.tables.bot_pool import BotPool, NoAnswer, TooManyWaiting
from omnibus.server.tables.bot_worker import Question
from omnibus.server.tables.table import Table

LOG: Final = logging.getLogger("omnibus.bots")
MOVES_AFTER_S: Final = {"random": 0.1} | dict.fromkeys(THINKERS, SECONDS + 0.25)
"""When bots of a level make their moves where hands are hidden: in seconds, longer than any of them thinks."""
QUICK_S: Final = 0.5  # when those of all other levels do
SWEEP_S: Final = 5.0
MOST_FOUND: Final = 10  # tables that one sweep reads from the store
TAKE_OVER_S: Final = 15.0  # for so long the bots of a table are left to the process that stored its last event
WATCHED_S: Final = 60.0  # for so long after somebody looked at it, bots play on at a table where only bots sit

MOST_PLAYING_ON: Final = 2
"""Tables of one address at which only bots sit and one of them decides at the same time; the others take turns."""

IsWatched = Callable[[Table], bool]
"""Tells whether somebody has a table open."""

Play = Callable[[Table, int, str, int], Awaitable[object]]
"""Plays a bot's line at a table: the table, the seat, the line, and the event the bot has seen."""


class TableSource(Protocol):
    """Finds the tables at which bots may have to move."""

    def loaded(self) -> Iterable[Table]:
        """Return the tables in memory."""

    async def find(self, id_: str) -> Table | None:
        """Return a table in memory or from the store; None when it cannot be played."""

    async def idle_for(self, id_: str) -> float:
        """Return how many seconds ago the last event of a table was stored."""


@dataclass(eq=False, slots=True)
class _Thought:
    """A bot that thinks about what to do after an event."""

    table: Table
    event: int
    task: asyncio.Task[None] | None = None
    playing: bool = False  # from here on it is not to be interrupted

    def is_about(self, table: Table) -> bool:
        return self.table is table and self.event == table.event

    def cancel(self) -> None:
        if self.task is not None and not self.playing:
            self.task.cancel()


class BotDriver:
    """Asks the bot whose turn it is. A thought about an earlier event is dropped."""

    def __init__(
        self,
        bot_pool: BotPool,
        play: Play,
        is_watched: IsWatched,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._bot_pool = bot_pool
        self._play = play
        self._is_watched = is_watched
        self._clock = clock
        self._sleep = sleep
        self._thoughts: dict[str, _Thought] = {}
        self._postponed: dict[str, None] = {}  # ids of tables whose bots could not be asked, the longest waiting first
        self._looked_at: WeakKeyDictionary[Table, float] = WeakKeyDictionary()
        self._left: WeakKeyDictionary[Table, float] = WeakKeyDictionary()  # to another process, until when
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()  # of bots alone, by address

    def visit(self, table: Table) -> None:
        """Resume the bots at a table that somebody looks at."""
        self._looked_at[table] = self._clock()
        self.drive(table)

    def leave(self, table: Table, since: float = 0.0) -> None:
        """Leave the bots of a table to another process, which stored its last event so many seconds ago.

        If that process does not let them move in time, this one does. Should both, the second move is refused.
        """
        self._left[table] = self._clock() + TAKE_OVER_S - since
        self.drive(table)

    def take_over(self, table: Table) -> None:
        """Ask the bot whose turn it is at a table whose last event this process has stored."""
        self._left.pop(table, None)
        self.drive(table)

    def postpone(self, tables: Iterable[str]) -> None:
        """Look at tables one after the other, at which bots are due."""
        self._postponed.update(dict.fromkeys(tables))

    def drive(self, table: Table) -> None:
        """Ask the bot whose turn it is at a table that was loaded or has changed, unless it is thinking already."""
        id_ = table.setup.id
        thought = self._thoughts.get(id_)
        if thought is not None:
            if thought.is_about(table):
                return
            thought.cancel()
            del self._thoughts[id_]
        if self._left.get(table, -inf) > self._clock():
            return
        seat = table.actor
        bot = table.sitter(seat).bot if seat is not None else None
        if seat is not None and bot is not None and not self.is_paused(table):
            thought = self._thoughts[id_] = _Thought(table, table.event)
            thought.task = asyncio.create_task(self._think(thought, seat, bot))

    def is_paused(self, table: Table) -> bool:
        """Tell whether the bots pause: only bots play here, and nobody is watching."""
        if table.keeps_going or self._is_watched(table):
            return False
        return _only_bots(table) and self._clock() - self._looked_at.get(table, -inf) >= WATCHED_S

    async def sweep(self, tables: TableSource) -> None:
        """Ask all bots that have to move but were not asked, whatever the reason."""
        for table in list(tables.loaded()):
            if table not in self._left:
                self.drive(table)
            elif self._left[table] <= self._clock():
                del self._left[table]
                if table.actor is not None and table.awaits is None:
                    self._postponed[table.setup.id] = None  # to be brought up to date first
        for id_ in list(islice(self._postponed, MOST_FOUND)):
            del self._postponed[id_]
            try:
                await self._find(tables, id_)
            except Exception:
                self._postponed[id_] = None  # not forgotten, but after the others
                raise

    async def _find(self, tables: TableSource, id_: str) -> None:
        """Ask the bot that is due at a table, which may not be in memory, or not up to date there."""
        found = await tables.find(id_)
        if found is not None and found in self._left:  # what another process stored last was read only now
            self.leave(found, await tables.idle_for(id_))
        elif found is not None:
            self.drive(found)

    async def keep_sweeping(self, tables: TableSource, due: Iterable[str]) -> None:
        """Sweep every few seconds, from the start also the tables in the store at which bots were due."""
        self.postpone(due)
        while True:
            try:
                await self.sweep(tables)
            except Exception:
                LOG.exception("sweep failed")  # the next one may do better
            await self._sleep(SWEEP_S)

    async def hint(self, table: Table, seat: int, language: str) -> list[Idea]:
        """Ask the strongest bot what it would do and why, in a language; nothing when no worker can be asked."""
        view = table.game.view(table.match.state, seat)
        level = strongest(table.game, table.match.state)
        question = Question(table.game.name, level, view, table.event, explain=True, language=language)
        try:
            return (await self._bot_pool.ask(question, _user(table, seat))).answer.ideas
        except NoAnswer:
            return []

    async def close(self) -> None:
        """Cancel all thoughts."""
        tasks = [thought.task for thought in self._thoughts.values() if thought.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _think(self, thought: _Thought, seat: int, bot: str) -> None:
        table, event = thought.table, thought.event
        where = {"table": table.setup.id, "event": event}
        try:
            line = await self._line(table, seat, bot)
            thought.playing = True
            await self._play(table, seat, line, event)
        except TooManyWaiting:
            self._postponed[table.setup.id] = None
        except NoAnswer as error:
            LOG.warning("no bot could be asked: %s", error, extra=where)
            self._postponed[table.setup.id] = None
        except StoreError:
            LOG.exception("not kept", extra=where)
            self._postponed[table.setup.id] = None
        except Rejected as rejected:
            LOG.warning("bot rejected", extra=where | {"code": rejected.code.value})
        finally:
            if self._thoughts.get(table.setup.id) is thought:
                del self._thoughts[table.setup.id]

    async def _line(self, table: Table, seat: int, bot: str) -> str:
        """Return what a bot plays, when it is to be played."""
        async with self._turn(table):
            reply = await self._bot_pool.ask(_question(table, seat, bot), _user(table, seat))
            if not table.game.open:
                await self._sleep(published_at(bot, reply.began, self._clock()) - self._clock())
            return reply.answer.line

    def _turn(self, table: Table) -> AbstractAsyncContextManager[None]:
        """Wait, at a table where nobody but bots decides, until it is its turn among those of the same address."""
        address = self._bot_pool.addresses.asker(table.setup.owner).address
        if not address or table.keeps_going or not _only_bots(table):
            return nullcontext()
        return self._turns.setdefault(address, asyncio.Semaphore(MOST_PLAYING_ON))


def _only_bots(table: Table) -> bool:
    """Tell whether bots decide for all seats of a table."""
    return all(table.sitter(seat).bot is not None for seat in range(table.match.seats))


def published_at(bot: str, began: float, answered: float) -> float:
    """Return when the move of a bot in a game with hidden hands is made, given when it began to think and was done.

    How long it thinks depends on what it holds. So a move is made a fixed time after a worker was free for it, however
    soon it was found; if it took longer, after twice the time, and so on.
    """
    period = MOVES_AFTER_S.get(bot, QUICK_S)
    return began + period * max(1, ceil((answered - began) / period))


def _question(table: Table, seat: int, bot: str) -> Question:
    seed = int.from_bytes(hashlib.sha256(f"{table.setup.seed} {table.event}".encode()).digest()[:8], "big")
    if bot in THINKERS:  # with the plies its view lets a bot find its way in the tree it has searched before
        return Question(table.game.name, bot, table.match.view(seat), seed, seat_at=f"{table.setup.id} {seat}")
    return Question(table.game.name, bot, table.game.view(table.match.state, seat), seed)


def _user(table: Table, seat: int) -> str:
    """Return on whose behalf a bot thinks: the owner of the seat, or of the table."""
    return table.owner(seat) or table.setup.owner
