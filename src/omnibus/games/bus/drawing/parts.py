"""What one clicks to say a move; the drawing marks the same things with `data-part`."""

from __future__ import annotations

from omnibus.games.bus.board.pieces import ACTIONS, KIND_COUNT, KINDS
from omnibus.games.bus.moves import ARRIVE0, BUILD0, PASS, STOP, TICK, plot_of, ride_from, ride_to, street_name
from omnibus.games.bus.state import OPEN, State


def parts(state: State, move: int) -> tuple[str, ...]:
    """Return the parts a move touches."""
    city = state.city
    if move < PASS:
        return (f"action-{ACTIONS[move]}",)
    if move < ARRIVE0:
        return ({PASS: "pass", STOP: "stop", TICK: "tick"}[move],)
    if move < BUILD0:
        return (f"crossing-{city.names[city.stations[move - ARRIVE0]]}",)
    if move < city.lay0:
        return (f"plot-{city.plot_names[plot_of(move)]}", f"kind-{KINDS[move % KIND_COUNT]}")
    if move < city.ride0:
        way = move - city.lay0
        street = f"street-{street_name(city, way >> 1)}"
        return (street,) if state.step == OPEN else (f"head-{city.names[city.tail[way]]}", street)
    if move < city.seat_moves:
        return (f"crossing-{city.names[ride_from(city, move)]}", f"crossing-{city.names[ride_to(city, move)]}")
    return ()
