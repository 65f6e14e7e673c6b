"""What may take long is done aside, one thing after the other, so that the house goes on answering everybody else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, TypeVar

T = TypeVar("T")

_THREAD: Final = ThreadPoolExecutor(1, thread_name_prefix="aside")


async def in_background(do: Callable[..., T], *values: Any, **more: Any) -> T:
    """Do something in a thread of its own, after what is being done there already."""
    return await asyncio.get_running_loop().run_in_executor(_THREAD, partial(do, *values, **more))
