"""Where everything is in the picture, in units of its own: 1080 across, about three to a pixel on a phone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from omnibus.games.times_square.board import CARDS, CHARLIE, DEB, END, HAL, SUE, A, B

WIDTH: Final = 1080
MARGIN: Final = 30
MIDDLE: Final = WIDTH / 2
PITCH: Final = 60  # from one space of the street to the next

STREET: Final = 222  # where the street begins, counted from above
LANE: Final = 88
# Hal, the trio and Deb keep a lane each. The trio never share a space (§1.5), so nobody ever covers anybody.
LANE_OF: Final = {HAL: 0, SUE: 1, A: 1, B: 1, DEB: 2}
KERB: Final = STREET + 3 * LANE
NUMBERS: Final = KERB + 27
STRIP: Final = KERB + 54  # Charlie's own
STRIP_HEIGHT: Final = 90
FIGURE: Final = 39  # half the height of a figure

CLUB_WIDTH: Final = 212
CLUB_SIGN: Final = STREET - 108
BETWEEN_CLUBS: Final = WIDTH - 2 * (MARGIN + CLUB_WIDTH + 20)

TABLE: Final = STRIP + STRIP_HEIGHT + 30  # supply and discards
TABLE_HEIGHT: Final = 164
SUPPLY_WIDTH: Final = 216
DISCARDS: Final = MARGIN + SUPPLY_WIDTH + 14
CHIP_WIDTH: Final = 64
CHIP_STEP: Final = 110  # beside every chip there is room for a count
CHIP_HEIGHT: Final = 66
CHIPS_ABOVE: Final = 7  # the red kinds stand in the row below

HAND: Final = TABLE + TABLE_HEIGHT + 30
HAND_HEIGHT: Final = 180
CARD_WIDTH: Final = 114
CARD_HEIGHT: Final = 152
CARD_GAP: Final = 12
FAN: Final = 47  # how much of a card shows beside the next of its kind

BACK_WIDTH: Final = 46
BACK_HEIGHT: Final = 64
BACKS: Final = MARGIN + CLUB_WIDTH + 22  # where the hidden hand of seat 0 begins; seat 1's is its mirror image
BACKS_TOP: Final = STREET - 84
BACK_STEP: Final = 16


def height(view: Mapping[str, Any]) -> int:
    """Return how tall the picture is: a spectator has no hand to look at."""
    below = TABLE + TABLE_HEIGHT if view["viewer"] is None else HAND + HAND_HEIGHT
    return below + 24


def space_x(space: int) -> float:
    """Return the middle of a space, across."""
    return MIDDLE + PITCH * space


def figure_y(figure: int) -> float:
    """Return the middle of the lane a figure walks on."""
    if figure == CHARLIE:
        return STRIP + STRIP_HEIGHT / 2
    return STREET + LANE * (LANE_OF[figure] + 0.5)


def mirrored(seat: int, x: float, width: float = 0) -> float:
    """Return the left edge of something of seat 0's, or of its mirror image on seat 1's side."""
    return WIDTH - x - width if seat else x


def sign_x(seat: int) -> float:
    """Return where a club's sign hangs: between its two entrance spaces (§1.2)."""
    return mirrored(seat, space_x(-END) + PITCH / 2)


def chip_place(card: str) -> tuple[float, float]:
    """Return where the discards of a kind are counted."""
    row, column = divmod(CARDS.index(card), CHIPS_ABOVE)
    return DISCARDS + 14 + column * CHIP_STEP, TABLE + 14 + row * (CHIP_HEIGHT + 6)


def lamp_place(n: int, edition: int) -> tuple[float, float]:
    """Return where the lamp of an exhaustion is: two in a row, or eight in two rows (§11.4)."""
    row, column = divmod(n, 4)
    left = MARGIN + (126 if edition else 146)
    return left + 25 * column, TABLE + 116 + 26 * row
