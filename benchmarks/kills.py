"""Kill servers while people play, and count the moves that were acknowledged, lost, and played twice.

What is killed: the only server process, on a file; one of two servers on a PostgreSQL; one of the two processes of a
server that it replaces itself; PostgreSQL under two servers, for a while. PostgreSQL is also frozen: halted in the
midst of what it does, as by a machine that is suspended or a network that is cut.

Whoever plays reconnects, and sends again what was not answered. Nothing may be lost or played twice. On PostgreSQL some
play with clocks that are over before it is back: nobody may run out of time while nothing can be stored. Whoever asks
how a server is has to be answered soon, whatever has failed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from kill_watch import Watch
from rich.console import Console
from rich.progress import Progress

from load import Row, aligned
from support.kill_one import kill_one
from support.kill_processes import Watching, fail_postgres, kill_one_of_two, kill_worker
from support.kills import Tally
from support.postgres import missing, postgres_server

Run = Callable[[Path, Callable[[], None], Watching], Tally]
"""Kills and counts, given a folder; calls its second argument after each kill, and watches what goes on meanwhile."""
HEADS = (
    "failing",
    "times",
    "acknowledged",
    "lost",
    "played twice",
    "timed out",
    "longest wait, s",
    "health, s",
    "seconds each",
)
SOON_S = 2.0  # health is answered within


def runs(arguments: argparse.Namespace, stack: ExitStack) -> dict[str, tuple[int, Run]]:
    """Return what is to fail: how often, and how."""
    found: dict[str, tuple[int, Run]] = {}
    if arguments.one:
        found["the only process"] = arguments.one, lambda at, tick, _: kill_one(at, arguments.one, tick)
    if not (arguments.two or arguments.workers or arguments.postgres or arguments.freezes):
        return found
    if missing():
        sys.exit(f"This cannot be measured here: {missing()}.")
    server = stack.enter_context(postgres_server(durable=True))
    if arguments.two:
        two = server.address(server.create())
        found["one of two servers"] = arguments.two, lambda at, *more: kill_one_of_two(at, two, arguments.two, *more)
    if arguments.workers:
        many, kills = server.address(server.create()), arguments.workers
        found["one of two processes"] = kills, lambda at, *more: kill_worker(at, many, kills, *more)
    if arguments.postgres:
        both, times, down = server.address(server.create()), arguments.postgres, arguments.down
        found["PostgreSQL, killed"] = (
            times,
            lambda at, *more: fail_postgres(at, both, server, times, *more, lasting=down),
        )
    if arguments.freezes:
        other, lasting = server.address(server.create()), arguments.lasting
        found["PostgreSQL, frozen"] = (
            arguments.freezes,
            lambda at, *more: fail_postgres(at, other, server, arguments.freezes, *more, lasting=lasting, freezes=True),
        )
    return found


def main() -> None:
    """Parse the arguments and kill."""
    parser = argparse.ArgumentParser(prog="dev.py bench --kills", description=__doc__)
    for name, default, what in (
        ("one", 1000, "kills of the only process"),
        ("two", 100, "kills of one of two servers"),
        ("workers", 100, "kills of one of the two processes of a server"),
        ("postgres", 25, "kills of PostgreSQL"),
        ("freezes", 10, "freezes of PostgreSQL"),
    ):
        parser.add_argument(f"--{name}", type=int, default=default, help=f"{what} (default: {default}; 0: none)")
    for name, seconds, what in (
        ("down", 12.0, "until PostgreSQL is started again"),
        ("lasting", 30.0, "a freeze lasts"),
    ):
        parser.add_argument(f"--{name}", type=float, default=seconds, help=f"seconds {what} (default: {seconds:.0f})")
    arguments = parser.parse_args()
    rows: list[Row] = []
    well = True
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="omnibus-kills-")))
        for what, (times, run) in runs(arguments, stack).items():
            at = folder / f"{len(rows)}" / "data"
            at.parent.mkdir()
            watch = Watch()
            tally, seconds = failing(what, times, run, at, watch)
            rows.append(row(what, tally, watch, seconds))
            well = well and watch.health <= SOON_S and not (tally.lost or tally.twice or tally.timed_out)
    print(aligned([HEADS, *rows]))
    sys.exit(not well)


def failing(what: str, times: int, run: Run, folder: Path, watch: Watch) -> tuple[Tally, float]:
    """Let something fail, with a progress bar; return what became of the moves, and the seconds it took each time."""
    began = time.monotonic()
    with Progress(console=Console(stderr=True)) as progress:
        bar = progress.add_task(what, total=times)
        tally = run(folder, lambda: progress.advance(bar), watch.watching)
    return tally, (time.monotonic() - began) / times


def row(what: str, tally: Tally, watch: Watch, seconds: float) -> Row:
    """Return a row of the report; with the only process waits are not measured."""
    counts = (tally.kills, tally.acknowledged, tally.lost, tally.twice, tally.timed_out)
    waits = (f"{watch.wait:.1f}", f"{watch.health:.1f}") if watch.wait else ("", "")
    return (what, *(f"{count:,}" for count in counts), *waits, f"{seconds:.1f}")


if __name__ == "__main__":
    main()
