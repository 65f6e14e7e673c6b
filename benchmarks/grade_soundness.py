"""Whether the grades of an analysis mean something: games of `hard` against `easy`, and graded moves judged again.

`python benchmarks/grade_soundness.py` takes games of each kind, `hard` in one seat in turn and `easy` in the others,
analyses them, and tells each level's mean loss per decision. Then it judges a sample of the graded moves again with ten
times the time, and tells how many keep their grade. On two cores the whole takes about four hours; `--short` takes
4 games of each kind and judges 20 moves. How `hard` plays depends on the speed of the machine, so the records are kept
by seed in `graded_games/`; games that are not there, or all with `--play`, are played. Records and what was judged are
also kept in the folder `--keep`, so an interrupted run goes on. All times are processor time, so that other work on the
machine changes nothing. Run it with the compiled core on the path for the figures that count.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean
from zipfile import ZipFile

time.perf_counter = time.process_time  # before the bots and the judge import it

from omnibus import Match, games  # noqa: E402
from omnibus.bots import bot  # noqa: E402
from omnibus.lab.analysis.document import Analysis, Decision  # noqa: E402
from omnibus.lab.analysis.grades import ERRORS, grade, points  # noqa: E402
from omnibus.lab.analysis.runner import SECONDS, AnalysisFile, analyse, head, judge_of, judge_ply  # noqa: E402
from omnibus.lab.processes import spread  # noqa: E402

TIMES = 10
STRONG, WEAK = "hard", "easy"
GAMES = Path(__file__).with_name("graded_games")


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


def stored(name: str, seed: int) -> str | None:
    """Return the record of a game that was played before; None if there is none."""
    file = GAMES / f"{name}.zip"
    if not file.exists():
        return None
    with ZipFile(file) as games_of:
        record = f"{name}-{seed}.game"
        return games_of.read(record).decode() if record in games_of.namelist() else None


def record_of(folder: Path, name: str, seed: int, *, play: bool) -> Path:
    """Put the record of a game into a folder, unless it is there; return the file."""
    file = folder / f"{name}-{seed}.game"
    if not file.exists():
        file.write_text((not play and stored(name, seed)) or played(name, seed), "utf-8")
    return file


def analysed(folder: Path, name: str, seconds: float, seed: int, *, play: bool) -> tuple[Path, Analysis]:
    """Analyse a game, unless that was done; return the file of its record and the analysis."""
    file = record_of(folder, name, seed, play=play)
    return file, analyse(file.read_text("utf-8"), seconds=seconds, keep=file.with_suffix(".analysis"))


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
    seeds = range(arguments.first, arguments.first + arguments.games)
    lost: dict[str, list[float]] = defaultdict(list)
    graded: list[tuple[Path, Decision]] = []
    analyses = []
    work = partial(analysed, arguments.keep, name, arguments.seconds, play=arguments.play)
    for found in spread(work, seeds, arguments.jobs):
        analyses.append(found)
        progress(f"{name}: game {len(analyses)} of {len(seeds)}")
    for file, analysis in sorted(analyses, key=lambda each: each[0]):
        names = Match.read(file.read_text("utf-8")).names
        for decision in analysis.decisions:
            if decision.choices > 1:
                lost[names[decision.seat].split()[0]].append(points(decision.loss, analysis.seats))
            if grade(decision) in ERRORS:
                graded.append((file, decision))
    strong, weak = fmean(lost[STRONG]), fmean(lost[WEAK])
    told = f"mean loss per decision: {STRONG} {strong:.2f}, {WEAK} {weak:.2f} points ({weak / strong:.1f} times)"
    print(f"{name}, {len(seeds)} games: {told}; {len(graded)} graded moves", flush=True)
    sample = Random(1).sample(graded, min(arguments.sample, len(graded)))
    kept = kept_grades(sample, arguments.seconds, arguments.jobs)
    changed = 100 * (len(sample) - kept) / max(1, len(sample))
    told = f"{kept} of {len(sample)} graded moves keep their grade with {TIMES} times the time ({changed:.0f} % change)"
    print(f"{name}: {told}", flush=True)


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50, help="games of each kind (default: 50)")
    parser.add_argument("--first", type=int, default=1, help="seed of the first game (default: 1)")
    parser.add_argument("--sample", type=int, default=200, help="graded moves judged again (default: 200)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="seconds for each decision (default: 0.2)")
    parser.add_argument("--jobs", type=int, default=2, help="number of processes (default: 2)")
    parser.add_argument("--keep", type=Path, default=Path("build/grades"), help="folder for records and analyses")
    parser.add_argument("--play", action="store_true", help="play all games, also those whose records are kept")
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
