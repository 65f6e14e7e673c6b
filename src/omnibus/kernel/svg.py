"""The drawing kit of all games: SVG elements, palette, seats, symbols and the frame around a picture.

Pictures are strings of SVG without scripts and external references. Colours are CSS custom properties, so a page can
switch to the night palette with `data-theme` on the picture or on an ancestor. Clickable elements have `data-part`, and
`data-exact` if a click on them is never meant for something beside or beneath them; movable ones are pieces, `<use>`
elements with `data-piece`, whose part is their id up to an underscore; they are exact if their symbol is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import cos, pi, sin
from typing import Final

from omnibus.kernel.game import Piece, Words
from omnibus.kernel.i18n import mark

Value = str | float | None
"""What an attribute may be; None leaves it out."""

FONTS: Final = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans","DejaVu Sans",sans-serif'
NARROW: Final = 600  # below this width in pixels, small text is hidden because it would be unreadable

# ink: text. edge: outlines. soft and line: less important text and lines. card: cards and tokens.
# land, block, roof, water, park, tree: the ground of a city. zone-A to zone-D: from first to last, dark to light.
# Every strong colour has an `on-` colour for text on it.
DAY: Final[dict[str, str]] = {
    "paper": "#f7f2e6", "ink": "#1d2333", "soft": "#6a675e", "line": "#cbc1ab", "edge": "#1d2333", "card": "#fffdf6",
    "ground": "#f0ece3", "shade": "#dcd3bf", "wall": "#efe6d2", "window": "#fffdf6", "dusk": "#232a44",
    "lamp": "#ffc531", "shine": "0", "tint": ".15",
    "land": "#f2ede0", "block": "#e5dcc9", "roof": "#dbd0b9", "water": "#b9d8e8", "park": "#cbdfb5", "tree": "#a9c98c",
}  # fmt: skip
NIGHT: Final[dict[str, str]] = {
    "paper": "#121522", "ink": "#f5eedd", "soft": "#aaa698", "line": "#454c66", "edge": "#080a12", "card": "#fbf5e6",
    "ground": "#242a3d", "shade": "#1b2031", "wall": "#2c3350", "window": "#ffd97a", "dusk": "#0b0d17",
    "lamp": "#ffd34d", "shine": ".4", "tint": ".2",
    "land": "#1d2233", "block": "#282e43", "roof": "#2f364e", "water": "#17405c", "park": "#1e4034", "tree": "#2b5a45",
}  # fmt: skip
STRONG: Final[dict[str, str]] = {
    "dark": "#1d2333", "light": "#fffdf6",
    "green": "#0a8f68", "on-green": "#fffdf6", "yellow": "#f4d93e", "on-yellow": "#1d2333",
    "grey": "#6f7685", "on-grey": "#fffdf6", "red": "#c9302c", "on-red": "#fffdf6",
    "zone-A": "#54278f", "zone-B": "#8465b5", "zone-C": "#b3a3d6", "zone-D": "#e0dbf0",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Seat:
    """The look of a seat: a letter for ids, a colour (Okabe–Ito) with its name, and a pattern."""

    letter: str
    name: str
    """What the seat is called where its player has no name: the name of its colour, a marked message."""
    colour: str
    on: str
    """The colour of text on it."""
    neon: str
    """The same colour, brighter, for neon signs."""
    marks: str
    """The path of the pattern, on a tile of 16 × 16."""


SEATS: Final = (
    Seat("A", mark("Blue"), "#0072b2", "#fffdf6", "#59b8ff", "M-4,4 4,-4M-2,18 18,-2M12,20 20,12"),
    Seat("B", mark("Pink"), "#cc79a7", "#1d2333", "#ff8cc6", "M4,4h.01M12,12h.01"),
    Seat("C", mark("Orange"), "#e69f00", "#1d2333", "#ffc64d", "M0,4h16M0,12h16"),
    Seat("D", mark("Green"), "#009e73", "#1d2333", "#4de0b4", "M4,0v16M12,0v16"),
    Seat("E", mark("Red"), "#d55e00", "#1d2333", "#ff9a4d", "M0,4 4,8 8,4 12,8 16,4M0,12 4,16 8,12 12,16 16,12"),
)


def seat_name(seat: int, words: Words) -> str:
    """Return what a seat is called where its player has no name: its colour."""
    return words.gettext(SEATS[seat].name)


def number(value: float) -> str:
    """Write a number with at most two decimals."""
    short = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def element(name: str, *content: str, **attributes: Value) -> str:
    """Write an element. `data_part` becomes data-part; a trailing underscore is dropped (`class_`)."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value if isinstance(value, str) else number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(content)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def colour(name: str) -> str:
    """Return a colour of the palette, for `fill` and `stroke`."""
    return f"var(--{name})"


