"""The state of a game, and how its tunnels are written in position documents."""

from __future__ import annotations

from typing import Final

from omnibus.games.metromania.board import (
    APEX0,
    BLACK,
    BORDER,
    BORDER0,
    BORDERS,
    CELL,
    CELLS,
    CLOSED,
    CORNERS,
    DESTINATIONS,
    DIRECTIONS,
    EDGES,
    FOR_TWO,
    HANDS,
    HIDDEN,
    HOME,
    LEISURE,
    NO_CELL,
    NOBODY,
    NOWHERE,
    PLAIN,
    PRINTED,
    SLOT,
    STATIONS,
    STRICT,
    STRICT_HANDS,
    TO,
    TUNNELS,
    VERTICES,
)
from omnibus.kernel.game import CHANCE
from omnibus.kernel.i18n import MessageError

# The steps of a game. A turn is made of act, place and bonus.
PIECING: Final = 0
DOUBLING: Final = 1
DEALING: Final = 2
ACT: Final = 3
PLACING: Final = 4
BONUS: Final = 5
ENDED: Final = 6
STEPS: Final = ["pieces", "doubles", "deal", "act", "place", "bonus", "over"]

# Why the construction ends (§9.1), in this order.
GOES_ON: Final = 0
BY_FINISHED: Final = 1
BY_STOCK: Final = 2
BY_BLOCKED: Final = 3
REASONS: Final = ["", "finished", "stock", "blocked"]

STRIDE: Final = TUNNELS + 1  # vertices of a line, in `State.path`


class State:
    """A position of MetroMania. Made by `setup`, `place` and `clone`, which set every attribute.

    A line is numbered seat · 2, plus 1 if it is the striped one. A set of lines or of destinations is an int, a bit
    each. What is printed (`ground`, `worth`) and what observers have ruled out are shared between clones and replaced
    as a whole when they change; all other lists are written in place.
    """

    __slots__ = (
        "actor",
        "begun",
        "blocked",
        "doubles",
        "dug",
        "ended",
        "finished",
        "ground",
        "hall",
        "hands",
        "length",
        "line",
        "on",
        "path",
        "placed",
        "placed_now",
        "placer",
        "points",
        "reason",
        "ruled_out",
        "seat",
        "seats",
        "sectors",
        "slot",
        "soil",
        "station",
        "step",
        "stock",
        "tip",
        "track",
        "tunnel",
        "turn",
        "way",
        "worth",
    )  # fmt: skip

    actor: int
    seats: int
    hall: int  # the option town_hall
    step: int
    seat: int  # whose turn it is, or who names a double
    turn: int  # how many turns have been, passes too
    dug: int  # tunnels dug in this turn
    placed_now: int  # destinations placed in this turn, 0 or 1 (§8.2)
    line: int  # the line whose last tunnel waits for a destination or a bonus station, or NOBODY
    ended: int  # the turn that ended the construction (§9.1), or NOBODY
    reason: int  # why it did
    stock: int  # stations left
    blocked: int  # the lines that were blocked when the last turn ended (§9.2)
    finished: int  # the finished lines
    sectors: list[int]  # piece · 3 + rotation, sector by sector
    doubles: list[int]  # kinds named, by seat
    ground: list[int]  # by cell: what is printed there
    worth: list[int]  # by vertex: the spots around it (§6.5)
    soil: list[int]  # by cell: PLAIN, or the kind of a free spot, or CLOSED for whatever cannot be dug
    tunnel: list[int]  # by cell: the line that dug there, or NOBODY
    track: list[int]  # by slot: the line whose track lies there, or NOBODY
    on: list[int]  # by vertex: the lines through it
    station: list[int]  # by vertex: 1 where a station stands
    length: list[int]  # by line: its tunnels
    tip: list[int]  # by line: the vertex where it goes on
    way: list[int]  # by line: the direction of its last tunnel
    slot: list[int]  # by line: the slot of its last track
    begun: list[int]  # by line: the border cell of its beginning, or NOBODY
    path: list[int]  # by line · STRIDE: its vertices
    hands: list[int]  # by seat: the destinations held
    placed: list[int]  # by destination: its cell, or NOBODY
    placer: list[int]  # by destination: who placed it, or NOBODY
    points: list[int]  # by seat: for stations (§6.5)
    ruled_out: list[list[int]]  # by seat: full hands that what everybody saw has excluded

    def clone(self) -> State:
        """Return an independent copy."""
        other = State()
        other.actor = self.actor
        other.seats = self.seats
        other.hall = self.hall
        other.step = self.step
        other.seat = self.seat
        other.turn = self.turn
        other.dug = self.dug
        other.placed_now = self.placed_now
        other.line = self.line
        other.ended = self.ended
        other.reason = self.reason
        other.stock = self.stock
        other.blocked = self.blocked
        other.finished = self.finished
        other.sectors = self.sectors[:]
        other.doubles = self.doubles[:]
        other.ground = self.ground
        other.worth = self.worth
        other.soil = self.soil[:]
        other.tunnel = self.tunnel[:]
        other.track = self.track[:]
        other.on = self.on[:]
        other.station = self.station[:]
        other.length = self.length[:]
        other.tip = self.tip[:]
        other.way = self.way[:]
        other.slot = self.slot[:]
        other.begun = self.begun[:]
        other.path = self.path[:]
        other.hands = self.hands[:]
        other.placed = self.placed[:]
        other.placer = self.placer[:]
        other.points = self.points[:]
        other.ruled_out = self.ruled_out[:]
        return other


