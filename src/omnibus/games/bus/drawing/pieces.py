"""What moves or changes: sticks, heads, buildings, passengers, cubes, counts, and signs that say how things stand."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import cast

from omnibus.games.bus.board.pieces import ACTIONS, KINDS, LAST_FIRST, LETTERS, ZONES
from omnibus.games.bus.drawing import labels, players
from omnibus.games.bus.drawing.actions import count_places, dial_place, field_place, yield_place
from omnibus.games.bus.drawing.layout import (
    MARGIN,
    MIDDLE,
    PLAYER_HIGH,
    PLOT,
    Layout,
    disc_y,
    layout_of,
    player_y,
    track_x,
)
from omnibus.games.bus.telling.names import NEXT_KIND, View, action_name, as_it_stands, kind_name, letter
from omnibus.kernel.game import Piece, Words


def pieces(view: View, words: Words, *, wide: bool = False) -> list[Piece]:
    """Return everything that moves or changes, the same thing always by the same id."""
    layout = layout_of(view)
    on_map = (
        _sticks(view, layout, words)
        + _crossings(layout, words)
        + _plots(view, layout, words)
        + _passengers(view, layout, words)
    )
    on_board = _fields(view, words) + _clock(view, words) + _stock(view, words)
    return _sign(view, words) + on_map + _heads(view, layout, words) + on_board + _players(view, words)


def _sign(view: View, words: Words) -> list[Piece]:
    now = labels.standing(view)
    signs = [Piece("standing", f"bus-say-{now}", MIDDLE, 46, labels.said(now, words))]
    if view["round"]:
        told = words.gettext("Round {number}").format(number=view["round"])
        signs.append(Piece("round", f"bus-round-{view['round']}", 140, 46, told))
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
    """Heads that share a crossing stand side by side."""
    seats: dict[int, list[int]] = {}
    for seat, player in enumerate(view["players"]):
        for head in dict.fromkeys(player["heads"]):
            seats.setdefault(head, []).append(seat)
    laid = []
    for head, here in seats.items():
        x, y = layout.heads[layout.city.crossing_named[str(head)]]
        for place, seat in enumerate(here):
            both = view["players"][seat]["heads"] == [head, head]
            symbol = f"bus-{'heads' if both else 'head'}-{seat}"
            at = x + (place - (len(here) - 1) / 2) * 27
            laid.append(Piece(f"head-{head}_{letter(seat)}", symbol, at, y, labels.head_label(seat, head, words)))
    return laid


def _plots(view: View, layout: Layout, words: Words) -> list[Piece]:
    """Plots with their zone or their building, and the passengers who sit in those of the clock's kind (§10.3)."""
    city = layout.city
    laid = []
    guests = list(view["seated"])
    for plot, (name, (x, y)) in enumerate(zip(city.plot_names, layout.plots, strict=True)):
        kind = view["buildings"].get(name)
        if kind is None:
            zone = ZONES[city.plot_zone[plot]]
            laid.append(Piece(f"plot-{name}", f"bus-plot-{zone}", x, y, labels.plot_label(name, zone, words)))
            continue
        laid.append(Piece(f"plot-{name}", f"bus-plot-{kind}", x, y, labels.building_label(kind, name, words)))
        crossing = city.names[city.plot_at[plot]]
        if kind == view["clock"] and crossing in guests:
            guests.remove(crossing)
            corner = PLOT / 2 - 4
            told = labels.guest_label(name, words)
            laid.append(Piece(f"plot-{name}_guest", "bus-guest", x + corner, y - corner, told))
    return laid


def _passengers(view: View, layout: Layout, words: Words) -> list[Piece]:
    laid = []
    for name in dict.fromkeys(view["waiting"]):
        there = view["waiting"].count(name)
        x, y = layout.crowds[layout.city.crossing_named[str(name)]]
        told = labels.waiting_label(there, name, words)
        laid.append(Piece(f"crossing-{name}_waiting", f"bus-waiting-{there}", x, y, told))
    return laid


def _fields(view: View, words: Words) -> list[Piece]:
    """Cubes, what every field will yield (§5.4), and a mark at who acts first in each action (§5)."""
    laid: list[Piece] = []
    for action in ACTIONS:
        name = action_name(action, words)
        for field, number in enumerate(view["yields"][action]):
            if len(view["yields"][action]) > 1:
                told = labels.field_label(name, LETTERS[field], number, words)
                if action == "vrroomm":
                    told += f" ({as_it_stands(view, field, words)})"
                place = yield_place(action, field)
                laid.append(Piece(f"action-{action}_yield-{LETTERS[field]}", f"bus-yield-{number}", *place, told))
        laid += _cubes(action, view["fields"][action], words)
    return laid


def _cubes(action: str, owners: list[int], words: Words) -> list[Piece]:
    name = action_name(action, words)
    laid = []
    for field, seat in enumerate(owners):
        told = labels.cube_label(name, LETTERS[field], seat, words)
        place = field_place(action, field)
        laid.append(Piece(f"action-{action}_cube-{LETTERS[field]}", f"bus-cube-{seat}", *place, told))
    if len(owners) > 1:
        first = len(owners) - 1 if LAST_FIRST[ACTIONS.index(action)] else 0
        x, y = field_place(action, first)
        told = labels.first_label(name, owners[first], words)
        laid.append(Piece(f"action-{action}_first", "bus-acts-first", x - 32, y, told))
    return laid


