"""How often something may be done, where doing it too often would be a nuisance to people elsewhere."""

from __future__ import annotations

import time
from collections import deque


class Restraint:
    """Allows something a number of times within some seconds, for each key on its own."""

    def __init__(self, most: int, within_s: float) -> None:
        self._most = most
        self._within_s = within_s
        self._done: dict[str, deque[float]] = {}

    def allows(self, key: str) -> bool:
        """Tell whether it may be done now; then it counts as done."""
        self._forget()
        done = self._done.setdefault(key, deque())
        if len(done) >= self._most:
            return False
        done.append(time.monotonic())
        return True

    def _forget(self) -> None:
        """Forget what was long ago."""
        since = time.monotonic() - self._within_s
        for key, done in list(self._done.items()):
            while done and done[0] < since:
                done.popleft()
            if not done:
                del self._done[key]