def setup(seats: int, hall: int) -> State:
    """Return the state before anything has happened: an empty city, nobody holds anything (§3)."""
    if hall == STRICT and seats < 4:
        raise MessageError("town_hall: strict is for four players (§3.3)")
    state = State()
    state.actor = CHANCE
    state.seats = seats
    state.hall = hall
    state.step = PIECING
    state.seat = state.turn = state.dug = state.placed_now = 0
    state.line = state.ended = NOBODY
    state.reason = GOES_ON
    state.stock = STATIONS
    state.blocked = state.finished = 0
    state.sectors = []
    state.doubles = []
    state.ground = [PLAIN] * BORDER0 + [BORDER] * BORDERS + [BORDER]
    state.worth = [0] * (VERTICES + 1)
    state.soil = [PLAIN] * BORDER0 + [CLOSED] * (BORDERS + 1)
    for n in BLACK:
        state.soil[BORDER0 + n] = PLAIN
    state.tunnel = [NOBODY] * (CELLS + 1)
    state.track = [NOBODY] * (2 * EDGES)
    state.on = [0] * VERTICES + [255]
    state.station = [0] * (VERTICES + 1)
    lines = 2 * seats
    state.length = [0] * lines
    state.tip = [NOBODY] * lines
    state.way = [0] * lines
    state.slot = [NOBODY] * lines
    state.begun = [NOBODY] * lines
    state.path = [NOBODY] * (lines * STRIDE)
    state.hands = fixed_hands(seats, hall) or [0] * seats
    state.placed = [NOBODY] * DESTINATIONS
    state.placer = [NOBODY] * DESTINATIONS
    state.points = [0] * seats
    state.ruled_out = [[] for _ in range(seats)]
    return state


def fixed_hands(seats: int, hall: int) -> list[int]:
    """Return the hands that need no deal (§3.2, §3.3), or nothing."""
    if seats == 2:
        return FOR_TWO[:]
    if hall == STRICT:
        return STRICT_HANDS[:]
    return []


def has_deal(state: State) -> bool:
    """Tell whether the hands of this game are dealt by chance."""
    return state.seats > 2 and state.hall != STRICT


def has_secrets(state: State) -> bool:
    """Tell whether hands are secret in this game until placed (§3.3)."""
    return state.seats > 2 and state.hall == HIDDEN


def held_at_first(state: State, seat: int) -> int:
    """Return the full hand a seat was dealt: what it holds and what it has placed."""
    hand = state.hands[seat]
    for one in range(DESTINATIONS):
        if state.placer[one] == seat:
            hand |= 1 << one
    return hand


