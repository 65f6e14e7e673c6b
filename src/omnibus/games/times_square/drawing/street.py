"""The street: 17 spaces, a club at either end, the manhole in the middle, and Charlie's strip along it (§1)."""

from __future__ import annotations

from typing import Final

from omnibus.games.times_square.board import CHARLIE, END, ENTRANCE, SEATS, SUE
from omnibus.games.times_square.drawing.cards import manhole
from omnibus.games.times_square.drawing.labels import club_name, space_label
from omnibus.games.times_square.drawing.layout import Layout
from omnibus.games.times_square.telling.names import signed
from omnibus.kernel.game import Words
from omnibus.kernel.svg import box, colour, disc, group, lettering, moved, neon, path, seat_pattern, title

SPACES: Final = range(-END, END + 1)
GLASS: Final = "M-19,-24H19L0,4ZM0,4V36M-13,37H13M5,-24L15,-42"
NOTE: Final = "M-7,24V-30L19,-38V16M-7,-14L19,-22M-7,24A6.5,6 0 1 1 -7.1,23M19,16A6.5,6 0 1 1 18.9,15"
ROOFS: Final = [54, 92, 70, 116, 84, 62, 100, 128, 78, 104, 58, 88, 66, 110, 74, 50]


def street(at: Layout, words: Words) -> str:
    """Draw everything outdoors."""
    clubs = "".join(_club(at, seat, words) for seat in range(SEATS))
    awnings = "".join(_awning(at, seat) for seat in range(SEATS))
    return _skyline(at) + clubs + _lanes(at, words) + awnings + _numbers(at) + _strip(at)


def _owner(space: int) -> int:
    return 0 if space < 0 else 1


