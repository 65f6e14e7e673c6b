"""Which processes coverage traces: those that run tests, and of those that tests start only the ones that must be.

Tracing makes a process slow, and most of them run code that other tests run too.
"""

from __future__ import annotations

import os
import sys

ASKED = "COVERAGE_PROCESS_CONFIG"  # with this in its environment, a Python process is traced
KEPT = "OMNIBUS_COVERAGE"


def trace_only_this_process() -> None:
    """Keep processes that are started from here on from being traced."""
    if ASKED in os.environ:
        os.environ[KEPT] = os.environ.pop(ASKED)


def traced() -> dict[str, str]:
    """Return what the environment of a process needs for it to be traced, if anything is traced at all."""
    return {ASKED: os.environ[KEPT]} if KEPT in os.environ else {}


def save_traced() -> None:
    """Save what this process has recorded so far.

    pytest-xdist kills a process that has not ended ten seconds after it was told to. On a busy machine, to save at exit
    can take longer; so what was recorded is saved before the process says that its tests are done.
    """
    if "coverage" in sys.modules and (running := sys.modules["coverage"].Coverage.current()):
        running.stop()
        running.save()
