"""One background thread for work that would hold up the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, TypeVar

T = TypeVar("T")

_THREAD: Final = ThreadPoolExecutor(1, thread_name_prefix="background")


async def in_background(function: Callable[..., T], *values: Any, **more: Any) -> T:
    """Call a function in the background thread, after the calls made before."""
    return await asyncio.get_running_loop().run_in_executor(_THREAD, partial(function, *values, **more))
