"""What tests ask about processes: whether anything is left of a group."""

from __future__ import annotations

import time
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


def _numbers() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _group(pid: int) -> int | None:
    """Return the group of a living process."""
    try:
        state, _, group = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:3]
    except OSError:
        return None
    return None if state in "ZX" else int(group)
