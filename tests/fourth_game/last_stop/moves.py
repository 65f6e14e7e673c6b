"""The action space and its notation (§4): moves 0 … 3 are those of seats, 4 … 6 those of chance."""

from __future__ import annotations

from typing import Final

from last_stop.board import VALUES
from omnibus.kernel.game import BadNotation

WALK: Final = 0
RIDE: Final = 0  # `ride` with a ticket is RIDE + its value
SEAT_MOVES: Final = 1 + VALUES
DEAL: Final = SEAT_MOVES - 1  # `deal` of a ticket is DEAL + its value
MOVES: Final = SEAT_MOVES + VALUES
HIDDEN_DEAL: Final = "deal ?"

LINES: Final = ["walk"] + [f"{word} {value}" for word in ("ride", "deal") for value in range(1, VALUES + 1)]


def parse(line: str) -> int:
    """Return the move of a line; BadNotation if there is none."""
    if line not in LINES:
        raise BadNotation(f"{line!r} is not a line of Last Stop (§4.1)")
    return LINES.index(line)
