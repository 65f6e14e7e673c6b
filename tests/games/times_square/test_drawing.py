"""How it looks: well-formed pictures that show what a view holds, and parts that can be clicked."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from omnibus import Match, games
from omnibus.games.times_square import drawing
from omnibus.games.times_square.board import SUE
from omnibus.games.times_square.drawing.layout import CARD_HEIGHT, CARD_WIDTH, LANDSCAPE, UPRIGHT, Layout
from omnibus.kernel.i18n import ENGLISH, LANGUAGES, words
from omnibus.kernel.svg import part_of

Place = Callable[..., Match]
GAME = games.find("times_square")


def positions() -> list[Match]:
    matches = [Match.new("times_square", dice=False)]
    for seed, edition in enumerate(["times_square", "royal_visit"] * 3):
        random = Random(seed)
        match = Match.new("times_square", options={"edition": edition}, seed=seed)
        for _ in range(seed * 20):
            if match.actor is not None:
                match.play(random.choice(match.lines()))
        matches.append(match)
    return matches


@pytest.mark.parametrize("seat", [0, 1, None])
@pytest.mark.parametrize("number", range(7))
def test_picture_is_sound(number: int, seat: int | None) -> None:
    """Well-formed, without scripts or outside references, every symbol defined, every id once."""
    picture = positions()[number].svg(seat)
    root = ElementTree.fromstring(picture)
    assert root.get("role") == "img"
    assert not re.search(r"<script|javascript:|https?://(?!www\.w3\.org/)|@import", picture)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    used = {element.get("href") for element in root.iter() if element.tag.endswith("use")}
    assert {f"#{name}" for name in ids} >= used


@pytest.mark.parametrize("number", range(1, 7))
def test_every_part_is_in_the_picture(number: int) -> None:
    """§12 What a legal line touches can be clicked in the actor's picture, or is one of the ghosts shown on it."""
    match = positions()[number]
    if isinstance(match.actor, int):
        root = ElementTree.fromstring(match.svg(match.actor))
        touched = {line: set(drawing.parts(match.state, GAME.parse(match.state, line))) for line in match.lines()}
        ghosts = GAME.targets(match.view(match.actor), set().union(*touched.values()), ENGLISH)
        there = {element.get("data-part") for element in root.iter()} | set(map(part_of, ghosts))
        for line, parts in touched.items():
            assert parts <= there, line


def test_parts(place: Place) -> None:
    """§12 A line names its card, who moves, and where to: the space for one figure alone, and ghosts."""
    match = place(hands=("sue sue hal2 guard2 close deb0 deb3", ""), deb=-4)

    def parts(line: str) -> set[str]:
        return set(drawing.parts(match.state, GAME.parse(match.state, line)))

    assert parts("hal2 left") == {"card-hal2", "figure-hal", "space--1", "ghost-hal--1"}
    assert parts("deb3 sue right") == {"card-deb3", "figure-sue", "space-3", "ghost-sue-3"}
    assert parts("sue+sue left") == {"card-sue", "figure-sue", "figure-a", "figure-b", "ghost-trio-left"}
    assert parts("guard2 a left b left") == {"card-guard2", "figure-a", "figure-b", "ghost-a--3", "ghost-b-1"}
    assert parts("deb0 hal") == {"card-deb0", "figure-hal", "space-0", "ghost-hal-0"}
    assert parts("lure b") == {"figure-b", "figure-hal", "space-1", "ghost-b-1"}
    assert parts("drop close") == {"card-close", "discards"}
    assert parts("done") == {"supply"}
    assert parts("draw sue") == set()


def test_ghosts_of_the_trio(place: Place) -> None:
    """§4.3 A green pair shows all three figures one space further: going left above their lane, going right below."""
    match = place(hands=("sue sue", ""), a=-2, sue=0, b=2)
    ghosts = {
        piece.id: piece for piece in GAME.targets(match.view(0), {"ghost-trio-left", "ghost-trio-right"}, ENGLISH)
    }
    for way, step in (("left", -1), ("right", 1)):
        spaces = [ghosts[f"ghost-trio-{way}_{name}"].x for name in ("a", "sue", "b")]
        assert spaces == [UPRIGHT.space_x(space + step) for space in (-2, 0, 2)]
    assert ghosts["ghost-trio-left_sue"].y < UPRIGHT.figure_y(SUE) < ghosts["ghost-trio-right_sue"].y


