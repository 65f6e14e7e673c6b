"""What is printed: vertices, cells, edges and borders of the city, its six pieces, the destinations (§1, §2).

Vertices 0 … 90 are those of the city, 91 + n is the apex of border cell n. Cells 0 … 149 are those of the city,
150 + n is border cell n. A **bore** is a tunnel that could be dug: from a vertex, in a direction, with the cell on the
left or right; its number is vertex · 12 + direction · 2 + side. An edge has two **slots** for tracks, one on each
side; the slots of one edge are 2e and 2e + 1, so that `slot ^ 1` is what runs alongside.
"""

from __future__ import annotations

from typing import Final

RADIUS: Final = 5
CITY: Final = 91  # vertices of the city
APEX0: Final = 91  # the apex of border cell n is vertex APEX0 + n
VERTICES: Final = 121
NOWHERE: Final = 121  # the vertex where every line already is: nobody goes there
CITY_CELLS: Final = 150
BORDER0: Final = 150  # border cell n is cell BORDER0 + n
CELLS: Final = 180
NO_CELL: Final = 180  # the cell that is never free
BORDERS: Final = 30
EDGES: Final = 300
SIDES: Final = 6
PER_SIDE: Final = 5  # border cells on a side

DIRECTIONS: Final = ["E", "NE", "NW", "W", "SW", "SE"]
STEPS: Final = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
HANDS: Final = ["l", "r"]  # on which side of a track its tunnel lies (§1.5)
LEFT: Final = 0
RIGHT: Final = 1

# What is on a cell's ground.
PLAIN: Final = 0
HOME: Final = 1
WORK: Final = 2
LEISURE: Final = 3
LAKE: Final = 4
PARK: Final = 5
BORDER: Final = 6
CLOSED: Final = 9  # in `State.soil`: not to be dug
KINDS: Final = ["home", "work", "leisure"]
GROUNDS: Final = ["plain", "home", "work", "leisure", "lake", "park", "border"]

LINES: Final = ["solid", "striped"]
TUNNELS: Final = 18  # of a line (§2.1)
STATIONS: Final = 30  # in the common stock (§2.2)
DIGS: Final = 3  # tunnels in a turn (§4.1)
BLOCKING: Final[list[int]] = [0, 0, 4, 5, 5]  # by seats: so many finished and blocked lines end the construction (§9.1)

LETTERS: Final = "ABCDEF"
DESTINATIONS: Final = 12
LETTERS_OF: Final = ["ACDF", "ABEF", "BCDE"]  # by kind (§2.3)
KIND_OF: Final[list[int]] = [kind for kind in range(3) for _ in range(4)]
LETTER_OF: Final[list[int]] = [LETTERS.index(letter) for letters in LETTERS_OF for letter in letters]
NOBODY: Final = -1
TWIN: Final[list[int]] = [
    next(other for other in range(DESTINATIONS) if other != one and LETTER_OF[other] == LETTER_OF[one])
    for one in range(DESTINATIONS)
]
OF_KIND: Final[list[int]] = [15, 15 << 4, 15 << 8]  # the destinations of a kind, a bit each
ALL_DESTINATIONS: Final = 4095


_NAMED: Final[list[list[int]]] = [
    [
        next((one for one in range(DESTINATIONS) if (KIND_OF[one], LETTER_OF[one]) == (kind, letter)), NOBODY)
        for letter in range(6)
    ]
    for kind in range(3)
]


def destination(kind: int, letter: int) -> int:
    """Return the destination of a kind with a letter, or NOBODY if there is none."""
    return _NAMED[kind][letter]


def destination_name(one: int) -> str:
    """Write a destination: its kind and its letter."""
    return f"{KINDS[KIND_OF[one]]} {LETTERS[LETTER_OF[one]]}"


def _hand(*names: str) -> int:
    return sum(1 << [destination_name(one) for one in range(DESTINATIONS)].index(name) for name in names)


FOR_TWO: Final[list[int]] = [
    _hand("home A", "work B", "leisure C", "home D", "leisure E", "work F"),
    _hand("work A", "leisure B", "home C", "leisure D", "work E", "home F"),
]  # §3.2
STRICT_HANDS: Final[list[int]] = [
    _hand("home A", "work B", "leisure C"),
    _hand("home D", "work A", "leisure E"),
    _hand("home F", "work E", "leisure B"),
    _hand("home C", "work F", "leisure D"),
]  # §3.3

HIDDEN: Final = 0
OPEN: Final = 1
STRICT: Final = 2
TOWN_HALLS: Final = ["hidden", "open", "strict"]

