"""Who is at a table, before its game or during it, and since when its players have been away."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from omnibus.server.http.connection import Connection
from omnibus.server.store.users import Sighting
from omnibus.server.tables.messages import People


class Presence:
    """The connections at one table, and when its players were last seen there."""

    def __init__(
        self, table_id: str, patience: float, owners: Sequence[str | None], last_seen: dict[str, float]
    ) -> None:
        self.table_id = table_id
        self.owners = owners
        """The users the seats belong to; kept up to date by whoever publishes a change."""
        self.connections: set[Connection] = set()
        self._patience = patience
        self._seen = last_seen
        self._stored = dict(last_seen)
        self._told: People | None = None

    def enter(self, connection: Connection) -> None:
        """Add a connection, and tell everybody."""
        self.connections.add(connection)
        self._saw(connection)
        if not self.tell_people():
            connection.send(self.people())

    def leave(self, connection: Connection) -> None:
        """Remove a connection, and tell everybody."""
        self.connections.discard(connection)
        self._saw(connection)
        self.tell_people()

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

    def saw(self, user: str, at: float | None = None) -> None:
        """Remember when a player was here: just now, if no time is given."""
        if user in self.owners:
            self._seen[user] = time.time() if at is None else at

    def last_seen(self, user: str) -> float:
        """Return when a player was last here; 0 for never."""
        return self._seen.get(user, 0.0)

    def here(self) -> set[str]:
        """Return the users who are here."""
        return {connection.user.id for connection in self.connections if connection.user}

    def absent(self) -> list[int]:
        """Return the seats whose owners have been away for longer than the table's patience."""
        here, since = self.here(), time.time() - self._patience
        return [
            seat
            for seat, user in enumerate(self.owners)
            if user is not None and user not in here and self.last_seen(user) < since
        ]

    def people(self) -> People:
        """Return who is here, as everybody at the table is told it."""
        here = self.here()
        seated = {user for user in self.owners if user is not None}
        watching = sum(
            1 for connection in self.connections if connection.user is None or connection.user.id not in seated
        )
        return People([None if user is None else user in here for user in self.owners], self.absent(), watching)

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
        self._seen.update(dict.fromkeys(self.here() & set(self.owners), time.time()))
        news = [(at, user, self.table_id) for user, at in self._seen.items() if at > self._stored.get(user, 0)]
        self._stored.update(self._seen)
        return news
