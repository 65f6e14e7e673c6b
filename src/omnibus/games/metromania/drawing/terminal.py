"""The board for a terminal of 80 columns. Colour only repeats what letters and places already say.

Between the points of the city stand the edges and cells: `h w l` are spots, `~` the lake, `^` the park, capital letters
destinations. A track is the letter of its player on the edge: capital for the solid line, small for the striped one,
`#` where two lines run alongside. `o` is a station, `*` a tip. White border cells show their number, black ones `-`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from omnibus.games.metromania.board import (
    BORDER0,
    BORDERS,
    CELL,
    CELL_NAMED,
    CITY,
    CITY_CELLS,
    CORNERS,
    KINDS,
    LINES,
    NEXT,
    POINTS,
    PRINTED,
    TO,
    is_white,
)
from omnibus.games.metromania.drawing.labels import line_label, stock_label
from omnibus.games.metromania.position.write import PIECE_NAMES
from omnibus.games.metromania.state import trace
from omnibus.games.metromania.telling.names import kind, minutes, points, signed
from omnibus.kernel.game import Span, Words
from omnibus.kernel.svg import SEATS as LOOKS
from omnibus.kernel.svg import seat_name

View = Mapping[str, Any]
Canvas = dict[tuple[int, int], Span]

COLUMNS: Final = 58
ROWS: Final = 25
GROUND_MARKS: Final = {1: "h", 2: "w", 3: "l", 4: "~", 5: "^"}


def text(view: View, words: Words) -> list[list[Span]]:
    """Return the board line by line, as runs of text with the names of their styles."""
    canvas: Canvas = {}
    _draw_city(view, canvas)
    _draw_lines(view, canvas)
    _draw_places(view, canvas)
    rows = [_row(canvas, row) for row in range(ROWS)]
    return [*rows, [], *_players(view, words), *_rides(view, words)]


def _row(canvas: Canvas, row: int) -> list[Span]:
    return [canvas.get((row, column), (" ", "")) for column in range(COLUMNS)]


def _place(vertex: int) -> tuple[int, int]:
    a, b = POINTS[vertex]
    return 12 - 2 * b, 28 + 4 * a + 2 * b


def _middle(cell: int) -> tuple[int, int]:
    places = [_place(vertex) for vertex in CORNERS[cell]]
    return (min(row for row, _ in places) + max(row for row, _ in places)) // 2, sum(
        column for _, column in places
    ) // 3


def _between(v: int, r: int) -> tuple[int, int]:
    return (_place(v)[0] + _place(r)[0]) // 2, (_place(v)[1] + _place(r)[1]) // 2


def _draw_city(view: View, canvas: Canvas) -> None:
    for vertex in range(CITY):
        canvas[_place(vertex)] = ("·", "dim")
        for way, mark in ((0, "─"), (1, "/"), (2, "\\")):
            r = NEXT[vertex * 6 + way]
            if r < CITY:
                canvas[_between(vertex, r)] = (mark, "dim")
    for sector, name in enumerate(view["sectors"]):
        for cell, ground in PRINTED[sector * 18 + PIECE_NAMES.index(name)]:
            canvas[_middle(cell)] = (GROUND_MARKS[ground], "")
    taken = {CELL[bore] for lines in view["lines"] for name in LINES for bore in trace(list(lines[name]))}
    for n in range(BORDERS):
        if BORDER0 + n not in taken:
            _draw_border(n, canvas)


def _draw_border(n: int, canvas: Canvas) -> None:
    """A free white border cell shows its number, outwards of its place, a black one a dash."""
    row, column = _middle(BORDER0 + n)
    if not is_white(n):
        canvas[row, column] = ("-", "dim")
        return
    number = str(n)
    first = column - len(number) + 1 if column < COLUMNS // 2 else column
    for at, digit in enumerate(number):
        canvas[row, first + at] = (digit, "bold")


def _draw_lines(view: View, canvas: Canvas) -> None:
    drawn: set[tuple[int, int]] = set()
    for seat, lines in enumerate(view["lines"]):
        for name in LINES:
            letter = _letter(seat, name)
            bores = trace(list(lines[name]))
            for bore in bores:
                edge = _between(bore // 12, TO[bore])
                canvas[edge] = ("#", "bold") if edge in drawn else (letter, f"seat{seat}")
                drawn.add(edge)
                if CELL[bore] >= CITY_CELLS:
                    canvas[_middle(CELL[bore])] = (letter, f"seat{seat}")
            if bores:
                canvas[_place(TO[bores[-1]])] = ("*", f"seat{seat}")


def _letter(seat: int, name: str) -> str:
    letter = LOOKS[seat].letter
    return letter if name == LINES[0] else letter.lower()


def _draw_places(view: View, canvas: Canvas) -> None:
    for name, where in view["placed"].items():
        canvas[_middle(CELL_NAMED[where])] = (name[-1], "bold")
    for a, b in view["stations"]:
        canvas[(12 - 2 * b, 28 + 4 * a + 2 * b)] = ("o", "bold")


def _players(view: View, words: Words) -> list[list[Span]]:
    lines: list[list[Span]] = [[(f" {stock_label(view['stock'], words)}", "")]]
    for seat in range(view["seats"]):
        arrow = "►" if view["actor"] == seat else " "
        scored = points(view["points"][seat], words)
        name = f"{LOOKS[seat].letter} {seat_name(seat, words)}"
        lines.append([(f"{arrow}{name}: {scored}; {_held(view, seat, words)}", f"seat{seat}")])
        lines += [[(f"   {line_label(view, seat, name, words)}", "dim")] for name in LINES]
    return lines


def _held(view: View, seat: int, words: Words) -> str:
    hand = view["hands"][seat]
    if hand is not None:
        letters = [(group, " ".join(name[-1] for name in hand if name.startswith(group))) for group in KINDS]
        return ", ".join(f"{kind(group, words)} {held}" for group, held in letters if held) or "–"
    counts = zip(KINDS, view["held"][seat], strict=True)
    return ", ".join(f"{count} × {kind(name, words)}" for name, count in counts if count) or "–"


def _rides(view: View, words: Words) -> list[list[Span]]:
    """At the end: every test with its minutes and scores, then the totals."""
    if not view["outcome"]:
        return []
    lines: list[list[Span]] = [[]]
    for test in view["outcome"]["details"]["tests"]:
        name = words.gettext("Sunday ride") if test["test"] == "sunday" else f"{test['test']}–{test['test']}"
        time = words.gettext("impossible") if test["minutes"] is None else minutes(test["minutes"], words)
        lines.append([(f" {name}: {time}; {_listed(test['scores'])}", "")])
    lines.append([(f" {words.gettext('Total')}: {_listed(view['outcome']['scores'])}", "bold")])
    return lines


def _listed(scores: list[int]) -> str:
    return ", ".join(f"{LOOKS[seat].letter} {signed(score)}" for seat, score in enumerate(scores))