# §1.6: the cells of each piece in local coordinates: ground, then U or D with (i, j).
PIECES: Final = [
    [(HOME, "U", 1, 0), (WORK, "D", 2, 1), (LEISURE, "U", 0, 3)],
    [(HOME, "D", 0, 2), (WORK, "U", 3, 0), (LEISURE, "U", 2, 2)],
    [(HOME, "U", 2, 1), (WORK, "D", 0, 1), (LEISURE, "D", 3, 0)],
    [(HOME, "D", 1, 0), (WORK, "U", 1, 3), (LEISURE, "U", 3, 1)],
    [(HOME, "U", 3, 1), (WORK, "D", 1, 0), (LEISURE, "D", 0, 3), (LAKE, "D", 1, 1), (LAKE, "U", 1, 2)],
    [(HOME, "U", 1, 3), (WORK, "U", 2, 0), (LEISURE, "D", 0, 1), (PARK, "D", 1, 1), (PARK, "U", 2, 1)],
]

Point = tuple[int, int]

# Vertices (§1.1, §1.2, §1.4)


def _corner(k: int) -> Point:
    a, b = STEPS[k % 6]
    return RADIUS * a, RADIUS * b


def _far(a: int, b: int) -> int:
    return max(abs(a), abs(b), abs(a + b))


def _step(point: Point, d: int, far: int = 1) -> Point:
    a, b = STEPS[d % 6]
    return point[0] + far * a, point[1] + far * b


def _border_points(n: int) -> tuple[Point, Point, Point]:
    """The base vertices p and q and the apex of a border cell (§1.4)."""
    k = n // PER_SIDE
    p = _step(_corner(k), k + 2, n % PER_SIDE)
    return p, _step(p, k + 2), _step(p, k + 1)


POINTS: Final[list[Point]] = [
    (a, b) for b in range(-RADIUS, RADIUS + 1) for a in range(-RADIUS, RADIUS + 1) if _far(a, b) <= RADIUS
] + [_border_points(n)[2] for n in range(BORDERS)]
VERTEX_AT: Final[dict[Point, int]] = {point: vertex for vertex, point in enumerate(POINTS)}
VERTEX_NAMES: Final[list[str]] = [f"{a},{b}" for a, b in POINTS]

# Cells: their three vertices, and their names: U or D with the vertex at the lower left (§1.6, in city coordinates).


def _triangle(turn: str, a: int, b: int) -> tuple[Point, Point, Point]:
    if turn == "U":
        return (a, b), (a + 1, b), (a, b + 1)
    return (a + 1, b), (a + 1, b + 1), (a, b + 1)


def _city_cells() -> tuple[list[list[int]], list[str]]:
    corners: list[list[int]] = []
    names: list[str] = []
    for b in range(-RADIUS, RADIUS):
        for a in range(-RADIUS - 1, RADIUS + 1):
            for turn in ("U", "D"):
                points = _triangle(turn, a, b)
                if all(_far(*point) <= RADIUS for point in points):
                    corners.append([VERTEX_AT[point] for point in points])
                    names.append(f"{turn}{a},{b}")
    return corners, names


CORNERS: Final[list[list[int]]] = _city_cells()[0] + [
    [VERTEX_AT[point] for point in _border_points(n)] for n in range(BORDERS)
]
CELL_NAMES: Final[list[str]] = _city_cells()[1] + [f"border {n}" for n in range(BORDERS)]
CELL_NAMED: Final[dict[str, int]] = {name: cell for cell, name in enumerate(CELL_NAMES)}
_CELL_OF: Final = {frozenset(corners): cell for cell, corners in enumerate(CORNERS)}
TOUCHING: Final[list[list[int]]] = [
    [int(bool(set(one) & set(other))) for other in CORNERS[:CITY_CELLS]] for one in CORNERS[:CITY_CELLS]
]  # whether two cells of the city share a vertex (§8.3)


def is_white(n: int) -> bool:
    """Tell whether lines begin in border cell n; they end in the black others (§1.4)."""
    return n % 2 == 0


WHITE: Final[list[int]] = [n for n in range(BORDERS) if is_white(n)]
BLACK: Final[list[int]] = [n for n in range(BORDERS) if not is_white(n)]


def permitted_sides(k: int) -> list[int]:
    """The sides neither k nor adjacent to it (§5.2, §5.8)."""
    return [(k + 2) % SIDES, (k + 3) % SIDES, (k + 4) % SIDES]


