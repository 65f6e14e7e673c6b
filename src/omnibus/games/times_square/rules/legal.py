"""List the legal moves, fast, from tables. `refusal` decides the same slowly and gives the reasons.

Every card has few uses, and which of them are open depends on how much **room** a figure has to its left and right.
The tables hold the moves for every combination of cards in hand and room, so that a list of moves is put together from
a handful of ready tuples.
"""

from __future__ import annotations

from typing import Final

from omnibus.games.times_square.board import (
    CLOSE,
    DEB,
    DEB0,
    END,
    GREEN,
    GREY,
    GUARD1,
    GUARD2,
    HAL,
    HAL0,
    KINDS,
    ROYAL_VISIT,
    SUE,
    SUE_CARD,
    YELLOW,
    A,
    B,
)
from omnibus.games.times_square.moves import (
    BESIDE,
    BOTH,
    CARD,
    DEB_HERSELF,
    DONE,
    DRAW0,
    DROP0,
    EFFECT,
    FIGURE,
    GUARDS_JOKER,
    HAL_JOKER,
    JOKER,
    LURE0,
    MANHOLE,
    NO_JOKER,
    PAIR,
    SIDE0,
    STEP,
    STEP_B,
    SUE_JOKER,
    WALK,
)
from omnibus.games.times_square.state import ACT, DROPPING, HAS, PLAYING, SIDING, SUPPLY, State, lock
from omnibus.kernel.game import CHANCE

Moves = tuple[int, ...]

SPACES: Final = 2 * END + 1
CARD_MOVES: Final = range(LURE0)
YELLOW_SHIFT: Final = HAL0 + 1  # the bit of `hal1` in a set of kinds
GREY_SHIFT: Final = GUARD1
RED_SHIFT: Final = DEB0
CLOSE_BIT: Final = 1 << (CLOSE - GREY_SHIFT)  # in the grey part of a set of kinds
DEB0_BIT: Final = 1  # in the red part


def _walks(figure: int, joker: int) -> list[int]:
    return [m for m in CARD_MOVES if EFFECT[m] == WALK and FIGURE[m] == figure and JOKER[m] == joker]


def _free(figure: int, joker: int, first: int, sets: int) -> list[list[Moves]]:
    """Walks of a figure that only the ends of the board stop, by set of cards and by space (−8 … 8)."""
    walks = _walks(figure, joker)
    table: list[list[Moves]] = []
    for cards in range(sets):
        held = [m for m in walks if cards >> (CARD[m] - first) & 1]
        row = [tuple(m for m in held if abs(space + STEP[m]) <= END) for space in range(-END, END + 1)]
        table.append(row[END:] + row[:END])  # so that a space is its own index, Python counting negatives from the end
    return table


def _by_room(figure: int, sign: int) -> list[list[Moves]]:
    """Red walks of a figure in one direction, by set of red cards and by room."""
    walks = [m for m in _red_walks(figure) if STEP[m] * sign > 0]
    return [
        [
            tuple(m for m in walks if cards >> (CARD[m] - RED_SHIFT) & 1 and abs(STEP[m]) <= room)
            for room in range(SPACES)
        ]
        for cards in range(64)
    ]


def _red_walks(figure: int) -> list[int]:
    return [m for m in CARD_MOVES if EFFECT[m] == WALK and FIGURE[m] == figure and JOKER[m] != NO_JOKER]


def _manhole(figure: int) -> int:
    return next(m for m in CARD_MOVES if EFFECT[m] == MANHOLE and FIGURE[m] == figure)


def _grey() -> list[Moves]:
    """Grey moves by set of grey cards and by what rooms the guards have (see `_grey_moves`)."""
    grey = [m for m in CARD_MOVES if CARD[m] in (GUARD1, GUARD2, CLOSE)]
    return [
        tuple(m for m in grey if key >> (CARD[m] - GREY_SHIFT) & 1 and _grey_fits(m, key >> 3)) for key in range(8 * 81)
    ]


def _grey_fits(move: int, rooms: int) -> bool:
    if EFFECT[move] == BESIDE:
        return True  # the set of cards leaves `close` out when it would change nothing
    left_a, right_a, left_b, right_b = rooms // 27, rooms // 9 % 3, rooms // 3 % 3, rooms % 3
    if EFFECT[move] == BOTH:
        return (left_a if STEP[move] < 0 else right_a) > 0 and (left_b if STEP_B[move] < 0 else right_b) > 0
    left, right = (left_a, right_a) if FIGURE[move] == A else (left_b, right_b)
    return abs(STEP[move]) <= (left if STEP[move] < 0 else right)


