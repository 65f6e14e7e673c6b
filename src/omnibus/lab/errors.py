"""Errors that work shared among workers can end with."""

from __future__ import annotations


class WorkerDied(Exception):
    """A worker process exited in the middle of its work: it was killed, or ran out of memory."""

    def __init__(self, how: str) -> None:
        super().__init__(f"a worker process exited in the middle of its work{how}")