def _far_borders(borders: list[int]) -> list[list[int]]:
    return [[n for n in borders if n // PER_SIDE in permitted_sides(k)] for k in range(SIDES)]


FAR_WHITE: Final[list[list[int]]] = _far_borders(WHITE)  # by side: where the other line may begin (§5.2)
FAR_BLACK: Final[list[list[int]]] = _far_borders(BLACK)  # by side: where a line begun there may end (§5.8)
OPPOSED: Final[list[int]] = [
    int((other - k) % SIDES in (2, 3, 4)) for k in range(SIDES) for other in range(SIDES)
]  # side · 6 + other side: neither the same nor adjacent

# Edges and bores. A rim vertex and an apex are joined by the outer sides of the border cells (§5.2, §5.8).

NEXT: Final[list[int]] = [NOWHERE] * (VERTICES * 6)  # by vertex · 6 + direction
TO: Final[list[int]] = [NOWHERE] * (VERTICES * 12)  # by bore: where it leads
CELL: Final[list[int]] = [NO_CELL] * (VERTICES * 12)  # by bore: the cell it fills, NO_CELL where that may never be
BESIDE: Final[list[int]] = [NO_CELL] * (VERTICES * 12)  # by bore: the cell there, border cells beside the rim too
SLOT: Final[list[int]] = [0] * (VERTICES * 12)  # by bore: the slot of its track
ENDS: Final[list[list[int]]] = []  # by edge: its two vertices


def _joined(v: int, r: int) -> bool:
    """Tell whether an edge joins two neighbouring vertices; apexes are joined to their own two base vertices only."""
    if v >= CITY:
        return r < CITY and r in CORNERS[BORDER0 + v - APEX0]
    return r < CITY or v in CORNERS[BORDER0 + r - APEX0]


def _lay_out() -> None:
    for v in range(VERTICES):
        for d in range(6):
            r = VERTEX_AT.get(_step(POINTS[v], d), NOWHERE)
            if r == NOWHERE or not _joined(v, r):
                continue
            NEXT[v * 6 + d] = r
            if v < r:
                ENDS.append([v, r])
            edge = ENDS.index([min(v, r), max(v, r)]) if v > r else len(ENDS) - 1
            _lay_out_bores(v, r, d, edge)


def _lay_out_bores(v: int, r: int, d: int, edge: int) -> None:
    for side, turn in ((LEFT, 1), (RIGHT, -1)):
        bore = v * 12 + d * 2 + side
        TO[bore] = r
        SLOT[bore] = edge * 2 + (side if v < r else 1 - side)
        third = VERTEX_AT.get(_step(POINTS[v], d + turn), NOWHERE)
        cell = _CELL_OF.get(frozenset((v, r, third)), NO_CELL)
        BESIDE[bore] = cell
        outer = v >= CITY or r >= CITY
        if cell < CITY_CELLS or outer:
            CELL[bore] = cell


_lay_out()

ONWARD: Final[list[int]] = [
    v * 6 + (d + turn) % 6 for v in range(VERTICES) for d in range(6) for turn in (0, 1, 5)
]  # by (vertex · 6 + direction of arrival) · 3: the ways on without an acute angle (§5.4), as vertex · 6 + direction
ANGLES: Final[list[int]] = [0, 1, 5, 2, 4]  # straight on, by one step, by two steps (only at a station, §5.4)


def _starts() -> list[int]:
    """By border cell · 2: the two bores from its apex, in its own cell (§5.2)."""
    found: list[int] = []
    for n in range(BORDERS):
        bores = range((APEX0 + n) * 12, (APEX0 + n) * 12 + 12)
        found += [bore for bore in bores if CELL[bore] == BORDER0 + n]
    return found


STARTS: Final[list[int]] = _starts()


# Pieces (§1.6, §1.7)


def _piece_cells(sector: int, piece: int, rotation: int) -> list[tuple[int, int]]:
    """The printed cells of a piece lying in a sector: (cell, ground)."""
    ends = [(0, 0), _corner(sector), _corner(sector + 1)]
    t0, t1, t2 = ends[rotation:] + ends[:rotation]

    def lies(i: int, j: int) -> Point:
        h = RADIUS - i - j
        return (h * t0[0] + i * t1[0] + j * t2[0]) // RADIUS, (h * t0[1] + i * t1[1] + j * t2[1]) // RADIUS

    return [
        (_CELL_OF[frozenset(VERTEX_AT[lies(*point)] for point in _triangle(turn, i, j))], ground)
        for ground, turn, i, j in PIECES[piece]
    ]


PRINTED: Final[list[list[tuple[int, int]]]] = [
    _piece_cells(sector, piece, rotation) for sector in range(SIDES) for piece in range(6) for rotation in range(3)
]  # by (sector · 6 + piece) · 3 + rotation