def test_pieces_keep_their_ids() -> None:
    """A piece that moves keeps its id, so that a page can let it glide; its part is its id up to an underscore."""
    match = Match.new("times_square", seed=1)
    before = {piece.id: piece for piece in GAME.pieces(match.view(0), ENGLISH)}
    assert {"figure-sue", "figure-a", "figure-b", "figure-hal", "figure-deb", "figure-charlie"} <= set(before)
    line = next(line for line in match.lines() if line.startswith(("guard1", "hal")))
    name = "figure-hal" if line.startswith("hal") else f"figure-{line.split()[1]}"
    match.play(line)
    after = {piece.id: piece for piece in GAME.pieces(match.view(0), ENGLISH)}
    assert before[name].x != after[name].x
    assert before[name].symbol == after[name].symbol
    assert {part_of(piece) for name, piece in before.items() if "_" in name} >= {"supply", "hand-1"}


def test_background_does_not_change() -> None:
    """What is drawn once stays the same to the end of the game."""
    match = Match.new("times_square", seed=1)
    first = drawing.background(match.view(0), ENGLISH)
    while match.actor is not None:
        match.play(match.lines()[0])
    assert drawing.background(match.view(0), ENGLISH) == first


@pytest.mark.parametrize("language", LANGUAGES)
def test_terminal_fits_80_columns(language: str) -> None:
    """Every line of the terminal's board has at most 80 columns, in every language."""
    for match in positions():
        for seat in (0, 1, None):
            board = GAME.text(match.view(seat), words(language, GAME.folder))
            assert all(sum(len(text) for text, _ in line) <= 80 for line in board)


def test_terminal_shows_everybody(place: Place) -> None:
    """§1.4 The six figures, by letter, in their columns."""
    match = place(a=-8, sue=-3, b=8, hal=-3, deb=0, charlie=5, hands=("sue sue hal1", ""))
    text = "\n".join("".join(run for run, _ in line) for line in GAME.text(match.view(0), ENGLISH))
    assert all(re.search(rf"[\[▐]{letter}[\]▌]", text) for letter in "abSHDC")
    assert "sue×2" in text


def test_same_picture_in_every_process() -> None:
    """The same position is drawn to the same bytes, whatever the hash seed."""
    code = "from omnibus import Match; print(hash('x'), Match.new('times_square', seed=3).svg(0))"
    pictures: set[Any] = set()
    for seed in ("1", "2"):
        answer = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        )
        pictures.add(answer.stdout.split(" ", 1)[1])
    assert len(pictures) == 1


@pytest.mark.parametrize("at", [UPRIGHT, LANDSCAPE])
@pytest.mark.parametrize(
    "hand",
    [
        "sue hal1 hal2 hal3 guard1 guard2 close deb0",
        "sue sue sue sue sue sue sue sue",
        "sue sue sue sue hal2 hal2 deb3 deb4",
        "sue sue sue sue sue sue sue deb3",
    ],
)
def test_any_hand_fits_its_tray(place: Place, hand: str, at: Layout) -> None:
    """§3.2 Eight cards, equal or not, lie side by side inside the tray."""
    view = place(hands=(hand, "")).view(0)
    tray = at.trays(view).hand
    assert tray
    cards = [piece for piece in GAME.pieces(view, ENGLISH, wide=at.wide) if piece.symbol.startswith("ts-card")]
    assert len(cards) == 8
    assert min(piece.x for piece in cards) > tray.x
    assert max(piece.x for piece in cards) + CARD_WIDTH * at.card < tray.x + tray.wide
    assert min(piece.y for piece in cards) > tray.y
    assert max(piece.y for piece in cards) + CARD_HEIGHT * at.card < tray.y + tray.tall
