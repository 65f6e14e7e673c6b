"""Reading a position document: first what lies on the table, then what only the rules can tell about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from omnibus.games.metromania.board import (
    CELL_NAMED,
    CITY,
    CITY_CELLS,
    DESTINATIONS,
    KINDS,
    LINES,
    NOBODY,
    POINTS,
    SIDES,
    STATIONS,
    TOWN_HALLS,
    TUNNELS,
    VERTEX_AT,
)
from omnibus.games.metromania.moves import all_hands, letters_dealt
from omnibus.games.metromania.position.validate import (
    check_bore,
    check_destinations,
    check_ends,
    check_hands,
    check_progress,
    listed,
)
from omnibus.games.metromania.position.write import DESTINATION_NAMES, KEYS, LINE_NAMES, PIECE_NAMES
from omnibus.games.metromania.rules.apply import find_blocked, trigger
from omnibus.games.metromania.rules.learning import learn_need
from omnibus.games.metromania.rules.legal import legal
from omnibus.games.metromania.rules.tunnels import goes_on, unplaced, usable
from omnibus.games.metromania.state import (
    ACT,
    BONUS,
    DEALING,
    DOUBLING,
    ENDED,
    GOES_ON,
    PIECING,
    PLACING,
    REASONS,
    STEPS,
    State,
    begin_line,
    has_secrets,
    held_at_first,
    last_cell,
    lay_piece,
    lay_tunnel,
    setup,
    trace,
)
from omnibus.kernel.checks import POSITION, check_keys, expect, index, whole
from omnibus.kernel.game import CHANCE, OVER, BadPosition

LONGEST: Final = 1_000_000  # turns or points: far beyond any game, so that a position can always be played on


def place(document: Mapping[str, Any]) -> State:
    """Return the state of a position document; BadPosition names the culprit."""
    state = place_pieces(document)
    if state.step in (PIECING, DOUBLING, DEALING):
        if state.blocked:
            raise BadPosition("blocked: no line is blocked before the first turn (§9.2)")
        return state
    _check_blocked(state)
    _conclude(state)
    if state.actor != OVER and not legal(state):
        expect(state.step != PLACING, "step: there is no destination for this spot (§8.1)")
        raise BadPosition("step: there is no move, so the turn passes (§4.2)")
    return state


def _conclude(state: State) -> None:
    """Rule out what everybody can, in case the document did not: a redeal must fit what stands on the table."""
    if state.step == PLACING:
        learn_need(state, state.seat, usable(state, last_cell(state, state.line), unplaced(state)), True)
    elif state.step == ACT and state.dug > 0:
        learn_need(state, state.seat, goes_on(state), True)
    elif state.step == ACT or state.actor == OVER:
        find_blocked(state)


def _check_blocked(state: State) -> None:
    """Between turns the blocked lines are those the rules find, and the construction has not ended unnoticed."""
    if (state.step == ACT and state.dug > 0) or (state.step != ACT and state.actor != OVER):
        return  # in the middle of a turn they are those of its beginning
    now = state.clone()
    find_blocked(now)
    for line in range(2 * state.seats):
        if (now.blocked ^ state.blocked) >> line & 1:
            expect(not now.blocked >> line & 1, "blocked: {line} is blocked (§9.2)", line=LINE_NAMES[line])
            raise BadPosition("blocked: {line} is not blocked (§9.2)", line=LINE_NAMES[line])
    if state.turn and state.reason == GOES_ON and trigger(now) != GOES_ON:
        raise BadPosition("ended: something has ended the construction (§9.1)")


def place_pieces(document: Mapping[str, Any]) -> State:
    """Return the state a document describes; BadPosition names the culprit. What only the rules can tell is left."""
    check_keys(POSITION, document, KEYS)
    seats = whole("seats", document["seats"], 2, 4)
    hall = index("town_hall", document["town_hall"], TOWN_HALLS)
    expect(TOWN_HALLS[hall] != "strict" or seats == 4, "town_hall: strict is for four players (§3.3)")
    state = setup(seats, hall)
    state.step = index("step", document["step"], STEPS)
    state.seat = whole("seat", document["seat"], 0, seats - 1)
    state.turn = whole("turn", document["turn"], 0, LONGEST)
    state.dug = whole("dug", document["dug"], 0, 3)
    expect(isinstance(document["placed_now"], bool), "placed_now must be true or false")
    state.placed_now = int(document["placed_now"])
    for code in listed("sectors", document["sectors"], 0, SIDES):
        lay_piece(state, index("sectors", code, PIECE_NAMES))
    state.doubles = [index("doubles", kind, KINDS) for kind in listed("doubles", document["doubles"], 0, 3)]
    _place_stations(state, document["stations"])
    _place_lines(state, document["lines"])
    _place_progress(state, document)
    _place_destinations(state, document)
    check_ends(state)
    check_progress(state)
    check_hands(state)
    check_destinations(state)
    _place_ruled_out(state, document["ruled_out"])
    state.actor = _actor(state)
    return state


def _actor(state: State) -> int:
    if state.step == ENDED:
        return OVER
    return state.seat if state.step in (DOUBLING, ACT, PLACING, BONUS) else CHANCE


def _place_stations(state: State, stations: Any) -> None:
    for number, point in enumerate(listed("stations", stations, 0, STATIONS)):
        name = f"stations[{number}]"
        a, b = [whole(name, part, -5, 5) for part in listed(name, point, 2, 2)]
        vertex = VERTEX_AT.get((a, b), CITY)
        expect(vertex < CITY, "{what}: {a},{b} is not a vertex of the city (§1.2)", what=name, a=a, b=b)
        expect(not state.station[vertex], "{what}: {a},{b} is listed twice", what=name, a=a, b=b)
        state.station[vertex] = 1
        state.stock -= 1


def _place_lines(state: State, lines: Any) -> None:
    for seat, own in enumerate(listed("lines", lines, state.seats, state.seats)):
        check_keys(f"lines[{seat}]", own, LINES)
        for which in range(2):
            name = f"lines[{seat}].{LINES[which]}"
            tunnels = listed(name, own[LINES[which]], 0, TUNNELS)
            _place_line(state, 2 * seat + which, tunnels, name)
    for vertex in range(CITY):
        here = "{},{}".format(*POINTS[vertex])
        good = not state.station[vertex] or state.on[vertex] > 0
        expect(good, "stations: no line goes through {point} (§7.1)", point=here)


def _place_line(state: State, line: int, tunnels: list[Any], name: str) -> None:
    expect(all(isinstance(tunnel, str) for tunnel in tunnels), "{what} must be a list of tunnels", what=name)
    for number, bore in enumerate(trace(tunnels)):
        what = f"{name}[{number}]"
        expect(bore != NOBODY, "{what}: there is no tunnel {tunnel!r} here (§13)", what=what, tunnel=tunnels[number])
        check_bore(state, line, bore, what)
        if number == 0:
            begin_line(state, line, bore)
        else:
            lay_tunnel(state, line, bore)
    if state.tip[line] >= CITY:
        state.finished |= 1 << line


def _place_progress(state: State, document: Mapping[str, Any]) -> None:
    points = listed("points", document["points"], state.seats, state.seats)
    state.points = [whole(f"points[{seat}]", scored, 0, LONGEST) for seat, scored in enumerate(points)]
    if document["line"] is not None:
        state.line = 2 * state.seat + index("line", document["line"], LINES)
    if document["ended"] is not None:
        state.ended = whole("ended", document["ended"], 0, LONGEST)
    if document["reason"] is not None:
        state.reason = index("reason", document["reason"], REASONS[1:]) + 1
    for name in listed("blocked", document["blocked"], 0, 2 * state.seats):
        line = index("blocked", name, LINE_NAMES[: 2 * state.seats])
        expect(not state.finished >> line & 1, "blocked: {line} is finished (§9.2)", line=name)
        state.blocked |= 1 << line


def _place_destinations(state: State, document: Mapping[str, Any]) -> None:
    placed = document["placed"]
    expect(isinstance(placed, Mapping), "placed must be an object")
    for name, where in placed.items():
        one = index("placed", name, DESTINATION_NAMES)
        cell = CELL_NAMED.get(where, CITY_CELLS) if isinstance(where, str) else CITY_CELLS
        expect(cell < CITY_CELLS, "placed: {cell!r} is not a cell of the city", cell=where)
        expect(state.tunnel[cell] >= 0, "placed: there is no tunnel on {cell} (§8.1)", cell=where)
        state.placed[one] = cell
        state.placer[one] = state.tunnel[cell] >> 1
    state.hands = [0] * state.seats
    for seat, hand in enumerate(listed("hands", document["hands"], state.seats, state.seats)):
        for name in listed(f"hands[{seat}]", hand, 0, DESTINATIONS):
            one = index(f"hands[{seat}]", name, DESTINATION_NAMES)
            free = state.placed[one] < 0 and not any(held >> one & 1 for held in state.hands)
            expect(free, "hands[{seat}]: {destination} is listed twice (§2.3)", seat=seat, destination=name)
            state.hands[seat] |= 1 << one


def _place_ruled_out(state: State, ruled_out: Any) -> None:
    dealt = has_secrets(state) and state.step >= ACT
    for seat, hands in enumerate(listed("ruled_out", ruled_out, state.seats, state.seats)):
        name = f"ruled_out[{seat}]"
        possible = all_hands(seat, state.doubles) if dealt else []
        excluded = listed(name, hands, 0, len(possible))
        if excluded:
            letters = [letters_dealt(hand) for hand in possible]
            found = [index(name, hand, letters) for hand in excluded]
            expect(found == sorted(set(found)), "{what} must be in order and without repetition", what=name)
            state.ruled_out[seat] = [possible[number] for number in found]
            own = held_at_first(state, seat) in state.ruled_out[seat]
            expect(not own, "{what} excludes the hand this seat actually has", what=name)
