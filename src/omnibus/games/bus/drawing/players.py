"""The players' rows and the score track."""

from __future__ import annotations

from typing import Final, NamedTuple

from omnibus.games.bus.board.pieces import EDITIONS, MOST_BUSES, REPRINT
from omnibus.games.bus.drawing.geometry import Point
from omnibus.games.bus.drawing.icons import no_bus, stick, stone
from omnibus.games.bus.drawing.layout import GAP, TRACK_LABEL, TRACK_LEAST, TRACK_MOST, PictureAreas
from omnibus.kernel.game import Words
from omnibus.kernel.svg import box, colour, group, lettering, moved, seat_pattern, title, token

FULL_ROW: Final = MOST_BUSES[REPRINT]  # a larger fleet stands in two rows of smaller buses

LONGEST_NAME: Final = 26


class Columns(NamedTuple):
    """Where things stand in a player's row, from its left edge, and how large they are."""

    token: float
    flag: float
    fleet: float
    fleet_step: float
    small_step: float
    fleet_count: float
    cubes: float
    sticks: float
    stones: float
    score: float
    score_wide: float
    token_size: float
    bus: float
    icon: float
    name: float
    """The size of the name."""


WIDE: Final = Columns(46, 106, 152, 44, 34, 340, 408, 494, 582, 666, 66, 26, 0.82, 0.86, 25)
TALL: Final = Columns(52, 116, 176, 56, 44, 448, 548, 672, 812, 990, 120, 30, 1.0, 1.0, 28)


def columns(plan: PictureAreas) -> Columns:
    """Return the columns of the players' rows."""
    return WIDE if plan.wide else TALL


def card_high(plan: PictureAreas) -> float:
    """Return how tall a player's row is, without the gap below it."""
    return plan.player_high - 8


def row_y(plan: PictureAreas, seat: int) -> float:
    """Return the height at which a player's things stand, below the name."""
    return plan.player_y(seat) + card_high(plan) - (27 if plan.wide else 34) - max(0, card_high(plan) - 86) / 4


def token_place(plan: PictureAreas, seat: int) -> Point:
    """Return where a player's disc stands."""
    return plan.players.x + columns(plan).token, plan.player_y(seat) + card_high(plan) / 2


def bus_place(plan: PictureAreas, seat: int, bus: int, fleet: int) -> Point:
    """Return where a bus of a fleet stands."""
    at, y = columns(plan), row_y(plan, seat)
    x = plan.players.x + at.fleet
    if fleet <= FULL_ROW:
        return x + bus * at.fleet_step, y
    row, place = divmod(bus, (fleet + 1) // 2)
    return x - 6 + place * at.small_step, y + (-13 + 26 * row) * at.bus


def rows(plan: PictureAreas, edition: str, words: Words) -> str:
    """Draw a row for each seat, and the track below them."""
    limited = EDITIONS.index(edition) == REPRINT
    return "".join(_row(plan, seat, limited=limited) for seat in range(plan.seats)) + _track(plan, words)


def _row(plan: PictureAreas, seat: int, *, limited: bool) -> str:
    at, x, y = columns(plan), plan.players.x, plan.player_y(seat)
    high, middle = card_high(plan), row_y(plan, seat)
    card = box(x, y, plan.players.width, high, 14, fill=colour("ground"))
    edge = box(x, y, 16, high, 8, fill=seat_pattern(seat))
    place = moved(0, 0, no_bus(), scale=at.bus)
    fleet = "".join(moved(*bus_place(plan, seat, n, FULL_ROW), place) for n in range(FULL_ROW) if limited)
    cube = moved(
        x + at.cubes, middle, box(-18, -18, 36, 36, 6, fill=seat_pattern(seat), stroke=colour("edge"), stroke_width=3),
        scale=at.icon,
    )  # fmt: skip
    signs = cube + moved(x + at.sticks, middle, stick(seat), scale=at.icon)
    signs += moved(x + at.stones, middle, stone(), scale=at.icon)
    plate = box(
        x + at.score - at.score_wide / 2, y + 7, at.score_wide, high - 14, 12, fill=colour("card"),
        stroke=colour("edge"), stroke_width=3,
    )  # fmt: skip
    return group(card, edge, moved(*token_place(plan, seat), token(seat, at.token_size)), fleet, signs, plate)


def names(plan: PictureAreas, called: list[str]) -> str:
    """Write the names over the players' rows; a phone has them beside the board."""
    at = columns(plan)
    written = []
    for seat, name in enumerate(called):
        short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
        y = (plan.player_y(seat) + row_y(plan, seat) - 20 * at.bus + at.name * 0.72) / 2
        written.append(lettering(plan.players.x + at.fleet - 22, y, short, at.name, anchor="start", fine=not plan.wide))
    return group(*written)


def _track(plan: PictureAreas, words: Words) -> str:
    """The score track: every fifth space is numbered."""
    y, high = plan.track.y, plan.track.height - TRACK_LABEL
    step = plan.track_x(1) - plan.track_x(0)
    spaces = []
    for score in range(TRACK_LEAST, TRACK_MOST + 1):
        fill = colour("lamp" if score == 0 else "wall" if score % 5 else "line")
        spaces.append(box(plan.track_x(score) - step / 2 + 1, y, step - 2, high, 5, fill=fill))
        if score % 5 == 0 or plan.wide:
            size = 35 if not plan.wide else 26 if score % 5 == 0 else 23
            shade = colour("ink" if score % 5 == 0 else "soft")
            text = str(score).replace("-", "−")
            spaces.append(lettering(plan.track_x(score), y + high + GAP + 16, text, size, fill=shade))
    return group(title(words.gettext("Score track: whoever reached a score later lies on top")), *spaces)
