"""Kill servers while people play, and count the moves that were acknowledged, lost, and played twice.

Three kinds of kills: the only server process, on a file; one of two processes on a PostgreSQL; PostgreSQL itself under
two processes. Whoever plays reconnects, and sends again what was not answered. Nothing may be lost or played twice.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from load import Row, aligned
from support.kill_one import kill_one
from support.kill_processes import kill_one_of_two, kill_postgres
from support.kills import Tally
from support.postgres import missing, postgres_server

Run = Callable[[Callable[[], None]], Tally]
"""Kills and counts; calls its argument after each kill."""
HEADS = ("killed", "kills", "acknowledged", "lost", "played twice", "seconds a kill")


def runs(arguments: argparse.Namespace, folder: Path, stack: ExitStack) -> dict[str, tuple[int, Run]]:
    """Return what is to be killed: how often, and how."""
    found: dict[str, tuple[int, Run]] = {}
    for name in ("one", "two", "postgres"):
        (folder / name).mkdir()
    if arguments.one:
        found["the only process"] = arguments.one, lambda tick: kill_one(folder / "one" / "data", arguments.one, tick)
    if not (arguments.two or arguments.postgres):
        return found
    if missing():
        sys.exit(f"This cannot be measured here: {missing()}.")
    server = stack.enter_context(postgres_server(durable=True))
    if arguments.two:
        two = server.address(server.create())
        found["one of two processes"] = (
            arguments.two,
            lambda tick: kill_one_of_two(folder / "two" / "data", two, arguments.two, tick),
        )
    if arguments.postgres:
        both = server.address(server.create())
        found["PostgreSQL"] = (
            arguments.postgres,
            lambda tick: kill_postgres(folder / "postgres" / "data", both, server, arguments.postgres, tick),
        )
    return found


def main() -> None:
    """Parse the arguments and kill."""
    parser = argparse.ArgumentParser(prog="dev.py bench --kills", description=__doc__)
    parser.add_argument("--one", type=int, default=1000, help="kills of the only process (default: 1000; 0: none)")
    parser.add_argument("--two", type=int, default=100, help="kills of one of two processes (default: 100; 0: none)")
    parser.add_argument("--postgres", type=int, default=100, help="kills of PostgreSQL (default: 100; 0: none)")
    arguments = parser.parse_args()
    tallies: dict[str, tuple[Tally, float]] = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="omnibus-kills-")))
        for what, (kills, run) in runs(arguments, folder, stack).items():
            tallies[what] = killed(what, kills, run)
    print(aligned([HEADS, *(row(what, tally, seconds) for what, (tally, seconds) in tallies.items())]))
    sys.exit(any(tally.lost or tally.twice for tally, _ in tallies.values()))


def killed(what: str, kills: int, run: Run) -> tuple[Tally, float]:
    """Kill something, with a progress bar; return what became of the moves, and the seconds a kill took."""
    began = time.monotonic()
    with Progress(console=Console(stderr=True)) as progress:
        bar = progress.add_task(f"killing {what}", total=kills)
        tally = run(lambda: progress.advance(bar))
    return tally, (time.monotonic() - began) / kills


def row(what: str, tally: Tally, seconds: float) -> Row:
    """Return a row of the report."""
    counts = (tally.kills, tally.acknowledged, tally.lost, tally.twice)
    return (what, *(f"{count:,}" for count in counts), f"{seconds:.1f}")


if __name__ == "__main__":
    main()