def _clock(view: View, words: Words) -> list[Piece]:
    """The kind wanted now, and the next one."""
    then = NEXT_KIND[view["clock"]]
    now_told = words.gettext("The clock shows: {kind}").format(kind=kind_name(view["clock"], words))
    then_told = words.gettext("Next on the clock: {kind}").format(kind=kind_name(then, words))
    return [
        Piece("tick_next", "bus-next", *dial_place(then), then_told),
        Piece("tick_now", "bus-now", *dial_place(view["clock"]), now_told),
    ]


def _stock(view: View, words: Words) -> list[Piece]:
    places = count_places()
    laid = []
    for place, kind in enumerate(KINDS):
        number = view["supply"][place] if view["supply"] else "∞"
        told = words.gettext("Left of the kind {kind}: {number}").format(kind=kind_name(kind, words), number=number)
        symbol = f"bus-count-{number if view['supply'] else 'all'}"
        laid.append(Piece(f"kind-{kind}_left", symbol, *places[kind], told))
    stones = words.gettext("Time stones left: {number}").format(number=view["stones"])
    laid.append(Piece("stop_stones", f"bus-large-{view['stones']}", *places["stones"], stones))
    waiting = words.gettext("Passengers in the box: {number}").format(number=view["box"])
    laid.append(Piece("box_count", f"bus-boxed-{view['box']}", *places["box"], waiting))
    return laid


def _players(view: View, words: Words) -> list[Piece]:
    laid: list[Piece] = []
    for seat in range(view["seats"]):
        laid += _belongings(view, seat, words) + _signs_of(view, seat, words)
    return laid


def _belongings(view: View, seat: int, words: Words) -> list[Piece]:
    player = view["players"][seat]
    who = letter(seat)
    y = player_y(seat) + PLAYER_HIGH / 2 - 4
    laid = _fleet(seat, player["buses"], words)
    left = view["sticks_left"][seat]
    counts = [
        ("cubes", player["cubes"], players.CUBES + 26),
        ("sticks", "∞" if left is None else left, players.STICKS + 30),
        ("stones", player["stones"], players.STONES + 28),
    ]
    for what, number, x in counts:
        told = labels.counted(what, seat, number, words)
        laid.append(Piece(f"{what}-{who}", f"bus-tally-{'all' if number == '∞' else number}", x, y, told))
    score = view["scores"][seat]
    told = labels.score_label(view, seat, words)
    laid.append(Piece(f"score-{who}", f"bus-points-{score}", players.SCORE + 8, y, told))
    disc = (track_x(score), disc_y(view["seats"], _discs_below(view, seat)))
    return [*laid, Piece(f"track-{who}", f"bus-score-{seat}", *disc, told)]


def _fleet(seat: int, fleet: int, words: Words) -> list[Piece]:
    """Buses side by side; more than five in two rows of smaller ones, with their number."""
    told = labels.counted("buses", seat, fleet, words)
    large = fleet <= players.FULL_ROW
    laid = [
        Piece(
            f"fleet-{letter(seat)}_{n + 1}",
            f"bus-{'fleet' if large else 'small'}-{seat}",
            *players.bus_place(seat, n, fleet),
            told,
        )
        for n in range(fleet)
    ]
    if not large:
        y = player_y(seat) + PLAYER_HIGH / 2 - 4
        laid.append(Piece(f"fleet-{letter(seat)}", f"bus-tally-{fleet}", players.FLEET_COUNT, y, told))
    return laid


def _discs_below(view: View, seat: int) -> int:
    """Count the discs under a seat's on the score track: those that came to this score earlier (§13.2)."""
    ranks = [(player["reached"], other) for other, player in enumerate(view["players"])]
    same = [ranks[other] for other, score in enumerate(view["scores"]) if score == view["scores"][seat]]
    return sorted(same).index(ranks[seat])


def _signs_of(view: View, seat: int, words: Words) -> list[Piece]:
    """Whose turn it is, who has the start, who has passed, who has won."""
    y = player_y(seat) + PLAYER_HIGH / 2 - 4
    signs = []
    if view["actor"] == seat:
        signs.append(Piece("turn", "bus-turn", MARGIN + 52, y, labels.said(labels.standing(view), words)))
    if view["outcome"] and seat in view["outcome"]["winners"]:
        told = labels.winners_label([seat], words)
        signs.append(Piece(f"winner-{letter(seat)}", "bus-winner", MARGIN + 52, y, told))
    if view["start"] == seat:
        told = words.gettext("Seat {seat} is the start player").format(seat=letter(seat))
        signs.append(Piece("start", "bus-flag", MARGIN + 116, y, told))
    if view["players"][seat]["passed"]:
        told = words.gettext("Seat {seat} has passed").format(seat=letter(seat))
        signs.append(Piece(f"passed-{letter(seat)}", "bus-passed", MARGIN + 52, y, told))
    return signs
