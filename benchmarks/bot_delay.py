"""Measure whether the time a bot takes gives away what it holds, in games with hidden hands.

Somebody plays against bots on a real server. For each decision that ended a bot's turn, the number of lines it could
choose from, which depends on its hand, is found in the record afterwards. (Other decisions are left out: what is sent
after them is shorter, which everybody may know.) Reported are the times of decisions with one line and with several,
and how often a decision with several took longer than the same decision with a single line: 50 % tells nothing, nor
does what chance alone would give.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from solo_player import SoloPlayer

from load import Row, ServerProcess, aligned, percentile, say
from omnibus import Match, games
from omnibus.bots import names as bot_names

TABLES = 2  # games at once: as many as there are usually workers


class Decision(NamedTuple):
    """A decision of a bot that ended its turn: everybody sees the line and the time, nobody the number of choices."""

    line: str
    choices: int
    seconds: float


def decisions(player: SoloPlayer) -> list[Decision]:
    """Return the decisions that ended a bot's turn, in the games that were played to their end."""
    found: list[Decision] = []
    for table, record in player.finished.items():
        match = Match.read(record)
        choices = [len(match.at(ply).lines()) for ply in range(match.length)]
        ended = [wait for wait in player.waits if wait.table == table and wait.ended]
        found += [Decision(match.plies[wait.plies][1], choices[wait.plies], wait.seconds) for wait in ended]
    return found


class Comparison(NamedTuple):
    """How often a decision among several lines took longer than the same decision without a choice."""

    share: float
    by_chance: float
    """How far from a half the share may be by chance alone, in 95 of 100 measurements (Mann–Whitney)."""


def compared(found: list[Decision]) -> Comparison:
    """Compare the times of decisions with the same line only: what is seen anyway may take its own time."""
    longer, pairs, variance = 0.0, 0, 0.0
    for line in {decision.line for decision in found}:
        same = [decision for decision in found if decision.line == line]
        forced = [decision.seconds for decision in same if decision.choices == 1]
        free = [decision.seconds for decision in same if decision.choices > 1]
        longer += sum((one < other) + 0.5 * (one == other) for one in forced for other in free)
        pairs += len(forced) * len(free)
        variance += len(forced) * len(free) * (len(same) + 1) / 12
    return Comparison(longer / pairs, 1.96 * variance**0.5 / pairs) if pairs else Comparison(0.5, 0.5)


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
    found = [decision for player in players for decision in decisions(player)]
    forced = [decision.seconds for decision in found if decision.choices == 1]
    free = [decision.seconds for decision in found if decision.choices > 1]
    times = [f"{value:.3f}" for each in (forced, free) for value in (percentile(each, 50), percentile(each, 99))]
    share, by_chance = compared(found)
    told = f"{100 * share:.1f} %", f"{100 * max(0.0, 0.5 - by_chance):.1f} – {100 * min(1.0, 0.5 + by_chance):.1f} %"
    return game, level, f"{len(forced)}", *times[:2], f"{len(free)}", *times[2:], *told


def main() -> None:
    """Measure the levels the command line names."""
    parser = argparse.ArgumentParser(prog="dev.py bench --delay", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0, help="seconds for each game and level (default: 120)")
    parser.add_argument("--level", choices=bot_names(), action="append", help="this level (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (default: 1)")
    arguments = parser.parse_args()
    rows: list[Row] = [
        ("game", "level", "one line", "p50 s", "p99 s", "several", "p50 s", "p99 s", "longer with several", "by chance")
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
