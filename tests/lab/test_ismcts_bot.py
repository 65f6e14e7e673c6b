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
from support.winning import winning

ROOT = Path(__file__).parent.parent.parent
COMMAND = [sys.executable, str(ROOT / "examples" / "ismcts_bot.py")]


@pytest.mark.parametrize("game", games.names())
def test_plays_a_legal_game(game: str) -> None:
    """A game in the arena, to its end and without a fault."""
    made = contest(game, [program(" ".join(COMMAND), None, 1), Contestant("random")], seed=2)
    played = play_game(made, 0)
    assert played.lost is None
    assert not played.fault
    assert Match.read(played.record).outcome is not None


def answer(match: Match, limits: str) -> str:
    """Return the line it plays for the seat to act."""
    assert isinstance(match.actor, int)
    view = json.dumps({**match.view(match.actor), "legal": match.lines()})
    said = "\n".join(["omnibus 1", "set seed 7", f"view {view}", f"go {limits}", "quit"])
    told = subprocess.run(COMMAND, input=said, capture_output=True, text=True, check=True).stdout
    return told.splitlines()[-1].removeprefix("play ")


def test_sees_a_win() -> None:
    """§10.1 Sue one step from the door, and nothing in the way: it finds the step."""
    position = winning("times_square")["sue walks in (§10.1)"]
    assert answer(Match.from_position("times_square", position, seed=1), "simulations 800") == "sue left"


@pytest.mark.parametrize("limits", ["", "seconds 0.05", "seconds 0.05 simulations 5"])
def test_keeps_to_its_limits(limits: str) -> None:
    """Limited by time, by both or by nothing, it answers with a legal line."""
    match = Match.new("times_square", seed=1)
    assert answer(match, limits) in match.lines()
