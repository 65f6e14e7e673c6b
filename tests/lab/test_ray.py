"""Ray: the same games as in processes, and work that outlives its workers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from omnibus.lab.processes import spread

pytestmark = pytest.mark.nightly

SCRIPT = Path(__file__).parent.parent / "support" / "on_ray.py"
PATIENCE_S = 600


@pytest.mark.usefixtures("traced_processes")
def test_the_same_on_ray(tmp_path: Path) -> None:
    """Contests, simulations, puzzles, analyses and the games of a training are the same on Ray as in processes.

    The work of a lost worker is done again. A contest can be interrupted and resumed; whatever kills every worker is
    given up; errors come back as they are.
    """
    (tmp_path / "work").mkdir()
    command = [sys.executable, str(SCRIPT), str(tmp_path / "work"), str(tmp_path / "found.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert found["addresses"] == ["127.0.0.1"]
    in_processes, on_ray = found["arena"]
    assert len(in_processes) == 6
    assert on_ray == in_processes
    for work in ("simulated", "puzzles", "analysed", "stepped"):
        in_processes, on_ray = found[work]
        assert on_ray == in_processes, work
        assert in_processes, work
    assert len(set(found["stepped"][0])) > 2
    kept, finished = found["resumed"]
    assert 2 <= kept < 6
    assert finished == 6
    assert found["fragile"] == list(range(8))
    assert found["vanished"] == ["1"]
    assert found["died"].startswith("WorkerDied: a worker process exited in the middle of its work (")
    assert "invalid literal" in found["failed"]
    assert "4 games" in found["command"]
    in_processes, on_ray = found["taught"]
    assert on_ray[0] == in_processes[0]
    assert len(on_ray) > 1


def test_nothing_answers_at_an_address() -> None:
    """One sentence says so at once."""
    with pytest.raises(ValueError, match=r"there is no Ray cluster at 127\.0\.0\.1:1: "):
        list(spread(int, ["1"], ray="127.0.0.1:1"))


def test_ray_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence says what to install."""
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ValueError, match=r"--ray needs Ray: install omnibus-games\[ray\]"):
        list(spread(int, ["1"], ray="local"))
