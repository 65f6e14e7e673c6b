"""How often something may be done, where doing it too often would be a nuisance to people elsewhere."""

from __future__ import annotations

from limits import parse
from limits.aio.strategies import FixedWindowRateLimiter

from omnibus.server.http.rate_limits import Counts


class Throttle:
    """Allows something as often as a limit says (`3 per 1 minute`), for each key on its own, wherever the house is."""

    def __init__(self, limit: str) -> None:
        self._limit = parse(limit)
        self._counts = FixedWindowRateLimiter(Counts())

    async def allows(self, key: str) -> bool:
        """Tell whether it may be done now; then it counts as done."""
        return await self._counts.hit(self._limit, key)
