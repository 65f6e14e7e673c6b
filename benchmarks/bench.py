"""Measure the engines against peers, all in one run: these figures only mean something as ratios to each other.

A "move" is a decision of a seat; chance is not counted, working out the outcome is. Every figure is the best of
several rounds, and the rounds of all contestants take turns, so that a noisy machine is noisy for everybody.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
import timeit
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import bot_speed
import environments

SOURCE = Path(__file__).resolve().parent.parent / "src"
COSTS = ("clone ", "scoring ")  # what is measured in moves instead of moves a second
PARTS = ("engines", "environments", "bots")


def chess_game(random: Random) -> int:
    """Play one random game of python-chess, with `is_game_over()` in the loop."""
    import chess

    board = chess.Board()
    moves = 0
    while not board.is_game_over():
        board.push(random.choice(list(board.legal_moves)))
        moves += 1
    return moves


def spiel_game(name: str) -> Callable[[Random], int]:
    """Return a function that plays one random game of OpenSpiel, driven from Python."""
    import pyspiel

    game = pyspiel.load_game(name)

    def play(random: Random) -> int:
        state = game.new_initial_state()
        moves = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(actions, weights)[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
                moves += 1
        return moves

    return play


def omnibus_game(name: str, seats: int) -> Callable[[Random], int]:
    """Return a function that plays one random game and computes its outcome."""
    from omnibus import games
    from omnibus.kernel.perft import playout

    game = games.find(name)
    options = {key: option.default for key, option in game.options.items()}

    def play(random: Random) -> int:
        state = game.setup(seats, options)
        moves = playout(game, state, random.random)
        game.outcome(state)
        return moves

    return play


def rate(play: Callable[[Random], int], seconds: float, random: Random) -> float:
    """Return moves per second of processor time, so that other load on the machine matters little."""
    moves = 0
    began = time.process_time()
    while (took := time.process_time() - began) < seconds:
        moves += play(random)
    return moves / took


def clone_cost(name: str, seats: int, random: Random) -> float:
    """Return the cost of cloning a state in mid-game, in random moves."""
    from omnibus import games
    from omnibus.kernel.perft import playout

    game = games.find(name)
    state = game.setup(seats, {key: option.default for key, option in game.options.items()})
    playout(game, state, random.random, 30)
    began = time.perf_counter()
    for _ in range(20000):
        state.clone()
    clone = (time.perf_counter() - began) / 20000
    return clone * rate(omnibus_game(name, seats), 0.5, random)


def scoring_cost(name: str, seats: int, random: Random) -> float:
    """Return the cost of computing the outcome of a finished game, in random moves."""
    from omnibus import games
    from omnibus.kernel.perft import playout

    game = games.find(name)
    state = game.setup(seats, {key: option.default for key, option in game.options.items()})
    playout(game, state, random.random)
    scoring = min(timeit.repeat(lambda: game.outcome(state), number=2000, repeat=20)) / 2000
    return scoring * rate(omnibus_game(name, seats), 0.5, random)


def contestants() -> Iterator[tuple[str, Callable[[Random], int]]]:
    """List what is measured in this process: one of our games per seat count, or a peer."""
    from omnibus import games

    for name in games.names():
        for seats in games.find(name).seats:
            yield f"{name}, {seats} seats", omnibus_game(name, seats)


def peers() -> Iterator[tuple[str, Callable[[Random], int]]]:
    """List the peers that are installed."""
    if find_spec("chess"):
        yield "python-chess", chess_game
    if find_spec("pyspiel"):
        for name in ("connect_four", "gin_rummy"):
            yield f"OpenSpiel {name}", spiel_game(name)


def measure_doors(kind: str, seconds: float, seed: int) -> dict[str, float]:
    """Measure the learning environments of one kind in this process."""
    return {
        name: rate(play, seconds, Random(seed))
        for name, play in (environments.peers() if kind == "peers" else environments.ours())
    }


def measure_bots(kind: str, seconds: float, seed: int) -> dict[str, float]:
    """Measure the searches of one kind in this process."""
    several = bot_speed.peers() if kind == "peers" else bot_speed.ours()
    return {name: rate(think, seconds, Random(seed)) for name, think in several}


def measure(kind: str, seconds: float, seed: int) -> dict[str, float]:
    """Measure the engines of one kind in this process."""
    rates = {name: rate(play, seconds, Random(seed)) for name, play in (peers() if kind == "peers" else contestants())}
    if kind != "peers":
        from omnibus import games

        for name in games.names():
            seats = games.find(name).seats[0]
            rates[f"clone {name}"] = clone_cost(name, seats, Random(seed))
            rates[f"scoring {name}"] = scoring_cost(name, seats, Random(seed))
    return rates


def in_process(part: str, kind: str, path: str, seconds: float, seed: int) -> dict[str, float]:
    """Measure in a separate process, with the package from `path`."""
    command = [sys.executable, __file__, "--only", part, "--kind", kind, "--seconds", str(seconds), "--seed", str(seed)]
    answer = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    if answer.returncode:
        sys.exit(f"measuring {kind} failed:\n{answer.stderr}")
    rates: dict[str, float] = json.loads(answer.stdout)
    return rates


def table(best: dict[str, dict[str, float]]) -> str:
    """Put the best rates side by side, as ratios to python-chess."""
    chess = best["peers"].get("python-chess")
    rows = [("moves a second, one core", "interpreted", "compiled", "ratio to python-chess")]
    for name in best["interpreted"]:
        if not name.startswith(COSTS):
            plain, fast = best["interpreted"][name], best.get("compiled", {}).get(name)
            ratios = [f"{value / chess:.1f}" for value in (plain, fast) if value and chess]
            rows.append((name, f"{plain:,.0f}", f"{fast:,.0f}" if fast else "—", " / ".join(ratios) or "—"))
    for name, value in best["peers"].items():
        rows.append((name, "", f"{value:,.0f}", f"{value / chess:.1f}" if chess else "—"))
    rows.append(("", "", "", ""))
    rows.append(("costs in moves", "interpreted", "compiled", ""))
    for name, value in sorted(best["interpreted"].items()):
        if name.startswith(COSTS):
            fast = best.get("compiled", {}).get(name)
            rows.append((name, f"{value:.2f}", f"{fast:.2f}" if fast else "—", ""))
    return aligned(rows)


def side_by_side(best: dict[str, dict[str, float]], what: str, measure: str) -> str:
    """Put our rates and those of peers side by side, as ratios to one of the peers."""
    peer = best["peers"].get(measure)
    rows = [(f"{what} a second, one core", "interpreted", "compiled", f"ratio to {measure}")]
    for name, plain in best["interpreted"].items():
        fast = best.get("compiled", {}).get(name)
        ratios = [f"{value / peer:.1f}" for value in (plain, fast) if value and peer]
        rows.append((name, f"{plain:,.0f}", f"{fast:,.0f}" if fast else "—", " / ".join(ratios) or "—"))
    for name, value in best["peers"].items():
        rows.append((name, f"{value:,.0f}", "", f"{value / peer:.1f}" if peer else "—"))
    return aligned(rows)


def told(part: str, best: dict[str, dict[str, float]]) -> str:
    """Return the table of a part."""
    if part == "engines":
        return table(best)
    if part == "environments":
        return side_by_side(best, "steps", "PettingZoo connect_four")
    return side_by_side(best, "simulations", "OpenSpiel MCTS in Python, connect_four")


def aligned(rows: list[tuple[str, str, str, str]]) -> str:
    """Align the columns."""
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *(row[column].rjust(widths[column]) for column in (1, 2, 3))]).rstrip()
        for row in rows
    )


def run(part: str, arguments: argparse.Namespace) -> None:
    """Measure the entries of one part in turns, and print their table."""
    paths = {"peers": str(SOURCE), "interpreted": str(SOURCE)}
    if arguments.compiled:
        paths["compiled"] = arguments.compiled
    best: dict[str, dict[str, float]] = {kind: {} for kind in paths}
    for number in range(1, arguments.rounds + 1):
        for kind, path in paths.items():
            print(f"\rround {number} of {arguments.rounds}: {kind} …".ljust(50), end="", file=sys.stderr, flush=True)
            for name, value in in_process(part, kind, path, arguments.seconds, arguments.seed + number).items():
                better: Any = min if name.startswith(COSTS) else max
                best[kind][name] = better(best[kind].get(name, value), value)
    print("\r".ljust(51) + "\r", end="", file=sys.stderr)
    print(f"Python {platform.python_version()} on {platform.machine()}, best of {arguments.rounds} rounds")
    print(told(part, best), flush=True)


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(prog="dev.py bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="rounds for every contestant (default: 3)")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds for each figure (default: 2)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random games (default: 1)")
    parser.add_argument("--only", choices=PARTS, default=None, help="measure only this part (default: all)")
    parser.add_argument("--compiled", default="", help=argparse.SUPPRESS)
    parser.add_argument("--kind", default="", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.kind:
        measures = dict(zip(PARTS, (measure, measure_doors, measure_bots), strict=True))
        print(json.dumps(measures[arguments.only](arguments.kind, arguments.seconds, arguments.seed)))
    else:
        for chosen in PARTS if arguments.only is None else (arguments.only,):
            run(chosen, arguments)


if __name__ == "__main__":
    main()
