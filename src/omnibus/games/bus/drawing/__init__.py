"""How it looks: city, action board and players, as a picture and on a terminal. Draws what a view shows, no more."""

from __future__ import annotations

from omnibus.games.bus.drawing.journeys import journeys
from omnibus.games.bus.drawing.parts import part_refusal, parts
from omnibus.games.bus.drawing.picture import background, bare, ground, svg
from omnibus.games.bus.drawing.pieces import pieces
from omnibus.games.bus.drawing.targets import targets
from omnibus.games.bus.drawing.terminal import text

__all__ = ["background", "bare", "ground", "journeys", "part_refusal", "parts", "pieces", "svg", "targets", "text"]
