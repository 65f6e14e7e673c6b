"""`omnibus train`: train a network for the bot `master` (docs/training.md)."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from omnibus import games
from omnibus.cli.console import console
from omnibus.cli.parameters import GameName, Options, Ray, Seats, read_options
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
        int | None,
        typer.Option(
            min=1, help="Processes that play games. [default: one per core, less two; with --ray, the whole cluster]"
        ),
    ] = None,
    ray: Ray = None,
    parallel: Annotated[int | None, typer.Option(min=1, help="Games at a time in each process.")] = None,
    width: Annotated[int | None, typer.Option(min=8, help="Width of the network.")] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Hidden layers of the network.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the weights and the games.")] = 0,
    device: Annotated[str | None, typer.Option(help="PyTorch device. [default: cuda where there is one]")] = None,
) -> None:
    """Train a network by self-play: a value network where the game sums positions up, else a policy and a critic.

    Needs PyTorch (`pip install omnibus-games[train]`).
    """
    match = Match.new(game, seats=seats, options=read_options(games.find(game), option), dice=False)
    if find_spec("torch") is None:
        raise ValueError("training needs PyTorch: pip install omnibus-games[train]")
    plan = {
        "decisions": decisions,
        "seconds": minutes * 60,
        "processes": processes or (max(1, (os.cpu_count() or 1) - 2) if ray is None else None),
        "seed": seed,
        "ray": ray,
    }
    size = {name: value for name, value in (("width", width), ("depth", depth)) if value is not None}
    _train(match, folder, plan, size, parallel, device)


def _train(
    match: Match, folder: Path, plan: dict[str, Any], size: dict[str, int], parallel: int | None, device: str | None
) -> None:
    """Train with PyTorch, which is imported only here."""
    import torch

    from omnibus.lab.training.actors import Task

    out = console()
    found = device or ("cuda" if torch.cuda.is_available() else "cpu")
    task = Task(match.game.name, match.seats, match.options)
    begin = _values if match.game.summary else _policy
    training = begin(task, folder, {**plan, "device": found}, size, parallel)
    out.print(f"{match.game.title}: {training.decisions:,} decisions so far, on {found}")
    training.run(lambda row: out.print(_told(row)))
    out.print(f"The weights are in {training.weights}.")


def _policy(task: Any, folder: Path, plan: dict[str, Any], size: dict[str, int], parallel: int | None) -> Any:
    from omnibus.lab.training.checkpoints import TrainingPlan
    from omnibus.lab.training.ppo import Settings
    from omnibus.lab.training.run import Training

    return Training(task, Settings(**size), TrainingPlan(**plan, games=(parallel or 1024) // 2), folder)


def _values(task: Any, folder: Path, plan: dict[str, Any], size: dict[str, int], parallel: int | None) -> Any:
    from omnibus.lab.training.checkpoints import TrainingPlan
    from omnibus.lab.training.self_play import Playing
    from omnibus.lab.training.value_model import ValueSettings
    from omnibus.lab.training.value_run import ValueTraining

    games = parallel or Playing().games
    return ValueTraining(task, ValueSettings(**size), Playing(games=games), TrainingPlan(**plan, games=games), folder)


def _told(row: dict[str, Any]) -> str:
    share = f", {row['share']:.1%} against {row['level']} without search" if "share" in row else ""
    losses = ", ".join(f"{name} {row[name]:.4f}" for name in ("entropy", "critic", "loss") if name in row)
    return f"{row['decisions']:,} decisions in {row['seconds']:.0f} s: {losses}{share}"
