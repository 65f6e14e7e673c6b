"""What moves or changes: sticks, heads, buildings, passengers, cubes, counts, and signs that say how things stand."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from math import copysign
from typing import Final, cast

from omnibus.games.bus.board.pieces import ACTIONS, KINDS, LAST_FIRST, LETTERS, ZONES
from omnibus.games.bus.drawing import labels, players
from omnibus.games.bus.drawing.actions import count_places, dial_place, field_place, field_side, yield_place
from omnibus.games.bus.drawing.layout import PLOT, Layout, PictureAreas, fields_of, layout_of, plan
from omnibus.games.bus.telling.names import NEXT_KIND, View, action_name, as_it_stands, kind_name, letter, worth
from omnibus.kernel.game import Piece, Words
from omnibus.kernel.svg import seat_name

GUEST_CORNER: Final = PLOT / 2 - 5  # from the middle of a plot


def pieces(view: View, words: Words, *, wide: bool = False) -> list[Piece]:
    """Return everything that moves or changes, the same thing always by the same id."""
    at = plan(view["seats"], wide=wide)
    layout = layout_of(view, at.map)
    on_map = (
        _sticks(view, layout, words)
        + _heads(view, layout, words)
        + _crossings(layout, words)
        + _plots(view, layout, words)
        + _passengers(view, layout, words)
    )
    on_board = _fields(view, at, words) + _clock(view, at, words) + _stock(view, at, words)
    return _sign(view, at, words) + on_map + on_board + _players(view, at, words)


def _sign(view: View, at: PictureAreas, words: Words) -> list[Piece]:
    now, y = labels.standing(view), at.sign.y + at.sign.height / 2
    signs = [Piece("standing", f"bus-say-{now}", at.sign.x + 44, y, labels.said(now, words))]
    if view["round"]:
        told = words.gettext("Round {number}").format(number=view["round"])
        signs.append(Piece("round", f"bus-round-{view['round']}", at.sign.right - 20, y, told))
    return signs


def _sticks(view: View, layout: Layout, words: Words) -> list[Piece]:
    laid = []
    for seat, player in enumerate(view["players"]):
        for name in player["streets"]:
            street = layout.city.way_named[name] // 2
            x, y = layout.middle(street)
            told = labels.stick_label(seat, name, words)
            laid.append(Piece(f"street-{name}_{letter(seat)}", f"bus-stick-{street}-{seat}", x, y, told))
    return laid


def _crossings(layout: Layout, words: Words) -> list[Piece]:
    """Crossings never move, but stand above the lines."""
    return _kept_crossings(layout, cast("Hashable", words))


@lru_cache(maxsize=32)
def _kept_crossings(layout: Layout, known: Hashable) -> list[Piece]:
    """Return the crossings; cached because they never change."""
    words = cast("Words", known)
    return [
        Piece(f"crossing-{name}", f"bus-crossing-{name}", x, y, labels.crossing_label(layout.city, crossing, words))
        for crossing, (name, (x, y)) in enumerate(zip(layout.city.names, layout.spots, strict=True))
    ]


def _heads(view: View, layout: Layout, words: Words) -> list[Piece]:
    """Lines that end at the same crossing share the ring around it."""
    seats: dict[int, list[int]] = {}
    for seat, player in enumerate(view["players"]):
        for head in dict.fromkeys(player["heads"]):
            seats.setdefault(head, []).append(seat)
    laid = []
    for head, here in seats.items():
        crossing = layout.city.crossing_named[str(head)]
        x, y = layout.spots[crossing]
        where = "station-" if crossing in layout.city.stations else ""
        for place, seat in enumerate(here):
            both = view["players"][seat]["heads"] == [head, head]
            symbol = f"bus-{'heads' if both else 'head'}-{where}{seat}-{place}-{len(here)}"
            laid.append(Piece(f"head-{head}_{letter(seat)}", symbol, x, y, labels.head_label(seat, head, words)))
    return laid


def _plots(view: View, layout: Layout, words: Words) -> list[Piece]:
    """Plots with their zone or their building, and the passengers who sit in those of the clock's kind (§10.3)."""
    city, buildings, clock = layout.city, view["buildings"], view["clock"]
    laid, seated = [], []
    guests = list(view["seated"])
    for plot, contents in enumerate(_plot_pieces(layout, cast("Hashable", words))):
        kind = buildings.get(city.plot_names[plot])
        laid.append(contents[kind])
        crossing = city.plot_at[plot]
        if kind == clock and city.names[crossing] in guests:
            guests.remove(city.names[crossing])
            seated.append(_guest(layout, plot, words))
    return laid + seated


