"""Who is where, as far as other processes on the same database have to know it.

Every process writes how many connections users have to it, and counts on in the database now and then. A process whose
count stands still has died, and those it served are gone.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Final

from omnibus.server.store.database import PEOPLE
from omnibus.server.store.errors import Conflict, StoreError
from omnibus.server.store.presences import PresenceStore

LOG: Final = logging.getLogger("omnibus.processes")
BEAT_S: Final = 5.0
DEAD_S: Final = 20.0  # without a beat
USERS: Final = "@"
ANALYSES: Final = "!"

Here = Callable[[str], Mapping[str, int]]
"""Returns how many connections users have at a place in this process."""


def place_of(user: str) -> str:
    """Return the place that stands for all pages a user may have open."""
    return USERS + user


class SharedPresence:
    """Writes who is in this process, and reads who is in others.

    A place is a table, all pages of a user, or an analysis that is being made for a user.
    """

    def __init__(self, store: PresenceStore, here: Here, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.process = secrets.token_hex(8)
        self._store = store
        self._here = here
        self._clock = clock
        self._changed: dict[str, None] = {}
        self._written: set[str] = set()
        self._wake = asyncio.Event()
        self._beats: dict[str, tuple[int, float]] = {}  # of each process, and when the count was first seen

    def mark(self, place: str) -> None:
        """Write soon who is at a place."""
        self._changed[place] = None
        self._wake.set()

    async def run(self) -> None:
        """Write what changes, and show now and then that this process is alive."""
        beaten = -BEAT_S
        while True:
            try:
                if self._clock() - beaten >= BEAT_S:
                    beaten = self._clock()
                    await self.beat()
                await self.write()
            except StoreError as error:
                LOG.warning("not written: %s", error)
            except Exception:
                LOG.exception("not written")  # the next time may go better
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT_S):  # `wait_for` may lose a cancellation
                    await self._wake.wait()
            self._wake.clear()

    async def beat(self) -> None:
        """Show that this process is alive, see which others are, and remove those that are not."""
        start = time.time_ns()
        found, now = await self._store.beat(self.process, start), self._clock()
        if found[self.process] == start:
            self._changed |= dict.fromkeys(self._written)  # new, or thought to be dead
        for process, beats in found.items():
            if self._beats.get(process, (-1, 0.0))[0] != beats:
                self._beats[process] = (beats, now)
        self._beats = {process: self._beats[process] for process in found}
        dead = [process for process in found if not self._is_alive(process)]
        if dead:
            await self._store.remove(dead)

    def _is_alive(self, process: str) -> bool:
        known = process != self.process and process in self._beats
        return not known or self._clock() - self._beats[process][1] < DEAD_S

    async def write(self) -> None:
        """Write who is at the places where somebody has come or gone, and hint at it."""
        while self._changed:
            changed, self._changed = self._changed, {}
            now = {place: self._here(place) for place in changed}
            try:
                await self._put(now)
            except StoreError:
                self._changed |= changed
                raise
            self._written = {*self._written, *(place for place in now if now[place])} - {
                place for place in now if not now[place]
            }
            self._hint(changed)

    async def _put(self, now: Mapping[str, Mapping[str, int]]) -> None:
        try:
            await self._store.put(self.process, now)
        except Conflict:  # it was thought to be dead
            await self.beat()
            await self._store.put(self.process, now)

    async def elsewhere(self, places: Iterable[str]) -> dict[str, Counter[str]]:
        """Return how many connections users have at places in other processes; only places where there are any."""
        found: dict[str, Counter[str]] = {}
        for process, place, user, number in await self._store.at(places):
            if process != self.process and self._is_alive(process):
                found.setdefault(place, Counter())[user] += number
        return found

    async def close(self) -> None:
        """Let the others know that nobody is here any more."""
        with suppress(StoreError):
            await self._store.remove([self.process])
        self._hint(self._written)

    def _hint(self, places: Iterable[str]) -> None:
        """Hint at the tables among these places; everything else is looked up when somebody has to know."""
        for place in places:
            if not place.startswith((USERS, ANALYSES)):
                self._store.database.hint(f"{PEOPLE}{place}")
