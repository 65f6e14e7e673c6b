"""Writing the position document: the whole position as a JSON object."""

from __future__ import annotations

from typing import Final

from omnibus.games.metromania.board import (
    CELL_NAMES,
    CITY,
    DESTINATIONS,
    KINDS,
    LINES,
    POINTS,
    TOWN_HALLS,
    destination_name,
)
from omnibus.games.metromania.moves import letters_dealt
from omnibus.games.metromania.state import REASONS, STEPS, State, tunnels_of
from omnibus.kernel.game import Document

KEYS: Final = [
    "seats", "town_hall", "sectors", "doubles", "hands", "placed", "lines", "stations", "points", "turn", "seat",
    "step", "dug", "placed_now", "line", "blocked", "ended", "reason", "ruled_out",
]  # fmt: skip
DESTINATION_NAMES: Final[list[str]] = [destination_name(one) for one in range(DESTINATIONS)]
PIECE_NAMES: Final[list[str]] = [f"{piece}.{rotation}" for piece in range(1, 7) for rotation in range(3)]
LINE_NAMES: Final[list[str]] = [f"{seat} {line}" for seat in range(4) for line in LINES]


def chosen(state: State) -> Document:
    """Return the options a state is played with."""
    return {"town_hall": TOWN_HALLS[state.hall]}


def position(state: State) -> Document:
    """Tell the whole position, secrets too."""
    seats = range(state.seats)
    return {
        "seats": state.seats,
        **chosen(state),
        "sectors": [PIECE_NAMES[code] for code in state.sectors],
        "doubles": [KINDS[kind] for kind in state.doubles],
        "hands": [hand_names(state.hands[seat]) for seat in seats],
        "placed": {
            DESTINATION_NAMES[one]: CELL_NAMES[state.placed[one]]
            for one in range(DESTINATIONS)
            if state.placed[one] >= 0
        },
        "lines": [{LINES[which]: tunnels_of(state, 2 * seat + which) for which in range(2)} for seat in seats],
        "stations": [list(POINTS[vertex]) for vertex in range(CITY) if state.station[vertex]],
        "points": list(state.points),
        "turn": state.turn,
        "seat": state.seat,
        "step": STEPS[state.step],
        "dug": state.dug,
        "placed_now": bool(state.placed_now),
        "line": LINES[state.line & 1] if state.line >= 0 else None,
        "blocked": [LINE_NAMES[line] for line in range(2 * state.seats) if state.blocked >> line & 1],
        "ended": state.ended if state.ended >= 0 else None,
        "reason": REASONS[state.reason] or None,
        "ruled_out": [[letters_dealt(hand) for hand in hands] for hands in state.ruled_out],
    }


def hand_names(hand: int) -> list[str]:
    """List the destinations of a hand."""
    return [DESTINATION_NAMES[one] for one in range(DESTINATIONS) if hand >> one & 1]
