"""The load benchmarks play at a real server: many clients, and one against bots. Nothing is timed."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import bot_delay
from solo_player import SoloPlayer

import load
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
