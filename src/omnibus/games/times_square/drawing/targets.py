"""Where the moves lead: ghosts of the figures, drawn only while they can be clicked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from omnibus.games.times_square.board import END, FIGURES, SUE
from omnibus.games.times_square.drawing.labels import ghost_label, trio_ghost_label
from omnibus.games.times_square.drawing.layout import LANE, PITCH, figure_y, space_x
from omnibus.games.times_square.drawing.parts import ghost, trio_ghost
from omnibus.kernel.game import Piece, Words
from omnibus.kernel.svg import colour, moved, path, symbol, use

TRIO: Final = ("a", "sue", "b")
SMALL: Final = 0.62  # the size of a figure in the trio's ghost


def targets(view: Mapping[str, Any], parts: Collection[str], words: Words, *, wide: bool = False) -> list[Piece]:
    """Return the ghosts among these parts: single figures where they would stand, and the trio on either side."""
    laid: list[Piece] = []
    for step in (-1, 1):
        if trio_ghost(step) in parts:
            laid += _trio(view["figures"], step, words)
    for figure, name in enumerate(FIGURES):
        for space in range(-END, END + 1):
            part = ghost(name, space)
            if part in parts:
                label = ghost_label(name, space, words)
                laid.append(Piece(part, f"ts-figure-{name}", space_x(space), figure_y(figure), label))
    return laid


def _trio(figures: Mapping[str, int], step: int, words: Words) -> list[Piece]:
    """The three figures, small, joined by an arrow: going left above their lane, going right below it.

    So they never cover the ghosts of single figures, which stand in the lane.
    """
    part, label = trio_ghost(step), trio_ghost_label(step, words)
    y = figure_y(SUE) + step * LANE / 2
    first = figures["a"] if step < 0 else figures["b"]
    span = figures["b"] - figures["a"]
    link = Piece(f"{part}_link", f"ts-link{step * span}", space_x(first + step), y, label)
    small = [Piece(f"{part}_{name}", f"ts-small-{name}", space_x(figures[name] + step), y, label) for name in TRIO]
    return [link, *small]


def target_symbols() -> str:
    """Define the small figures of the trio's ghost, and the arrows that join them: from their head, by length."""
    small = "".join(symbol(f"ts-small-{name}", moved(0, 0, use(f"ts-figure-{name}"), scale=SMALL)) for name in TRIO)
    links = "".join(symbol(f"ts-link{step * span}", _arrow(step, span)) for step in (-1, 1) for span in range(2, 17))
    return small + links


def _arrow(step: int, span: int) -> str:
    """An arrow whose head is at the origin; its tail is so many spaces behind."""
    run = f"M{step * 50},0h{-step * (50 + PITCH * span)}M{step * 36},-14l{step * 14},14l{-step * 14},14"
    return path(run, fill="none", stroke=colour("ink"), stroke_width=9, stroke_linecap="round", stroke_linejoin="round")
