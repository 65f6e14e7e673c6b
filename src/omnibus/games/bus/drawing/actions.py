"""The action board: a row for each action in the order of resolution; clock, stones, stock and box in free places."""

from __future__ import annotations

from typing import Final

from omnibus.games.bus.board.pieces import ACTIONS, KINDS, LAST_FIRST
from omnibus.games.bus.drawing.geometry import Area, Point
from omnibus.games.bus.drawing.icons import EDGE, KIND_DRAWN, flag, kind_icon, passenger, stone
from omnibus.games.bus.drawing.layout import GAP, PictureAreas, fields_of
from omnibus.games.bus.telling.names import action_name, kind_name
from omnibus.kernel.game import Words
from omnibus.kernel.svg import Value, box, colour, disc, fitting, group, lettering, moved, path, title

BUS: Final = "M-24,13V-10Q-24,-16 -18,-16H18Q24,-16 24,-9V13Z"
PLATE: Final[dict[str, Value]] = {"stroke": colour("line"), "stroke_width": "3"}


def field_side(plan: PictureAreas) -> float:
    """Return the size of the place for a cube."""
    return 42 if plan.wide else 52


def action_board(plan: PictureAreas, words: Words) -> str:
    """Draw the board without anything on it."""
    tray = box(*plan.board, 22, fill=colour("shade"))
    rows = "".join(_row(plan, action, words) for action in ACTIONS)
    return group(tray, rows, _stock(plan, words), _clock(plan, words), _box(plan, words))


def _row(plan: PictureAreas, action: str, words: Words) -> str:
    """The sign, the name and the fields of an action: one part to click."""
    x, y, high = plan.board.x + GAP / 2, plan.action_y(action), plan.action_high
    name = action_name(action, words)
    fields = [_field(plan, action, field) for field in fields_of(action)]
    right = plan.field_x(len(fields))
    lane = box(x, y + 2, right - x + (GAP / 2 if len(fields) > 1 else 0), high - 4, 12, fill=colour("paper"))
    sign = moved(x + (44 if plan.wide else 50), y + high / 2, _sign(action), scale=0.82 if plan.wide else 1)
    start = x + (88 if plan.wide else 102)
    room = plan.board.x + plan.label_wide - start - (12 if plan.wide else 14)
    size = min(fitting(action_name(each, words), 27 if plan.wide else 36, room) for each in ACTIONS)
    called = lettering(start, y + high / 2 + size * 0.36, name, size, anchor="start", fine=not plan.wide and size < 35)
    return group(
        title(name), lane, sign, called, *fields, _order(plan, action), data_part=f"action-{action}", data_exact=""
    )


def field_place(plan: PictureAreas, action: str, field: int) -> Point:
    """Return the middle of the place for a cube."""
    lift = 2 if len(fields_of(action)) > 1 else 0
    return plan.field_x(field) + 4 + field_side(plan) / 2, plan.action_y(action) + plan.action_high / 2 - lift


def yield_place(plan: PictureAreas, action: str, field: int) -> Point:
    """Return where it stands what a field yields."""
    x, y = field_place(plan, action, field)
    side = field_side(plan)
    return x + side / 2 + (plan.field_wide - side - 5) / 2, y


def _field(plan: PictureAreas, action: str, field: int) -> str:
    """A field: a place for a cube, and room for what it yields."""
    x, y = field_place(plan, action, field)
    side = field_side(plan)
    single = len(fields_of(action)) == 1
    cell = box(x - side / 2, y - side / 2, side if single else plan.field_wide - 6, side, 9, fill=colour("shade"))
    return cell + box(x - side / 2, y - side / 2, side, side, 9, fill=colour("ground"), **PLATE)


def _order(plan: PictureAreas, action: str) -> str:
    """An arrow along the fields: who chose last acts first, or who chose first (§5.1)."""
    if len(fields_of(action)) == 1:
        return ""
    left, right = plan.field_x(0) + 6, plan.field_x(6) - 6
    y = plan.action_y(action) + plan.action_high - 7
    tip, back = (left, left + 10) if LAST_FIRST[ACTIONS.index(action)] else (right, right - 10)
    return path(
        f"M{left:.1f},{y:.1f}H{right:.1f}M{back:.1f},{y - 6:.1f}L{tip:.1f},{y:.1f}L{back:.1f},{y + 6:.1f}",
        fill="none", stroke=colour("soft"), stroke_width=3, stroke_linecap="round", stroke_linejoin="round",
    )  # fmt: skip


def _sign(action: str) -> str:
    """Draw what an action does."""
    if action == "line":
        rail = path(
            "M-30,14L-6,-12L10,8L30,-14", fill="none", stroke=colour("ink"), stroke_width=8, stroke_linejoin="round"
        )
        return rail + disc(-30, 14, 8, fill=colour("card"), **EDGE) + disc(30, -14, 8, fill=colour("card"), **EDGE)
    if action == "bus":
        return moved(-8, 0, _bus()) + lettering(30, 12, "+", 36)
    if action == "passengers":
        return "".join(moved(x, y, passenger()) for x, y in ((-21, 0), (21, 0), (0, 2)))
    if action == "buildings":
        return "".join(moved(x, 0, kind_icon(kind, 0.62)) for x, kind in zip((-29, -1, 25), KINDS, strict=True))
    if action == "clock":
        return disc(0, 0, 23, fill=colour("card"), **EDGE) + path("M0,-13V0L9,6", fill="none", **EDGE)
    if action == "vrroomm":
        wind = path("M-40,-8H-26M-46,2H-26M-40,12H-26", stroke=colour("ink"), stroke_width=4, stroke_linecap="round")
        return wind + moved(10, 0, _bus())
    return flag()


