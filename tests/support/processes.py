"""Processes of tests: whether anything is left of a group, and what is done should the tests be killed."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


def left_of_group(group: int, patience: float = 5.0) -> list[int]:
    """Return which processes of a group are alive, having given them a moment to end; the dead do not count."""
    if not Path("/proc/self/stat").exists():
        pytest.fail("this test looks at processes in /proc")
    deadline = time.monotonic() + patience
    while (alive := [pid for pid in _numbers() if _group(pid) == group]) and time.monotonic() < deadline:
        time.sleep(0.05)
    return alive


def children_of(parent: int) -> list[int]:
    """Return the processes that a process has started, the eldest first."""
    listed = subprocess.run(["ps", "-A", "-o", "ppid=,pid="], capture_output=True, text=True, check=True).stdout
    return sorted(int(pid) for above, pid in map(str.split, listed.splitlines()) if int(above) == parent)


def _numbers() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _group(pid: int) -> int | None:
    """Return the group of a living process."""
    try:
        state, _, group = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:3]
    except OSError:
        return None
    return None if state in "ZX" else int(group)


@contextmanager
def run_if_killed(*command: str) -> Iterator[None]:
    """Have a command run if this process is killed meanwhile, to clean up what it leaves behind.

    A shell waits for a word from this process; if its input ends without one, this process has been killed.
    """
    waiting = ["sh", "-c", 'read -r word || exec "$@"', "sh", *command]
    with subprocess.Popen(
        waiting, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as shell:
        try:
            yield
        finally:
            assert shell.stdin
            with suppress(OSError):
                shell.stdin.write(b"done\n")
                shell.stdin.flush()
