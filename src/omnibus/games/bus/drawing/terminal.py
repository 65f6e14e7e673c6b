"""The board for a terminal: the map as a plan of crossings, the action board, the players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from omnibus.games.bus import cities
from omnibus.games.bus.board import City
from omnibus.games.bus.board.pieces import ACTIONS, KINDS, ZONES
from omnibus.games.bus.drawing.labels import standing, standings
from omnibus.games.bus.telling.names import NEXT_KIND, action_name, kind_name, letter
from omnibus.kernel.game import Span, Words
from omnibus.kernel.svg import seat_name

Line = list[Span]

COLUMNS: Final = 80
ROWS: Final = 17
KIND_LETTERS: Final = {"house": "H", "office": "O", "pub": "P"}
STYLES: Final = {"house": "red", "office": "bold", "pub": "yellow"}


def text(view: Mapping[str, Any], words: Words) -> list[list[Span]]:
    """Return the board line by line, as runs of text with the names of their styles."""
    return [
        _standing(view, words), [], *_map(view), _key(words), [], *_actions(view, words), _clock(view, words), [],
        *_players(view, words),
    ]  # fmt: skip


def _standing(view: Mapping[str, Any], words: Words) -> Line:
    now = standing(view)
    said = standings(view["seats"], words)[now]
    round_ = words.gettext("Round {number}").format(number=view["round"]) if view["round"] else ""
    style = f"seat{now[-1]}" if now[-1].isdigit() else "bold"
    return [(f" {round_:<12}", "dim"), (said[: COLUMNS - 14], style)]


def _map(view: Mapping[str, Any]) -> list[Line]:
    """Every crossing where it stands on the map: its number, its plots, its passengers, the lines that end there."""
    city = cities.find(view["city"])
    points = [crossing["xy"] for crossing in city.document["crossings"]]
    left, top = min(x for x, _ in points), min(y for _, y in points)
    wide = max(max(x for x, _ in points) - left, 1)
    high = max(max(y for _, y in points) - top, 1)
    rows: list[list[tuple[int, Line]]] = [[] for _ in range(ROWS)]
    for crossing, (x, y) in enumerate(points):
        token = _token(view, city, crossing)
        column = int((x - left) / wide * (COLUMNS - 14))
        rows[_free_row(rows, int((y - top) / high * (ROWS - 1)), column, _width(token))].append((column, token))
    return [_row(sorted(row, key=lambda item: item[0])) for row in rows]


def _free_row(rows: list[list[tuple[int, Line]]], wanted: int, column: int, width: int) -> int:
    """The row where a token stands, or the nearest one with room for it."""
    order = sorted(range(len(rows)), key=lambda row: (abs(row - wanted), row))
    free = [
        row for row in order
        if all(column + width < other or other + _width(token) < column for other, token in rows[row])
    ]  # fmt: skip
    return free[0] if free else wanted


def _row(tokens: list[tuple[int, Line]]) -> Line:
    line: Line = []
    at = 0
    for column, token in tokens:
        line.append((" " * max(column + 1 - at, 1 if at else 0), ""))
        line += token
        at = _width(line)
    return _cut(line)


def _token(view: Mapping[str, Any], city: City, crossing: int) -> Line:
    name = city.names[crossing]
    station = crossing in city.stations
    token: Line = [(f"[{name}]" if station else str(name), "bold" if station or crossing in city.centre else "")]
    for plot, at in enumerate(city.plot_at):
        if at == crossing:
            kind = view["buildings"].get(city.plot_names[plot])
            token.append((KIND_LETTERS[kind], STYLES[kind]) if kind else (ZONES[city.plot_zone[plot]].lower(), "dim"))
    waiting, seated = view["waiting"].count(name), view["seated"].count(name)
    if waiting:
        token.append((f"+{waiting}", "bold"))
    if seated:
        token.append((f"*{seated}", "green"))
    token += [(letter(seat), f"seat{seat}") for seat, player in enumerate(view["players"]) if name in player["heads"]]
    return token


def _key(words: Words) -> Line:
    kinds = ", ".join(f"{KIND_LETTERS[kind]} {kind_name(kind, words)}" for kind in KINDS)
    said = words.gettext("{kinds}, abcd empty plots, + waiting, * seated, A–E heads").format(kinds=kinds)
    return [(f" {said}"[:COLUMNS], "dim")]


def _actions(view: Mapping[str, Any], words: Words) -> list[Line]:
    """Each action with its fields: who took it and what it yields."""
    lines = []
    for action in ACTIONS:
        line: Line = [(f" {action_name(action, words)[:13]:<14}", "bold")]
        owners = view["fields"][action]
        for field, number in enumerate(view["yields"][action]):
            taken = field < len(owners)
            who = (letter(owners[field]), f"seat{owners[field]}") if taken else ("·", "dim")
            line += [("  ", ""), who, (f"={number}" if len(view["yields"][action]) > 1 else "", "")]
        lines.append(line)
    return lines


def _clock(view: Mapping[str, Any], words: Words) -> Line:
    now, then = kind_name(view["clock"], words), kind_name(NEXT_KIND[view["clock"]], words)
    said = words.gettext("clock {now} → {then}, time stones {stones}, box {box}")
    return [(f" {said.format(now=now, then=then, stones=view['stones'], box=view['box'])}"[:COLUMNS], "")]


def _players(view: Mapping[str, Any], words: Words) -> list[Line]:
    lines: list[Line] = []
    for seat, player in enumerate(view["players"]):
        left = view["sticks_left"][seat]
        said = words.gettext("{score} points  {buses}  cubes {cubes}  sticks {sticks}  time stones {stones}").format(
            score=f"{view['scores'][seat]:>3}",
            buses=_fleet(player["buses"], view["edition"]),
            cubes=f"{player['cubes']:>2}",
            sticks="∞" if left is None else left,
            stones=player["stones"],
        )
        mark = "►" if view["actor"] == seat else "⚑" if view["start"] == seat else " "
        lines.append(_cut([(f"{mark}{letter(seat)} ", f"seat{seat}"), (said, "")]))
        lines += _line(player["streets"], seat, seat_name(seat, words))
    return lines


def _fleet(buses: int, edition: str) -> str:
    """The buses; where there is a limit, the places of those to come too."""
    return f"{'■' * buses:{'□' if edition == 'reprint' else ' '}<5}"


def _line(streets: list[str], seat: int, name: str) -> list[Line]:
    """The name of a seat and the streets of its line; a line that is full goes on below."""
    lines: list[Line] = []
    row = f"{name}: "
    for street in streets:
        if len(row) + len(street) + 4 > COLUMNS:
            lines.append([(f"   {row}", f"seat{seat}")])
            row = ""
        row += f"{street} "
    return [*lines, [(f"   {row}"[:COLUMNS], f"seat{seat}")]]


def _cut(line: Line) -> Line:
    """Keep within the columns."""
    kept: Line = []
    room = COLUMNS
    for said, style in line:
        if room > 0:
            kept.append((said[:room], style))
            room -= len(said[:room])
    return kept


def _width(line: Line) -> int:
    return sum(len(said) for said, _ in line)
