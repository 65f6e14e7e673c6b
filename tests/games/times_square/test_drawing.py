"""How it looks: well-formed pictures that show what a view holds, and parts that can be clicked."""

from __future__ import annotations

import re

import pytest

from omnibus import Match, games
from omnibus.games.times_square.board import SUE
from omnibus.games.times_square.drawing.layout import CARD_HEIGHT, CARD_WIDTH, LANDSCAPE, UPRIGHT, Layout
from omnibus.kernel.i18n import ENGLISH
from omnibus.kernel.svg import part_of

from .positions import place

GAME = games.find("times_square")


def test_ghosts_of_the_trio() -> None:
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


def test_terminal_shows_everybody() -> None:
    """§1.4 The six figures, by letter, in their columns."""
    match = place(a=-8, sue=-3, b=8, hal=-3, deb=0, charlie=5, hands=("sue sue hal1", ""))
    text = "\n".join("".join(run for run, _ in line) for line in GAME.text(match.view(0), ENGLISH))
    assert all(re.search(rf"[\[▐]{letter}[\]▌]", text) for letter in "abSHDC")
    assert "sue×2" in text


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
def test_any_hand_fits_its_tray(hand: str, at: Layout) -> None:
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
