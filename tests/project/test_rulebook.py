"""The rules for players: complete in every language, with the same §, the same pictures and the games' own words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from omnibus import Match, games
from omnibus.kernel.i18n import LANGUAGES
from omnibus.kernel.rulebook import Picture, draw, pictures, rulebook
from support.command_line import omnibus
from support.sections import SECTION, sections

pytestmark = pytest.mark.uncompiled

MARK = re.compile(r"^(?:## |\*\*)§(\d+(?:\.\d+)?)", re.MULTILINE)
HEADING = re.compile(r"^#+ (?:§\d+ )?(.+)$", re.MULTILINE)
PARAGRAPH = re.compile(r"^\*\*§.+$", re.MULTILINE)

every_game = pytest.mark.parametrize("name", games.names())
everywhere = pytest.mark.parametrize(
    ("name", "language"), [(name, language) for name in games.names() for language in LANGUAGES]
)


def data(name: str) -> dict[str, Any]:
    """Return the words a game's rules must use and the moves its pictures show, as far as its tests list any."""
    path = Path(__file__).parents[1] / "games" / name / "rulebook.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {"words": {}, "pictures": []}


def text(name: str, language: str) -> str:
    return "\n\n".join(block for block in rulebook(name, language) if isinstance(block, str))


def shown(name: str, language: str) -> list[Picture]:
    return [block for block in rulebook(name, language) if isinstance(block, Picture)]


def numbered(name: str) -> list[str]:
    """Return all § of a game's README in the order of their numbers."""
    return sorted(sections(name), key=lambda section: [int(part) for part in section.split(".")])


def notation(name: str, language: str) -> list[str]:
    """Return the lines in the first column of the table of notation."""
    rows = re.findall(r"^\| (`.+?) \|", text(name, language), re.MULTILINE)
    return [line for row in rows for line in re.findall(r"`([^`]+)`", row)]


def numbers(paragraph: str) -> list[str]:
    return sorted(re.findall(r"(?<![\w.,])[−+]?\d+(?![\w])", paragraph.replace("2,784", "2784")))


@everywhere
def test_every_section_is_told_in_order(name: str, language: str) -> None:
    """Every § of the README has its own paragraph, in order and not empty, and no other § is cited."""
    told = text(name, language)
    assert MARK.findall(told) == numbered(name)
    assert set(SECTION.findall(told)) <= sections(name)
    for paragraph in re.findall(r"^\*\*§[\d.]+\*\*(.*)$", told, re.MULTILINE):
        assert len(paragraph.split()) >= 5, paragraph


@everywhere
def test_all_languages_say_the_same(name: str, language: str) -> None:
    """No heading, caption or paragraph is left in English or much shorter; numbers and notation agree."""
    ours, theirs = text(name, "en"), text(name, language)
    assert len(theirs) > 0.9 * len(ours)
    assert notation(name, language) == notation(name, "en")
    assert notation(name, language)
    for one, other in zip(PARAGRAPH.findall(ours), PARAGRAPH.findall(theirs), strict=True):
        assert numbers(one) == numbers(other), other
    captions = [{picture.caption for picture in shown(name, each)} for each in ("en", language)]
    for one, other in (*((each.findall(ours), each.findall(theirs)) for each in (HEADING, PARAGRAPH)), captions):
        assert len(one) == len(other)
        assert language == "en" or not set(one) & set(other)


@everywhere
def test_pictures(name: str, language: str) -> None:
    """All languages show all pictures, each once, in one order, with plain captions, drawn in the reader's language."""
    names, told = [picture.name for picture in shown(name, language)], set()
    assert names == [picture.name for picture in shown(name, "en")]
    assert sorted(names) == list(pictures(name))
    assert "picture:" not in text(name, language)
    for picture in shown(name, language):
        assert not re.search(r"[`*_§\[\]]", picture.caption), picture
        drawing = draw(name, picture.name, language)
        description = ElementTree.fromstring(drawing).find("{http://www.w3.org/2000/svg}desc")
        assert description is not None
        told.add(description.text)
        assert language == "en" or drawing != draw(name, picture.name, "en")
    assert 0 < len(told) == len(names)


@every_game
def test_words_of_the_catalogue_are_used(name: str) -> None:
    """The rules call things what the board and the log call them."""
    for language, words in data(name)["words"].items():
        told = text(name, language).lower()
        assert [word for word in words if word.lower() not in told] == [], language


@every_game
def test_pictures_show_what_their_captions_say(name: str) -> None:
    """Where a caption says which moves are legal, these are exactly those of the position."""
    for shown in data(name)["pictures"]:
        record = Path(games.find(name).folder) / "pictures" / f"{shown['picture']}.game"
        lines = Match.read(record.read_text(encoding="utf-8")).lines()
        assert [line for line in lines if line.split()[0] == shown["first_word"]] == shown["lines"]


def test_unknown_games_languages_and_pictures_are_refused() -> None:
    """Games, languages and pictures that do not exist are refused, naming those that do."""
    with pytest.raises(ValueError, match="there is no game 'chess'"):
        rulebook("chess", "en")
    with pytest.raises(ValueError, match="en, it, fr, de"):
        rulebook("bus", "xx")
    with pytest.raises(ValueError, match=r"no picture '\.\./data/bus-city'.*no-way-out"):
        draw("bus", "../data/bus-city", "en")
    with pytest.raises(ValueError, match="en, it, fr, de"):
        draw("bus", "loop", "xx")


@everywhere
def test_in_the_terminal(name: str, language: str) -> None:
    """`omnibus rules` prints every paragraph and the captions of the pictures."""
    answer = omnibus("rules", name, "--lang", language)
    assert answer.returncode == 0
    said = "".join(answer.stdout.split())
    assert [section for section in numbered(name) if f"§{section}" not in said] == []
    assert all("".join(picture.caption.split()) in said for picture in shown(name, language))
