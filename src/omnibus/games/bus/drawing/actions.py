"""The action board: seven columns in the order of resolution, with clock, stones, stock and box in the free places."""

from __future__ import annotations

from typing import Final

from omnibus.games.bus.board.pieces import ACTIONS, KINDS, LAST_FIRST, LETTERS
from omnibus.games.bus.drawing.icons import KIND_DRAWN, flag, kind_icon, passenger, stone
from omnibus.games.bus.drawing.layout import (
    BOARD,
    BOARD_HIGH,
    COLUMN,
    FIELD_HIGH,
    HEAD_HIGH,
    WIDTH,
    column_x,
    field_y,
    fields_of,
)
from omnibus.games.bus.telling.names import action_name, kind_name
from omnibus.kernel.game import Words
from omnibus.kernel.svg import box, colour, disc, fitting, group, lettering, moved, path, title

EDGE: Final = {"stroke": colour("edge"), "stroke_width": "3.5", "stroke_linejoin": "round"}
BUS: Final = "M-24,13V-10Q-24,-16 -18,-16H18Q24,-16 24,-9V13Z"

CLOCK_Y: Final = 132  # below the head of the column: the middle of the dial
KIND_PLACES: Final = {"house": (0.0, -36.0), "office": (33.0, 22.0), "pub": (-33.0, 22.0)}


def dial_place(kind: str) -> tuple[float, float]:
    """Return where a kind stands on the clock."""
    x, y = KIND_PLACES[kind]
    return column_x("clock") + COLUMN / 2 + x, BOARD + HEAD_HIGH + CLOCK_Y + y


def button_y(row: int) -> float:
    """Return the upper edge of a row of things below a single field."""
    return field_y(row) + 6


def action_board(words: Words) -> str:
    """Draw the board without anything on it."""
    tray = box(8, BOARD, WIDTH - 16, BOARD_HIGH, 22, fill=colour("shade"))
    columns = "".join(_column(action, words) for action in ACTIONS)
    return group(tray, columns, _stock(words), _clock(words), _box(words))


def _column(action: str, words: Words) -> str:
    """The sign, the name and the fields of an action: one part to click."""
    x = column_x(action)
    name = action_name(action, words)
    fields = [_field(action, field) for field in fields_of(action)]
    lane = box(x + 3, BOARD + 6, COLUMN - 6, HEAD_HIGH - 4 + len(fields) * FIELD_HIGH, 12, fill=colour("paper"))
    sign = moved(x + COLUMN / 2, BOARD + 36, _sign(action))
    called = lettering(x + COLUMN / 2, BOARD + HEAD_HIGH - 8, name, fitting(name, 24, COLUMN - 14), fine=True)
    return group(title(name), lane, sign, called, *fields, _order(action), data_part=f"action-{action}")


def _field(action: str, field: int) -> str:
    """A field: a place for a cube, its letter, room for what it yields."""
    x = column_x(action)
    y = field_y(field)
    single = len(fields_of(action)) == 1
    left = x + (COLUMN - 50) / 2 if single else x + 34
    place = box(left, y + 5, 50, 50, 8, fill=colour("ground"), stroke=colour("line"), stroke_width=3)
    letter = "" if single else lettering(left + 25, y + 41, LETTERS[field], 30, fill=colour("soft"))
    return place + letter


def _order(action: str) -> str:
    """An arrow along the fields: who chose last acts first, or who chose first (§5.1)."""
    if len(fields_of(action)) == 1:
        return ""
    x = column_x(action) + 17
    top, bottom = field_y(0) + 12, field_y(6) - 12
    tip = f"M{x - 8:.1f},{top + 12:.1f}L{x:.1f},{top:.1f}L{x + 8:.1f},{top + 12:.1f}"
    if not LAST_FIRST[ACTIONS.index(action)]:
        tip = f"M{x - 8:.1f},{bottom - 12:.1f}L{x:.1f},{bottom:.1f}L{x + 8:.1f},{bottom - 12:.1f}"
    shaft = f"M{x:.1f},{top:.1f}V{bottom:.1f}"
    return path(
        shaft + tip, fill="none", stroke=colour("soft"), stroke_width=4, stroke_linecap="round", stroke_linejoin="round"
    )


