"""The examples run, in a small setting. The one that learns needs PyTorch and minutes; it is type-checked only."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from omnibus import Match

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("arguments", "tells"),
    [
        (("random_self_play.py", "bus", "--seats", "4", "--games", "2"), "in 2 games"),
        (("gymnasium_against_bots.py", "--games", "2"), "a game against random"),
        (("openspiel_ismcts.py", "--games", "1", "--simulations", "2"), "ISMCTS with 2 simulations"),
    ],
)
def test_examples_run(arguments: tuple[str, ...], tells: str, tmp_path: Path) -> None:
    """As people run them, they play and print the result; the record of the last game that one plays replays."""
    pytest.importorskip("pyspiel" if "openspiel" in arguments[0] else "gymnasium")
    record = tmp_path / "last.game"
    kept = ("--record", str(record)) if "random" in arguments[0] else ()
    command = [sys.executable, "-W", "error", str(EXAMPLES / arguments[0]), *arguments[1:], *kept]
    assert tells in subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert not kept or Match.read(record.read_text("utf-8")).outcome is not None


def test_every_example_says_how_to_run_it() -> None:
    """The docstring of each example has the command that runs it."""
    scripts = list(EXAMPLES.glob("*.py"))
    assert len(scripts) >= 4
    for script in scripts:
        assert re.search(rf"python3? examples/{script.name}", script.read_text("utf-8").split('"""')[1])
