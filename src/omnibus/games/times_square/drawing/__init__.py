"""The board as SVG, its pieces and clickable parts, and the terminal's text: all drawn from a view."""

from __future__ import annotations

from omnibus.games.times_square.drawing.journeys import journeys
from omnibus.games.times_square.drawing.parts import part_refusal, parts
from omnibus.games.times_square.drawing.picture import background, bare, ground, svg
from omnibus.games.times_square.drawing.pieces import pieces
from omnibus.games.times_square.drawing.targets import targets
from omnibus.games.times_square.drawing.terminal import TERMINAL_STYLES, text

__all__ = [
    "TERMINAL_STYLES",
    "background",
    "bare",
    "ground",
    "journeys",
    "part_refusal",
    "parts",
    "pieces",
    "svg",
    "targets",
    "text",
]
