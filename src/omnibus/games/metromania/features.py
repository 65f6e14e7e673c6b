"""The observation of a seat for learning: a row of bytes, written from what its view holds. Compiled.

Seats are told from the viewer on: itself first, then in the order of turns, so that one policy can play every seat.
Lines follow their seats, solid before striped. The hands that what everybody saw has ruled out are not told; they
follow from the plies.
"""

from __future__ import annotations

from typing import Final

from omnibus.games.metromania.board import (
    CELL,
    CELLS,
    CITY,
    CITY_CELLS,
    DESTINATIONS,
    DIGS,
    DIRECTIONS,
    GROUNDS,
    HOME,
    KIND_OF,
    KINDS,
    LETTER_OF,
    LETTERS,
    LINES,
    NOBODY,
    PARK,
    SLOT,
    STATIONS,
    TOWN_HALLS,
    VERTICES,
)
from omnibus.games.metromania.scoring import outcome
from omnibus.games.metromania.state import REASONS, STEPS, State, has_secrets
from omnibus.kernel.features import Feature, bits, equals, one_hots
from omnibus.kernel.game import OVER

MOST_POINTS: Final = 255
MOST_SEATS: Final = 4
CELL_SIDES: Final = 3

_SEAT: Final[list[list[bytes]]] = [one_hots(seats) for seats in range(MOST_SEATS + 1)]
_STEP: Final[list[bytes]] = one_hots(len(STEPS))
_KIND: Final[list[bytes]] = one_hots(len(KINDS))
_LINE: Final[list[bytes]] = one_hots(len(LINES))
_REASON: Final[list[bytes]] = one_hots(len(REASONS) - 1)
_HALL: Final[list[bytes]] = one_hots(len(TOWN_HALLS))
_WAY: Final[list[bytes]] = one_hots(len(DIRECTIONS))
_VERTEX: Final[list[bytes]] = one_hots(VERTICES)
_LETTERS: Final = len(LETTERS)
_EQUALS: Final[list[bytes]] = equals(PARK + 1)
_BITS: Final[list[bytes]] = bits(2 * MOST_SEATS)
_HAND: Final[list[bytes]] = [
    bytes(hand >> one & 1 for one in range(DESTINATIONS)) for hand in range(1 << DESTINATIONS)
]  # by hand: its destinations
_HELD: Final[list[bytes]] = [
    bytes(sum(row[one] for one in range(DESTINATIONS) if KIND_OF[one] == kind) for kind in range(len(KINDS)))
    for row in _HAND
]  # by hand: how many of each kind


def _sides() -> list[int]:
    """By cell · 3: the slots of the tracks that could lie in it, in the order of their edges; the last one repeated."""
    found: list[int] = []
    for cell in range(CELLS):
        slots = sorted({SLOT[bore] for bore in range(len(CELL)) if CELL[bore] == cell})
        found += (slots + slots[-1:] * CELL_SIDES)[:CELL_SIDES]
    return found


_SIDES: Final[list[int]] = _sides()


def features(state: State) -> list[Feature]:
    """List what an observation is made of, in order."""
    return _turn_features(state.seats) + _player_features(state.seats) + _city_features(state.seats)


def _turn_features(seats: int) -> list[Feature]:
    return [
        Feature("step", (len(STEPS),), 1, ", ".join(STEPS)),
        Feature("turn", (seats,), 1, "whose turn it is, counted from the viewer"),
        Feature("line", (len(LINES),), 1, "the line that waits for a destination or a bonus station"),
        Feature("reason", (len(REASONS) - 1,), 1, "why the construction ends: " + ", ".join(REASONS[1:])),
        Feature("town_hall", (len(TOWN_HALLS),), 1, "the option: " + ", ".join(TOWN_HALLS)),
        Feature("dug", (1,), DIGS, "tunnels dug in this turn"),
        Feature("placed_now", (1,), 1, "a destination has been placed in this turn"),
        Feature("stock", (1,), STATIONS, "stations left"),
        Feature("last_turns", (1,), seats, "turns left, once the end of the construction is certain (§9.1)"),
    ]


def _player_features(seats: int) -> list[Feature]:
    lines = 2 * seats
    return [
        Feature("points", (seats,), MOST_POINTS, "points for stations, the viewer first"),
        Feature(
            "placer", (seats, DESTINATIONS), 1, "who placed which destination (home ACDF, work ABEF, leisure BCDE)"
        ),
        Feature("finished", (lines,), 1, "the finished lines"),
        Feature("blocked", (lines,), 1, "the lines that were blocked when the last turn ended (§9.2)"),
        Feature("doubles", (seats, len(KINDS)), 1, "the kind each seat named as its double (§3.2)"),
        Feature("held", (seats, len(KINDS)), DESTINATIONS, "how many destinations of each kind are held"),
        Feature("hands", (seats, DESTINATIONS), 1, "the destinations held, where the viewer may see them"),
    ]


