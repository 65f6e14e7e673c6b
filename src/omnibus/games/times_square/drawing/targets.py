"""Where the moves lead: ghosts of the figures, drawn only while they can be clicked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from omnibus.games.times_square.board import END, FIGURES, SUE
from omnibus.games.times_square.drawing.labels import ghost_label, trio_ghost_label
from omnibus.games.times_square.drawing.layout import Layout, layout_of
from omnibus.games.times_square.drawing.parts import ghost, trio_ghost
from omnibus.kernel.game import Piece, Words
from omnibus.kernel.svg import Value, box, colour, moved, path, symbol, use

TRIO: Final = ("a", "sue", "b")
SMALL: Final = 0.5  # the size of a figure in the trio's ghost


def targets(view: Mapping[str, Any], parts: Collection[str], words: Words, *, wide: bool = False) -> list[Piece]:
    """Return the ghosts among these parts: single figures where they would stand, and the trio on either side."""
    at = layout_of(wide)
    laid: list[Piece] = []
    for step in (-1, 1):
        if trio_ghost(step) in parts:
            laid += _trio(view["figures"], step, at, words)
    for figure, name in enumerate(FIGURES):
        for space in range(-END, END + 1):
            part = ghost(name, space)
            if part in parts:
                label = ghost_label(name, space, words)
                laid.append(Piece(part, f"ts-figure-{name}", at.space_x(space), at.figure_y(figure), label))
    return laid


def _trio(figures: Mapping[str, int], step: int, at: Layout, words: Words) -> list[Piece]:
    """The three figures, small, on a plate with an arrow: going left above their lane, going right below it.

    So they hardly cover the ghosts of single figures, which stand in the lane.
    """
    part, label = trio_ghost(step), trio_ghost_label(step, words)
    y = at.figure_y(SUE) + step * (at.lane / 2 + 12)
    first = figures["a"] if step < 0 else figures["b"]
    span = figures["b"] - figures["a"]
    plate = Piece(f"{part}_plate", f"ts-plate{step * span}", at.space_x(first + step), y, label)
    small = [Piece(f"{part}_{name}", f"ts-small-{name}", at.space_x(figures[name] + step), y, label) for name in TRIO]
    return [plate, *small]


def target_symbols(at: Layout) -> str:
    """Define the small figures of the trio's ghost, and the plates under them: by length, from their head on."""
    small = "".join(symbol(f"ts-small-{name}", moved(0, 0, use(f"ts-figure-{name}"), scale=SMALL)) for name in TRIO)
    plates = "".join(
        symbol(f"ts-plate{step * span}", _plate(step, span, at)) for step in (-1, 1) for span in range(2, 2 * END + 1)
    )
    return small + plates


def _plate(step: int, span: int, at: Layout) -> str:
    """A rounded plate with an arrow at its head; its first figure stands at the origin."""
    half, head = 22 * at.figure, at.pitch * 0.95
    back = at.pitch * span + half + 6
    left = -head if step < 0 else -back
    look: dict[str, Value] = {"stroke": colour("edge"), "stroke_width": 3}
    plate = box(left, -half, head + back, 2 * half, half, fill=colour("card"), **look)
    tip, size = step * (head - 14), half * 0.5
    arrow = path(f"M{tip:g},0l{-step * size:g},{-size:g}v{2 * size:g}Z", fill=colour("dark"))
    return plate + arrow
