"""The traces of this folder: what a server is asked over HTTP and sockets, and what it answers (README.md)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.server_process import ServerProcess, running_server
from support.trace_file import read
from support.trace_player import FIXED_DICE, Player, own_server, wants_own_server

HERE = Path(__file__).parent
TRACES = sorted(HERE.glob("*/*.trace"))


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server for all traces that can share one, each with users and tables of its own."""
    with running_server(tmp_path_factory.mktemp("traces") / "data", program=FIXED_DICE, traced=True) as server:
        yield server


@pytest.mark.parametrize("path", TRACES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_server_answers_as_recorded(
    path: Path, shared_server: ServerProcess, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Every answer is the recorded one; `pytest --record-traces` writes down answers that are missing or differ."""
    trace, recording = read(path), bool(request.config.getoption("record_traces"))
    if not wants_own_server(trace):
        Player(trace, shared_server, recording=recording).play()
        return
    with own_server(trace, tmp_path) as server:
        Player(trace, server, recording=recording).play()
