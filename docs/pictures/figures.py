"""Draw the figures of docs/figures.md from the tables and data of the benchmarks.

    python3 dev.py python docs/pictures/figures.py

It uses the standard library only. `dev.py docs` runs it before it builds the site.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from math import ceil, floor, log10
from pathlib import Path
from statistics import fmean

ROOT = Path(__file__).parents[2]
FIGURES = Path(__file__).parent / "figures"
WIDTH = 760
INK, SOFT, PAPER = "#2b2b2b", "#b9b2a3", "#faf6ec"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")  # Okabe–Ito, as on the boards
SHAPES = ("circle", "square", "diamond", "triangle")


@dataclass
class Drawing:
    """An SVG picture that grows line by line."""

    height: int
    lines: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, words: str, *, anchor: str = "start", size: int = 13) -> None:
        """Write words, with the baseline at y."""
        place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"'
        self.lines.append(f"<text {place}>{escape(words)}</text>")

    def line(self, points: Iterable[tuple[float, float]], colour: str = SOFT, width: float = 1) -> None:
        """Draw a line through points."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>')

    def bar(self, x: float, y: float, wide: float, high: float, colour: str) -> None:
        """Fill a rectangle."""
        self.lines.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" fill="{colour}"/>')

    def mark(self, x: float, y: float, series: int) -> None:
        """Mark a point of a series by its shape and its colour."""
        colour, shape = COLOURS[series % 4], SHAPES[(series + series // 4) % 4]
        if shape == "circle":
            self.lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{colour}"/>')
            return
        corners = {
            "square": ((-4, -4), (4, -4), (4, 4), (-4, 4)),
            "diamond": ((0, -5.5), (5.5, 0), (0, 5.5), (-5.5, 0)),
            "triangle": ((0, -5.5), (5, 4), (-5, 4)),
        }[shape]
        path = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
        self.lines.append(f'<polygon points="{path}" fill="{colour}"/>')

    def legend(self, x: float, y: float, names: Sequence[str]) -> None:
        """Explain the series, below each other."""
        for series, name in enumerate(names):
            self.mark(x, y - 4 + 18 * series, series)
            self.text(x + 12, y + 18 * series, name)

    def svg(self, title: str) -> str:
        """Return the picture."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.height}" role="img" fill="{INK}"'
            f' font-family="system-ui, sans-serif"><title>{escape(title)}</title>'
            f'<rect width="{WIDTH}" height="{self.height}" rx="8" fill="{PAPER}"/>'
        )
        return "\n".join([head, *self.lines, "</svg>\n"])


def tables(text: str) -> list[list[dict[str, str]]]:
    """Read all Markdown tables: one dict a row, keyed by the heading of the column."""
    found = []
    for block in re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE):
        rows = [[cell.strip() for cell in line.strip("|\n ").split(" | ")] for line in block.strip().splitlines()]
        rows = [[cell.strip("| ") for cell in row] for row in rows]
        found.append([dict(zip(rows[0], row, strict=False)) for row in rows[2:]])
    return found


def number(words: str) -> float:
    """Read a number such as 2,263 or **78.2%**."""
    return float(re.sub(r"[^\d.]", "", words))


@dataclass(frozen=True)
class MeasuredMatch:
    """A row of a table of strength."""

    name: str
    share: float
    low: float
    high: float
    fair: float


def matches(text: str) -> list[MeasuredMatch]:
    """Read the matches of STRENGTH.md; a row that names no game belongs to the game of the row before."""
    found, game = [], ""
    for row in (row for table in tables(text) for row in table if "win share" in row and "fair" in row):
        name = row["match"]
        game, name = name.split(": ", 1) if ": " in name else (game, name)
        low, high = row["95 %"].split(" – ")
        shares = [number(cell) / 100 for cell in (row["win share"], low, high, row["fair"])]
        found.append(MeasuredMatch(f"{game}: {name}", *shares))
    return found


def strength(text: str) -> str:
    """Draw every match as a point with its interval."""
    rows, left, right = matches(text), 360, WIDTH - 30
    drawing = Drawing(60 + 24 * len(rows))

    def x(share: float) -> float:
        return left + share * (right - left)

    for tenth in range(0, 11, 2):
        drawing.line([(x(tenth / 10), 30), (x(tenth / 10), drawing.height - 16)])
        drawing.text(x(tenth / 10), 22, f"{10 * tenth} %", anchor="middle", size=12)
    for index, row in enumerate(rows):
        y = 50 + 24 * index
        drawing.text(left - 12, y + 4, row.name, anchor="end", size=12)
        drawing.line([(x(row.fair), y - 7), (x(row.fair), y + 7)], INK, 1.5)
        drawing.line([(x(row.low), y), (x(row.high), y)], COLOURS[0], 3)
        drawing.mark(x(row.share), y, 0)
    return drawing.svg("Win shares with 95 % intervals")


@dataclass
class Axes:
    """A frame with two scales, linear or logarithmic upwards."""

    drawing: Drawing
    most_x: float
    low_y: float
    most_y: float
    logarithmic: bool = False
    left: float = 66
    top: float = 50

    @property
    def bottom(self) -> float:
        """Where the horizontal axis is."""
        return self.drawing.height - 46

    def x(self, value: float) -> float:
        """Return where a value is, across."""
        return self.left + value / self.most_x * (WIDTH - 30 - self.left)

    def y(self, value: float) -> float:
        """Return where a value is, upwards."""
        scale: Callable[[float], float] = log10 if self.logarithmic else float
        low, most = scale(self.low_y), scale(self.most_y)
        return self.bottom - (scale(value) - low) / (most - low) * (self.bottom - self.top)

    def draw(self, across: Iterable[float], upwards: Iterable[float], name_x: str, name_y: str, unit: str = "") -> None:
        """Draw the frame, the ticks and the names of the axes."""
        for value in upwards:
            self.drawing.line([(self.left, self.y(value)), (WIDTH - 30, self.y(value))])
            self.drawing.text(self.left - 8, self.y(value) + 4, f"{value:,.0f}{unit}", anchor="end", size=12)
        for value in across:
            self.drawing.text(self.x(value), self.bottom + 18, f"{value:,.0f}", anchor="middle", size=12)
        self.drawing.text(WIDTH - 30, self.bottom + 36, name_x, anchor="end", size=12)
        self.drawing.text(self.left - 50, 24, name_y, size=12)

    def curve(self, points: Sequence[tuple[float, float]], series: int) -> None:
        """Draw a series as a line with marks."""
        placed = [(self.x(x), self.y(y)) for x, y in points]
        self.drawing.line(placed, COLOURS[series % 4], 2)
        for x, y in placed:
            self.drawing.mark(x, y, series)


def learning(files: Sequence[Path]) -> str:
    """Draw the learning curves: millions of decisions and the share of games won."""
    curves = {}
    for file in files:
        with file.open(encoding="utf-8", newline="") as opened:
            rows = [row for row in csv.DictReader(opened) if row["share"]]
        _, game, seats, *variant = file.stem.replace("_", " ").split("-")
        name = ", ".join([game, f"{seats} seats", *variant])
        curves[f"{name}, against {rows[-1]['level']}"] = [
            (float(row["decisions"]) / 1e6, 100 * float(row["share"])) for row in rows
        ]
    most = max(x for points in curves.values() for x, _ in points)
    low = min(y for points in curves.values() for _, y in points)
    high = 18 * len(curves)
    axes = Axes(Drawing(330 + high), most, 10 * floor(low / 10), 100, top=34 + high)
    step = 10 ** floor(log10(most)) / 2
    across = [step * number for number in range(int(most / step) + 1)]
    axes.draw(across, range(10 * floor(low / 10), 101, 5), "million decisions", "games won", " %")
    for series, points in enumerate(curves.values()):
        axes.curve(points, series)
    axes.drawing.legend(190, 24, list(curves))
    return axes.drawing.svg("Learning curves")


@dataclass(frozen=True)
class Measured:
    """A row of the table of speeds; engines that are not ours have one speed."""

    name: str
    interpreted: float | None
    compiled: float


def speeds(text: str) -> list[Measured]:
    """Read the block that begins with moves a second."""
    block = text[text.index("moves a second, one core") :].split("\n\n")[0]
    found = []
    for line in block.splitlines()[1:]:
        cells = re.split(r"\s{2,}", line.strip())
        numbers = [float(cell.replace(",", "")) for cell in cells[1:] if re.fullmatch(r"[\d,]{4,}", cell)]
        found.append(Measured(cells[0].replace("_", " "), numbers[0] if len(numbers) > 1 else None, numbers[-1]))
    return found


def speed(text: str) -> str:
    """Draw the speeds as bars on a logarithmic scale."""
    rows, left, right = speeds(text), 200, WIDTH - 90
    drawing = Drawing(70 + 34 * len(rows))
    low = floor(log10(min(row.interpreted or row.compiled for row in rows)))
    most = ceil(log10(max(row.compiled for row in rows)))

    def x(value: float) -> float:
        return left + (log10(value) - low) / (most - low) * (right - left)

    for power in range(low, most + 1):
        drawing.line([(x(10**power), 46), (x(10**power), drawing.height - 12)])
        drawing.text(x(10**power), 40, f"{10**power:,}", anchor="middle", size=12)
    for index, row in enumerate(rows):
        y = 56 + 34 * index
        drawing.text(left - 12, y + 17, row.name, anchor="end", size=12)
        for colour, offset, value in ((1, 0, row.interpreted), (0, 13, row.compiled)):
            if value is not None:
                drawing.bar(left, y + offset, x(value) - left, 11, COLOURS[colour])
                drawing.text(x(value) + 6, y + offset + 10, f"{value:,.0f}", size=11)
    drawing.text(left, 20, "moves a second", size=12)
    for place, series, name in ((330, 1, "interpreted"), (430, 0, "compiled, or as it comes")):
        drawing.bar(place, 11, 11, 11, COLOURS[series])
        drawing.text(place + 16, 20, name, size=12)
    return drawing.svg("Moves a second, on one core")


def loads(text: str) -> list[dict[str, float]]:
    """Read the steps of the load test with most tables, slowest first."""
    block = re.findall(r"^1000 tables.*\n(moves/s.*\n(?:\s+[\d.]+ .*\n)+)", text, re.MULTILINE)[0]
    heading = re.split(r"\s{2,}", re.sub(r"(kept|told) p", r"\1_p", block.splitlines()[0]))
    rows = [[number(cell) for cell in re.split(r"\s{2,}", line.strip())] for line in block.splitlines()[1:]]
    return sorted((dict(zip(heading, row, strict=False)) for row in rows), key=lambda row: row["moves/s"])


def load(text: str) -> str:
    """Draw how long moves take to reach everybody, by moves a second."""
    rows = loads(text)
    most = max(row["moves/s"] for row in rows)
    axes = Axes(Drawing(380), most * 1.05, 5, 1000, logarithmic=True, top=86)
    axes.draw(range(0, int(most) + 1, 50), (5, 10, 20, 50, 100, 200, 500, 1000), "moves a second", "ms")
    for series, column in enumerate(("told_p50", "p90", "p99")):
        axes.curve([(row["moves/s"], row[column]) for row in rows], series)
    axes.drawing.legend(190, 24, ["median", "90 % of the moves", "99 %"])
    return axes.drawing.svg("Time until a move has reached everybody")


@dataclass(frozen=True)
class ServerCost:
    """What a move costs a server with some processes: ms of processor time, means of the rounds."""

    database: str
    processes: int
    server: float
    postgresql: float

    @property
    def name(self) -> str:
        """How it is called in the figure."""
        return f"{self.processes} process{'es' * (self.processes > 1)} on {self.database}"


def server_costs(file: Path) -> list[ServerCost]:
    """Read the rounds of the load test with several processes, and return their means in the order of the file."""
    rounds: dict[tuple[str, int], list[tuple[float, float]]] = {}
    with file.open(encoding="utf-8", newline="") as opened:
        for row in csv.DictReader(opened):
            measured = (float(row["server_ms"]), float(row["postgresql_ms"]))
            rounds.setdefault((row["database"], int(row["processes"])), []).append(measured)
    return [ServerCost(*key, *(fmean(column) for column in zip(*found, strict=True))) for key, found in rounds.items()]


def scaling_server(file: Path) -> str:
    """Draw what a move costs with one server process and several, and how much more that is."""
    rows, left, right = server_costs(file), 190, WIDTH - 190
    drawing = Drawing(64 + 34 * len(rows))
    most = max(row.server + row.postgresql for row in rows)
    (one,) = [row for row in rows if row.database != rows[0].database and row.processes == 1]
    for place, series, name in ((left, 0, "all server processes"), (left + 180, 1, "PostgreSQL itself")):
        drawing.bar(place, 17, 11, 11, COLOURS[series])
        drawing.text(place + 16, 26, name, size=12)
    for index, row in enumerate(rows):
        y, x = 46 + 34 * index, float(left)
        drawing.text(left - 12, y + 15, row.name, anchor="end", size=12)
        for series, value in enumerate((row.server, row.postgresql)):
            wide = value / most * (right - left)
            drawing.bar(x, y, wide, 20, COLOURS[series])
            x += wide
        before = rows[0] if row is one else one
        ratio = f", {row.server / before.server:.2f} × {before.name.split(' on ')[row is one]}" if index else ""
        drawing.text(x + 8, y + 15, f"{row.server:.1f} ms{ratio}", size=12)
    return drawing.svg("Processor time of a move with several server processes")


def scaling_work(file: Path) -> str:
    """Draw how much faster work is done by several processes than by one."""
    seconds: dict[str, list[tuple[int, float]]] = {}
    with file.open(encoding="utf-8", newline="") as opened:
        for row in csv.DictReader(opened):
            seconds.setdefault(row["work"], []).append((int(row["processes"]), float(row["seconds"])))
    most = max(processes for points in seconds.values() for processes, _ in points)
    high = 18 * len(seconds)
    axes = Axes(Drawing(280 + high), most + 0.2, 0, most, top=34 + high)
    axes.draw(range(most + 1), range(most + 1), "processes", "times as fast")
    axes.drawing.line([(axes.x(0), axes.y(0)), (axes.x(most), axes.y(most))], SOFT, 2)
    for series, points in enumerate(seconds.values()):
        alone = dict(points)[1]
        axes.curve([(processes, alone / took) for processes, took in points], series)
    axes.drawing.legend(190, 24, list(seconds))
    return axes.drawing.svg("Speed of work on several processes")


def figures() -> dict[str, str]:
    """Draw all figures."""
    results, data = (ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8"), ROOT / "benchmarks" / "data"
    return {
        "strength": strength((ROOT / "benchmarks" / "STRENGTH.md").read_text(encoding="utf-8")),
        "learning": learning(sorted(data.glob("training-*.csv"))),
        "speed": speed(results),
        "load": load(results),
        "scaling_server": scaling_server(data / "scaling-server.csv"),
        "scaling_work": scaling_work(data / "scaling-work.csv"),
    }


def main() -> None:
    """Write all figures."""
    FIGURES.mkdir(exist_ok=True)
    for name, picture in figures().items():
        (FIGURES / f"{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
