"""The cards: faces, backs, and the chips that count the discards. Their origin is the upper left corner."""

from __future__ import annotations

from typing import Final

from omnibus.games.times_square.board import CARDS, COLOUR_OF, COLOURS, DECKS, HAND, SEATS
from omnibus.games.times_square.drawing.layout import (
    BACK_HEIGHT,
    BACK_WIDTH,
    CARD_HEIGHT,
    CARD_WIDTH,
    CHIP_HEIGHT,
    CHIP_WIDTH,
)
from omnibus.kernel.svg import (
    Value,
    box,
    colour,
    disc,
    group,
    lettering,
    moved,
    numerals,
    path,
    seat_pattern,
    star,
    symbol,
    use,
)

EDGE: Final = {"stroke": colour("edge"), "stroke_width": "4"}
BOTH_WAYS: Final = "M-24,0L-10,-12V-5H10V-12L24,0L10,12V5H-10V12Z"
TOWARD: Final = "M-26,-12L-12,0L-26,12M26,-12L12,0L26,12"


def paint_of(card: str) -> str:
    """Return the colour of a card."""
    return COLOURS[COLOUR_OF[CARDS.index(card)]]


def mark_of(card: str) -> str:
    """Return the number a card is known by; nothing for `close`."""
    return {"sue": "1", "close": ""}.get(card, card[-1])


def manhole(r: float) -> str:
    """Draw a manhole cover, centred."""
    lid = disc(0, 0, r, fill=colour("soft"), stroke=colour("ink"), stroke_width=r / 8)
    bars = "".join(f"M{-r * 0.55:.1f},{y:.1f}H{r * 0.55:.1f}" for y in (-r * 0.4, 0, r * 0.4))
    return lid + path(bars, stroke=colour("paper"), stroke_width=r / 6, stroke_linecap="round")


def _small(figure: str, x: float, y: float, scale: float) -> str:
    return moved(x, y, use(f"ts-plain-{figure}"), scale=scale)


def _scene(card: str) -> str:
    """Draw who moves, in a frame of 90 × 66, centred."""
    if card == "guard2":
        return _small("guard", -19, 0, 0.76) + _small("guard", 19, 0, 0.76)
    if card == "close":
        return _small("guard", -30, 6, 0.52) + _small("guard", 30, 6, 0.52) + _small("sue", 0, 0, 0.72)
    if card == "deb0":
        return moved(22, 10, manhole(20)) + _small("deb", -21, 0, 0.78)
    return _small(card.rstrip("12345"), 0, 0, 0.8)


def _direction(card: str, on: str) -> str:
    """Draw how: to either side (§4.2), beside Sue (§4.6), or into the manhole; red cards have the joker's star (§5)."""
    joker = star(CARD_WIDTH - 22, 54, 11, fill=on) if card.startswith("deb") else ""
    if card == "close":
        line: dict[str, Value] = {"fill": "none", "stroke": on, "stroke_width": 7, "stroke_linecap": "round"}
        inward = path(TOWARD, **line) + disc(0, 0, 6, fill=on)
        return moved(CARD_WIDTH / 2, 38, inward, scale=1.3)
    if card == "deb0":
        return joker
    return moved(CARD_WIDTH - 34, 28, path(BOTH_WAYS, fill=on), scale=0.9) + joker


def _face(card: str) -> str:
    paint = paint_of(card)
    on = colour(f"on-{paint}")
    return group(
        box(2, 2, CARD_WIDTH - 4, CARD_HEIGHT - 4, 13, fill=colour(paint), **EDGE),
        box(10, CARD_HEIGHT - 80, CARD_WIDTH - 20, 70, 8, fill=colour("light")),
        lettering(26, 60, mark_of(card), 60, fill=on),
        _direction(card, on),
        moved(CARD_WIDTH / 2, CARD_HEIGHT - 45, _scene(card)),
    )


def _chip(card: str) -> str:
    """Draw the chip on which the discards of a kind are counted."""
    paint = paint_of(card)
    middle = CHIP_HEIGHT / 2
    ground = box(2, 2, CHIP_WIDTH - 4, CHIP_HEIGHT - 4, 9, fill=colour(paint), stroke=colour("edge"), stroke_width=3)
    if card == "close":
        guards = _small("guard", 16, middle, 0.4) + _small("guard", 48, middle, 0.4)
        return ground + guards + _small("sue", 32, middle, 0.52)
    if card == "sue":
        return ground + _small("sue", 32, middle, 0.66)
    who = _small(card.rstrip("012345"), 19, middle, 0.55)
    return ground + who + lettering(47, middle + 13, mark_of(card), 38, fill=colour(f"on-{paint}"))


def back(fill: str, width: float = BACK_WIDTH, height: float = BACK_HEIGHT) -> str:
    """Draw the back of a card."""
    rim = box(1.5, 1.5, width - 3, height - 3, 8, fill=colour("light"), stroke=colour("edge"), stroke_width=3)
    return rim + box(6, 6, width - 12, height - 12, 5, fill=fill)


def supply_back() -> str:
    """Draw the back of a card that is nobody's yet, large."""
    stars = star(40, 36, 18, fill=colour("lamp")) + star(40, 78, 18, fill=colour("lamp"))
    return back(colour("dusk"), 80, 112) + stars


def card_symbols(edition: int, card_scale: float, chip_scale: float, tally_size: float) -> str:
    """Define every face, back, chip and count that can appear in an edition, in the sizes of a picture."""
    deck = DECKS[edition]
    faces = "".join(symbol(f"ts-card-{card}", moved(0, 0, _face(card), scale=card_scale)) for card in CARDS)
    chips = "".join(symbol(f"ts-chip-{card}", moved(0, 0, _chip(card), scale=chip_scale)) for card in CARDS)
    backs = "".join(symbol(f"ts-back-{seat}", back(seat_pattern(seat))) for seat in range(SEATS))
    tally = numerals("ts-tally", range(1, max(deck) + 1), tally_size, anchor="start")
    times = "".join(_times(copies, card_scale) for copies in range(2, HAND + 1))
    held = numerals("ts-held", range(HAND + 1), 46, halo=True)
    return faces + chips + backs + tally + times + held + numerals("ts-supply", range(sum(deck) + 1), 56)


def _times(copies: int, scale: float) -> str:
    """Define the badge that says how many equal cards are fanned."""
    ground = box(-30, -22, 60, 44, 22, fill=colour("light"), stroke=colour("edge"), stroke_width=4)
    said = lettering(0, 11, f"×{copies}", 32, fill=colour("dark"))
    return symbol(f"ts-times-{copies}", moved(0, 0, ground, said, scale=scale))


def lamp_symbols(scale: float) -> str:
    """Define the lamp of an exhaustion, the lights around the sign of the club to play, and the winner's stars."""
    lights = disc(0, 0, 53, fill="none", stroke=colour("lamp"), stroke_width=10, stroke_linecap="round",
                  stroke_dasharray="0.1 18.4")  # fmt: skip
    ring = disc(0, 0, 53, fill="none", stroke=colour("dusk"), stroke_width=14)
    gold: dict[str, Value] = {"fill": colour("lamp"), "stroke": colour("edge"), "stroke_width": 4}
    stars = star(0, -62, 30, **gold) + star(-50, -46, 22, **gold) + star(50, -46, 22, **gold)
    lamp = disc(0, 0, 10, fill=colour("red"), stroke=colour("edge"), stroke_width=3)
    turn, winner = moved(0, 0, ring, lights, scale=scale), moved(0, 0, stars, scale=scale)
    return symbol("ts-turn", turn) + symbol("ts-winner", winner) + symbol("ts-lamp", lamp)
