"""The board for a terminal of 80 columns. Colour only repeats what letters and places already say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from omnibus.games.times_square.board import CARDS, COLOUR_OF, COLOURS, EDITIONS, END, ENTRANCE, LAST_EXHAUSTION, SEATS
from omnibus.games.times_square.drawing.labels import (
    club_name,
    exhausted_label,
    hand_label,
    remark,
    remarks,
    standing,
    standings,
    supply_label,
)
from omnibus.games.times_square.telling.names import signed
from omnibus.kernel.game import Span, Words

Line = list[Span]

COLUMNS: Final = 80
NAMES: Final = 11  # columns for what a line is about
HEADING: Final = 17  # columns for what a list of cards is
SPACES: Final = range(-END, END + 1)
LETTERS: Final = {"sue": "S", "a": "a", "b": "b", "hal": "H", "deb": "D", "charlie": "C"}
TERMINAL_STYLES: Final = {
    "sue": "bold green",
    "guard": "bold white",
    "hal": "bold yellow",
    "deb": "bold red",
    "charlie": "bold magenta",
    "grey": "bright_black",
}
STYLES: Final = {"sue": "sue", "a": "guard", "b": "guard", "hal": "hal", "deb": "deb", "charlie": "charlie"}


def text(view: Mapping[str, Any], words: Words) -> list[list[Span]]:
    """Return the board line by line, as runs of text with the names of their styles."""
    street = [
        _clubs(view, words),
        _lane(view, ["hal"], words.gettext("Hal")),
        _lane(view, ["sue", "a", "b"], words.gettext("Sue, a, b")),
        _lane(view, ["deb"], words.gettext("Deb")),
        _numbers(),
        _lane(view, ["charlie"], words.gettext("Charlie")),
    ]
    return [_standing(view, words), [], *street, [], *_cards(view, words)]


def _padded(words: str, columns: int) -> str:
    """Make words exactly so wide."""
    return words[:columns].ljust(columns)


def _owner(space: int) -> str:
    return "seat0" if space < 0 else "seat1"


def _standing(view: Mapping[str, Any], words: Words) -> Line:
    now = standing(view)
    below = remark(view)
    said = standings(words)[now] + (f" – {remarks(words)[below]}" if below else "")
    style = f"seat{now[-1]}" if now[-1].isdigit() else "bold"
    return [(" ", ""), (said[: COLUMNS - 1], style)]


def _clubs(view: Mapping[str, Any], words: Words) -> Line:
    """The roofs of the two clubs over their entrances; an arrow marks the one to play."""
    acting = view["actor"]
    left = ("► " if acting == 0 else "") + club_name(0, words)
    right = club_name(1, words) + (" ◄" if acting == 1 else "")
    room = COLUMNS - NAMES - 2
    return [
        (" " * (NAMES + 1), ""),
        (_padded(left, room // 2), "seat0"),
        (right[: room // 2].rjust(room - room // 2), "seat1"),
    ]


def _lane(view: Mapping[str, Any], figures: list[str], name: str) -> Line:
    """One lane of the street: figures on it, a point for an empty space, a ring for the manhole, bars for entrances."""
    line: Line = [(_padded(f" {name}", NAMES), "dim")]
    for space in SPACES:
        here = [figure for figure in figures if view["figures"][figure] == space]
        line += _cell(space, here[0] if here else None)
    return line


def _cell(space: int, figure: str | None) -> Line:
    stands = (LETTERS[figure], STYLES[figure]) if figure else ("o" if space == 0 else "·", "dim")
    if abs(space) >= ENTRANCE:
        return [(" ▐", _owner(space)), stands, ("▌", _owner(space))]
    return [(" [", stands[1]), stands, ("]", stands[1])] if figure else [("  ", ""), stands, (" ", "")]


def _numbers() -> Line:
    line: Line = [(" " * NAMES, "")]
    for space in SPACES:
        style = _owner(space) if abs(space) >= ENTRANCE else "bold" if space == 0 else ""
        line.append((f"{signed(space):>3} ", style))
    return line


def _cards(view: Mapping[str, Any], words: Words) -> list[Line]:
    lines: list[Line] = []
    if view["hand"] is not None:
        lines += _kinds(words.gettext("Your hand"), view["hand"], words)
    for seat in range(SEATS):
        if seat != view["viewer"]:
            lines.append([(f" {hand_label(seat, view['held'][seat], words)}", f"seat{seat}")])
            if view["hands"][seat] is not None:
                lines += _kinds("", view["hands"][seat], words)
    lines += _kinds(words.gettext("Discards"), view["discards"], words)
    return [*lines, _supply(view, words)]


def _supply(view: Mapping[str, Any], words: Words) -> Line:
    last = LAST_EXHAUSTION[EDITIONS.index(view["options"]["edition"])]
    lamps = "●" * view["exhausted"] + "○" * (last - view["exhausted"])
    told = f" {supply_label(view['supply'], words)} · {exhausted_label(view['exhausted'], words)} "
    return [(told, ""), (lamps, "red")]


def _kinds(name: str, cards: list[str], words: Words) -> list[Line]:
    """List cards by kind, the kinds of a colour together; a line that is full goes on below."""
    colours = [_kinds_of(colour, cards) for colour in range(len(COLOURS))]
    lines: list[Line] = [[(_padded(f" {name} ({len(cards)})", HEADING), "bold")]]
    for kinds in colours:
        if kinds and _width(lines[-1]) + _width(kinds) + 2 > COLUMNS:
            lines.append([(" " * HEADING, "")])
        lines[-1] += [(" │", "dim")] * bool(kinds and len(lines[-1]) > 1) + kinds
    return lines if cards else [[*lines[0], (" " + words.gettext("none"), "dim")]]


def _kinds_of(colour: int, cards: list[str]) -> Line:
    return [
        (f" {card}" if cards.count(card) == 1 else f" {card}×{cards.count(card)}", COLOURS[colour])
        for kind, card in enumerate(CARDS)
        if card in cards and COLOUR_OF[kind] == colour
    ]


def _width(line: Line) -> int:
    return sum(len(said) for said, _ in line)
