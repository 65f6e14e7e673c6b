"""What one clicks to say a move; the drawing marks the same things with `data-part`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from omnibus.games.bus.board.pieces import ACTIONS, KIND_COUNT, KINDS
from omnibus.games.bus.moves import ARRIVE0, BUILD0, PASS, STOP, TICK, plot_of, ride_from, ride_to, street_name
from omnibus.games.bus.state import BUILD, FOUND, LAY, OPEN, RIDE, SECOND, State
from omnibus.kernel.game import Refusal

SHOWN: Final = {  # what only shows something: the code of the reason, and its §
    "standing": ("shows-turn", "§4.1"),
    "turn": ("shows-turn", "§4.1"),
    "round": ("shows-round", "§4.7"),
    "passed": ("shows-passed", "§4.3"),
    "start": ("shows-start", "§12.1"),
    "cubes": ("shows-cubes", "§4.1"),
    "fleet": ("shows-fleet", "§7.1"),
    "sticks": ("shows-sticks", "§6.1"),
    "head": ("shows-sticks", "§6.1"),  # while the first sticks are laid, no move begins at a head
    "stones": ("shows-stones", "§10.1"),
    "score": ("shows-score", "§13.2"),
    "track": ("shows-score", "§13.2"),
    "box": ("shows-box", "§8.1"),
}
AT_ONCE: Final = {  # what is chosen in a step, of which there is one at a time
    FOUND: ("one-building", "§3.2"),
    BUILD: ("one-building", "§9.1"),
    SECOND: ("one-stick", "§6.1"),
    LAY: ("one-stick", "§6.1"),
    RIDE: ("one-ride", "§11.1"),
}


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
        return (street,) if state.step == OPEN else (street, f"head-{city.names[city.tail[way]]}")
    if move < city.seat_moves:
        return (f"crossing-{city.names[ride_from(city, move)]}", f"crossing-{city.names[ride_to(city, move)]}")
    return ()


def part_refusal(state: State, part: str, picked: Sequence[str], refusal: Refusal | None) -> Refusal | None:
    """Return why a part cannot be clicked: also of what only shows something, or does not go with what was picked."""
    building = part.startswith("crossing-") and state.step in (FOUND, BUILD)
    if refusal is not None and not (picked and building):  # then nobody means a ride
        return refusal
    said = SHOWN.get(part.split("-")[0]) or (AT_ONCE.get(state.step) if picked else None)
    return Refusal(*said) if said else None