def _sign(action: str) -> str:
    """Draw what an action does."""
    if action == "line":
        rail = path(
            "M-30,14L-6,-12L10,8L30,-14", fill="none", stroke=colour("ink"), stroke_width=8, stroke_linejoin="round"
        )
        return rail + disc(-30, 14, 8, fill=colour("card"), **EDGE) + disc(30, -14, 8, fill=colour("card"), **EDGE)
    if action == "bus":
        return _bus() + lettering(38, 12, "+", 34)
    if action == "passengers":
        return moved(-16, 2, passenger()) + moved(16, 2, passenger()) + moved(0, -4, passenger(), scale=1.2)
    if action == "buildings":
        return "".join(moved(x, 0, kind_icon(kind, 0.74)) for x, kind in zip((-42, 0, 40), KINDS, strict=True))
    if action == "clock":
        return disc(0, 0, 23, fill=colour("card"), **EDGE) + path("M0,-13V0L9,6", fill="none", **EDGE)
    if action == "vrroomm":
        wind = path("M-52,-8H-34M-58,2H-34M-52,12H-34", stroke=colour("ink"), stroke_width=4, stroke_linecap="round")
        return wind + _bus()
    return flag()


def _bus() -> str:
    body = path(BUS, fill=colour("lamp"), **EDGE)
    windows = "".join(box(x, -9, 10, 8, fill=colour("dark")) for x in (-18, -4, 10))
    return body + windows + disc(-12, 14, 6, fill=colour("dark")) + disc(12, 14, 6, fill=colour("dark"))


def _stock(words: Words) -> str:
    """Below the single field of `bus`: the buildings left of each kind, to click for one to build."""
    x = column_x("bus")
    drawn = []
    for row, kind in enumerate(KIND_DRAWN):
        y = button_y(2 + row) + 26
        plate = box(x + 10, y - 29, COLUMN - 20, 58, 12, fill=colour("card"), stroke=colour("line"), stroke_width=3)
        icon = moved(x + 44, y, kind_icon(kind, 0.95))
        drawn.append(group(title(kind_name(kind, words)), plate, icon, data_part=f"kind-{kind}"))
    return "".join(drawn)


def _clock(words: Words) -> str:
    """Below the single field of `clock`: the dial, the stones, and what can be decided there (§10.1)."""
    x = column_x("clock") + COLUMN / 2
    y = BOARD + HEAD_HIGH + CLOCK_Y
    face = disc(x, y, 70, fill=colour("card"), stroke=colour("edge"), stroke_width=5)
    turn = path(f"M{x + 26:.1f},{y - 56:.1f}A62,62 0 0 1 {x + 62:.1f},{y - 8:.1f}", fill="none", stroke=colour("soft"),
                stroke_width=4, stroke_dasharray="2 8", stroke_linecap="round")  # fmt: skip
    kinds = "".join(
        moved(x + px, y + py, kind_icon(kind, 0.86)) for kind, (px, py) in KIND_PLACES.items()
    )  # fmt: skip
    tick = group(title(words.gettext("Let it tick")), face, turn, kinds, data_part="tick")
    pile = box(x - 66, y + 86, 132, 104, 14, fill=colour("card"), stroke=colour("line"), stroke_width=3)
    heap = moved(x - 28, y + 138, stone(), scale=1.4)
    return tick + group(title(words.gettext("Time stones")), pile, heap, data_part="stop")


def _box(words: Words) -> str:
    """Below the single field of `start`: the passengers' box, and a sign to pass."""
    x = column_x("start") + COLUMN / 2
    y = field_y(2)
    crate = path(f"M{x - 58:.1f},{y + 34:.1f}V{y + 96:.1f}H{x + 58:.1f}V{y + 34:.1f}", fill=colour("wall"), **EDGE)
    inside = moved(x - 32, y + 70, passenger(), scale=1.5)
    called = words.gettext("Passengers in the box")
    pass_y = field_y(4) + 10
    word = words.gettext("Pass")
    plate = box(x - 62, pass_y, 124, 92, 46, fill=colour("card"), stroke=colour("edge"), stroke_width=4)
    said = lettering(x, pass_y + 58, word, fitting(word, 36, 112), fill=colour("dark"))
    return group(title(called), crate, inside) + group(title(word), plate, said, data_part="pass")


def count_places() -> dict[str, tuple[float, float]]:
    """Return where counts stand on the board: of each kind, of the stones, of the box."""
    places = {kind: (column_x("bus") + 100, button_y(2 + row) + 26) for row, kind in enumerate(KIND_DRAWN)}
    places["stones"] = (column_x("clock") + COLUMN / 2 + 26, BOARD + HEAD_HIGH + CLOCK_Y + 138)
    places["box"] = (column_x("start") + COLUMN / 2 + 18, field_y(2) + 68)
    return places


def field_place(action: str, field: int) -> tuple[float, float]:
    """Return the middle of the place for a cube."""
    single = len(fields_of(action)) == 1
    x = column_x(action) + (COLUMN / 2 if single else 59)
    return x, field_y(field) + 30


def yield_place(action: str, field: int) -> tuple[float, float]:
    """Return where it stands what a field yields."""
    return column_x(action) + 114, field_y(field) + 30
