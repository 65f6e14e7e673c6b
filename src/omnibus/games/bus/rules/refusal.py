"""Why a move may not be made: the explaining path, rule by rule, without the tables and counts of `legal`.

Where several rules forbid a move the first of these answers: wrong step or actor, not in possession, locked by an
earlier choice, not permitted now, geometry.
"""

from __future__ import annotations

from typing import Any

from omnibus.games.bus.board.pieces import ACTIONS, CAPACITY, KIND_COUNT, KINDS, LEAST_CUBES, ZONES
from omnibus.games.bus.moves import ARRIVE0, BUILD0, PASS, plot_of, ride_from, ride_to, street_name, way_name
from omnibus.games.bus.rules.round import end_reason
from omnibus.games.bus.state import ARRIVE, BUILD, CHOOSE, DECIDE, EMPTY, FOUND, LAY, OPEN, RIDE, SECOND, STEPS, State
from omnibus.kernel.game import CHANCE, OVER, Refusal


def refusal(state: State, move: int) -> Refusal | None:
    """Return why the actor may not make this move now; None if it is legal."""
    if state.actor == OVER:
        return Refusal("over", "§13.1", {"reason": end_reason(state)})
    city = state.city
    chance = move >= city.seat_moves
    if state.actor == CHANCE:
        return None if chance else Refusal("start-unknown", "§3.1")
    if chance:
        return Refusal("start-known", "§3.1", {"seat": state.start})
    if move < PASS:
        return _against_take(state, move)
    if move == PASS:
        return _against_pass(state)
    if move < ARRIVE0:
        return None if state.step == DECIDE else _not_now(state, "not-at-the-clock", "§10.1")
    if move < BUILD0:
        return None if state.step == ARRIVE else _not_now(state, "not-arriving", "§8.1")
    if move < city.lay0:
        return _against_build(state, plot_of(move), move % KIND_COUNT)
    if move < city.ride0:
        return _against_lay(state, move - city.lay0)
    return _against_ride(state, ride_from(city, move), ride_to(city, move))


def _not_now(state: State, code: str, section: str) -> Refusal:
    """A move of another step."""
    return Refusal(code, section, {"step": STEPS[state.step]})


def _against_take(state: State, action: int) -> Refusal | None:
    if state.step != CHOOSE:
        return _not_now(state, "not-choosing", "§4.1")
    if state.taken[action] >= CAPACITY[action]:
        return Refusal("full" if CAPACITY[action] > 1 else "taken", "§4.2", {"action": ACTIONS[action]})
    return None


def _against_pass(state: State) -> Refusal | None:
    """§4.3; who began the round with a single cube has to place it (§4.4), and what is owed is not skipped (§5.3)."""
    if state.step == RIDE:
        return Refusal("ride-owed", "§11.2")
    if state.step in (LAY, ARRIVE, BUILD, DECIDE):
        return Refusal("owed", "§5.3", {"step": STEPS[state.step]})
    if state.step != CHOOSE:
        return _not_now(state, "not-passing", "§4.3")
    placed = state.fields.count(state.seat)
    if placed >= LEAST_CUBES:
        return None
    if placed == 0 and state.cubes[state.seat] == 1:
        return Refusal("last-cube", "§4.4")
    return Refusal("pass-too-early", "§4.3", {"placed": placed})


def _against_build(state: State, plot: int, kind: int) -> Refusal | None:
    if state.step in (OPEN, SECOND):
        return Refusal("sticks-now", "§3.2")
    if state.step not in (FOUND, BUILD):
        return _not_now(state, "not-building", "§9.1")
    if not state.supply[kind]:
        return Refusal("none-left", "§2.3", {"kind": KINDS[kind]})
    city = state.city
    zone = city.plot_zone[plot]
    open_zone = min([city.plot_zone[other] for other in range(city.plot_count) if state.plots[other] == EMPTY])
    if zone > open_zone and state.step == FOUND:
        return Refusal("only-first-zone", "§3.2", {"zone": ZONES[zone]})
    if zone > open_zone:
        return Refusal("zone-closed", "§9.1", {"zone": ZONES[zone], "open": ZONES[open_zone]})
    if state.plots[plot] != EMPTY:
        about = {"plot": city.plot_names[plot], "kind": KINDS[state.plots[plot]]}
        return Refusal("plot-taken", "§3.2" if state.step == FOUND else "§9.1", about)
    return None


def _against_lay(state: State, way: int) -> Refusal | None:
    if state.step == OPEN:
        turned = {"street": street_name(state.city, way >> 1)}
        return Refusal("smaller-first", "§15", turned) if way & 1 else None
    if state.step == FOUND:
        return Refusal("buildings-first", "§3.3")
    if state.step not in (LAY, SECOND):
        return _not_now(state, "not-laying", "§6.1")
    return _against_lengthening(state, way)


def _against_lengthening(state: State, way: int) -> Refusal | None:
    """From a head, along a street without an own stick, which (a), (b) or (c) of §6.2 allow."""
    city = state.city
    seat = state.seat
    begin = city.tail[way]
    heads = state.heads[2 * seat : 2 * seat + 2]
    if begin not in heads:
        about: dict[str, Any] = {"crossing": city.names[begin], "heads": [city.names[head] for head in heads]}
        return Refusal("not-a-head", "§6.1", about)
    street = way >> 1
    used = state.usage[street]
    if used >> seat & 1:
        return Refusal("own-street", "§6.4", {"street": street_name(city, street)})
    through = [line for line in range(state.seats) if used >> line & 1 and not _ends_at(state, line, begin)]
    if not through:
        return None  # (a), (b)
    empty = [other for other in city.out[begin] if state.usage[other >> 1] == 0]
    if not empty:
        return None  # (c)
    about = {
        "street": street_name(city, street),
        "crossing": city.names[begin],
        "empty": [way_name(city, other) for other in empty],
        "lines": through,
    }
    return Refusal("street-used", "§6.2", about)


def _ends_at(state: State, line: int, crossing: int) -> bool:
    return state.heads[2 * line] == crossing or state.heads[2 * line + 1] == crossing


def _against_ride(state: State, begin: int, end: int) -> Refusal | None:
    if state.step != RIDE:
        return _not_now(state, "not-riding", "§11.1")
    names = state.city.names
    for crossing in (begin, end):
        if not _on_line(state, state.seat, crossing):
            return Refusal("not-on-line", "§11.1", {"crossing": names[crossing]})
    if not state.waiting[begin]:
        code = "all-seated" if state.seated[begin] else "nobody-waits"
        return Refusal(code, "§11.1", {"crossing": names[begin]})
    if begin == end:
        return Refusal("rides-nowhere", "§11.1", {"crossing": names[end]})
    if _buildings_at(state, end) <= state.seated[end]:
        return Refusal("no-free-building", "§11.1", {"crossing": names[end], "kind": KINDS[state.clock]})
    return None


def _on_line(state: State, seat: int, crossing: int) -> bool:
    return any(state.usage[way >> 1] >> seat & 1 for way in state.city.out[crossing])


def _buildings_at(state: State, crossing: int) -> int:
    """Count the buildings of the clock's kind."""
    city = state.city
    return sum(state.plots[plot] == state.clock for plot in range(city.plot_count) if city.plot_at[plot] == crossing)
