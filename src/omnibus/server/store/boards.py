"""What-if boards: the record each begins with, and the lines played from there as a tree of nodes.

Every change of a board raises its version, and a new node has the version as its number: numbers are never reused, and
a node with a larger number than another was added later.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Final

from msgspec import Struct

from omnibus.server.store.database import Database, Transaction
from omnibus.server.store.users import new_id

MOST_BOARDS: Final = 200  # of one user
MOST_NODES: Final = 1000  # of one board
MOST_LISTED: Final = 50

_COLUMNS: Final = "id, owner, game, start, table_id, seat, version, created, updated"


class BoardRow(Struct, frozen=True):
    """A board, without its nodes."""

    id: str
    owner: str
    game: str
    start: str
    """The record it begins with."""
    table: str | None
    """The table from whose game in progress it was made, as one seat saw it."""
    seat: int | None
    version: int
    created: float
    updated: float


class BoardNode(Struct, frozen=True):
    """A line played on a board, after another node (0: from the start)."""

    number: int
    parent: int
    line: str
    bot: str = ""
    """The level of the bot that chose it; empty if a person did, or chance."""


class BoardsFull(Exception):
    """The user has too many boards, or the board too many nodes."""


class BoardStore:
    """Stores boards, and finds them again."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(
        self,
        owner: str,
        game: str,
        start: str,
        *,
        table: str | None = None,
        seat: int | None = None,
        nodes: Sequence[BoardNode] = (),
    ) -> str:
        """Store a new board, and return its id; BoardsFull when the owner has too many."""
        now = time.time()
        row = (new_id(), owner, game, start, table, seat, max((node.number for node in nodes), default=0), now, now)
        await self.database.write(partial(_insert, row=row, nodes=nodes))
        return row[0]

    async def board(self, id_: str) -> BoardRow | None:
        """Return a board."""
        rows = await self.database.read(f"SELECT {_COLUMNS} FROM boards WHERE id = ?", id_)
        return BoardRow(*rows[0]) if rows else None

    async def boards_of(self, owner: str) -> list[BoardRow]:
        """Return the boards of a user, the latest first, without the records they begin with."""
        query = (
            "SELECT id, owner, game, '', table_id, seat, version, created, updated FROM boards WHERE owner = ? "
            "ORDER BY updated DESC LIMIT ?"
        )
        return [BoardRow(*row) for row in await self.database.read(query, owner, MOST_LISTED)]

    async def nodes(self, id_: str) -> list[BoardNode]:
        """Return the nodes of a board in the order in which they were added: each after its parent."""
        query = "SELECT number, parent, line, bot FROM board_nodes WHERE board_id = ? ORDER BY number"
        return [BoardNode(*row) for row in await self.database.read(query, id_)]

    async def add_node(self, id_: str, parent: int, line: str, bot: str = "") -> BoardNode | None:
        """Add a node, or return the one that is there already; None when the board or the parent is gone.

        BoardsFull when the board has too many.
        """
        return await self.database.write(partial(_add_node, id_=id_, parent=parent, line=line, bot=bot))

    async def remove_branch(self, id_: str, number: int) -> int:
        """Remove a node with all that follow it; return how many."""
        return await self.database.write(partial(_remove_branch, id_=id_, number=number))

    async def remove(self, id_: str) -> None:
        """Remove a board."""
        await self.database.execute("DELETE FROM boards WHERE id = ?", id_)


async def _insert(transaction: Transaction, *, row: tuple[Any, ...], nodes: Sequence[BoardNode]) -> None:
    ((count,),) = await transaction.read("SELECT count(*) FROM boards WHERE owner = ?", row[1])
    if count >= MOST_BOARDS:
        raise BoardsFull
    await transaction.execute(f"INSERT INTO boards ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", *row)
    for node in nodes:
        await _insert_node(transaction, row[0], node)


async def _insert_node(transaction: Transaction, id_: str, node: BoardNode) -> None:
    query = "INSERT INTO board_nodes (board_id, number, parent, line, bot) VALUES (?, ?, ?, ?, ?)"
    await transaction.execute(query, id_, node.number, node.parent, node.line, node.bot)


async def _add_node(transaction: Transaction, *, id_: str, parent: int, line: str, bot: str) -> BoardNode | None:
    query = "SELECT number, parent, line, bot FROM board_nodes WHERE board_id = ?"
    nodes = [BoardNode(*row) for row in await transaction.read(query, id_)]
    same = [node for node in nodes if (node.parent, node.line) == (parent, line)]
    if same:
        return same[0]
    if parent and all(node.number != parent for node in nodes):
        return None
    if len(nodes) >= MOST_NODES:
        raise BoardsFull
    version = await _next_version(transaction, id_)
    if version is None:
        return None
    node = BoardNode(version, parent, line, bot)
    await _insert_node(transaction, id_, node)
    return node


async def _remove_branch(transaction: Transaction, *, id_: str, number: int) -> int:
    query = "SELECT number, parent FROM board_nodes WHERE board_id = ? ORDER BY number"
    gone = branch(number, await transaction.read(query, id_))
    if gone:
        remove = "DELETE FROM board_nodes WHERE board_id = ? AND number = ?"
        await transaction.execute_many(remove, [(id_, node) for node in gone])
        await _next_version(transaction, id_)
    return len(gone)


def branch(number: int, nodes: Iterable[tuple[int, int]]) -> set[int]:
    """Return a node and all that follow it, given all nodes with their parents in the order of their numbers."""
    found: set[int] = set()
    for node, parent in nodes:
        if node == number or parent in found:
            found.add(node)
    return found


async def _next_version(transaction: Transaction, id_: str) -> int | None:
    """Raise the version of a board, and return it; None when there is no such board."""
    query = "UPDATE boards SET version = version + 1, updated = ? WHERE id = ?"
    await transaction.execute(query, time.time(), id_)
    rows = await transaction.read("SELECT version FROM boards WHERE id = ?", id_)
    return int(rows[0][0]) if rows else None
