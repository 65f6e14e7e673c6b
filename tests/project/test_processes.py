"""What tests start does not outlive them, even if they are killed."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from support import processes

SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from support.processes import run_if_killed
with run_if_killed("touch", sys.argv[2]):
    print("ready", flush=True)
    sys.stdin.read()
"""
PATIENCE_S = 60


def started(file: Path) -> subprocess.Popen[str]:
    """Start a process that has a file created should it be killed."""
    command = [sys.executable, "-c", SCRIPT, str(Path(processes.__file__).parents[1]), str(file)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


def test_what_a_killed_process_leaves_is_cleaned_up(tmp_path: Path) -> None:
    """Nothing is done when it ends by itself."""
    with started(tmp_path / "ended") as process:
        process.communicate()
    with started(tmp_path / "killed") as process:
        process.kill()
    deadline = time.monotonic() + PATIENCE_S
    while not (tmp_path / "killed").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert [path.name for path in tmp_path.iterdir()] == ["killed"]
