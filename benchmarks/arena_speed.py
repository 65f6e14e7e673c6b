"""How long the arena takes for the same games with one process, with two and with four.

`python benchmarks/arena_speed.py`: wall time from the command to its report, on a machine with nothing else to do. The
bots think a number of simulations, not seconds, so that every run plays the same games. Run it with the compiled core
on the path for the figures that count; they belong into benchmarks/data/scaling-work.csv.
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import time

from omnibus import games
from omnibus.bots import search

CONTESTANTS = ("hard:simulations=100", "medium")


def timed(game: str, number: int, jobs: int) -> tuple[float, str]:
    """Return how long a contest takes, and its report without what is measured in time."""
    command = [sys.executable, "-m", "omnibus", "arena", game, *CONTESTANTS]
    began = time.perf_counter()
    done = subprocess.run(
        [*command, "--games", str(number), "--jobs", str(jobs)], capture_output=True, text=True, check=True
    )
    took = time.perf_counter() - began
    return took, "\n".join(line for line in done.stdout.splitlines() if "win share" in line or "%" in line)


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=60, help="games of each contest (default: 60)")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2, 4], help="numbers of processes (default: 1 2 4)")
    arguments = parser.parse_args()
    core = "interpreted" if search.__file__.endswith(".py") else "compiled"
    print(f"Python {platform.python_version()}, {core} core, {arguments.games} games, {' against '.join(CONTESTANTS)}")
    for name in games.names():
        found = [timed(name, arguments.games, jobs) for jobs in arguments.jobs]
        if len({report for _, report in found}) != 1:
            sys.exit(f"the games of {name} differ with the number of processes")
        for jobs, (seconds, _) in zip(arguments.jobs, found, strict=True):
            print(f"arena of {name},{jobs},{seconds:.1f}", flush=True)


if __name__ == "__main__":
    main()
