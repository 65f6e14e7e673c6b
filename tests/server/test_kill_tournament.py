"""A server killed in the middle of a tournament: everything goes on from where it was."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from omnibus.server.store.sqlite import FILE_NAME
from support.server_process import SILENCE_S, Guest, running_server

pytestmark = pytest.mark.nightly

NAMES = ("Annegret", "Bertolda", "Clothilde", "Dorothea")
FORM = {"game": "times_square", "format": "swiss", "size": "2", "rounds": "2", "limit": "600", "clock": "slow"}


class Player(Guest):
    """Somebody with a claimed name who plays in a tournament."""

    path = ""

    def do(self, path: str, **form: str) -> str:
        """Send a form; return where that leads."""
        answer = self.http.post(path, data=form)
        assert answer.status_code in (200, 303), answer.text
        return str(answer.headers.get("location", ""))

    def info(self) -> dict[str, Any]:
        """Return the tournament as this player sees it."""
        found: dict[str, Any] = self.http.get(f"/api{self.path}").json()
        return found


def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for a condition."""
    late = time.monotonic() + SILENCE_S
    while not condition():
        assert time.monotonic() < late, f"in vain: {what}"
        time.sleep(0.02)


def enter(players: list[Player], url: str) -> None:
    """Let all claim a name and enter a new tournament."""
    for player, name in zip(players, NAMES, strict=True):
        player.move_to(url)
        player.do("/you/name", name=name)
        player.do("/you/link")
        player.do("/you/claim")
    path = players[0].do("/tournaments", **FORM)
    for player in players:
        player.path = path
        player.do(f"{path}/join")


def at_tables(players: list[Player]) -> dict[str, Player]:
    """Wait until everybody has a table; return one player of each."""
    until(lambda: all(player.info()["your_table"] for player in players), "everybody has a table")
    return {player.info()["your_table"]: player for player in players}


def test_killed_in_the_middle(tmp_path: Path) -> None:
    """Tables, decisions and results stay; the next round is paired once, and its tables open once."""
    data = tmp_path / "data"
    with ExitStack() as stack:
        players = [stack.enter_context(Player("http://nowhere")) for _ in NAMES]
        with running_server(data) as running:
            enter(players, running.url)
            players[0].do(f"{players[0].path}/start")
            (first, one), (second, two) = at_tables(players).items()
            one.do(f"/tables/{first}/resign")  # the server may not have noted the result yet
            running.kill()
        with running_server(data) as running:
            for player in players:
                player.move_to(running.url)
            info = two.info()
            assert (info["summary"]["status"], info["played"], info["your_table"]) == ("live", 1, second)
            assert {table["table"] for table in info["tables"]} == {first, second}
            two.do(f"/tables/{second}/resign")
            until(lambda: one.info()["played"] == 2, "the second round is paired")
            running.kill()  # its tables may not be open yet
        with running_server(data) as running:
            for player in players:
                player.move_to(running.url)
            for table, player in at_tables(players).items():
                player.do(f"/tables/{table}/resign")
            until(lambda: one.info()["summary"]["status"] == "over", "the tournament is over")
            info = one.info()
    assert [each["played"] for each in info["standings"]] == [2, 2, 2, 2]
    assert sum(each["points"] for each in info["standings"]) == 4
    expect_each_table_once(data)


def expect_each_table_once(data: Path) -> None:
    """Every table that was paired was opened, and no others; nobody met the same opponent twice."""
    with sqlite3.connect(data / FILE_NAME) as database:
        paired = database.execute("SELECT table_id, players FROM tournament_tables").fetchall()
        opened = database.execute("SELECT id FROM tables WHERE tournament <> ''").fetchall()
    database.close()
    assert sorted((table,) for table, _ in paired) == sorted(opened)
    assert len(opened) == 4
    pairs = {frozenset(json.loads(players)) for _, players in paired}
    assert len(pairs) == len(paired)
