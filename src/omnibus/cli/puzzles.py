"""`omnibus puzzles`: make puzzles and check them."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from omnibus import games
from omnibus.bots import checked_seconds
from omnibus.cli.console import console
from omnibus.cli.parameters import GameName, Jobs, Ray, Seats, jobs_or_one, naming
from omnibus.kernel.choices import checked_seats
from omnibus.kernel.game import Game
from omnibus.lab.puzzles.check import keeps_solution
from omnibus.lab.puzzles.document import puzzles_of
from omnibus.lab.puzzles.maker import SECONDS
from omnibus.lab.puzzles.runner import check_records, make_puzzles

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Make puzzles and check them.")

Seconds = Annotated[float, typer.Option(help="Processor time of the first look at a position.")]


Out = Annotated[Path, typer.Option(metavar="FILE", help="Write the puzzles here; run it again to resume.")]
Records = Annotated[
    list[Path] | None, typer.Option(metavar="FILE", help="A .game record to search instead. Repeatable.")
]
Positions = Annotated[int | None, typer.Option(min=1, help="Judge at most this many positions now. [default: all]")]
Promise = Annotated[
    float,
    typer.Option("--promise", min=0, max=1, help="Judge only positions that promise at least this much, from 0 to 1."),
]
Wanted = Annotated[
    int | None, typer.Option("--puzzles", min=1, help="Stop once there are this many puzzles. [default: never]")
]


@app.command()
def make(
    game: GameName,
    out: Out,
    number: Annotated[int, typer.Option("--games", min=1, help="Number of games to play.")] = 20,
    records: Records = None,
    positions: Positions = None,
    least: Promise = 0.0,
    wanted: Wanted = None,
    seats: Seats = None,
    seed: Annotated[int, typer.Option(help="Seed of the games and the searches.")] = 0,
    seconds: Seconds = SECONDS,
    jobs: Jobs = None,
    ray: Ray = None,
) -> None:
    """Find puzzles in games of `hard` against itself, or in records."""
    checked_seconds(seconds)
    found = games.find(game)
    shown = console()
    texts = _texts(found, records or [])
    bar = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*bar, console=shown, transient=True, disable=not shown.is_terminal) as progress:
        task = progress.add_task(found.title, total=None)
        made = make_puzzles(
            found,
            out,
            number=number,
            records=texts,
            seats=checked_seats(found, seats),
            seed=seed,
            seconds=seconds,
            jobs=jobs_or_one(jobs, ray),
            ray=ray,
            least=least,
            most=positions,
            wanted=wanted,
            tick=lambda what, done, total: progress.update(task, description=what, completed=done, total=total),
        )
    count = len(made.puzzles)
    shown.print(f"{found.title}: {count} {'puzzle' if count == 1 else 'puzzles'} in {out}")
    shown.print(made.report())


def _texts(game: Game[Any], records: list[Path]) -> list[str]:
    """Read records of a game; an error names the file."""
    texts = []
    for file in records:
        with naming(file):
            texts.append(file.read_text(encoding="utf-8"))
            check_records(game, texts[-1:])
    return texts


@app.command()
def check(
    game: GameName,
    sample: Annotated[int, typer.Option(min=1, help="Number of puzzles to look at.")] = 20,
    seed: Annotated[int, typer.Option(help="Seed of the sample and the searches.")] = 1,
    seconds: Seconds = SECONDS,
) -> None:
    """Look again at puzzles that come with a game, with another seed, and tell how many keep their solution."""
    checked_seconds(seconds)
    found = games.find(game)
    shown = console()
    puzzles = list(puzzles_of(found).values())
    if not puzzles:
        raise ValueError(f"no puzzles come with {found.title}")
    chosen = Random(seed).sample(puzzles, min(sample, len(puzzles)))
    kept = 0
    for puzzle in chosen:
        keeps = keeps_solution(found, puzzle, seconds=seconds, seed=seed)
        kept += keeps
        shown.print(f"{puzzle.id}  {'kept' if keeps else 'changed'}")
    shown.print(f"{found.title}: {kept} of {len(chosen)} puzzles keep their solution")
