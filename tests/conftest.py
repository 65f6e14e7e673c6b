"""What holds for all tests."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from support.tracing import save_traced, trace_only_this_process, traced

# Where tests run in the background Ctrl-C is ignored, and so it would be by every program they start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests run on all cores anyway: several threads for the small matrices of a network would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Every run tries the same examples; `--hypothesis-profile nightly` tries others each time, and ten times as many.
given: dict[str, Any] = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow],  # a busy machine is no fault of the test
    "phases": [Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],  # explaining takes longer than it tells
}
settings.register_profile("fast", derandomize=True, **given)
settings.register_profile("nightly", max_examples=1000, print_blob=True, **given)
settings.load_profile("fast")

ORDER = ("", "tests/envs/", "tests/lab/", "tests/static_site/", "tests/project/", "tests/server/", "tests/browser/")
SLOW = ("nightly", "walk")  # marks of tests that run only where they are asked for
SLOW_FILE = re.compile(rf"^pytestmark = .*\b({'|'.join(SLOW)})\b", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what our own tests are asked for."""
    parser.addoption("--record-traces", action="store_true", help="write the answers of a server into tests/traces")


def pytest_configure(config: pytest.Config) -> None:
    """Trace what runs the tests: this process, or those among which it distributes them."""
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        trace_only_this_process()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even read files in which everything is slow, unless that is asked for: to import some takes seconds."""
    if collection_path.suffix == ".py" and (found := SLOW_FILE.search(collection_path.read_text("utf-8"))):
        return None if found[1] in config.getoption("markexpr") else True
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put cheap tests first, and leave out slow ones unless their mark (with -m) or their file is asked for."""
    items.sort(key=lambda item: max(place for place, name in enumerate(ORDER) if item.nodeid.startswith(name)))
    named = {Path(argument.split("::")[0]).name for argument in config.args}
    left_out = []
    for item in items:
        slow = [name for name in SLOW if item.get_closest_marker(name)]
        asked = [name for name in slow if name in config.getoption("markexpr")]
        if slow and not asked and item.path.name not in named:
            left_out.append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in set(left_out)]


def pytest_sessionfinish() -> None:
    """Save what was traced while nobody counts the seconds (`save_traced`)."""
    save_traced()


@pytest.fixture
def traced_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trace the processes that a test starts too."""
    for name, value in traced().items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def anyio_backend() -> str:
    """Coroutines run in asyncio, as the server does."""
    return "asyncio"