def _green_key(move: int) -> int:
    return (2 if EFFECT[move] == PAIR else 0) + (STEP[move] > 0)


_HAL: Final = _free(HAL, NO_JOKER, YELLOW_SHIFT, 8)
_RED_HAL: Final = _free(HAL, HAL_JOKER, RED_SHIFT, 64)
_RED_DEB: Final = _free(DEB, DEB_HERSELF, RED_SHIFT, 64)
_LEFT: Final = [_by_room(SUE, -1), _by_room(A, -1), _by_room(B, -1)]
_RIGHT: Final = [_by_room(SUE, 1), _by_room(A, 1), _by_room(B, 1)]
_TO_MANHOLE: Final = [_manhole(SUE), _manhole(A), _manhole(B), _manhole(HAL), _manhole(DEB)]
_GREY: Final = _grey()
_GREEN: Final[list[Moves]] = [
    tuple(m for m in CARD_MOVES if CARD[m] == SUE_CARD and k >> _green_key(m) & 1) for k in range(16)
]
_ROOM: Final = [min(room, 2) for room in range(SPACES)]  # a guard's cards reach no farther
_HALF: Final = 7  # drops are looked up for the first seven kinds and the other six
_DROP_LOW: Final[list[Moves]] = [
    tuple(DROP0 + k for k in range(_HALF) if cards >> k & 1) for cards in range(1 << _HALF)
]
_DROP_HIGH: Final[list[Moves]] = [
    tuple(DROP0 + _HALF + k for k in range(KINDS - _HALF) if cards >> k & 1) for cards in range(1 << (KINDS - _HALF))
]


def legal(state: State) -> list[int]:
    """List the moves the actor may make, in a stable order."""
    step = state.step
    if step == PLAYING:
        moves = _more(state)
        moves.append(DONE)
        return moves
    if step == ACT:
        return _beginnings(state)
    if step == DROPPING:
        moves = _drops(state.hands[HAS + state.seat])
        moves.append(DONE)
        return moves
    if state.actor == CHANCE:
        return [move for move, _ in chances(state)]
    return []


def _beginnings(state: State) -> list[int]:
    """The first decision of a turn: play, lure or drop (§3.4); if there is nothing else, `done` (§11.2)."""
    seat = state.seat
    has = state.hands[HAS + seat]
    moves: list[int] = []
    if has & 1:
        moves += _green_moves(state)
    yellow = has >> YELLOW_SHIFT & 7
    if yellow:
        moves += _HAL[yellow][state.at[HAL]]
    if has >> GREY_SHIFT & 7:
        moves += _grey_moves(state)
    red = has >> RED_SHIFT
    if red:
        _add_red(state, red, moves)
    _add_lures(state, moves)
    if state.edition != ROYAL_VISIT:
        moves += _DROP_LOW[has & 127]
        moves += _DROP_HIGH[red]
    if not moves:
        moves.append(DONE)
    return moves


def _more(state: State) -> list[int]:
    """The next card of a turn that has begun to play: the same colour, after a joker the same kind (§4.1, §5.3)."""
    colour = state.colour
    has = state.hands[HAS + state.seat]
    if colour == GREEN:
        return list(_green_moves(state)) if has & 1 else []
    if colour == YELLOW:
        return list(_HAL[has >> YELLOW_SHIFT & 7][state.at[HAL]])
    if colour == GREY:
        return list(_grey_moves(state))
    moves: list[int] = []
    red = has >> RED_SHIFT
    if red:
        _add_locked_red(state, red, moves)
    return moves


def _drops(has: int) -> list[int]:
    moves = list(_DROP_LOW[has & 127])
    moves += _DROP_HIGH[has >> _HALF]
    return moves


def _green_moves(state: State) -> Moves:
    """§4.3; the hand holds at least one green card."""
    at = state.at
    sue = at[SUE]
    key = 0
    if sue - at[A] > 1:
        key = 1
    if at[B] - sue > 1:
        key |= 2
    if state.cards[state.seat * KINDS] > 1:
        if at[A] > -END:
            key |= 4
        if at[B] < END:
            key |= 8
    return _GREEN[key]


def _grey_moves(state: State) -> Moves:
    """§4.5, §4.6."""
    at = state.at
    a = at[A]
    b = at[B]
    sue = at[SUE]
    cards = state.hands[HAS + state.seat] >> GREY_SHIFT & 7
    if a == sue - 1 and b == sue + 1:
        cards &= ~CLOSE_BIT  # §4.7
    rooms = _ROOM[a + END] * 27 + _ROOM[sue - a - 1] * 9 + _ROOM[b - sue - 1] * 3 + _ROOM[END - b]
    return _GREY[rooms * 8 + cards]


