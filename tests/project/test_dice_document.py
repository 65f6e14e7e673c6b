"""What docs/dice.md says about checking by hand is true: its example runs, passes the honest and stops the others."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from omnibus import Match, games

DOCUMENT = (Path(__file__).parent.parent.parent / "docs" / "dice.md").read_text(encoding="utf-8")


def by_hand(folder: Path, record: str) -> subprocess.CompletedProcess[str]:
    """Run the example on a record, as somebody would who has copied it."""
    (example,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    assert len(example.splitlines()) <= 16
    (folder / "played.game").write_text(record, encoding="utf-8")
    command = [sys.executable, "-c", example]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


def played(name: str) -> Match:
    match = Match.new(name, seed=21)
    while match.actor is not None:
        match.play(match.lines()[0])
    return match


@pytest.mark.parametrize("name", games.names())
def test_the_example_passes_an_honest_record(tmp_path: Path, name: str) -> None:
    """Whatever the game."""
    record = played(name).record()
    answer = by_hand(tmp_path, record)
    last = re.findall(r" #(\d+)\n", record)[-1]
    assert (answer.stdout, answer.stderr) == (f"All rolls are right, up to number {last}\n", "")


def test_the_example_stops_a_dishonest_record(tmp_path: Path) -> None:
    """At another seed, at a number that was used before, and at another card."""
    record = played("times_square").record()
    assert "another seed" in by_hand(tmp_path, record.replace(f"{21:064x}", f"{22:064x}")).stderr
    assert "roll 4 cannot be used here" in by_hand(tmp_path, record.replace(" #5\n", " #4\n")).stderr
    dealt = Match.new("times_square", seed=21)
    other = next(line for line in dealt.at(16).lines() if line != dealt.plies[16][1])
    changed = re.sub(r"- draw \S+ #17\n", f"- {other} #17\n", dealt.record(reveal=True))
    assert "roll 17 was changed" in by_hand(tmp_path, changed).stderr
