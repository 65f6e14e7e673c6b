"""`omnibus simulate`, `arena`, `protocol` and `perft`: many games, and the bots in them."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from omnibus import games
from omnibus.bots import THINKERS, check_level, checked_seconds, checked_simulations
from omnibus.bots import names as bot_names
from omnibus.cli.console import console
from omnibus.cli.parameters import (
    GameName,
    Jobs,
    Options,
    Ray,
    Seats,
    Seconds,
    Simulations,
    jobs_or_one,
    read_options,
    read_position,
)
from omnibus.kernel import perft as counting
from omnibus.kernel.match import Match
from omnibus.lab.arena.command import run_arena
from omnibus.lab.protocol import BotServer, Limits, listen
from omnibus.lab.simulate import Series, Statistics
from omnibus.lab.simulate import simulate as play_games

Contestants = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="LEVEL[:seconds=S,simulations=N]…",
        help=f"Bots: {', '.join(bot_names())}. `easy` and `medium` err on purpose, unless `:errors=no` follows.",
    ),
]
Programs = Annotated[
    list[str] | None,
    typer.Option(metavar="COMMAND", help="An external bot; external bots come before LEVELs. Repeatable."),
]
ResultsFolder = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Keep the records and results here; run the same command again to resume."),
]


def simulate(
    game: GameName,
    number: Annotated[int, typer.Option("--games", min=1, help="Number of games.")] = 1000,
    seats: Seats = None,
    option: Options = None,
    bots: Annotated[str, typer.Option(help="One bot for all seats, or one per seat separated by commas.")] = "random",
    seed: Annotated[int, typer.Option(help="Seed of the whole series.")] = 0,
    jobs: Jobs = None,
    ray: Ray = None,
) -> None:
    """Play many games between bots and count how they end."""
    found = games.find(game)
    match = Match.new(game, seats=seats, options=read_options(found, option), dice=False)
    seated = _one_per_seat(bots, match)
    out = console()
    bar = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    began = time.perf_counter()
    with Progress(*bar, console=out, transient=True) as progress:
        task = progress.add_task(found.title, total=number)
        statistics = play_games(
            Series(found.name, match.seats, match.options, seated, seed),
            number,
            jobs=jobs_or_one(jobs, ray),
            ray=ray,
            tick=lambda games: progress.advance(task, games),
        )
    length = f"{statistics.decisions / number:.1f} decisions each, at most {statistics.longest}"
    out.print(f"{found.title}: {number:,} games, {length}", style="bold")
    out.print(_summary(statistics, seated))
    took = time.perf_counter() - began
    out.print(f"{statistics.decisions:,} decisions in {took:.1f} s, {statistics.decisions / took:,.0f} per second")


def _one_per_seat(bots: str, match: Match) -> list[str]:
    seats = match.seats
    seated = [name.strip() for name in bots.split(",")]
    if len(seated) == 1:
        seated *= seats
    if len(seated) != seats:
        raise ValueError(f"there are {seats} seats, but {len(seated)} bots")
    for name in seated:
        check_level(name, match.game, match.state)
    return seated


def _summary(statistics: Statistics, seated: list[str]) -> Grid:
    number = statistics.games
    grid = Grid("", "share", "games", box=None, pad_edge=False)
    for seat, name in enumerate(seated):
        wins = statistics.wins[seat]
        grid.add_row(f"seat {seat} ({name}) wins", f"{wins / number:.1%}", f"{wins:,.0f}")
    if statistics.undecided:
        grid.add_row("nobody wins", f"{statistics.undecided / number:.1%}", f"{statistics.undecided:,}")
    for reason, times in sorted(statistics.reasons.items(), key=lambda item: -item[1]):
        grid.add_row(f"ended by {reason}", f"{times / number:.1%}", f"{times:,}")
    for tie_break, times in sorted(statistics.tie_breaks.items()):
        grid.add_row(f"tie broken by {tie_break}", f"{times / number:.1%}", f"{times:,}")
    return grid


def arena(
    game: GameName,
    contestants: Contestants = None,
    program: Programs = None,
    number: Annotated[int, typer.Option("--games", min=1, help="Number of games, rounded up to whole rounds.")] = 100,
    seats: Seats = None,
    option: Options = None,
    seconds: Seconds = None,
    simulations: Simulations = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Number of processes. [default: one per core]")] = None,
    ray: Ray = None,
    seed: Annotated[int, typer.Option(help="Seed of the whole contest.")] = 0,
    sprt: Annotated[bool, typer.Option("--sprt", help="Stop as soon as a sequential test has decided.")] = False,
    elo: Annotated[
        str, typer.Option(metavar="E0,E1", help="The two leads in Elo that the test decides between.")
    ] = "0,50",
    keep: ResultsFolder = None,
) -> None:
    """Let bots and external programs compete.

    Each of them plays every seat equally often. The contestants fill the seats, the last one as often as needed. If
    there are more contestants than seats, all combinations meet.
    """
    raise typer.Exit(
        run_arena(
            game,
            contestants or [],
            program or [],
            number,
            seats=seats,
            options=read_options(games.find(game), option),
            seconds=seconds,
            simulations=simulations,
            jobs=jobs,
            ray=ray,
            seed=seed,
            sprt=elo if sprt else None,
            keep=keep,
            out=console(),
        )
    )


def protocol(
    level: Annotated[str, typer.Option(help=f"The bot: {', '.join(bot_names())}.")] = THINKERS[0],
    seconds: Seconds = None,
    simulations: Simulations = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the bot. [default: random]")] = None,
) -> None:
    """Run a bot for another program.

    They exchange lines on standard input and output (docs/protocol.md).
    """
    bot = BotServer(level, Limits(checked_seconds(seconds), checked_simulations(simulations)), seed, _write_line)
    try:
        listen(bot, sys.stdin.buffer)
    except BrokenPipeError:  # nobody reads any more, not even what is still buffered
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write_line(line: str) -> None:
    """Write a line at once, in UTF-8 whatever the terminal's encoding is."""
    sys.stdout.buffer.write(line.encode() + b"\n")
    sys.stdout.buffer.flush()


def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, help="Number of plies.")],
    seats: Seats = None,
    option: Options = None,
    position: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A position document (JSON) to start from.")
    ] = None,
    split: Annotated[bool, typer.Option("--split", help="Also count the nodes below each legal move.")] = False,
) -> None:
    """Count the sequences of plies of a given length.

    Every chance outcome counts once.
    """
    found = games.find(game)
    if position and (seats or option):
        raise ValueError("a position has its own seats and options; leave out --seats and --option")
    if position is None:
        match = Match.new(game, seats=seats, options=read_options(found, option), dice=False)
    else:
        match = read_position(game, position)
    out = console()
    if split:
        for line, nodes in counting.split(found, match.state, depth):
            out.print(f"{line}: {nodes:,}")
    began = time.perf_counter()
    nodes = counting.perft(found, match.state, depth)
    took = time.perf_counter() - began
    out.print(f"{nodes:,} nodes at depth {depth} in {took:.2f} s")