def group(*content: str, **attributes: Value) -> str:
    """Write a group."""
    return element("g", *content, **attributes)


def moved(x: float, y: float, *content: str, scale: float = 1, **attributes: Value) -> str:
    """Write a group with its origin moved."""
    place = f"translate({number(x)},{number(y)})" + (f"scale({number(scale)})" if scale != 1 else "")
    return element("g", *content, transform=place, **attributes)


def path(d: str, **attributes: Value) -> str:
    """Write a path."""
    return element("path", d=d, **attributes)


def curve(points: Sequence[tuple[float, float]], *, closed: bool = False) -> str:
    """Return the data of a path: a smooth line along points, rounded to whole units."""
    if len(points) < 3:
        return ""
    halfway = [((x + u) / 2, (y + v) / 2) for (x, y), (u, v) in pairwise([*points, points[0]])]
    start, bends = (halfway[-1], zip(points, halfway, strict=True))
    if not closed:
        start, bends = points[0], zip(points[1:-1], [*halfway[1:-2], points[-1]], strict=True)
    drawn = "".join(f"Q{x:.0f},{y:.0f} {u:.0f},{v:.0f}" for (x, y), (u, v) in bends)
    return f"M{start[0]:.0f},{start[1]:.0f}{drawn}" + ("Z" if closed else "")


def box(x: float, y: float, width: float, height: float, round_: float = 0, **attributes: Value) -> str:
    """Write a rectangle, with rounded corners if given."""
    return element("rect", x=x, y=y, width=width, height=height, rx=round_ or None, **attributes)


def disc(x: float, y: float, r: float, **attributes: Value) -> str:
    """Write a circle."""
    return element("circle", cx=x, cy=y, r=r, **attributes)


def star(x: float, y: float, r: float, **attributes: Value) -> str:
    """Write a star of five points."""
    far = [r if point % 2 == 0 else r * 0.46 for point in range(10)]
    points = [(x + far[i] * sin(i * pi / 5), y - far[i] * cos(i * pi / 5)) for i in range(10)]
    return path("M" + " ".join(f"{number(px)},{number(py)}" for px, py in points) + "Z", **attributes)


# Written on the element itself: style rules of a picture do not reach into what `use` draws.
HALO: Final[dict[str, Value]] = {
    "paint_order": "stroke", "stroke": "var(--paper)", "stroke_width": 8, "stroke_linejoin": "round",
}  # fmt: skip


def lettering(
    x: float,
    y: float,
    words: str,
    size: float,
    *,
    fill: str = "var(--ink)",
    anchor: str = "middle",
    halo: bool = False,
    fine: bool = False,
) -> str:
    """Write text. A halo separates it from the background; fine print is hidden on phones."""
    more: dict[str, Value] = {"fill": fill, "text_anchor": anchor, "class_": "fine" if fine else None}
    if halo:
        more.update(HALO)
    return element("text", escape(words, quote=False), x=x, y=y, font_size=size, **more)


def fitting(words: str, size: float, width: float) -> float:
    """Return the font size at which words fit a width, at most `size`."""
    wide = 0.62 * max(len(words), 1)  # in em: the average width of bold letters
    return min(size, width / wide)


def neon(d: str, light: str, width: float = 5) -> str:
    """Write a neon tube, which glows at night."""
    tube = {"fill": "none", "stroke": light, "stroke_linecap": "round", "stroke_linejoin": "round"}
    return path(d, stroke_width=width * 3, opacity=colour("shine"), **tube) + path(d, stroke_width=width, **tube)


def title(words: str) -> str:
    """Write the name of an element, for screen readers and tooltips."""
    return element("title", escape(words, quote=False))


def symbol(id_: str, *content: str, **attributes: Value) -> str:
    """Define a symbol to be drawn with `use`. Its origin is the place of the piece."""
    return element("symbol", *content, id=id_, overflow="visible", **attributes)


def numerals(prefix: str, numbers: Iterable[int], size: float, *, anchor: str = "middle", halo: bool = False) -> str:
    """Define symbols `prefix-0`, `prefix-1` … for counts, as pieces cannot contain text."""
    drop = size * 0.36
    return "".join(
        symbol(f"{prefix}-{n}", lettering(0, drop, str(n), size, anchor=anchor, halo=halo)) for n in numbers
    )  # fmt: skip