def lay_piece(state: State, code: int) -> None:
    """Put a piece (piece · 3 + rotation) in the next sector (§3.1)."""
    ground = state.ground[:]
    worth = state.worth[:]
    for cell, printed in PRINTED[len(state.sectors) * 18 + code]:
        ground[cell] = printed
        if HOME <= printed <= LEISURE:
            state.soil[cell] = printed
            for vertex in CORNERS[cell]:
                worth[vertex] += 1
        else:
            state.soil[cell] = CLOSED  # §5.3
    state.ground = ground
    state.worth = worth
    state.sectors.append(code)


def lay_tunnel(state: State, line: int, bore: int) -> None:
    """Dig a bore for a line: cell, track and tip; stations and points are another matter."""
    cell = CELL[bore]
    r = TO[bore]
    slot = SLOT[bore]
    state.tunnel[cell] = line
    state.soil[cell] = CLOSED
    state.track[slot] = line
    state.on[r] = state.on[r] | 1 << line
    state.tip[line] = r
    state.way[line] = bore % 12 // 2
    state.slot[line] = slot
    length = state.length[line] + 1
    state.length[line] = length
    state.path[line * STRIDE + length] = r


def begin_line(state: State, line: int, bore: int) -> None:
    """Dig the first bore of a line, from the apex of a border cell (§5.2)."""
    apex = bore // 12
    state.begun[line] = apex - APEX0
    state.path[line * STRIDE] = apex
    state.on[apex] = state.on[apex] | 1 << line
    lay_tunnel(state, line, bore)


def bore_towards(v: int, direction: int, hand: int) -> int:
    """Return the bore from a vertex in a direction with the cell on a side."""
    return v * 12 + direction * 2 + hand


def start_bore(n: int, direction: int) -> int:
    """Return the bore of a beginning in border cell n, or NOBODY if none goes in that direction (§5.2)."""
    for hand in range(2):
        bore = bore_towards(APEX0 + n, direction, hand)
        if TO[bore] != NOWHERE and CELL[bore] == BORDER0 + n:
            return bore
    return NOBODY


def tunnels_of(state: State, line: int) -> list[str]:
    """Write a line tunnel by tunnel: `12 SE` for its beginning, then `NE l` and so on (§13)."""
    written: list[str] = []
    for at in range(state.length[line]):
        v = state.path[line * STRIDE + at]
        r = state.path[line * STRIDE + at + 1]
        for bore in range(v * 12, v * 12 + 12):
            if TO[bore] == r and state.track[SLOT[bore]] == line and CELL[bore] != NO_CELL:
                direction = DIRECTIONS[bore % 12 // 2]
                written.append(f"{v - APEX0} {direction}" if at == 0 else f"{direction} {HANDS[bore % 2]}")
    return written


def trace(tunnels: list[str]) -> list[int]:
    """Read a line written so, as bores; NOBODY stands for what is no tunnel, and nothing follows it."""
    bores: list[int] = []
    v = NOBODY
    for at, written in enumerate(tunnels):
        first, _, second = written.partition(" ")
        bore = NOBODY
        if at == 0:
            if first.isdecimal() and int(first) < BORDERS and second in DIRECTIONS:
                bore = start_bore(int(first), DIRECTIONS.index(second))
        elif first in DIRECTIONS and second in HANDS:
            bore = bore_towards(v, DIRECTIONS.index(first), HANDS.index(second))
        if bore == NOBODY or CELL[bore] == NO_CELL:
            bores.append(NOBODY)
            break
        bores.append(bore)
        v = TO[bore]
    return bores


def last_cell(state: State, line: int) -> int:
    """Return the cell of a line's last tunnel."""
    t = state.path[line * STRIDE + state.length[line] - 1]
    for bore in range(t * 12 + state.way[line] * 2, t * 12 + state.way[line] * 2 + 2):
        if SLOT[bore] == state.slot[line]:
            return CELL[bore]
    return NO_CELL
