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


def test_how_games_ended() -> None:
    """For one person at the table; nothing is told, or counted, to somebody who had several seats."""
    ended = {(0,): "won", (0, 1): "shared_win", (1,): "lost", (): "no_winner"}
    assert [result(finished(list(winners), ANN, BEN), "ann") for winners in ended] == list(ended.values())
    assert result(finished(None, ANN, BEN), "ann") is result(finished([0], ANN, ANN), "ann") is None
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
