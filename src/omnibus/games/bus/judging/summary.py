"""A position in few numbers, for value networks: the unweighted terms of the judgement, and more. Compiled.

Kinds of buildings are told from the one that the clock will show, so that what is learned of one holds for all.
"""

from __future__ import annotations

from typing import Final

from omnibus.games.bus.board.pieces import ACTION_COUNT, KIND_COUNT, SLOTS, VRROOMM, ZONE_COUNT
from omnibus.games.bus.judging.outlook import Outlook, outlook
from omnibus.games.bus.judging.prospects import look_at_seat, look_at_start
from omnibus.games.bus.judging.shares import last_stone_wins, left
from omnibus.games.bus.judging.weights import TERM_COUNT
from omnibus.games.bus.moves import BUILD0
from omnibus.games.bus.state import STEPS, State

# So many times each term is written, that its fractions are seen; the score may be below zero.
SCALES: Final[list[float]] = [4.0, 12.0, 24.0, 32.0, 32.0, 32.0, 200.0, 16.0, 8.0, 6.0, 100.0, 16.0, 1.0, 1.0]
LOWEST: Final = 5.0
PLAYER: Final = TERM_COUNT  # what the seat has
PLAYER_NUMBERS: Final = 14
BOARD: Final = PLAYER + PLAYER_NUMBERS  # its cubes on each action, and its first field of vrroomm
BOARD_NUMBERS: Final = ACTION_COUNT + 1
LINE: Final = BOARD + BOARD_NUMBERS  # what its line passes
LINE_NUMBERS: Final = 8
KIND: Final = LINE + LINE_NUMBERS  # of each kind: buildings, the seat's alone, passengers too many, buildings too many
KIND_NUMBERS: Final = 4
EACH: Final = KIND + KIND_NUMBERS * KIND_COUNT
STEP: Final = 8
TAKEN: Final = STEP + len(STEPS)
COMMON: Final = TAKEN + ACTION_COUNT


def summary(state: State) -> bytes:
    """Return the numbers of each seat, then what is common."""
    look = outlook(state)
    seats = state.seats
    found = [0] * (EACH * seats + COMMON)
    for seat in range(seats):
        look_at_seat(state, seat, look)
    look_at_start(state, look)
    sure = last_stone_wins(state)
    if sure >= 0:
        found[sure * EACH + PLAYER + PLAYER_NUMBERS - 1] = 1
    for seat in range(seats):
        zero = seat * EACH
        worth = seat * TERM_COUNT
        found[zero] = int((look.worth[worth] + LOWEST) * SCALES[0])
        for term in range(1, TERM_COUNT):
            found[zero + term] = int(look.worth[worth + term] * SCALES[term])
        _add_player(state, seat, look, found, zero + PLAYER)
        _add_cubes(state, seat, found, zero + BOARD)
        _add_line(state, seat, look, found, zero)
    _add_common(state, look, found, EACH * seats)
    for at in range(len(found)):
        if found[at] > 255:
            found[at] = 255
        elif found[at] < 0:
            found[at] = 0
    return bytes(found)


def _add_player(state: State, seat: int, look: Outlook, found: list[int], at: int) -> None:
    seats = state.seats
    found[at] = 1 if state.actor == seat else 0
    found[at + 1] = (seat - state.seat) % seats
    found[at + 2] = (seat - state.start) % seats if state.start >= 0 else 0
    found[at + 3] = state.rides[seat]
    found[at + 4] = state.stones[seat]
    found[at + 5] = state.buses[seat]
    found[at + 6] = look.fleets[seat]
    found[at + 7] = state.cubes[seat]
    found[at + 8] = state.placed[seat]
    found[at + 9] = state.passed >> seat & 1
    found[at + 10] = look.sticks[seat]
    found[at + 11] = look.guests[seat]
    found[at + 12] = look.doors[seat]


def _add_cubes(state: State, seat: int, found: list[int], at: int) -> None:
    """Count the seat's cubes on the action board."""
    fields = state.fields
    found[at + ACTION_COUNT] = SLOTS
    for action in range(ACTION_COUNT):
        for field in range(state.taken[action]):
            if fields[action * SLOTS + field] == seat:
                found[at + action] = found[at + action] + 1
                if action == VRROOMM and found[at + ACTION_COUNT] == SLOTS:
                    found[at + ACTION_COUNT] = field


def _add_line(state: State, seat: int, look: Outlook, found: list[int], zero: int) -> None:  # noqa: C901 — one pass, often
    """Add what the line passes, and what of it no other line does."""
    crossings = state.city.crossing_count
    on = state.on
    built = state.built
    own = 1 << seat
    at = zero + LINE
    kinds = zero + KIND
    for crossing in range(crossings):
        lines = on[crossing]
        if not lines & own:
            continue
        alone = 1 if lines == own else 0
        here = state.waiting[crossing] + state.seated[crossing]
        found[at] = found[at] + 1
        found[at + 1] = found[at + 1] + alone
        found[at + 2] = found[at + 2] + here
        found[at + 3] = found[at + 3] + here * alone
        for step in range(KIND_COUNT):
            doors = built[(look.kind + step) % KIND_COUNT * crossings + crossing]
            place = kinds + step * KIND_NUMBERS
            found[place] = found[place] + doors
            found[place + 1] = found[place + 1] + doors * alone
            if here > doors:
                found[place + 2] = found[place + 2] + here - doors
            else:
                found[place + 3] = found[place + 3] + doors - here
    for station in state.city.stations:
        if on[station] & own:
            found[at + 4] = found[at + 4] + 1
            if on[station] == own:
                found[at + 5] = found[at + 5] + 1
    vacant = state.vacant
    for index in range(0, len(vacant), KIND_COUNT):
        if on[state.city.plot_at[(vacant[index] - BUILD0) // KIND_COUNT]] & own:
            found[at + 6] = found[at + 6] + 1
    if state.laid[seat] > 0:
        for end in range(2):
            for way in state.city.out[state.heads[2 * seat + end]]:
                if state.usage[way >> 1] == 0:
                    found[at + 7] = found[at + 7] + 1


def _add_common(state: State, look: Outlook, found: list[int], at: int) -> None:
    found[at] = state.round
    found[at + 1] = int(left(state) * 200.0)
    found[at + 2] = state.pile
    found[at + 3] = state.box
    found[at + 4] = state.zone if state.vacant else ZONE_COUNT
    found[at + 5] = len(state.vacant) // KIND_COUNT
    found[at + 6] = 1 if look.kind == state.clock else 0
    most = 0
    for seat in range(state.seats):
        if look.fleets[seat] > most:
            most = look.fleets[seat]
    found[at + 7] = most
    found[at + STEP + state.step] = 1
    for action in range(ACTION_COUNT):
        found[at + TAKEN + action] = state.taken[action]
