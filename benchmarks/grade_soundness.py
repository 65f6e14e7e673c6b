"""Whether the grades of an analysis mean something: games of `hard` against `easy`, and graded moves judged again.

`python benchmarks/grade_soundness.py` plays games of each kind, `hard` in one seat in turn and `easy` in the others,
analyses them, and tells each level's mean loss per decision. Then it judges a sample of the graded moves again with ten
times the time, and tells how many keep their grade. On two quiet cores the whole takes two to three hours; `--short`
plays 4 games of each kind and judges 20 moves. Records and what was judged are kept in the folder `--keep`, so an
interrupted run goes on. Run it with the compiled core on the path for the figures that count.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean

from omnibus import Match, games
from omnibus.bots import bot
from omnibus.lab.analysis.document import Decision
from omnibus.lab.analysis.grades import ERRORS, grade, points
from omnibus.lab.analysis.runner import SECONDS, AnalysisFile, analyse, head, judge_of, judge_ply
from omnibus.lab.processes import spread

TIMES = 10
STRONG, WEAK = "hard", "easy"


def played(name: str, seed: int) -> str:
    """Play a game, the strong bot in another seat each time, both as long as they usually think; return its record."""
    match = Match.new(name, seats=games.find(name).seats[0], seed=seed)
    strong = seed % match.seats
    levels = [STRONG if seat == strong else WEAK for seat in range(match.seats)]
    players = [bot(level, match.game, seed=seed) for level in levels]
    while isinstance(match.actor, int):
        match.play(players[match.actor](match.view(match.actor)))
    match.names = tuple(f"{level} {seat}" for seat, level in enumerate(levels))
    return match.record()


def record_of(folder: Path, name: str, seed: int) -> Path:
    """Play a game, unless its record is there; return the file."""
    file = folder / f"{name}-{seed}.game"
    if not file.exists():
        file.write_text(played(name, seed), "utf-8")
    return file


def judged_again(seconds: float, item: tuple[Path, Decision]) -> tuple[Path, Decision]:
    """Judge a move of a record again with more time."""
    file, decision = item
    return file, judge_ply(file.read_text("utf-8"), TIMES * seconds, decision.ply)


def kept_grades(sample: list[tuple[Path, Decision]], seconds: float, jobs: int) -> int:
    """Judge a sample of moves again, unless they were before; return how many keep their grade."""
    kept = {file: again_file(file, seconds) for file, _ in sample}
    missing = [(file, decision) for file, decision in sample if decision.ply not in kept[file].done]
    for number, (file, again) in enumerate(spread(partial(judged_again, seconds), missing, jobs), 1):
        kept[file].add(again)
        kept[file].done[again.ply] = again
        progress(f"judged again: {number} of {len(missing)}")
    return sum(grade(kept[file].done[decision.ply]) == grade(decision) for file, decision in sample)


def again_file(file: Path, seconds: float) -> AnalysisFile:
    """Open what is kept of the moves of a record that were judged again."""
    match = Match.read(file.read_text("utf-8"))
    return AnalysisFile(file.with_suffix(".again"), head(match, TIMES * seconds, judge_of(match)))


def progress(done: str) -> None:
    """Say on a terminal how far it is."""
    if sys.stderr.isatty():
        print(f"\r{done}".ljust(60), end="\r", file=sys.stderr, flush=True)


def measure(name: str, arguments: argparse.Namespace) -> None:
    """Measure one game and print the figures."""
    folder: Path = arguments.keep
    seeds = range(1, arguments.games + 1)
    play = partial(record_of, folder, name)
    files = sorted(spread(play, seeds, arguments.jobs))
    lost: dict[str, list[float]] = defaultdict(list)
    graded: list[tuple[Path, Decision]] = []
    for number, file in enumerate(files, 1):
        progress(f"{name}: game {number} of {len(files)}")
        text = file.read_text("utf-8")
        found = analyse(text, seconds=arguments.seconds, jobs=arguments.jobs, keep=file.with_suffix(".analysis"))
        names = Match.read(text).names
        for decision in found.decisions:
            if decision.choices > 1:
                lost[names[decision.seat].split()[0]].append(points(decision.loss, found.seats))
            if grade(decision) in ERRORS:
                graded.append((file, decision))
    strong, weak = fmean(lost[STRONG]), fmean(lost[WEAK])
    told = f"mean loss per decision: {STRONG} {strong:.2f}, {WEAK} {weak:.2f} points ({weak / strong:.1f} times)"
    print(f"{name}, {len(files)} games: {told}", flush=True)
    sample = Random(1).sample(graded, min(arguments.sample, len(graded)))
    kept = kept_grades(sample, arguments.seconds, arguments.jobs)
    changed = 100 * (len(sample) - kept) / max(1, len(sample))
    told = f"{kept} of {len(sample)} graded moves keep their grade with {TIMES} times the time ({changed:.0f} % change)"
    print(f"{name}: {told}", flush=True)


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50, help="games of each kind (default: 50)")
    parser.add_argument("--sample", type=int, default=200, help="graded moves judged again (default: 200)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="seconds for each decision (default: 0.2)")
    parser.add_argument("--jobs", type=int, default=2, help="number of processes (default: 2)")
    parser.add_argument("--keep", type=Path, default=Path("build/grades"), help="folder for records and analyses")
    parser.add_argument("--only", choices=games.names(), help="measure only this game")
    parser.add_argument("--short", action="store_true", help="4 games and 20 moves of each kind")
    arguments = parser.parse_args()
    if arguments.short:
        arguments.games, arguments.sample = 4, 20
    arguments.keep.mkdir(parents=True, exist_ok=True)
    for name in [arguments.only] if arguments.only else games.names():
        measure(name, arguments)


if __name__ == "__main__":
    main()
