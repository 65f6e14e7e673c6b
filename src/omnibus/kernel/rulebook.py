"""The rules for players: one Markdown file per language, with pictures that the game draws itself.

The rules are in `locale/rules.LANGUAGE.md` of the game's folder. A line `![caption](picture:name)` is replaced by the
final position of the record `pictures/name.game`, drawn in the reader's language. Callers render the blocks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from omnibus.kernel import registry
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.kernel.match import Match

PICTURE: Final = re.compile(r"^!\[(?P<caption>[^\]\n]+)\]\(picture:(?P<name>[^)\n]+)\)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in the rules: the name of its record, and its caption."""

    name: str
    caption: str


Block = str | Picture
"""A run of Markdown, or a picture."""


def rulebook(game: str, language: str) -> list[Block]:
    """Read the rules of a game in a language."""
    words(language)  # raises ValueError for an unknown language
    file = Path(registry.find(game).folder) / "locale" / f"rules.{language}.md"
    return _blocks(file.read_text(encoding="utf-8"))


def pictures(game: str) -> tuple[str, ...]:
    """Return the names of the pictures in the rules of a game, in alphabetical order."""
    return tuple(sorted(path.stem for path in _folder(game).glob("*.game")))


@cache
def draw(game: str, picture: str, language: str, *, wide: bool = False) -> str:
    """Draw a picture of the rules as SVG, as seen by the seat to act, or by a spectator if the game is over."""
    if picture not in pictures(game):
        raise ValueError(f"the rules of {game} have no picture {picture!r}; they have: {', '.join(pictures(game))}")
    match = Match.read((_folder(game) / f"{picture}.game").read_text(encoding="utf-8"))
    viewer = match.actor if isinstance(match.actor, int) else None
    return match.game.svg(match.view(viewer), words(language, match.game.folder, COMMON_TEXTS), wide=wide)


def _folder(game: str) -> Path:
    return Path(registry.find(game).folder) / "pictures"


def _blocks(text: str) -> list[Block]:
    blocks: list[Block] = []
    end = 0
    for found in PICTURE.finditer(text):
        blocks += [text[end : found.start()].strip(), Picture(found["name"], found["caption"])]
        end = found.end()
    return [block for block in [*blocks, text[end:].strip()] if block]
