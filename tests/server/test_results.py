"""Results of finished games: in the list of one's tables, and counted on the account page."""

from __future__ import annotations

import re

import httpx
import pytest

from omnibus.server.store.models import Sitter, TableRow, TableSetup, User
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.results import result, statistics

pytestmark = pytest.mark.both_databases

ANN, BEN = Sitter(user="ann"), Sitter(user="ben")


def finished(winners: list[int] | None, *sitters: Sitter, game: str = "bus") -> TableRow:
    setup = TableSetup("t", game, 1, len(sitters), {}, 0, list(sitters), "ann", 0.0)
    return TableRow(setup, 0.0, None, "over", winners)


@pytest.mark.parametrize(
    ("winners", "expected"), [([0], "won"), ([0, 1], "shared_win"), ([1], "lost"), ([], "no_winner"), (None, None)]
)
def test_result(winners: list[int] | None, expected: str | None) -> None:
    """How a game ended for somebody; nothing is said to somebody who had several seats."""
    assert result(finished(winners, ANN, BEN), "ann") == expected
    assert result(finished(winners, ANN, ANN), "ann") is None


def test_statistics() -> None:
    """By game and number of seats; shared wins are not won, and games with oneself do not count."""
    rows = [finished([0], ANN, BEN), finished([1], ANN, BEN), finished([0, 1], ANN, BEN), finished([0], ANN, ANN)]
    rows += [finished([0], ANN, BEN, BEN), finished([1], BEN, ANN, game="metromania")]
    told = [(each.game, each.seats, each.played, each.won, each.shared) for each in statistics(rows, "ann")]
    assert told == [("bus", 2, 3, 1, 1), ("bus", 3, 1, 1, 0), ("metromania", 2, 1, 1, 0)]


async def play_to_the_end(registry: TableRegistry, user: str) -> tuple[str, bool]:
    """Play a game against somebody; return the table and whether the user won."""
    other, _ = await registry.user_store.add_user()
    setup = await registry.open(user, "times_square", {}, [Sitter(user=user), Sitter(user=other.id)])
    table = await registry.table(setup.id)
    while table.actor is not None:
        await table.play(table.actor, table.match.lines()[0], table.event)
    assert table.match.outcome is not None
    return setup.id, 0 in table.match.outcome.winners


async def test_winners_are_stored(registry: TableRegistry, user: User) -> None:
    """With the last move; not before."""
    setup = await registry.open(user.id, "times_square", {}, [Sitter(user=user.id), Sitter(bot="random")])
    live = await registry.table_store.entry(setup.id)
    assert live is not None
    assert live.winners is None
    table, won = await play_to_the_end(registry, user.id)
    entry = await registry.table_store.entry(table)
    assert entry is not None
    assert (entry.winners == [0]) == won
    assert [row.setup.id for row in await registry.table_store.finished(user.id)] == [table]


async def test_pages_tell_results(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """The list of tables says who won and when; the account page counts."""
    await client.post("/play/times_square")
    (entry,) = (row for row, _ in await registry.table_store.all_entries())
    _, won = await play_to_the_end(registry, entry.setup.owner)
    lobby = (await client.get("/")).text
    assert ("You won" if won else "You lost") in lobby
    assert "<time" in lobby
    account = (await client.get("/you")).text
    row = re.search(r'<tr><th scope="row">Times Square</th>(.*?)</tr>', account)
    assert row is not None
    assert re.findall(r"<td>([^<]+)</td>", row[1]) == ["2", "1", f"{int(won)}", "0", f"{100 * won}%"]