@lru_cache(maxsize=32)
def _plot_pieces(layout: Layout, known: Hashable) -> list[dict[str | None, Piece]]:
    """Return every plot as it looks empty (None) and with each kind of building; cached because that never changes."""
    words = cast("Words", known)
    city = layout.city
    found = []
    for plot, (name, place) in enumerate(zip(city.plot_names, layout.plots, strict=True)):
        zone = ZONES[city.plot_zone[plot]]
        told: dict[str | None, str] = {kind: labels.building_label(kind, name, words) for kind in KINDS}
        told[None] = labels.plot_label(city, plot, words)
        found.append(
            {kind: Piece(f"plot-{name}", f"bus-plot-{kind or zone}", *place, label) for kind, label in told.items()}
        )
    return found


def _guest(layout: Layout, plot: int, words: Words) -> Piece:
    """Return the passenger in a building, in the corner farthest from the crossing."""
    name, (x, y) = layout.city.plot_names[plot], layout.plots[plot]
    left, top = layout.spots[layout.city.plot_at[plot]]
    at = (x + copysign(GUEST_CORNER, x - left), y + copysign(GUEST_CORNER, y - top))
    return Piece(f"plot-{name}_guest", "bus-guest", *at, labels.guest_label(name, words))


def _passengers(view: View, layout: Layout, words: Words) -> list[Piece]:
    laid = []
    for name in dict.fromkeys(view["waiting"]):
        there = view["waiting"].count(name)
        x, y = layout.crowds[layout.city.crossing_named[str(name)]]
        told = labels.waiting_label(there, name, words)
        laid.append(Piece(f"crossing-{name}_waiting", f"bus-waiting-{there}", x, y, told))
    return laid


def _fields(view: View, at: PictureAreas, words: Words) -> list[Piece]:
    """Cubes, what every field will yield (§5.4), and a mark at who acts first in each action (§5)."""
    laid: list[Piece] = []
    fleet, known = view["largest_fleet"], cast("Hashable", words)
    for action in ACTIONS:
        yields = _yields(at.seats, action, tuple(view["yields"][action]), fleet, known, wide=at.wide)
        if action == "vrroomm":
            yields = [
                piece._replace(label=f"{piece.label} ({as_it_stands(view, field, words)})")
                for field, piece in enumerate(yields)
            ]
        laid += yields + _cubes(at, action, view["fields"][action], words)
    return laid


@lru_cache(maxsize=2048)
def _yields(
    seats: int, action: str, numbers: tuple[int, ...], fleet: int, known: Hashable, *, wide: bool
) -> list[Piece]:
    """Return what the fields of an action yield, if there are several; cached because it seldom changes."""
    if len(numbers) == 1:
        return []
    at, words = plan(seats, wide=wide), cast("Words", known)
    name = action_name(action, words)
    laid = []
    for field, number in enumerate(numbers):
        told = labels.field_label(name, field, number, words)
        if action != "vrroomm":
            told = f"{told} ({worth(action, field, numbers[0], fleet, words)})"
        place = yield_place(at, action, field)
        laid.append(Piece(f"action-{action}_yield-{LETTERS[field]}", f"bus-yield-{number}", *place, told))
    return laid


def _cubes(at: PictureAreas, action: str, owners: list[int], words: Words) -> list[Piece]:
    if not owners:
        return []
    name = action_name(action, words)
    laid = []
    for field, seat in enumerate(owners):
        told = labels.cube_label(name, field if len(fields_of(action)) > 1 else None, seat, words)
        place = field_place(at, action, field)
        laid.append(Piece(f"action-{action}_cube-{LETTERS[field]}", f"bus-cube-{seat}", *place, told))
    if len(owners) > 1:
        first = len(owners) - 1 if LAST_FIRST[ACTIONS.index(action)] else 0
        x, y = field_place(at, action, first)
        told = labels.first_label(name, owners[first], words)
        laid.append(Piece(f"action-{action}_first", "bus-acts-first", x, y - field_side(at) / 2, told))
    return laid


def _clock(view: View, at: PictureAreas, words: Words) -> list[Piece]:
    """The kind wanted now, and the next one."""
    then = NEXT_KIND[view["clock"]]
    now_told = words.gettext("The clock shows: {kind}").format(kind=kind_name(view["clock"], words))
    then_told = words.gettext("Next on the clock: {kind}").format(kind=kind_name(then, words))
    return [
        Piece("tick_next", "bus-next", *dial_place(at, then), then_told),
        Piece("tick_now", "bus-now", *dial_place(at, view["clock"]), now_told),
    ]