def _skyline(at: Layout) -> str:
    """Roofs far away, so that the street has a town around it; some windows are lit at night."""
    wide = at.length / len(ROOFS)
    roofs = "".join(f"V{at.street - tall:g}h{wide:g}" for tall in ROOFS)
    town = path(f"M{at.margin:g},{at.street:g}{roofs}V{at.street:g}Z", fill=colour("shade"), opacity=0.6)
    panes = "".join(
        f"M{at.margin + wide * n + 12 + 18 * column:g},{at.street - tall + 14 + 22 * row:g}h8v11h-8z"
        for n, tall in enumerate(ROOFS)
        for row in range((tall - 20) // 22)
        for column in range(int((wide - 12) // 18))
        if (n * 5 + row * 3 + column * 2) % 4
    )
    return town + path(panes, fill=colour("window"), opacity=0.5)


def _club(at: Layout, seat: int, words: Words) -> str:
    """A front with cornice and sign: a glass on the left one, a note on the right one."""
    wide = at.club_width
    left = at.mirrored(seat, at.margin - 6, wide)
    top = at.club_sign - 82 * at.sign_scale
    front = box(left, top, wide, at.street - top, fill=colour("wall"), stroke=colour("edge"), stroke_width=4)
    cornice = box(left - 5, top - 10, wide + 10, 20, 4, fill=seat_pattern(seat), stroke=colour("edge"), stroke_width=4)
    sign = moved(at.sign_x(seat), at.club_sign, _sign(seat), scale=at.sign_scale)
    return group(title(club_name(seat, words)), front, _windows(at, seat), cornice, sign)


def _windows(at: Layout, seat: int) -> str:
    """Windows on both sides of the sign, where there is room."""
    side = (at.club_width - 128 * at.sign_scale) / 2 - 6
    if side < 24:
        return ""
    look = {"fill": colour("window"), "stroke": colour("edge"), "stroke_width": "3"}
    x = at.sign_x(seat)
    return "".join(
        box(x + way * (at.club_width / 2 - side / 2 - 6) - 11, at.club_sign + dy, 22, 30, 2, **look)
        for way in (-1, 1)
        for dy in (-46, 8)
    )


def _sign(seat: int) -> str:
    dark = disc(0, 0, 64, fill=colour("dusk"), stroke=colour("edge"), stroke_width=4)
    inside = disc(0, 0, 43, fill=colour(f"seat-{seat}"), opacity=0.55)
    light = colour(f"neon-seat-{seat}")
    emblem = moved(0 if seat == 0 else -5, 2, neon(NOTE if seat else GLASS, colour("light"), 5), scale=0.86)
    return dark + inside + neon("M0,-53A53,53 0 1 1 -.1,-53", light, 4) + emblem


def _awning(at: Layout, seat: int) -> str:
    wide = 2 * at.pitch + 12
    left = at.mirrored(seat, at.margin - 6, wide)
    scallop = wide / 6
    edge = "".join(f"a{scallop / 2:g},10 0 0 1 {-scallop:g},0" for _ in range(6))
    roof = f"M{left + 8:g},{at.street - 30:g}h{wide - 16:g}L{left + wide:g},{at.street + 2:g}{edge}Z"
    return path(roof, fill=seat_pattern(seat), stroke=colour("edge"), stroke_width=4, stroke_linejoin="round")


def _lanes(at: Layout, words: Words) -> str:
    """The roadway, a column for every space; each can be clicked."""
    road = box(at.margin, at.street, at.length, at.kerb - at.street, fill=colour("ground"))
    columns = "".join(_space(at, space, words) for space in SPACES)
    marks = "".join(f"M{at.margin:g},{at.street + at.lane * lane:g}h{at.length:g}" for lane in (1, 2))
    dashes = path(marks, stroke=colour("card"), stroke_width=4, stroke_dasharray="22 16", opacity=0.55)
    frame = f"M{at.margin:g},{at.street:g}h{at.length:g}M{at.margin:g},{at.kerb:g}h{at.length:g}"
    kerbs = path(frame, stroke=colour("ink"), stroke_width=6, stroke_linecap="round")
    return road + columns + dashes + moved(at.middle, at.figure_y(SUE), manhole(at.pitch * 0.47)) + kerbs


def _space(at: Layout, space: int, words: Words) -> str:
    left = at.space_x(space) - at.pitch / 2
    tall = at.kerb - at.street
    bounds = box(left, at.street, at.pitch, tall, fill="transparent", stroke=colour("line"), stroke_width=2)
    tint = _tint(at, space, at.street, tall)
    return group(title(space_label(space, words)), tint, bounds, data_part=f"space-{space}")


def _tint(at: Layout, space: int, top: float, tall: float) -> str:
    """A side has a hint of its seat's colour (§1.3), an entrance its pattern (§1.2); the manhole is nobody's."""
    left = at.space_x(space) - at.pitch / 2
    if space == 0:
        return ""
    if abs(space) >= ENTRANCE:
        return box(left, top, at.pitch, tall, fill=seat_pattern(_owner(space)), opacity=0.62)
    return box(left, top, at.pitch, tall, fill=colour(f"seat-{_owner(space)}"), opacity=colour("tint"))


def _numbers(at: Layout) -> str:
    y = (at.kerb + at.strip) / 2 + 12
    return "".join(lettering(at.space_x(space), y, signed(space), 36) for space in SPACES)


def _strip(at: Layout) -> str:
    """Charlie's own line, with a stop for every space (§1.4)."""
    y, tall = at.figure_y(CHARLIE), at.strip_height
    ground = box(at.margin, at.strip, at.length, tall, fill=colour("ground"))
    ends = "".join(_tint(at, space, at.strip, tall) for space in SPACES)
    frame = box(at.margin, at.strip, at.length, tall, fill="none", stroke=colour("ink"), stroke_width=4)
    line = path(f"M{at.space_x(-END):g},{y:g}H{at.space_x(END):g}", stroke=colour("ink"), stroke_width=8)
    ring = {"fill": colour("paper"), "stroke": colour("ink"), "stroke_width": "5"}
    stops = "".join(disc(at.space_x(n), y, 11, **ring) for n in SPACES)
    return ground + ends + frame + line + stops
