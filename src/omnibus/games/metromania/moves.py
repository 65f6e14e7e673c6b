"""The action space and its notation (§13).

The moves of seats and the `piece` moves are the same in every game. The `deal` moves after them are those of the
number of seats: 2,784 lines for four, fewer for three, none where the hands are fixed (§3.2, §3.3). With three seats
one line can be the deal of several choices of doubles; the doubles named before decide how it is read.
"""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Final

from omnibus.games.metromania.board import (
    CITY,
    DIRECTIONS,
    HANDS,
    KINDS,
    LETTERS,
    LETTERS_OF,
    LINES,
    STARTS,
    VERTEX_NAMES,
    WHITE,
    destination,
)
from omnibus.kernel.game import BadNotation

DOUBLE0: Final = 0  # `double` of a kind is DOUBLE0 + kind
START0: Final = 3  # `start` of a line in the n-th white cell by its first or second way: START0 + line·30 + 2n + way
STARTS_OF_LINE: Final = 30
DIG0: Final = 63  # `dig` of a line in a direction on a side: DIG0 + line·12 + direction·2 + side
DIGS_OF_LINE: Final = 12
PLACE0: Final = 87  # `place` of a letter is PLACE0 + letter
STATION0: Final = 93  # `station` of a line on a vertex: STATION0 + line·91 + vertex
SKIP: Final = 275
SEAT_MOVES: Final = 276
PIECE0: Final = 276  # `piece` with a rotation: PIECE0 + piece·3 + rotation
DEAL0: Final = 294


def _common() -> list[str]:
    said = [f"double {kind}" for kind in KINDS]
    for line in LINES:
        for n in WHITE:
            said += [f"start {line} {n} {DIRECTIONS[STARTS[2 * n + way] % 12 // 2]}" for way in (0, 1)]
    for line in LINES:
        said += [f"dig {line} {direction} {hand}" for direction in DIRECTIONS for hand in HANDS]
    said += [f"place {letter}" for letter in LETTERS]
    said += [f"station {line} {VERTEX_NAMES[vertex]}" for line in LINES for vertex in range(CITY)]
    said.append("skip")
    said += [f"piece {piece}.{rotation}" for piece in range(1, 7) for rotation in range(3)]
    return said


COMMON: Final[list[str]] = _common()

# Deals (§3.2). A choice of doubles is numbered by its place in DOUBLES; four seats have no doubles.

DOUBLES: Final[list[tuple[int, int, int]]] = list(permutations(range(3), 3))


def _spread(letters: str, sizes: tuple[int, ...]) -> list[tuple[str, ...]]:
    """All ways to give each seat so many letters of a kind."""
    if not sizes:
        return [()]
    given: list[tuple[str, ...]] = []
    for chosen in combinations(letters, sizes[0]):
        rest = "".join(letter for letter in letters if letter not in chosen)
        given += [("".join(chosen), *others) for others in _spread(rest, sizes[1:])]
    return given


def _deals(sizes: list[tuple[int, ...]]) -> list[str]:
    """The deals in which nobody holds a letter twice; `sizes` says by kind how many destinations each seat gets."""
    found: list[str] = []
    works = _spread(LETTERS_OF[1], sizes[1])
    leisures = _spread(LETTERS_OF[2], sizes[2])
    for home in _spread(LETTERS_OF[0], sizes[0]):
        for work in works:
            if any(set(one) & set(two) for one, two in zip(home, work, strict=True)):
                continue
            both = [one + two for one, two in zip(home, work, strict=True)]
            for leisure in leisures:
                if not any(set(one) & set(two) for one, two in zip(both, leisure, strict=True)):
                    found.append("/".join(one + two for one, two in zip(both, leisure, strict=True)))
    return found


def _sizes_of_three(doubles: tuple[int, int, int]) -> list[tuple[int, ...]]:
    return [tuple(2 if doubles[seat] == kind else 1 for seat in range(3)) for kind in range(3)]


