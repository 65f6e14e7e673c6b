"""Two processes on one PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from support.two_processes import Pair, process


@pytest.fixture
def kind() -> str:
    """All of this is about PostgreSQL."""
    return "postgres"


@pytest.fixture
async def pair(address: str) -> AsyncIterator[Pair]:
    """Two processes on one database."""
    async with process(address) as one, process(address) as other:
        yield one, other
