"""How long it takes to analyse games of each kind, with one process and with two.

`python benchmarks/analysis_speed.py`: the games are played by quick bots from seeds, each with its fewest seats. Some
have more doubtful decisions than others, so several are analysed. Wall time, on a machine with nothing else to do. Run
it with the compiled core on the path for the figures that count.
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from itertools import product

from omnibus import Match, games
from omnibus.bots import bot, search
from omnibus.lab.analysis.runner import SECONDS, analyse, decided


def played(name: str, seed: int) -> Match:
    """Play a game between quick bots, one better than the others."""
    match = Match.new(name, seats=games.find(name).seats[0], seed=seed)
    players = [bot("easy" if seat else "medium", match.game, seed=seed + seat) for seat in range(match.seats)]
    while isinstance(match.actor, int):
        match.play(players[match.actor](match.view(match.actor)))
    return match


def timed(text: str, seconds: float, jobs: int) -> float:
    """Return how long the analysis of a record takes."""
    began = time.perf_counter()
    analyse(text, seconds=seconds, jobs=jobs, tick=progress)
    return time.perf_counter() - began


def core() -> str:
    """Say which core runs."""
    return "interpreted" if search.__file__.endswith(".py") else "compiled"


def progress(done: int, total: int) -> None:
    """Say on the terminal how far it is."""
    if sys.stderr.isatty():
        print(f"\r{done} of {total} decisions ".ljust(30), end="\r", file=sys.stderr, flush=True)


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="seconds for each decision (default: 0.2)")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2], help="numbers of processes (default: 1 2)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game (default: 1)")
    parser.add_argument("--games", type=int, default=3, help="games of each kind (default: 3)")
    arguments = parser.parse_args()
    heads = "".join(f"{f'{jobs} job' + 's' * (jobs > 1):>10}" for jobs in arguments.jobs)
    print(f"Seconds for a game: Python {platform.python_version()}, {core()} core, {arguments.seconds} s a decision")
    print(f"{'game, seats, seed':<26}{'decisions':>10}{heads}{'last / first':>14}")
    seeds = range(arguments.seed, arguments.seed + arguments.games)
    for name, seed in product(games.names(), seeds):
        match = played(name, seed)
        took = [timed(match.record(), arguments.seconds, jobs) for jobs in arguments.jobs]
        figures = "".join(f"{seconds:>10.1f}" for seconds in took)
        told = f"{f'{name}, {match.seats} seats, {seed}':<26}{len(decided(match)):>10}{figures}"
        print(f"{told}{took[-1] / took[0]:>14.2f}", flush=True)


if __name__ == "__main__":
    main()
