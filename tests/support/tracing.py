"""Which processes coverage traces: those that run tests, and of those that tests start only the ones that must be.

Tracing makes a process slow, and most of them run code that other tests run too.
"""

from __future__ import annotations

import os

ASKED = "COVERAGE_PROCESS_CONFIG"  # with this in its environment, a Python process is traced
KEPT = "OMNIBUS_COVERAGE"


def trace_only_this_process() -> None:
    """Keep processes that are started from here on from being traced."""
    if ASKED in os.environ:
        os.environ[KEPT] = os.environ.pop(ASKED)


def traced() -> dict[str, str]:
    """Return what the environment of a process needs for it to be traced, if anything is traced at all."""
    return {ASKED: os.environ[KEPT]} if KEPT in os.environ else {}
