"""Asks the database how it is, without waiting for it longer than whoever watches a server would."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from omnibus.server.store.errors import StoreError

T = TypeVar("T")

PATIENCE_S: Final = 1.0
_ASKED: Final[set[asyncio.Task[Any]]] = set()
"""Questions to which there is no answer yet."""


async def answered(question: Coroutine[Any, Any, T]) -> T:
    """Return the answer to a question to the database; StoreError when it takes too long.

    The question is not cancelled then: giving a connection back in the midst of it would take as long.
    """
    asked = asyncio.create_task(question)
    _ASKED.add(asked)
    asked.add_done_callback(_forget)
    await asyncio.wait([asked], timeout=PATIENCE_S)
    if not asked.done():
        raise StoreError("the database does not answer")
    return asked.result()


def _forget(asked: asyncio.Task[Any]) -> None:
    _ASKED.discard(asked)
    if not asked.cancelled():
        asked.exception()
