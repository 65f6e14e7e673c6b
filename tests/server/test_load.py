"""The load benchmark: a few clients at a real server, and the search for the highest rate. Nothing is timed."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import bot_delay
import pytest
from solo_player import SoloPlayer

import load
from load_clients import Measurements, allow_files
from support.server_process import ServerProcess

LOAD = Path(load.__file__)


def test_a_few_clients_play() -> None:
    """Everybody connects, every move that is due is played and told to all; nothing is lost."""
    chosen = "--tables 3 --every 1 --seconds 3 --rounds 1 --many 0"
    command = [sys.executable, str(LOAD), *chosen.split()]
    answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert answer.returncode == 0, answer.stderr
    _, head, columns, row, _, spent = answer.stdout.splitlines()
    assert head == "3 tables, 12 sockets, a move per table every 1.0 s"
    moves, missed = (row.split()[columns.replace(" p", "-p").split().index(name)] for name in ("moves", "missed"))
    assert int(moves) + int(missed) >= 9
    assert spent.startswith("processor time of the server per move: ")


class Slowing(load.LoadedServer):
    """Players whose server gets slower the faster they play, and too slow at some rate."""

    def __init__(self, most: float) -> None:
        self.most = most

    def play(self, rate: float, seconds: float) -> load.Stretch:
        """Answer as if the server had been asked."""
        told = [load.SWIFT_S * rate / self.most] * 100
        return load.Stretch(rate, seconds, [Measurements(told, told, [0.0], 0, 0, 0, 0.0)], 0.0, 0.0)


@pytest.mark.parametrize("most", [30.0, 51.0, 333.0])
def test_the_highest_rate_is_found(most: float) -> None:
    """Within the last step, from below; even when the first rate is too high already."""
    found = load.highest(load.climb(Slowing(most), 50.0, 1.0))
    assert most / (1 + load.STEEP / 2 ** (load.STEPS - 1)) < found < most


def test_what_a_stretch_tells() -> None:
    """Percentiles are those of all clients; a server that loses or misses moves is not fast enough."""
    quick = Measurements([0.01] * 99, [0.005] * 99, [0.0] * 99, 0, 0, 0, 0.5)
    slow = Measurements([0.2], [0.1], [0.0], 0, 0, 0, 0.5, rejected=Counter(stale=2))
    stretch = load.Stretch(10.0, 10.0, [quick, slow, slow], 5.0, 100.0)
    assert (stretch.p(50), stretch.swift(), stretch.rejected) == (0.01, True, {"stale": 4})
    assert stretch.row()[:2] == ("10.0", "101")
    for lost, missed in ((1, 0), (0, 1)):
        measured = [Measurements([0.01], [0.0], [0.0], lost, missed, 0, 0.0)]
        assert not load.Stretch(10.0, 10.0, measured, 0.0, 0.0).swift()


def test_too_many_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the system does not allow is said in one sentence; what it allows is made use of."""
    allowed: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 4096))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: allowed.append(limits))
    allow_files(1000)
    assert allowed == [(1200, 4096)]
    with pytest.raises(ValueError, match="this needs 4200 open files and the system allows 4096"):
        allow_files(4000)


def test_somebody_plays_alone_against_bots(server: ServerProcess) -> None:
    """Each decision of a bot is noted; what it could choose from is read from the record when the game is over."""
    player = SoloPlayer(server.port, "127.0.0.1", "times_square", "random", seed=1)
    player.start()
    while not player.finished and player.is_alive():
        time.sleep(0.05)
    player.stop()
    found = bot_delay.decisions(player)
    assert len(player.waits) >= len(found) > 0
    assert all(decision.seconds > 0 and decision.choices > 0 for decision in found)


def test_times_that_tell_something_and_times_that_do_not() -> None:
    """50 % when decisions with and without a choice take the same time; different lines are not compared."""
    forced, free = bot_delay.Decision("done", 1, 0.5), bot_delay.Decision("done", 3, 0.5)
    assert bot_delay.compared([forced, free]).share == 0.5
    assert bot_delay.compared([forced, free._replace(seconds=0.6)]).share == 1.0
    assert bot_delay.compared([forced, free._replace(line="sue left", seconds=0.6)]) == (0.5, 0.5)
    assert bot_delay.compared([forced, free] * 200).by_chance < 0.06
