"""Users who are online: their open connections, and which tables wait for them."""

from __future__ import annotations

import time
from typing import Final

from omnibus.server.http.connection import Connection
from omnibus.server.store.database import AWAITED
from omnibus.server.store.invitations import InvitationStore
from omnibus.server.store.models import TableSetup, User
from omnibus.server.store.tables import TableStore
from omnibus.server.store.users import UserStore
from omnibus.server.tables.messages import Awaited
from omnibus.server.tables.shared_presence import SharedPresence, place_of

KNOWN_S: Final = 300.0  # an invitation that has lapsed is still counted for so long


class OnlineUsers:
    """The open connections of every user, at whichever table or page."""

    def __init__(self, table_store: TableStore) -> None:
        self._table_store = table_store
        self._invitation_store = InvitationStore(table_store.database)
        self._connections: dict[str, set[Connection]] = {}
        self._known: dict[str, tuple[Awaited, float]] = {}  # what users were told, and when it was read
        self.shared_presence: SharedPresence | None = None
        """Who is online in other processes; None where there are none."""

    async def add(self, connection: Connection) -> None:
        """Add an open connection, and tell it which tables wait for its user."""
        if connection.user:
            self._connections.setdefault(connection.user.id, set()).add(connection)
            self._mark(connection.user.id)
            waiting = await self._awaited(connection.user.id)
            self._known[connection.user.id] = (waiting, time.monotonic())
            connection.send(waiting)

    def remove(self, connection: Connection) -> None:
        """Remove a connection that was closed."""
        if connection.user and connection.user.id in self._connections:
            self._connections[connection.user.id].discard(connection)
            if not self._connections[connection.user.id]:
                del self._connections[connection.user.id]
                self._known.pop(connection.user.id, None)
                self._mark(connection.user.id)

    def _mark(self, user: str) -> None:
        if self.shared_presence is not None:
            self.shared_presence.mark(place_of(user))

    async def is_online(self, user: str) -> bool:
        """Tell whether a user has an open connection, to this process or another."""
        if user in self._connections or self.shared_presence is None:
            return user in self._connections
        return bool(await self.shared_presence.elsewhere([place_of(user)]))

    def connections(self, user: str) -> int:
        """Return how many open connections a user has to this process."""
        return len(self._connections.get(user, ()))

    async def tell_awaited(self, user: str) -> None:
        """Tell a user's connections which tables wait for the user now, also those to other processes."""
        await self.tell_here(user)
        self._table_store.database.hint(f"{AWAITED}{user}")

    async def tell_turn(self, user: str, table: str, *, awaited: bool) -> None:
        """Tell a user's connections that a table has begun to wait for them, or no longer does.

        It is said at every move, so as far as possible from memory: everything else that changes what users are told is
        read from the database.
        """
        known, read = self._known.get(user, (None, 0.0))
        if self._table_store.database.shared or known is None or time.monotonic() - read > KNOWN_S:
            await self.tell_awaited(user)
            return
        others = [each for each in known.tables if each != table]
        self._tell(user, Awaited([*others, table] if awaited else others, known.inbox, known.opened), read)

    def forget_known(self) -> None:
        """Read again what users are told, because a table has been deleted."""
        self._known.clear()

    def all_connections(self) -> list[Connection]:
        """Return the open connections of users to this process."""
        return [connection for connections in self._connections.values() for connection in connections]

    def users(self) -> list[str]:
        """Return the users who have an open connection to this process."""
        return list(self._connections)

    async def tell_here(self, user: str) -> None:
        """Tell the connections of a user to this process which tables wait for the user now."""
        if user in self._connections:
            self._tell(user, await self._awaited(user), time.monotonic())

    def _tell(self, user: str, waiting: Awaited, read: float) -> None:
        connections = self._connections.get(user)
        if connections:
            self._known[user] = (waiting, read)
            for connection in connections:
                connection.send(waiting)

    async def _awaited(self, user: str) -> Awaited:
        waiting = await self._table_store.waiting(user)
        return Awaited(waiting.tables, waiting.inbox, waiting.opened)

    async def come_to(self, table: TableSetup, user: User | None) -> None:
        """Note that a player has come to a table of a tournament: other pages announce it no more."""
        if user is not None and table.tournament and table.id in (await self._table_store.waiting(user.id)).opened:
            await UserStore(self._table_store.database).saw([(time.time(), user.id, table.id)])
            await self.tell_awaited(user.id)

    async def inbox(self, user: str) -> int:
        """Count the invitations and friend requests that wait for the answer of a user."""
        return await self._invitation_store.waiting(user)

    def interrupt(self, user: str) -> None:
        """Close all connections of a user; devices that are still signed in reconnect by themselves."""
        for connection in list(self._connections.get(user, ())):
            connection.close()
