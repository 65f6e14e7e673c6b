"""The examples run, in a small setting. The one that learns needs PyTorch and minutes; it is type-checked only."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from omnibus import Match

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(*arguments: str) -> str:
    """Run an example as people do; return what it printed."""
    command = [sys.executable, "-W", "error", str(EXAMPLES / arguments[0]), *arguments[1:]]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_random_self_play(tmp_path: Path) -> None:
    """It plays games, and the record of the last one replays."""
    record = tmp_path / "last.game"
    said = run("random_self_play.py", "bus", "--seats", "4", "--games", "2", "--record", str(record))
    assert "in 2 games" in said
    assert Match.read(record.read_text("utf-8")).outcome is not None


@pytest.mark.parametrize(
    ("arguments", "tells"),
    [
        (("gymnasium_against_bots.py", "--games", "2"), "a game against random"),
        (("openspiel_ismcts.py", "--games", "1", "--simulations", "2"), "ISMCTS with 2 simulations"),
    ],
)
def test_others(arguments: tuple[str, ...], tells: str) -> None:
    """They play and print the result."""
    assert tells in run(*arguments)


def test_every_example_says_how_to_run_it() -> None:
    """The docstring of each example has the command that runs it."""
    scripts = list(EXAMPLES.glob("*.py"))
    assert len(scripts) >= 4
    for script in scripts:
        assert re.search(rf"python3? examples/{script.name}", script.read_text("utf-8").split('"""')[1])