DEALS_OF_FOUR: Final[list[str]] = _deals([(1, 1, 1, 1)] * 3)
_DEALS_BY_DOUBLES: Final[list[list[str]]] = [_deals(_sizes_of_three(doubles)) for doubles in DOUBLES]
DEALS_OF_THREE: Final[list[str]] = list(dict.fromkeys(deal for deals in _DEALS_BY_DOUBLES for deal in deals))
_NUMBER_OF_THREE: Final = {deal: number for number, deal in enumerate(DEALS_OF_THREE)}
DEAL_MOVES_OF_THREE: Final[list[list[int]]] = [
    [DEAL0 + _NUMBER_OF_THREE[deal] for deal in deals] for deals in _DEALS_BY_DOUBLES
]  # by choice of doubles
DEAL_MOVES_OF_FOUR: Final[list[int]] = [DEAL0 + number for number in range(len(DEALS_OF_FOUR))]

LINES_OF: Final[list[list[str]]] = [
    COMMON,
    COMMON,
    COMMON,
    COMMON + [f"deal {deal}" for deal in DEALS_OF_THREE],
    COMMON + [f"deal {deal}" for deal in DEALS_OF_FOUR],
]  # by seats; where hands are fixed, COMMON is all
_MOVE_OF: Final = [{line: move for move, line in enumerate(lines)} for lines in LINES_OF]


def doubles_number(doubles: list[int]) -> int:
    """Return the number of a choice of doubles; 0 where there are none."""
    return DOUBLES.index((doubles[0], doubles[1], doubles[2])) if len(doubles) == 3 else 0


def hands_dealt(deal: str, doubles: list[int]) -> list[int]:
    """Read the hands of a deal, by seat, a bit for each destination; doubles say which letters are of which kind."""
    hands: list[int] = []
    for seat, letters in enumerate(deal.split("/")):
        hand = 0
        at = 0
        for kind in range(3):
            for _ in range(2 if doubles and doubles[seat] == kind else 1):
                hand |= 1 << destination(kind, LETTERS.index(letters[at]))
                at += 1
        hands.append(hand)
    return hands


def letters_dealt(hand: int) -> str:
    """Write a full hand as it stands in a `deal` line: letters by kind, in alphabetical order (§13)."""
    return "".join(
        letter
        for kind in range(3)
        for letter in LETTERS_OF[kind]
        if hand >> destination(kind, LETTERS.index(letter)) & 1
    )


_HANDS: Final[list[list[list[int]]]] = [
    [hands_dealt(deal, list(DOUBLES[number])) for deal in _DEALS_BY_DOUBLES[number]] for number in range(6)
] + [[hands_dealt(deal, []) for deal in DEALS_OF_FOUR]]


def all_deals(doubles: list[int]) -> list[list[int]]:
    """Return every valid deal as hands by seat; no doubles means four seats."""
    return _HANDS[doubles_number(doubles)] if doubles else _HANDS[6]


_DEALT: Final = [{tuple(hands) for hands in deals} for deals in _HANDS]


def is_deal(hands: list[int], doubles: list[int]) -> bool:
    """Tell whether these are the hands of a valid deal."""
    return tuple(hands) in _DEALT[doubles_number(doubles) if doubles else 6]


_HANDS_OF_SEAT: Final[list[list[list[int]]]] = [
    [sorted({deal[seat] for deal in deals}) for seat in range(len(deals[0]))] for deals in _HANDS
]


def all_hands(seat: int, doubles: list[int]) -> list[int]:
    """Return every hand a seat can be dealt."""
    return _HANDS_OF_SEAT[doubles_number(doubles) if doubles else 6][seat]


def parse(line: str, seats: int) -> int:
    """Return the move of a line in a game for so many seats (2 where hands are fixed); BadNotation for what is none."""
    move = _MOVE_OF[seats].get(str(line))
    if move is None:
        raise BadNotation(f"{line!r} is no line of MetroMania (§13)")
    return move
