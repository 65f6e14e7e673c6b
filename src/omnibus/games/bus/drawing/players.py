"""The players' rows and the score track."""

from __future__ import annotations

from typing import Final

from omnibus.games.bus.board.pieces import EDITIONS, MOST_BUSES, REPRINT
from omnibus.games.bus.drawing.icons import no_bus, stick, stone
from omnibus.games.bus.drawing.layout import (
    MARGIN,
    PLAYER_HIGH,
    TRACK_LEAST,
    TRACK_MOST,
    TRACK_STEP,
    WIDTH,
    player_y,
    track_x,
    track_y,
)
from omnibus.kernel.game import Words
from omnibus.kernel.svg import box, bullet, colour, group, lettering, moved, seat_pattern, title

FLEET: Final = 212  # where the first bus stands
FLEET_STEP: Final = 56
FULL_ROW: Final = MOST_BUSES[REPRINT]  # a larger fleet stands in two rows of smaller buses
SMALL_STEP: Final = 44
FLEET_COUNT: Final = 460  # where the number of a larger fleet stands
CUBES: Final = 548
STICKS: Final = 676
STONES: Final = 812
SCORE: Final = 968


def rows(seats: int, edition: str, words: Words) -> str:
    """Draw a row for each seat, and the track below them."""
    limited = EDITIONS.index(edition) == REPRINT
    return "".join(_row(seat, words, limited=limited) for seat in range(seats)) + _track(seats, words)


def bus_place(seat: int, bus: int, fleet: int) -> tuple[float, float]:
    """Return where a bus of a fleet stands."""
    y = player_y(seat) + PLAYER_HIGH / 2 - 4
    if fleet <= FULL_ROW:
        return FLEET + bus * FLEET_STEP, y
    row, place = divmod(bus, (fleet + 1) // 2)
    return FLEET - 6 + place * SMALL_STEP, y - 15 + 31 * row


def _row(seat: int, words: Words, *, limited: bool) -> str:
    y = player_y(seat)
    middle = y + PLAYER_HIGH / 2 - 4
    card = box(MARGIN - 12, y, WIDTH - 2 * MARGIN + 24, PLAYER_HIGH - 8, 14, fill=colour("ground"))
    edge = box(MARGIN - 12, y, 20, PLAYER_HIGH - 8, 8, fill=seat_pattern(seat))
    fleet = "".join(moved(*bus_place(seat, n, FULL_ROW), no_bus()) for n in range(FULL_ROW) if limited)
    cube = box(CUBES - 18, middle - 18, 36, 36, 6, fill=seat_pattern(seat), stroke=colour("edge"), stroke_width=3)
    signs = cube + moved(STICKS, middle, stick(seat)) + moved(STONES, middle, stone(), scale=1.1)
    plate = box(
        SCORE - 46, y + 5, 108, PLAYER_HIGH - 18, 12, fill=colour("card"), stroke=colour("edge"), stroke_width=3
    )
    name = title(words.gettext("Seat {seat}").format(seat="ABCDE"[seat]))
    return group(name, card, edge, moved(MARGIN + 52, middle, bullet(seat, 26)), fleet, signs, plate)


def _track(seats: int, words: Words) -> str:
    """The score track: every fifth space is numbered."""
    y = track_y(seats)
    step = track_x(1) - track_x(0)
    spaces = []
    for score in range(TRACK_LEAST, TRACK_MOST + 1):
        fill = colour("lamp" if score == 0 else "wall" if score % 5 else "line")
        high = seats * TRACK_STEP + 12
        spaces.append(box(track_x(score) - step / 2 + 1, y, step - 2, high, 5, fill=fill))
        if score % 5 == 0:
            spaces.append(lettering(track_x(score), y + seats * TRACK_STEP + 40, str(score).replace("-", "−"), 24))
    return group(title(words.gettext("Score track: whoever reached a score later lies on top")), *spaces)
