"""`omnibus train`: train a network for the bot `master` (docs/training.md)."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from omnibus import games
from omnibus.cli.console import console
from omnibus.cli.parameters import GameName, Options, Seats, read_options
from omnibus.kernel.match import Match


def train(
    game: GameName,
    folder: Annotated[
        Path,
        typer.Option("--out", metavar="DIR", help="Where checkpoints and weights go; training resumes from there."),
    ],
    seats: Seats = None,
    option: Options = None,
    minutes: Annotated[float, typer.Option(min=0.01, help="Time to train.")] = 10.0,
    decisions: Annotated[int, typer.Option(min=1, help="Decisions to train, if they come first.")] = 10**12,
    processes: Annotated[
        int | None, typer.Option(min=1, help="Processes that play games. [default: one per core, less two]")
    ] = None,
    parallel: Annotated[int, typer.Option(min=1, help="Games in each process and half of them.")] = 512,
    width: Annotated[int, typer.Option(min=8, help="Width of the network.")] = 512,
    depth: Annotated[int, typer.Option(min=1, help="Hidden layers of the network.")] = 3,
    seed: Annotated[int, typer.Option(help="Seed of the weights and the games.")] = 0,
    device: Annotated[str | None, typer.Option(help="PyTorch device. [default: cuda where there is one]")] = None,
) -> None:
    """Train a network by self-play.

    Needs PyTorch (`pip install omnibus-games[train]`).
    """
    match = Match.new(game, seats=seats, options=read_options(games.find(game), option), dice=False)
    if find_spec("torch") is None:
        raise ValueError("training needs PyTorch: pip install omnibus-games[train]")
    _train(
        match,
        folder,
        width=width,
        depth=depth,
        decisions=decisions,
        seconds=minutes * 60,
        processes=processes or max(1, (os.cpu_count() or 1) - 2),
        games=parallel,
        seed=seed,
        device=device,
    )


def _train(match: Match, folder: Path, *, width: int, depth: int, device: str | None, **plan: Any) -> None:
    """Train with PyTorch, which is imported only here."""
    import torch

    from omnibus.lab.training.actors import Task
    from omnibus.lab.training.ppo import Settings
    from omnibus.lab.training.run import Plan, Training

    out = console()
    found = device or ("cuda" if torch.cuda.is_available() else "cpu")
    task = Task(match.game.name, match.seats, match.options)
    training = Training(task, Settings(width=width, depth=depth), Plan(device=found, **plan), folder)
    out.print(f"{match.game.title}: {training.decisions:,} decisions so far, on {found}")
    training.run(lambda row: out.print(_told(row)))
    out.print(f"The weights are in {training.weights}.")


def _told(row: dict[str, Any]) -> str:
    share = f", {row['share']:.1%} against {row['level']} without search" if "share" in row else ""
    return (
        f"{row['decisions']:,} decisions in {row['seconds']:.0f} s: entropy {row['entropy']:.3f}, "
        f"critic {row['critic']:.4f}{share}"
    )
