"""Kill tests: a server killed at random moments loses nothing it has acknowledged.

A few kills here; `dev.py bench --kills` does the same a thousand times.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from support.kill_one import kill_one
from support.server_process import Guest, running_server

pytestmark = pytest.mark.nightly

KILLS = 4


def test_kill(tmp_path: Path) -> None:
    """Every acknowledged event is there after each restart, under its number; no table is broken; play goes on.

    No clock runs while the server is down, and no move is both accepted and too late.
    """
    tally = kill_one(tmp_path / "data", KILLS)
    assert tally.acknowledged >= KILLS
    assert (tally.lost, tally.twice) == (0, 0)


def test_a_clean_end_tells_the_clients(tmp_path: Path) -> None:
    """Asked to stop, the server closes sockets with “service restart”; everything is there afterwards."""
    data = tmp_path / "data"
    with running_server(data) as running, Guest(running.url) as guest:
        table = guest.open("bus", "you", "another", "another")
        with guest.sit(table) as sitting:
            scene = sitting.sync()
            sitting.say(play=scene["moves"][0]["line"], event=1, id="x")
            running.stop()
            assert sitting.closed() == 1012
        with running_server(data) as moved:
            guest.move_to(moved.url)
            with guest.sit(table) as again:
                assert again.sync()["event"] >= sitting.done.get("x", 1)  # kept, if it was acknowledged
                again.say(play=scene["moves"][0]["line"], event=1, id="x")
                while "x" not in again.done:
                    again.hear()
                assert again.done == {"x": 2}  # and done once, whether or not the answer had come through