def _bus() -> str:
    body = path(BUS, fill=colour("lamp"), **EDGE)
    windows = "".join(box(x, -9, 10, 8, fill=colour("dark")) for x in (-18, -4, 10))
    return body + windows + disc(-12, 14, 6, fill=colour("dark")) + disc(12, 14, 6, fill=colour("dark"))


def _beside(plan: PictureAreas, action: str, start: float, share: float) -> Area:
    """Return a share of the room beside the only field of an action."""
    left, right = plan.field_x(1), plan.board.right - GAP / 2
    x = left + (right - left) * start + 4
    return Area(x, plan.action_y(action) + 3, (right - left) * share - 4, plan.action_high - 6)


def _plate(area: Area) -> str:
    return box(area.x, area.y, area.width, area.height, 12, fill=colour("card"), **PLATE)


def _kind_area(plan: PictureAreas, kind: str) -> Area:
    return _beside(plan, "bus", KINDS.index(kind) / 3, 1 / 3)


def _stock(plan: PictureAreas, words: Words) -> str:
    """Beside the field of `bus`: the buildings left of each kind, to click for one to build."""
    drawn = []
    for kind in KIND_DRAWN:
        area = _kind_area(plan, kind)
        plate = _plate(area)
        icon = moved(area.x + area.width * 0.3, area.y + area.height / 2, kind_icon(kind, 0.9))
        drawn.append(group(title(kind_name(kind, words)), plate, icon, data_part=f"kind-{kind}", data_exact=""))
    return "".join(drawn)


def dial_place(plan: PictureAreas, kind: str) -> Point:
    """Return where a kind stands on the clock."""
    dial = _beside(plan, "clock", 0, 0.64)
    return dial.x + dial.width * (0.17 + 0.3 * KINDS.index(kind)), dial.y + dial.height / 2


def _stones_area(plan: PictureAreas) -> Area:
    return _beside(plan, "clock", 0.64, 0.36)


def _clock(plan: PictureAreas, words: Words) -> str:
    """Beside the field of `clock`: the kinds as the clock shows them, the stones, and what can be decided (§10.1)."""
    dial = _beside(plan, "clock", 0, 0.64)
    face = box(*dial, dial.height / 2, fill=colour("card"), stroke=colour("edge"), stroke_width=4)
    places = [dial_place(plan, kind) for kind in KINDS]
    kinds = "".join(moved(x, y, kind_icon(kind, 0.76)) for kind, (x, y) in zip(KINDS, places, strict=True))
    step = (places[1][0] - places[0][0]) / 2
    arrows = "".join(f"M{x + step - 3:.1f},{y - 6:.1f}l6,6l-6,6" for x, y in places)
    then = path(arrows, fill="none", stroke=colour("grey"), stroke_width=4, stroke_linecap="round")
    tick = group(title(words.gettext("Let it tick")), face, then, kinds, data_part="tick", data_exact="")
    area = _stones_area(plan)
    pile = _plate(area)
    heap = moved(area.x + area.width * 0.32, area.y + area.height / 2, stone(), scale=1.2)
    return tick + group(title(words.gettext("Time stones")), pile, heap, data_part="stop", data_exact="")


def _box_area(plan: PictureAreas) -> Area:
    return _beside(plan, "start", 0, 0.42)


def _box(plan: PictureAreas, words: Words) -> str:
    """Beside the field of `start`: the passengers' box, and a sign to pass."""
    area = _box_area(plan)
    x, right, top, bottom = area.x + 3, area.right - 3, area.y + 10, area.bottom - 4
    crate = path(f"M{x:.1f},{top:.1f}V{bottom:.1f}H{right:.1f}V{top:.1f}", fill=colour("wall"), **EDGE)
    inside = moved(area.x + area.width * 0.32, (top + bottom) / 2 - 1, passenger())
    button = _beside(plan, "start", 0.42, 0.58)
    word = words.gettext("Pass")
    plate = box(*button, button.height / 2, fill=colour("card"), stroke=colour("edge"), stroke_width=4)
    size = fitting(word, 36, button.width - 36)
    said = lettering(
        button.x + button.width / 2, button.y + button.height / 2 + size * 0.36, word, size, fill=colour("dark")
    )
    called = words.gettext("Passengers in the box")
    store = group(title(called), crate, inside, data_part="box", data_exact="")
    return store + group(title(word), plate, said, data_part="pass", data_exact="")


def count_places(plan: PictureAreas) -> dict[str, Point]:
    """Return where counts stand on the board: of each kind, of the stones, of the box."""
    areas = {kind: _kind_area(plan, kind) for kind in KINDS} | {"stones": _stones_area(plan), "box": _box_area(plan)}
    return {name: (area.x + area.width * 0.7, area.y + area.height / 2) for name, area in areas.items()}
