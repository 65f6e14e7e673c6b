"""What holds for all tests."""

from __future__ import annotations

import signal

import pytest

# Where tests run in the background Ctrl-C is ignored, and so it would be by every program they start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def anyio_backend() -> str:
    """Coroutines run in asyncio, as the server does."""
    return "asyncio"