def _stock(view: View, at: PictureAreas, words: Words) -> list[Piece]:
    places = count_places(at)
    laid = []
    for place, kind in enumerate(KINDS):
        number = view["supply"][place] if view["supply"] else "∞"
        told = words.gettext("Left of the kind {kind}: {number}").format(kind=kind_name(kind, words), number=number)
        symbol = f"bus-count-{number if view['supply'] else 'all'}"
        laid.append(Piece(f"kind-{kind}_left", symbol, *places[kind], told))
    stones = words.gettext("Time stones left: {number}").format(number=view["stones"])
    laid.append(Piece("stop_stones", f"bus-count-{view['stones']}", *places["stones"], stones))
    waiting = words.gettext("Passengers in the box: {number}").format(number=view["box"])
    laid.append(Piece("box_count", f"bus-boxed-{view['box']}", *places["box"], waiting))
    return laid


def _players(view: View, at: PictureAreas, words: Words) -> list[Piece]:
    laid: list[Piece] = []
    for seat in range(view["seats"]):
        laid += _belongings(view, at, seat, words) + _signs_of(view, at, seat, words)
    return laid + _discs(view, at, words)


def _belongings(view: View, at: PictureAreas, seat: int, words: Words) -> list[Piece]:
    player = view["players"][seat]
    who = letter(seat)
    column, left_edge, y = players.columns(at), at.players.x, players.row_y(at, seat)
    laid = _fleet(at, seat, player["buses"], words)
    left = view["sticks_left"][seat]
    counts = [
        ("cubes", player["cubes"], left_edge + column.cubes + 24 * column.icon),
        ("sticks", "∞" if left is None else left, left_edge + column.sticks + 26 * column.icon),
        ("stones", player["stones"], left_edge + column.stones + 24 * column.icon),
    ]
    for what, number, x in counts:
        told = labels.counted(what, seat, number, words)
        laid.append(Piece(f"{what}-{who}", f"bus-tally-{'all' if number == '∞' else number}", x, y, told))
    score = view["scores"][seat]
    told = labels.score_label(view, seat, words)
    middle = players.token_place(at, seat)[1]
    return [*laid, Piece(f"score-{who}", f"bus-points-{score}", left_edge + column.score, middle, told)]


def _discs(view: View, at: PictureAreas, words: Words) -> list[Piece]:
    """The discs on the score track; on the same score, whoever came later lies on top."""
    below = [_discs_below(view, seat) for seat in range(view["seats"])]
    return [
        Piece(
            f"track-{letter(seat)}",
            f"bus-score-{seat}",
            at.track_x(view["scores"][seat]),
            at.disc_y(below[seat]),
            labels.score_label(view, seat, words),
        )
        for seat in sorted(range(view["seats"]), key=below.__getitem__)
    ]


def _fleet(at: PictureAreas, seat: int, fleet: int, words: Words) -> list[Piece]:
    """Buses side by side; more than five in two rows of smaller ones, with their number."""
    told = labels.counted("buses", seat, fleet, words)
    large = fleet <= players.FULL_ROW
    laid = [
        Piece(
            f"fleet-{letter(seat)}_{n + 1}",
            f"bus-{'fleet' if large else 'small'}-{seat}",
            *players.bus_place(at, seat, n, fleet),
            told,
        )
        for n in range(fleet)
    ]
    if not large:
        x = at.players.x + players.columns(at).fleet_count
        laid.append(Piece(f"fleet-{letter(seat)}", f"bus-tally-{fleet}", x, players.row_y(at, seat), told))
    return laid


def _discs_below(view: View, seat: int) -> int:
    """Count the discs under a seat's on the score track: those that came to this score earlier (§13.2)."""
    ranks = [(player["reached"], other) for other, player in enumerate(view["players"])]
    same = [ranks[other] for other, score in enumerate(view["scores"]) if score == view["scores"][seat]]
    return sorted(same).index(ranks[seat])


def _signs_of(view: View, at: PictureAreas, seat: int, words: Words) -> list[Piece]:
    """Whose turn it is, who has the start, who has passed, who has won."""
    x, y = players.token_place(at, seat)
    signs = []
    if view["actor"] == seat:
        signs.append(Piece("turn", "bus-turn", x, y, labels.said(labels.standing(view), words)))
    if view["outcome"] and seat in view["outcome"]["winners"]:
        told = labels.winners_label([seat], words)
        signs.append(Piece(f"winner-{letter(seat)}", "bus-winner", x, y, told))
    if view["start"] == seat:
        told = words.gettext("{seat} is the start player").format(seat=seat_name(seat, words))
        signs.append(Piece("start", "bus-flag", at.players.x + players.columns(at).flag, y, told))
    if view["players"][seat]["passed"]:
        told = words.gettext("{seat} has passed").format(seat=seat_name(seat, words))
        signs.append(Piece(f"passed-{letter(seat)}", "bus-passed", x, y, told))
    return signs
