"""Measure whether the time a bot takes gives away what it holds, in games with hidden hands.

Somebody plays against bots on a real server. For each decision that ended a bot's turn, the number of lines it could
choose from, which depends on its hand, is found in the record afterwards. (Other decisions are left out: what is sent
after them is shorter, which everybody may know.) Reported are the times of decisions with one line and with several,
and how often a decision with several took longer than one with a single line: 50 % tells nothing.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from statistics import mean

from solo_player import SoloPlayer

from load import Row, ServerProcess, aligned, percentile, say
from omnibus import Match, games
from omnibus.bots import names as bot_names

TABLES = 2  # games at once: as many as there are usually workers


def decisions(player: SoloPlayer) -> tuple[list[float], list[float]]:
    """Return the times of decisions with one line to choose from, and of those with several."""
    forced: list[float] = []
    free: list[float] = []
    for table, record in player.finished.items():
        numbers = _choices(record)
        for wait in player.waits:
            if wait.table == table and wait.ended:
                (forced if numbers[wait.plies] == 1 else free).append(wait.seconds)
    return forced, free


def _choices(record: str) -> list[int]:
    """Return how many lines there were to choose from at each ply of a record."""
    match = Match.read(record)
    return [len(match.at(ply).lines()) for ply in range(match.length)]


def longer(forced: list[float], free: list[float]) -> float:
    """Return how often a time of the second list is above one of the first; a tie counts half."""
    pairs = [(one < other) + 0.5 * (one == other) for one in forced for other in free]
    return mean(pairs) if pairs else 0.5


def measure(game: str, level: str, seconds: float, seed: int) -> Row:
    """Play for so long, and return a row of the report."""
    with tempfile.TemporaryDirectory(prefix="omnibus-delay-") as folder:
        server = ServerProcess(Path(folder))
        players = [SoloPlayer(server.port, f"127.77.0.{1 + n}", game, level, seed + n) for n in range(TABLES)]
        for player in players:
            player.start()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            say(f"{game}, {level}: {end - time.monotonic():.0f} s to go")
            time.sleep(1)
        for player in players:
            player.stop()
        server.stop()
    found = [decisions(player) for player in players]
    forced = [second for one, _ in found for second in one]
    free = [second for _, several in found for second in several]
    times = [f"{value:.3f}" for each in (forced, free) for value in (percentile(each, 50), percentile(each, 99))]
    return game, level, f"{len(forced)}", *times[:2], f"{len(free)}", *times[2:], f"{100 * longer(forced, free):.1f} %"


def main() -> None:
    """Measure the levels the command line names."""
    parser = argparse.ArgumentParser(prog="dev.py bench --delay", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0, help="seconds for each game and level (default: 120)")
    parser.add_argument("--level", choices=bot_names(), action="append", help="this level (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (default: 1)")
    arguments = parser.parse_args()
    rows: list[Row] = [
        ("game", "level", "one line", "p50 s", "p99 s", "several", "p50 s", "p99 s", "longer with several")
    ]
    for game in games.names():
        if not games.find(game).open:
            rows += [
                measure(game, level, arguments.seconds, arguments.seed) for level in arguments.level or bot_names()
            ]
    say()
    print(aligned(rows))


if __name__ == "__main__":
    main()
