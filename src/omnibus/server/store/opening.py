"""Open a database by its address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from omnibus.server.store.postgres import PostgresDatabase

SCHEMES: Final = ("postgresql://", "postgres://")
ONE_DATABASE: Final = "name either a data folder (--data) or a database (--database, OMNIBUS_DATABASE), not both"


def open_postgres(address: str, *, alone: bool = False, migrates: bool = True) -> PostgresDatabase:
    """Return the database at an address, not connected yet; ValueError when that is not possible.

    `alone`: it refuses to be used beside a server of this database; `migrates`: it brings the schema up to date.
    """
    if not address.startswith(SCHEMES):
        raise ValueError(
            "the address of a database begins with postgresql://; for a SQLite file, name its folder with --data"
        )
    try:
        from omnibus.server.store.postgres import PostgresDatabase  # its driver is an extra
    except ImportError:
        raise ValueError("PostgreSQL needs another package: pip install 'omnibus-games[postgres]'") from None
    return PostgresDatabase(address, alone=alone, migrates=migrates)
