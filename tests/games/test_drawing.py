"""How every game looks: sound pictures, in both shapes, the same in every process, and boards for a terminal."""

from __future__ import annotations

import re
import subprocess
import sys
from xml.etree import ElementTree

from omnibus import games
from omnibus.kernel.i18n import ENGLISH, LANGUAGES, words
from support.games_played import GamePlayed, every_game, in_positions


@in_positions(2)
def test_pictures_are_sound(played: GamePlayed) -> None:
    """Well-formed, no scripts or outside references, every symbol and pattern defined, every id once, pieces named."""
    game = played.game
    for wide in (False, True):
        view = game.view(played.state, played.random.choice(played.readers()))
        picture = game.svg(view, ENGLISH, wide=wide)
        root = ElementTree.fromstring(picture)
        assert root.get("role") == "img"
        assert not re.search(r"<script|javascript:|https?://(?!www\.w3\.org/)|@import", picture)
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        used = {element.get("href") for element in root.iter() if element.tag.endswith("use")}
        used |= {f"#{name}" for name in re.findall(r"url\(#([\w-]+)\)", picture)}
        pieces = game.pieces(view, ENGLISH, wide=wide)
        assert {f"#{name}" for name in ids} >= used | {f"#{piece.symbol}" for piece in pieces}
        assert len({piece.id for piece in pieces}) == len(pieces)
        assert all(piece.label for piece in pieces)


@in_positions(2)
def test_terminals_have_80_columns(played: GamePlayed) -> None:
    """No line of the terminal's board is longer, in any language."""
    for language in LANGUAGES:
        told = words(language, played.game.folder)
        for seat in played.readers():
            board = played.game.text(played.game.view(played.state, seat), told)
            assert board
            assert all(sum(len(text) for text, _ in line) <= 80 for line in board)


@every_game
def test_same_picture_in_every_process(name: str) -> None:
    """The same position is drawn to the same bytes, whatever the hash seed."""
    code = f"from omnibus import Match; print(hash('x'), Match.new('{name}', seed=3).svg(0))"
    pictures = set()
    for seed in ("1", "2"):
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)}
        answer = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
        )
        pictures.add(answer.stdout.split(" ", 1)[1])
    assert len(pictures) == 1
    assert games.find(name).title
