"""The tables in memory and who is at them; tables nobody has used for a while are unloaded."""

from __future__ import annotations

import time
from typing import Final
from weakref import WeakKeyDictionary, WeakValueDictionary

from omnibus.server.store.users import Sighting
from omnibus.server.tables.presence import Presence
from omnibus.server.tables.table import Table

KEPT_READY: Final = 300  # tables at which nobody is; others are loaded from the database again
KEPT_S: Final = 900.0  # for so long after somebody asked for them
KEPT_PLIES: Final = 10_000  # of these tables together: a match holds a state for every ply, of up to 13 kB


class LiveTables:
    """At most one copy of each table, so that there is one writer, and the connections there."""

    def __init__(self) -> None:
        self._tables: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._presences: WeakValueDictionary[str, Presence] = WeakValueDictionary()
        self._at_tables: WeakKeyDictionary[Table, Presence] = WeakKeyDictionary()  # kept as long as the table
        self._ready: dict[str, tuple[Table, Presence, float]] = {}  # until when; the longest unused first

    # tables

    def add(self, table: Table, presence: Presence) -> None:
        """Keep a table that was started or loaded in memory, with who is there."""
        presence.owners = table.owners()
        self._tables[table.setup.id] = table
        self._at_tables[table] = presence
        self._ready.pop(table.setup.id, None)
        self._ready[table.setup.id] = (table, presence, time.monotonic() + KEPT_S)
        self.trim()

    def at_hand(self, id_: str) -> Table | None:
        """Return a table if it is in memory, as it is there."""
        return self._tables.get(id_)

    async def usable(self, id_: str) -> Table | None:
        """Return a table that is in memory and can be used, and keep it there for a while.

        One that is just loading itself again is waited for: of two copies, one would not be told what happens.
        """
        table = self._tables.get(id_)
        while table is not None and table.broken:
            await table.settled()
            current = self._tables.get(id_)
            if current is table and table.broken:
                return None
            table = current
        if table is None:
            return None
        if id_ in self._ready:
            kept, presence, _ = self._ready.pop(id_)
            self._ready[id_] = (kept, presence, time.monotonic() + KEPT_S)
        return table

    def loaded(self) -> list[Table]:
        """Return the tables in memory."""
        return [table for table in self._tables.values() if not table.broken]

    def ids(self) -> list[str]:
        """Return the ids of the tables in memory."""
        return list(self._tables)

    def trim(self) -> None:
        """Unload tables that nobody has asked for recently, except those somebody is at; the least recent first."""
        now, plies = time.monotonic(), sum(table.match.length for table, _, _ in self._ready.values())
        for id_, (table, _, until) in list(self._ready.items())[:-1]:
            if until > now and plies <= KEPT_PLIES and len(self._ready) <= KEPT_READY:
                return
            del self._ready[id_]
            plies -= table.match.length

    def unload_all(self) -> None:
        """Forget the tables in memory; they are loaded again when somebody asks for them."""
        self._tables.clear()
        self._ready.clear()

    def remove(self, table_id: str) -> None:
        """Forget a table that has been deleted, and close the connections there."""
        self._tables.pop(table_id, None)
        self._ready.pop(table_id, None)
        presence = self._presences.get(table_id)
        for connection in list(presence.connections) if presence else ():
            connection.close()

    # people

    def add_presence(self, presence: Presence) -> Presence:
        """Remember who is at a table; return what is known already, if somebody else was quicker."""
        return self._presences.setdefault(presence.table_id, presence)

    def presence_of(self, id_: str) -> Presence | None:
        """Return who is at a table, if that is known in this process."""
        return self._presences.get(id_)

    def presence_at(self, table: Table) -> Presence:
        """Return who is at a table in memory."""
        return self._at_tables[table]

    def presences(self) -> list[Presence]:
        """Return who is at each table that is known in this process."""
        return list(self._presences.values())

    def watched(self) -> dict[str, Presence]:
        """Return who is at the tables at which somebody is in this process."""
        return {id_: presence for id_, presence in self._presences.items() if presence.connections}

    def sightings(self) -> list[Sighting]:
        """Return when users were last at their tables, as far as it has not been stored yet."""
        return [sighting for presence in self.presences() for sighting in presence.sightings()]

    def interrupt_seat(self, table_id: str, seat: int) -> None:
        """Close the connections that programs have opened to this process with the token of a seat."""
        presence = self._presences.get(table_id)
        for connection in list(presence.connections) if presence else ():
            if connection.only == seat:
                connection.close()

    def interrupt_programs(self, user: str) -> None:
        """Close the connections to this process of programs in the seats of a user."""
        for presence in self.presences():
            for connection in list(presence.connections):
                if connection.only is not None and connection.user and connection.user.id == user:
                    connection.close()
