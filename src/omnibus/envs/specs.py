"""What an environment is made of, as Markdown: the pages in docs/environments quote it, and a test compares them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, Final

from omnibus.envs.registry import name
from omnibus.envs.setup import Room, actions

FEW: Final = 150  # so many actions are listed one by one


def specs(game: str, *, seats: int | None = None, options: Mapping[str, Any] | None = None) -> str:
    """Describe the environment of a game with so many seats and such options."""
    room = Room(game, seats, options)
    return "\n".join([*_summary(room), "", *_observation(room), "", *_actions(room), ""])


def _summary(room: Room) -> Iterator[str]:
    found = room.game
    chance = found.space(room.fresh)[1]
    chosen = ", ".join(f"{key} {value}" for key, value in room.options.items())
    lost = f"−1/{room.seats - 1}" if room.seats > 2 else "−1"
    yield f"| {name(found.name)} | {room.seats} seats, {chosen} |"
    yield "|---|---|"
    yield f"| players | {' or '.join(map(str, found.seats))} |"
    yield f"| actions | 0 … {room.actions - 1}; {room.actions} … {chance - 1} are those of chance |"
    yield f"| observation | {room.layout.size} numbers from 0 to 255 (uint8), and an action mask |"
    yield f"| rewards | at the end 1 for a sole winner, {lost} for who lost; winners share; 0 in sum |"
    yield f"| length | at most {found.longest:,} plies, those of chance included |"


def _observation(room: Room) -> Iterator[str]:
    yield "| index | name | shape | highest | what it tells |"
    yield "|---|---|---|---|---|"
    for feature in room.layout.features:
        part = room.layout.slices[feature.name]
        index = f"{part.start}" if feature.size == 1 else f"{part.start} … {part.stop - 1}"
        shape = " × ".join(map(str, feature.shape))
        yield f"| {index} | `{feature.name}` | {shape} | {feature.high} | {feature.text} |"


def _actions(room: Room) -> Iterator[str]:
    lines = actions(room.game.name, seats=room.seats, options=room.options)
    yield "| index | line |"
    yield "|---|---|"
    for index, said in _listed(lines):
        yield f"| {index} | {said} |"


def _listed(lines: list[str]) -> Iterator[tuple[str, str]]:
    """List few actions one by one, many by their first words."""
    if len(lines) <= FEW:
        yield from ((str(move), f"`{line}`") for move, line in enumerate(lines))
        return
    for _, group in groupby(enumerate(lines), key=lambda numbered: numbered[1].partition(" ")[0]):
        moves = list(group)
        (first, one), (last, other) = moves[0], moves[-1]
        yield (str(first), f"`{one}`") if first == last else (f"{first} … {last}", f"`{one}` … `{other}`")
