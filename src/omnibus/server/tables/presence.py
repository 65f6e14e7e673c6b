"""Who is at a table, before its game or during it, and for how long its players have been away.

How long is measured by the monotonic clock: a wall clock that is set back or forward takes nobody's seat. The time of
day is used only to store when somebody was here, and to read it when the table is loaded again.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from omnibus.server.http.connection import Connection
from omnibus.server.store.users import Sighting
from omnibus.server.tables.messages import People
from omnibus.server.tables.shared_presence import SharedPresence

TELL_S: Final = 0.5  # between two tellings of how many watch


class Presence:
    """The connections at one table, and when its players were last seen there."""

    def __init__(
        self,
        table_id: str,
        patience: float,
        owners: Sequence[str | None],
        last_seen: dict[str, float],
        shared_presence: SharedPresence | None = None,
    ) -> None:
        self.table_id = table_id
        self.owners = owners
        """The users the seats belong to; kept up to date by whoever publishes a change."""
        self.connections: set[Connection] = set()
        self.said = 0
        """The number of the last chat line that was sent to those who are here."""
        self.chatting = asyncio.Lock()  # lines are sent one after the other
        self._patience = patience
        now, today = time.monotonic(), time.time()
        self._seen = {
            user: now - max(0.0, today - at) for user, at in last_seen.items()
        }  # a time to come counts as now
        self._stored = dict(self._seen)
        self._here: Counter[str] = Counter()  # connections by user
        self._elsewhere: Counter[str] = Counter()  # the same, in other processes
        self._shared_presence = shared_presence  # of several processes, if there are any
        self._told: People | None = None
        self._telling: asyncio.TimerHandle | None = None

    def enter(self, connection: Connection) -> None:
        """Add a connection, and tell everybody."""
        if connection not in self.connections:
            self.connections.add(connection)
            if connection.user:
                self._here[connection.user.id] += 1
        self._saw(connection)
        self._mark()
        if len(self.connections) == 1 or not self._tell_change():
            people = self.people()
            connection.send(people)
            if len(self.connections) == 1:
                self._told = people

    def leave(self, connection: Connection) -> None:
        """Remove a connection, and tell everybody."""
        if connection in self.connections:
            self.connections.discard(connection)
            if connection.user:
                self._here[connection.user.id] -= 1
                if not self._here[connection.user.id]:
                    del self._here[connection.user.id]
        self._saw(connection)
        self._mark()
        self._tell_change()

    @contextmanager
    def joined(self, connection: Connection) -> Iterator[None]:
        """Keep a connection at the table for a while."""
        self.enter(connection)
        try:
            yield
        finally:
            self.leave(connection)

    def _saw(self, connection: Connection) -> None:
        if connection.user:
            self.saw(connection.user.id)

    def _mark(self) -> None:
        """Let other processes know that somebody has come or gone."""
        if self._shared_presence is not None:
            self._shared_presence.mark(self.table_id)

    def saw(self, user: str, ago: float = 0.0) -> None:
        """Remember that a player was here some seconds ago."""
        if user in self.owners:
            self._seen[user] = time.monotonic() - ago

    def away_for(self, user: str) -> float:
        """Return for how many seconds a player has not been here."""
        return time.monotonic() - self._seen.get(user, -math.inf)

    def here(self) -> set[str]:
        """Return the users who are here, in this process or another."""
        return {*self._here, *self._elsewhere}

    def counts(self) -> dict[str, int]:
        """Return how many connections each user has to this process; those of nobody known under an empty id."""
        unknown = len(self.connections) - self._here.total()
        return dict(self._here) | ({"": unknown} if unknown else {})

    def see_elsewhere(self, users: Mapping[str, int]) -> None:
        """Take in how many connections users have to other processes, and tell everybody if that has changed."""
        for user in {*users, *self._elsewhere}:
            self.saw(user)  # here, or gone a moment ago
        self._elsewhere = Counter(users)
        self._tell_change()

    @property
    def is_only_here(self) -> bool:
        """Whether nobody is at the table in another process."""
        return not self._elsewhere

    @property
    def is_watched(self) -> bool:
        """Whether somebody has the table open."""
        return bool(self.connections or self._elsewhere)

    def absent(self) -> list[int]:
        """Return the seats whose owners have been away for longer than the table's patience."""
        here = self.here()
        return [
            seat
            for seat, user in enumerate(self.owners)
            if user is not None and user not in here and self.away_for(user) > self._patience
        ]

    def people(self) -> People:
        """Return who is here, as everybody at the table is told it."""
        seated, here = {user for user in self.owners if user is not None}, self.here()
        all_of_them = len(self.connections) + self._elsewhere.total()
        watching = all_of_them - sum(self._here[user] + self._elsewhere[user] for user in seated)
        return People([None if user is None else user in here for user in self.owners], self.absent(), watching)

    def _tell_change(self) -> bool:
        """Tell everybody at once if a player has come or gone; return whether everybody was told.

        How many watch is told after a while: a thousand spectators who join would be told a million times.
        """
        people = self.people()
        if self._told is None or (people.here, people.absent) != (self._told.here, self._told.absent):
            return self.tell_people()
        if people != self._told and self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(TELL_S, self._tell_watching)
        return False

    def _tell_watching(self) -> None:
        self._telling = None
        self.tell_people()

    def tell_people(self) -> bool:
        """Tell everybody who is here, if that has changed; return whether it has."""
        people = self.people()
        if people == self._told:
            return False
        self._told = people
        for connection in self.connections:
            connection.send(people)
        return True

    def sightings(self) -> list[Sighting]:
        """Return when players were last here, as far as it has not been stored yet."""
        now, today = time.monotonic(), time.time()
        self._seen.update(dict.fromkeys(self.here() & set(self.owners), now))
        news = [user for user, at in self._seen.items() if at > self._stored.get(user, -math.inf)]
        self._stored.update(self._seen)
        return [(today - (now - self._seen[user]), user, self.table_id) for user in news]