def _city_features(seats: int) -> list[Feature]:
    lines = 2 * seats
    return [
        Feature("tips", (lines, VERTICES), 1, "the vertex where each line goes on"),
        Feature("headings", (lines, len(DIRECTIONS)), 1, "the direction of its last tunnel: " + ", ".join(DIRECTIONS)),
        Feature("lines", (lines, VERTICES), 1, "the vertices each line goes through"),
        Feature("tunnels", (lines, CELLS), 1, "the cells each line has dug"),
        Feature("tracks", (CELL_SIDES, CELLS), 1, "on which edge of a cell its track lies, in the order of the edges"),
        Feature("stations", (CITY,), 1, "the vertices with a station"),
        Feature("worth", (CITY,), 6, "the spots around each vertex (§6.5)"),
        Feature(
            "ground", (PARK, CITY_CELLS), 1, "what is printed on each cell: " + ", ".join(GROUNDS[HOME : PARK + 1])
        ),
        Feature("placed", (_LETTERS, CITY_CELLS), 1, "where the destinations of each letter lie"),
    ]


def observe(state: State, seat: int) -> bytes:
    """Write what a seat sees; nothing in it goes beyond its view."""
    seats = state.seats
    order = [(seat + far) % seats for far in range(seats)]
    lines: list[int] = []
    for each in order:
        lines.append(2 * each)
        lines.append(2 * each + 1)
    rows = [_turn(state, seat), _players(state, order, lines)]
    _add_hands(state, seat, order, rows)
    _add_lines(state, lines, rows)
    rows.append(_tunnels(state, seat))
    _add_city(state, rows)
    return b"".join(rows)


def _turn(state: State, seat: int) -> bytes:
    seats = state.seats
    left = state.ended + seats - state.turn if state.ended != NOBODY else 0
    return b"".join(
        [
            _STEP[state.step],
            _SEAT[seats][(state.seat - seat) % seats],
            _LINE[state.line & 1 if state.line != NOBODY else -1],
            _REASON[state.reason - 1],
            _HALL[state.hall],
            bytes([state.dug, state.placed_now, state.stock, min(max(left, 0), seats)]),
        ]
    )


def _players(state: State, order: list[int], lines: list[int]) -> bytes:
    numbers = [min(state.points[seat], MOST_POINTS) for seat in order]
    for seat in order:
        for who in state.placer:
            numbers.append(1 if who == seat else 0)
    numbers += [state.finished >> line & 1 for line in lines]
    numbers += [state.blocked >> line & 1 for line in lines]
    return bytes(numbers)


def _add_hands(state: State, seat: int, order: list[int], rows: list[bytes]) -> None:
    """Kinds are public; destinations are only to be seen in one's own hand, or where there are no secrets (§3.3)."""
    named = len(state.doubles)
    open_hands = not has_secrets(state) or state.actor == OVER
    rows += [_KIND[state.doubles[each] if each < named else -1] for each in order]
    rows += [_HELD[state.hands[each]] for each in order]
    rows += [_HAND[state.hands[each] if open_hands or each == seat else 0] for each in order]


def _add_lines(state: State, lines: list[int], rows: list[bytes]) -> None:
    on = bytes(state.on[:VERTICES])
    rows += [_VERTEX[state.tip[line]] for line in lines]
    rows += [_WAY[state.way[line] if state.length[line] > 0 else -1] for line in lines]
    rows += [on.translate(_BITS[line]) for line in lines]


def _tunnels(state: State, seat: int) -> bytes:
    """Who dug which cell, and on which edge of it the track lies."""
    lines = 2 * state.seats
    first = 2 * seat
    marks = bytearray((lines + CELL_SIDES) * CELLS)
    tunnel = state.tunnel
    track = state.track
    for cell in range(CELLS):
        line = tunnel[cell]
        if line >= 0:
            marks[(line - first) % lines * CELLS + cell] = 1
            side = 0
            while track[_SIDES[CELL_SIDES * cell + side]] < 0:
                side += 1
            marks[(lines + side) * CELLS + cell] = 1
    return bytes(marks)


def _add_city(state: State, rows: list[bytes]) -> None:
    rows.append(bytes(state.station[:CITY]))
    rows.append(bytes(state.worth[:CITY]))
    ground = bytes(state.ground[:CITY_CELLS])
    for printed in range(HOME, PARK + 1):
        rows.append(ground.translate(_EQUALS[printed]))
    placed = bytearray(_LETTERS * CITY_CELLS)
    for one in range(DESTINATIONS):
        if state.placed[one] >= 0:
            placed[LETTER_OF[one] * CITY_CELLS + state.placed[one]] = 1
    rows.append(bytes(placed))


def standing(state: State) -> list[int]:
    """Return the scores as everybody sees them: points for stations, and all of them when the game is over."""
    ended = outcome(state)
    return list(ended.scores) if ended else state.points[:]
