"""The board as SVG and as text for a terminal, drawn from a view."""

from __future__ import annotations

from omnibus.games.metromania.drawing.journeys import journeys
from omnibus.games.metromania.drawing.parts import part_refusal, parts
from omnibus.games.metromania.drawing.picture import background, bare, ground, svg
from omnibus.games.metromania.drawing.pieces import pieces
from omnibus.games.metromania.drawing.targets import targets
from omnibus.games.metromania.drawing.terminal import text

__all__ = ["background", "bare", "ground", "journeys", "part_refusal", "parts", "pieces", "svg", "targets", "text"]
