"""Share work among the machines of a Ray cluster. Needs the extra `ray`."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, Final, TypeVar

from omnibus import __version__
from omnibus.lab.errors import WorkerDied

T = TypeVar("T")
R = TypeVar("R")

LOCAL: Final = "local"
"""The address that starts a cluster on this machine, which ends with the work."""
TRIES = 5
"""How often an item is given to another worker after its worker has vanished."""
REACHED_S: Final = 5.0  # how long a cluster may take to answer
OBJECT_STORE: Final = 100 * 1024 * 1024  # bytes; items and results are small
QUIET: Final = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # a warning about accelerators, which nothing here uses
}


LOOPBACK_ONLY: Final = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
"""As it does on Windows and macOS by default: without clusters, Ray listens on this machine only."""


def import_ray(address: str) -> Any:
    """Import Ray, which takes a second and need not be installed; it reads its settings when it is imported."""
    for name, value in (QUIET | LOOPBACK_ONLY if address == LOCAL else QUIET).items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ModuleNotFoundError:
        raise ValueError("--ray needs Ray: install omnibus-games[ray]") from None
    return ray


def _check_address(address: str) -> None:
    """Check that something answers at an address with a port, which Ray would try to reach for minutes."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not (host and port.isdecimal()):
        return  # `local`, `auto`
    try:
        socket.create_connection((host.strip("[]"), int(port)), REACHED_S).close()
    except (OSError, OverflowError) as error:
        raise ValueError(f"there is no Ray cluster at {address}: {error}") from None


@contextmanager
def connected(address: str, jobs: int | None = None) -> Iterator[None]:
    """Connect this process to a cluster, unless it is connected already; ValueError if there is none.

    A cluster on this machine has as many workers as there are jobs. It listens on this machine only, has no dashboard
    and reports nothing to anybody.
    """
    _check_address(address)
    ray = import_ray(address)
    if ray.is_initialized():
        yield
        return
    local = {"num_cpus": jobs, "include_dashboard": False, "object_store_memory": OBJECT_STORE}
    settings = local if address == LOCAL else {}
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **settings)
    except (ConnectionError, ValueError) as error:
        raise ValueError(f"there is no Ray cluster at {address}: {error}") from None
    try:
        yield
    finally:
        ray.shutdown()  # ends what is still being done


def spread_on_ray(work: Callable[[T], R], items: Sequence[T], address: str, jobs: int | None) -> Generator[R]:
    """Do the work for each item on a cluster and yield the results as they come, `jobs` at a time.

    Without `jobs` the whole cluster is used. An item whose worker or machine vanishes is done again by another.
    """
    with connected(address, jobs):
        ray = import_ray(address)
        shared = ray.put(work)
        task = ray.remote(num_cpus=1, max_retries=TRIES)(_done)
        waiting = iter(items)
        pending: list[Any] = []
        try:
            while True:
                free = max(0, (jobs or cores(ray)) - len(pending))
                pending += [task.remote(__version__, shared, item) for item in islice(waiting, free)]
                if not pending:
                    return
                finished, pending = ray.wait(pending)
                yield ray.get(finished[0])
        except ray.exceptions.RayTaskError as error:
            raise error.cause from None  # what went wrong in the work itself
        except ray.exceptions.RayError as error:
            raise WorkerDied(f" ({str(error).splitlines()[0]})") from None
        finally:
            for unfinished in pending:
                ray.cancel(unfinished, force=True)


def cores(ray: Any) -> int:
    """Return how many cores the cluster has now; machines come and go."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _done(version: str, work: Callable[[T], R], item: T) -> R:
    """Do the work for an item, on a machine of the cluster."""
    if version != __version__:
        raise ValueError(f"this machine has Omnibus {version}, but another one of the cluster has {__version__}")
    return work(item)
