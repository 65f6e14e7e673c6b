"""The example bot that searches: it speaks the line protocol, plays legal games of every kind, and sees a win."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from omnibus import Match, games
from omnibus.lab.arena.contest import play_game
from omnibus.lab.arena.contestants import Contestant, program
from omnibus.lab.arena.runner import contest

ROOT = Path(__file__).parent.parent.parent
COMMAND = [sys.executable, str(ROOT / "examples" / "ismcts_bot.py")]
WINNING = ROOT / "tests" / "games" / "times_square" / "winning.json"


@pytest.mark.parametrize("game", games.names())
def test_plays_a_legal_game(game: str) -> None:
    """A game in the arena, to its end and without a fault."""
    made = contest(game, [program(" ".join(COMMAND), None, 1), Contestant("random")], seed=2)
    played = play_game(made, 0)
    assert played.lost is None
    assert not played.fault
    assert Match.read(played.record).outcome is not None


@pytest.mark.parametrize("limits", ["simulations 200", "seconds 0.5"])
def test_sees_a_win(limits: str) -> None:
    """§10.1 Sue one step from the door, and nothing in the way: it finds the step, whatever limits it."""
    position = json.loads(WINNING.read_text(encoding="utf-8"))["sue walks in (§10.1)"]
    match = Match.from_position("times_square", position, seed=1)
    view = json.dumps({**match.view(0), "legal": match.lines()})
    said = "\n".join(["omnibus 1", "set seed 7", f"view {view}", f"go {limits}", "quit"])
    answer = subprocess.run(COMMAND, input=said, capture_output=True, text=True, check=True).stdout
    assert answer.splitlines()[-1] == "play sue left"
