"""Where everything is in the picture, in units of its own: upright 1080 across, in landscape 1640."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from omnibus.games.times_square.board import CARDS, CHARLIE, DEB, END, HAL, SUE, A, B

# Hal, the trio and Deb keep a lane each. The trio never share a space (§1.5), so nobody ever covers anybody.
LANE_OF: Final = {HAL: 0, SUE: 1, A: 1, B: 1, DEB: 2}
BELOW: Final = 20  # the margin below everything

# Cards and chips as they are drawn; a layout says how large they are.
CARD_WIDTH: Final = 114
CARD_HEIGHT: Final = 152
CARD_GAP: Final = 10
FAN: Final = 47  # how much of a card shows beside the next of its kind
CHIP_WIDTH: Final = 64
CHIP_HEIGHT: Final = 66
BACK_WIDTH: Final = 46
BACK_HEIGHT: Final = 64
BACK_STEP: Final = 16
BACKS_WIDTH: Final = 7 * BACK_STEP + BACK_WIDTH


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    wide: float
    tall: float


@dataclass(frozen=True, slots=True)
class Layout:
    """One shape of the picture. Columns and rows of the discards depend on whether a hand is shown beside them."""

    wide: bool
    width: float
    pitch: float  # from one space of the street to the next
    street: float  # where the street begins, counted from above
    lane: float
    figure: float  # how large figures are: 1 is 54 × 78
    strip_height: float  # of Charlie's own line
    card: float  # how large the cards in the hand are
    tally: float  # the size of the numbers beside the discards

    @property
    def margin(self) -> float:
        """Return what is left and right of the street."""
        return (self.width - (2 * END + 1) * self.pitch) / 2

    @property
    def middle(self) -> float:
        """Return the middle of the picture, across."""
        return self.width / 2

    @property
    def length(self) -> float:
        """Return the length of the street."""
        return self.width - 2 * self.margin

    @property
    def kerb(self) -> float:
        """Return where the street ends."""
        return self.street + 3 * self.lane

    @property
    def strip(self) -> float:
        """Return where Charlie's line begins, below the numbers of the spaces."""
        return self.kerb + 56

    @property
    def table(self) -> float:
        """Return where supply, discards and hand begin."""
        return self.strip + self.strip_height + 30

    @property
    def club_width(self) -> float:
        """Return the width of a club: its two entrance spaces and a little more (§1.2)."""
        return 2 * self.pitch + 12

    @property
    def club_sign(self) -> float:
        """Return the middle of a club's sign, counted from above."""
        return self.street - (86 if self.wide else 106)

    @property
    def sign_scale(self) -> float:
        """Return how large the signs are."""
        return 0.8 if self.wide else 1

    @property
    def between_clubs(self) -> float:
        """Return the room for words between the clubs."""
        return self.width - 2 * (self.margin + self.club_width + 16)

    def space_x(self, space: int) -> float:
        """Return the middle of a space, across."""
        return self.middle + self.pitch * space

    def figure_y(self, figure: int) -> float:
        """Return the middle of the lane a figure walks on."""
        if figure == CHARLIE:
            return self.strip + self.strip_height / 2
        return self.street + self.lane * (LANE_OF[figure] + 0.5)

    def mirrored(self, seat: int, x: float, width: float = 0) -> float:
        """Return the left edge of something of seat 0's, or of its mirror image on seat 1's side."""
        return self.width - x - width if seat else x

    def sign_x(self, seat: int) -> float:
        """Return where a club's sign hangs: between its two entrance spaces (§1.2)."""
        return self.mirrored(seat, self.space_x(-END) + self.pitch / 2)

    def backs(self, seat: int) -> tuple[float, float]:
        """Return the upper left corner of a hidden hand: beside its club, on the roofs."""
        return self.mirrored(seat, self.margin + self.club_width + 24, BACKS_WIDTH), self.street - BACK_HEIGHT - 14

    def trays(self, view: Mapping[str, Any]) -> Trays:
        """Return where the cards of a view lie: a spectator has no hand to look at."""
        hand = view["viewer"] is not None
        if self.wide:
            return self._beside() if hand else self._in_a_row()
        return self._below(hand=hand)

    def _beside(self) -> Trays:
        """The hand, and the rest to its right."""
        top, right, tall = self.table, self.width - self.margin, 222
        side = Box(right - 384, top, 384, 66)
        hand = Box(self.margin, top, self.length - 400, tall)
        return Trays(side, Box(side.x, top + 80, 384, tall - 80), hand, columns=5, chip=0.6, rows=1)

    def _in_a_row(self) -> Trays:
        supply = Box(self.margin, self.table, 264, 96)
        left = supply.x + supply.wide + 14
        return Trays(supply, Box(left, self.table, self.width - self.margin - left, 96), None, 13, 0.95, 1)

    def _below(self, *, hand: bool) -> Trays:
        """Supply and discards side by side, the hand in two rows below."""
        supply = Box(self.margin, self.table, 210, 180)
        left = supply.x + supply.wide + 12
        discards = Box(left, self.table, self.width - self.margin - left, 180)
        tall = 2 * (CARD_HEIGHT * self.card + 14) + 34
        own = Box(self.margin, self.table + 180 + 30, self.length, tall) if hand else None
        return Trays(supply, discards, own, 7, 1, 2)

    def height(self, view: Mapping[str, Any]) -> float:
        """Return how tall the picture is."""
        trays = self.trays(view)
        lowest = trays.hand or trays.discards
        return lowest.y + lowest.tall + BELOW


@dataclass(frozen=True, slots=True)
class Trays:
    """Where supply, discards and the own hand lie."""

    supply: Box
    discards: Box
    hand: Box | None
    columns: int  # of the discards
    chip: float  # how large their chips are
    rows: int  # of the hand

    def chip_place(self, card: str) -> tuple[float, float]:
        """Return the upper left corner of the chip that stands for the discards of a kind."""
        box, lines = self.discards, -(-len(CARDS) // self.columns)
        row, column = divmod(CARDS.index(card), self.columns)
        step = (box.wide - 20) / self.columns
        high = (box.tall - 14) / lines
        return box.x + 14 + column * step, box.y + 9 + row * high + (high - CHIP_HEIGHT * self.chip) / 2

    def lamp_place(self, n: int, edition: int) -> tuple[float, float]:
        """Return where the lamp of an exhaustion is: two in a row, or eight in two rows (§11.4)."""
        row, column = divmod(n, 4)
        box = self.supply
        if box.tall > 120:
            return box.x + (118 if edition else 140) + 25 * column, box.y + 126 + 26 * row
        return box.x + (158 if edition else 176) + 25 * column, box.y + box.tall / 2 + (26 * row - 13 if edition else 0)

    @property
    def count_place(self) -> tuple[float, float]:
        """Return where the number of cards in the supply stands."""
        box = self.supply
        return (box.x + 154, box.y + 68) if box.tall > 120 else (box.x + 106, box.y + box.tall / 2)


UPRIGHT: Final = Layout(
    wide=False, width=1080, pitch=62, street=220, lane=93, figure=1.1, strip_height=94, card=1.65, tally=36
)  # fmt: skip
LANDSCAPE: Final = Layout(
    wide=True, width=1640, pitch=93, street=180, lane=126, figure=1.5, strip_height=122, card=1.14, tally=24
)  # fmt: skip


def layout_of(wide: bool) -> Layout:
    """Return the layout of a shape."""
    return LANDSCAPE if wide else UPRIGHT
