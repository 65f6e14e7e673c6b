"""Results of finished games: in the list of one's tables, and counted on the account page."""

from __future__ import annotations

import re

import httpx
import pytest

from omnibus.server.store.models import Sitter, TableRow, TableSetup
from omnibus.server.tables.results import result, statistics

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


@pytest.mark.both_databases
async def test_pages_tell_results(client: httpx.AsyncClient) -> None:
    """The list of tables says who won and when; the account page counts, also games that were resigned."""
    path = (await client.post("/play/times_square")).headers["location"].partition("#")[0]
    await client.post(f"{path}/resign")
    lobby = (await client.get("/")).text
    assert "You lost" in lobby
    assert "<time" in lobby
    row = re.search(r'<tr><th scope="row">Times Square</th>(.*?)</tr>', (await client.get("/you")).text)
    assert row is not None
    assert re.findall(r"<td>([^<]+)</td>", row[1]) == ["2", "1", "0", "0", "0%"]
