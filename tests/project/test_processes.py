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


def test_what_a_killed_process_leaves_is_cleaned_up(tmp_path: Path) -> None:
    """A file is created by what is killed; nothing is done when it ends by itself."""
    tests = str(Path(processes.__file__).parents[1])
    for end, kill in (("ended", False), ("killed", True)):
        command = [sys.executable, "-c", SCRIPT, tests, str(tmp_path / end)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            assert process.stdout.readline() == "ready\n"
            process.kill() if kill else process.communicate()
    deadline = time.monotonic() + 60
    while not (tmp_path / "killed").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert [path.name for path in tmp_path.iterdir()] == ["killed"]
