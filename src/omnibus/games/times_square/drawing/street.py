"""The street: 17 spaces, a club at either end, the manhole in the middle, and Charlie's strip along it (§1)."""

from __future__ import annotations

from typing import Final

from omnibus.games.times_square.board import CHARLIE, END, ENTRANCE, SEATS, SUE
from omnibus.games.times_square.drawing.cards import manhole
from omnibus.games.times_square.drawing.labels import club_name, space_label
from omnibus.games.times_square.drawing.layout import (
    CLUB_SIGN,
    CLUB_WIDTH,
    KERB,
    LANE,
    MARGIN,
    MIDDLE,
    NUMBERS,
    PITCH,
    STREET,
    STRIP,
    STRIP_HEIGHT,
    WIDTH,
    figure_y,
    mirrored,
    sign_x,
    space_x,
)
from omnibus.games.times_square.telling.names import signed
from omnibus.kernel.game import Words
from omnibus.kernel.svg import box, bullet, colour, disc, group, lettering, moved, neon, path, seat_pattern, title

SPACES: Final = range(-END, END + 1)
GLASS: Final = "M-19,-24H19L0,4ZM0,4V36M-13,37H13M5,-24L15,-42"
NOTE: Final = "M-7,24V-30L19,-38V16M-7,-14L19,-22M-7,24A6.5,6 0 1 1 -7.1,23M19,16A6.5,6 0 1 1 18.9,15"
ROOFS: Final = [54, 92, 70, 116, 84, 62, 100, 128, 78, 104, 58, 88, 66, 110, 74, 50]
LENGTH: Final = WIDTH - 2 * MARGIN


def street(words: Words) -> str:
    """Draw everything outdoors."""
    clubs = "".join(_club(seat, words) for seat in range(SEATS))
    awnings = "".join(_awning(seat) for seat in range(SEATS))
    return _skyline() + clubs + _lanes(words) + awnings + _numbers() + _strip()


def _owner(space: int) -> int:
    return 0 if space < 0 else 1


def _skyline() -> str:
    """Roofs far away, so that the street has a town around it; some windows are lit at night."""
    wide = LENGTH / len(ROOFS)
    roofs = "".join(f"V{STREET - tall}h{wide:g}" for tall in ROOFS)
    town = path(f"M{MARGIN},{STREET}{roofs}V{STREET}Z", fill=colour("shade"), opacity=0.6)
    panes = "".join(
        f"M{MARGIN + wide * n + 12 + 18 * column:g},{STREET - tall + 14 + 22 * row}h8v11h-8z"
        for n, tall in enumerate(ROOFS)
        for row in range((tall - 20) // 22)
        for column in range(3)
        if (n * 5 + row * 3 + column * 2) % 4
    )
    return town + path(panes, fill=colour("window"), opacity=0.5)


def _club(seat: int, words: Words) -> str:
    """A front with cornice, sign and billboard."""
    left = mirrored(seat, MARGIN - 8, CLUB_WIDTH + 8)
    front = box(left, 42, CLUB_WIDTH + 8, STREET - 42, fill=colour("wall"), stroke=colour("edge"), stroke_width=4)
    cornice = box(left - 8, 26, CLUB_WIDTH + 24, 20, 4, fill=seat_pattern(seat), stroke=colour("edge"), stroke_width=4)
    sign = moved(sign_x(seat), CLUB_SIGN, _ring(seat), bullet(seat, 41))
    return group(title(club_name(seat, words)), front, cornice, _billboard(seat), sign)


def _ring(seat: int) -> str:
    dark = disc(0, 0, 64, fill=colour("dusk"), stroke=colour("edge"), stroke_width=4)
    return dark + neon("M0,-53A53,53 0 1 1 -.1,-53", colour(f"neon-seat-{seat}"), 4)


def _billboard(seat: int) -> str:
    left = mirrored(seat, MARGIN + 144, 58)
    board = box(left, 62, 58, 110, 8, fill=colour("dusk"), stroke=colour("edge"), stroke_width=4)
    windows = "".join(
        box(left + dx, 184, 24, 22, 2, fill=colour("window"), stroke=colour("edge"), stroke_width=3) for dx in (0, 34)
    )
    light = moved(left + 29, 118, neon(NOTE if seat else GLASS, colour(f"neon-seat-{seat}"), 5))
    return board + windows + light


def _awning(seat: int) -> str:
    left = mirrored(seat, MARGIN - 6, 2 * PITCH + 12)
    scallop = (2 * PITCH + 12) / 6
    edge = "".join(f"a{scallop / 2:g},10 0 0 1 {-scallop:g},0" for _ in range(6))
    roof = f"M{left + 8:g},{STREET - 34}h{2 * PITCH - 4}L{left + 2 * PITCH + 12:g},{STREET + 2}{edge}Z"
    return path(roof, fill=seat_pattern(seat), stroke=colour("edge"), stroke_width=4, stroke_linejoin="round")


def _lanes(words: Words) -> str:
    """The roadway, a column for every space; each can be clicked."""
    road = box(MARGIN, STREET, LENGTH, KERB - STREET, fill=colour("ground"))
    columns = "".join(_space(space, words) for space in SPACES)
    marks = "".join(f"M{MARGIN},{STREET + LANE * lane}h{LENGTH}" for lane in (1, 2))
    dashes = path(marks, stroke=colour("card"), stroke_width=4, stroke_dasharray="22 16", opacity=0.55)
    frame = f"M{MARGIN},{STREET}h{LENGTH}M{MARGIN},{KERB}h{LENGTH}"
    kerbs = path(frame, stroke=colour("ink"), stroke_width=6, stroke_linecap="round")
    return road + columns + dashes + moved(MIDDLE, figure_y(SUE), manhole(29)) + kerbs


def _space(space: int, words: Words) -> str:
    left = space_x(space) - PITCH / 2
    tall = KERB - STREET
    bounds = box(left, STREET, PITCH, tall, fill="transparent", stroke=colour("line"), stroke_width=2)
    tint = _tint(space, STREET, tall)
    return group(title(space_label(space, words)), tint, bounds, data_part=f"space-{space}")


def _tint(space: int, top: float, tall: float) -> str:
    """A side has a hint of its seat's colour (§1.3), an entrance its pattern (§1.2); the manhole is nobody's."""
    left = space_x(space) - PITCH / 2
    if space == 0:
        return ""
    if abs(space) >= ENTRANCE:
        return box(left, top, PITCH, tall, fill=seat_pattern(_owner(space)), opacity=0.62)
    return box(left, top, PITCH, tall, fill=colour(f"seat-{_owner(space)}"), opacity=colour("tint"))


def _numbers() -> str:
    return "".join(lettering(space_x(space), NUMBERS + 11, signed(space), 31) for space in SPACES)


def _strip() -> str:
    """Charlie's own line, with a stop for every space (§1.4)."""
    y = figure_y(CHARLIE)
    ground = box(MARGIN, STRIP, LENGTH, STRIP_HEIGHT, fill=colour("ground"))
    ends = "".join(_tint(space, STRIP, STRIP_HEIGHT) for space in SPACES)
    frame = box(MARGIN, STRIP, LENGTH, STRIP_HEIGHT, fill="none", stroke=colour("ink"), stroke_width=4)
    line = path(f"M{space_x(-END)},{y}H{space_x(END)}", stroke=colour("ink"), stroke_width=8)
    stops = "".join(disc(space_x(n), y, 11, fill=colour("paper"), stroke=colour("ink"), stroke_width=5) for n in SPACES)
    return ground + ends + frame + line + stops
