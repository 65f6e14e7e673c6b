"""The description of an environment in Markdown. The pages in docs/environments quote it, and a test compares them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, Final

from omnibus.envs.registry import name
from omnibus.envs.setup import Setup, actions

FEW: Final = 150  # up to this number, actions are listed one by one


def specs(game: str, *, seats: int | None = None, options: Mapping[str, Any] | None = None) -> str:
    """Describe the environment of a game with these seats and options."""
    setup = Setup(game, seats, options)
    return "\n".join([*_summary(setup), "", *_observation(setup), "", *_actions(setup), ""])


def _summary(setup: Setup) -> Iterator[str]:
    found = setup.game
    chance = found.space(setup.fresh)[1]
    chosen = ", ".join(f"{key} {value}" for key, value in setup.options.items())
    lost = f"−1/{setup.seats - 1}" if setup.seats > 2 else "−1"
    yield f"| {name(found.name)} | {setup.seats} seats, {chosen} |"
    yield "|---|---|"
    yield f"| players | {' or '.join(map(str, found.seats))} |"
    yield f"| actions | 0 … {setup.actions - 1}; {setup.actions} … {chance - 1} are those of chance |"
    yield f"| observation | {setup.layout.size} numbers from 0 to 255 (uint8), and an action mask |"
    yield f"| rewards | at the end 1 for a sole winner, {lost} for who lost; winners share; 0 in sum |"
    yield f"| length | at most {found.longest:,} plies, those of chance included |"


def _observation(setup: Setup) -> Iterator[str]:
    yield "| index | name | shape | highest | what it tells |"
    yield "|---|---|---|---|---|"
    for feature in setup.layout.features:
        part = setup.layout.slices[feature.name]
        index = f"{part.start}" if feature.size == 1 else f"{part.start} … {part.stop - 1}"
        shape = " × ".join(map(str, feature.shape))
        yield f"| {index} | `{feature.name}` | {shape} | {feature.high} | {feature.text} |"


def _actions(setup: Setup) -> Iterator[str]:
    lines = actions(setup.game.name, seats=setup.seats, options=setup.options)
    yield "| index | line |"
    yield "|---|---|"
    for index, said in _listed(lines):
        yield f"| {index} | {said} |"


def _listed(lines: list[str]) -> Iterator[tuple[str, str]]:
    """List a few actions one by one, many grouped by their first word."""
    if len(lines) <= FEW:
        yield from ((str(move), f"`{line}`") for move, line in enumerate(lines))
        return
    for _, group in groupby(enumerate(lines), key=lambda numbered: numbered[1].partition(" ")[0]):
        moves = list(group)
        (first, one), (last, other) = moves[0], moves[-1]
        yield (str(first), f"`{one}`") if first == last else (f"{first} … {last}", f"`{one}` … `{other}`")