def use(symbol_: str, x: float = 0, y: float = 0, *content: str, **attributes: Value) -> str:
    """Draw a symbol."""
    place = f"translate({number(x)},{number(y)})"
    return element("use", *content, href=f"#{symbol_}", transform=place, **attributes)


def part_of(piece: Piece) -> str:
    """Return the part of a piece: its id up to the underscore that distinguishes equal pieces."""
    return piece.id.partition("_")[0]


def placed(pieces: Iterable[Piece]) -> str:
    """Draw pieces at their places."""
    return "".join(
        use(piece.symbol, piece.x, piece.y, title(piece.label), data_piece=piece.id, data_part=part_of(piece))
        for piece in pieces
    )


def seat_pattern(seat: int) -> str:
    """Return the pattern of a seat, for `fill`; it must be defined with `seat_patterns`."""
    return f"url(#pattern-seat-{seat})"


def seat_patterns(seats: int) -> str:
    """Define the patterns of the first seats."""
    return "".join(_pattern(seat, SEATS[seat]) for seat in range(seats))


def _pattern(seat: int, look: Seat) -> str:
    ground = box(0, 0, 16, 16, fill=colour(f"seat-{seat}"))
    marks = path(look.marks, fill="none", stroke=look.on, stroke_width=4, stroke_linecap="round", opacity=0.45)
    tile: dict[str, Value] = {"width": 16, "height": 16, "patternUnits": "userSpaceOnUse"}
    return element("pattern", ground, marks, id=f"pattern-seat-{seat}", **tile)


def bullet(seat: int, r: float) -> str:
    """Draw the letter of a seat on a disc of its colour, like a line on a transit map; centred."""
    ring = disc(0, 0, r, fill=colour(f"seat-{seat}"), stroke=colour("edge"), stroke_width=4)
    return ring + lettering(0, r * 0.48, SEATS[seat].letter, r * 1.36, fill=colour(f"on-seat-{seat}"))


def token(seat: int, r: float) -> str:
    """Draw a disc in the colour and pattern of a seat; centred."""
    return disc(0, 0, r, fill=seat_pattern(seat), stroke=colour("edge"), stroke_width=4)


def definitions(*content: str) -> str:
    """Write definitions."""
    return element("defs", *content)


def palette(selector: str) -> str:
    """Write the CSS rules with the colours, day and night, for everything under a selector."""
    seats = {f"seat-{n}": seat.colour for n, seat in enumerate(SEATS)}
    seats |= {f"on-seat-{n}": seat.on for n, seat in enumerate(SEATS)}
    seats |= {f"neon-seat-{n}": seat.neon for n, seat in enumerate(SEATS)}
    return (
        f"{selector}{{{_properties(STRONG | seats)}{_properties(DAY)}}}"
        f"@media (prefers-color-scheme:dark){{{selector}{{{_properties(NIGHT)}}}}}"
        f'[data-theme="light"] {selector},{selector}[data-theme="light"]{{{_properties(DAY)}}}'
        f'[data-theme="dark"] {selector},{selector}[data-theme="dark"]{{{_properties(NIGHT)}}}'
    )


def _properties(colours: Mapping[str, str]) -> str:
    return "".join(f"--{name}:{value};" for name, value in colours.items())


CSS_RULES: Final = (
    f".omnibus{{font-family:{FONTS};font-weight:700}}"
    + ".omnibus text{pointer-events:none}"
    + ".omnibus [data-piece]{transition:transform .33s ease}"
    + "@media (prefers-reduced-motion:reduce){.omnibus [data-piece]{transition:none}}"
    + f"@media (max-width:{NARROW}px){{.omnibus .fine{{display:none}}}}"
)
"""How pictures look, on a page that has the colours already."""
STYLE: Final = palette(".omnibus") + CSS_RULES


def document(width: float, height: float, name: str, description: str, *content: str) -> str:
    """Write a complete picture: its size, name, description for screen readers, style and content."""
    told = element("desc", escape(description, quote=False))
    return _framed(width, height, name, told, element("style", STYLE), *content)


def underlay(width: float, height: float, name: str, below: str, above: str = "") -> str:
    """Write a picture without pieces, for a page that has the style and adds the pieces itself."""
    return _framed(width, height, name, element("desc"), below, group(class_="pieces"), above)


def _framed(width: float, height: float, name: str, *content: str) -> str:
    frame: dict[str, Value] = {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": f"0 0 {number(width)} {number(height)}",
    }
    return element("svg", title(name), *content, **frame, class_="omnibus", role="img")