def _add_red(state: State, red: int, moves: list[int]) -> None:
    """Red cards before the first joker of a turn: on Deb, and as jokers while she stands right (§5.2, §5.3)."""
    _add_deb(state, red, moves)
    if _may_joke(state):
        _add_sue(state, red, moves)
        _add_hal(state, red, moves)
        _add_guards(state, red, moves)


def _add_locked_red(state: State, red: int, moves: list[int]) -> None:
    """Red cards after the first one: what they move may be settled (§5.3)."""
    joker = lock(state)
    if joker == NO_JOKER:
        _add_red(state, red, moves)
    elif joker == DEB_HERSELF:
        _add_deb(state, red, moves)
    elif _may_joke(state):
        if joker == SUE_JOKER:
            _add_sue(state, red, moves)
        elif joker == HAL_JOKER:
            _add_hal(state, red, moves)
        elif joker == GUARDS_JOKER:
            _add_guards(state, red, moves)


def _may_joke(state: State) -> bool:
    """§5.2: Deb stands strictly between Sue and the player's own end."""
    at = state.at
    return at[DEB] < at[SUE] if state.seat == 0 else at[DEB] > at[SUE]


def _add_deb(state: State, red: int, moves: list[int]) -> None:
    deb = state.at[DEB]
    if red & DEB0_BIT and deb != 0:
        moves.append(_TO_MANHOLE[DEB])
    moves += _RED_DEB[red][deb]


def _add_hal(state: State, red: int, moves: list[int]) -> None:
    hal = state.at[HAL]
    if red & DEB0_BIT and hal != 0:
        moves.append(_TO_MANHOLE[HAL])
    moves += _RED_HAL[red][hal]


def _add_sue(state: State, red: int, moves: list[int]) -> None:
    """Sue by a joker: between her guards, and never on or past Deb (§5.4)."""
    at = state.at
    sue = at[SUE]
    low = at[A]
    high = at[B]
    deb = at[DEB]
    if state.seat == 0:
        low = max(low, deb)
    else:
        high = min(high, deb)
    if red & DEB0_BIT and sue != 0 and low < 0 < high:
        moves.append(_TO_MANHOLE[SUE])
    moves += _LEFT[SUE][red][sue - low - 1]
    moves += _RIGHT[SUE][red][high - sue - 1]


def _add_guards(state: State, red: int, moves: list[int]) -> None:
    at = state.at
    a = at[A]
    b = at[B]
    sue = at[SUE]
    if red & DEB0_BIT:
        if a != 0 and sue > 0:
            moves.append(_TO_MANHOLE[A])
        if b != 0 and sue < 0:
            moves.append(_TO_MANHOLE[B])
    moves += _LEFT[A][red][a + END]
    moves += _RIGHT[A][red][sue - a - 1]
    moves += _LEFT[B][red][b - sue - 1]
    moves += _RIGHT[B][red][END - b]


def _add_lures(state: State, moves: list[int]) -> None:
    """§6: to Hal's space, if the trio rule then holds and the figure really moves."""
    at = state.at
    hal = at[HAL]
    a = at[A]
    b = at[B]
    sue = at[SUE]
    if hal < sue:
        if a < hal:
            moves.append(LURE0 + SUE)
        if hal != a:
            moves.append(LURE0 + A)
    elif hal > sue:
        if hal < b:
            moves.append(LURE0 + SUE)
        if hal != b:
            moves.append(LURE0 + B)


def chances(state: State) -> list[tuple[int, int]]:
    """List what chance may do now, with weights: a side for Hal (§3.1) or a card of the supply (§8.1)."""
    if state.actor != CHANCE:
        return []
    if state.step == SIDING:
        return [(SIDE0, 1), (SIDE0 + 1, 1)]
    cards = state.cards
    return [(DRAW0 + kind, cards[SUPPLY + kind]) for kind in range(KINDS) if cards[SUPPLY + kind]]


def chance_total(state: State) -> int:
    """Return the sum of the weights; 0 when it is not chance's turn."""
    if state.actor != CHANCE:
        return 0
    return 2 if state.step == SIDING else state.supplied


def chance_at(state: State, number: int) -> int:
    """Return the move a roll selects."""
    if state.step == SIDING:
        return SIDE0 + number
    cards = state.cards
    place = SUPPLY
    number -= cards[place]
    while number >= 0:
        place += 1
        number -= cards[place]
    return DRAW0 - SUPPLY + place
