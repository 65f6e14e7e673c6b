"""The rules for players: complete in every language, with the same §, the same pictures and the games' own words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from omnibus import Match, games
from omnibus.cli import main
from omnibus.kernel.i18n import LANGUAGES
from omnibus.kernel.rulebook import Picture, draw, pictures, rulebook
from support.sections import SECTION, sections

pytestmark = pytest.mark.uncompiled

MARK = re.compile(r"^(?:## |\*\*)§(\d+(?:\.\d+)?)", re.MULTILINE)
HEADING = re.compile(r"^#+ (?:§\d+ )?(.+)$", re.MULTILINE)
TRANSLATIONS = [language for language in LANGUAGES if language != "en"]


def data(name: str) -> dict[str, Any]:
    """Return the words a game's rules must use and the moves its pictures show, as far as its tests list any."""
    path = Path(__file__).parents[1] / "games" / name / "rulebook.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {"words": {}, "pictures": []}


DATA = {name: data(name) for name in games.names()}

everywhere = pytest.mark.parametrize(
    ("name", "language"), [(name, language) for name in games.names() for language in LANGUAGES]
)


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


@everywhere
def test_every_section_is_told_in_order(name: str, language: str) -> None:
    """Every § of the README has its own paragraph, in order, and no other § is cited."""
    assert MARK.findall(text(name, language)) == numbered(name)
    assert set(SECTION.findall(text(name, language))) <= sections(name)


@everywhere
def test_every_section_says_something(name: str, language: str) -> None:
    """No paragraph is empty, and no language is much shorter than English."""
    for paragraph in re.findall(r"^\*\*§[\d.]+\*\*(.*)$", text(name, language), re.MULTILINE):
        assert len(paragraph.split()) >= 5, paragraph
    assert len(text(name, language)) > 0.9 * len(text(name, "en"))


@everywhere
def test_pictures_are_the_same_everywhere(name: str, language: str) -> None:
    """All languages show all pictures of the game, each once, in one order, with plain captions."""
    names = [picture.name for picture in shown(name, language)]
    assert names == [picture.name for picture in shown(name, "en")]
    assert sorted(names) == list(pictures(name))
    assert names
    for picture in shown(name, language):
        assert not re.search(r"[`*_§\[\]]", picture.caption), picture
    assert "picture:" not in text(name, language)


@everywhere
def test_pictures_are_drawn(name: str, language: str) -> None:
    """Every picture is drawn from its record, in the reader's language."""
    told = set()
    for picture in shown(name, language):
        drawing = draw(name, picture.name, language)
        description = ElementTree.fromstring(drawing).find("{http://www.w3.org/2000/svg}desc")
        assert description is not None
        told.add(description.text)
        assert language == "en" or drawing != draw(name, picture.name, "en")
    assert len(told) == len(shown(name, language))


@pytest.mark.parametrize("language", TRANSLATIONS)
@pytest.mark.parametrize("name", games.names())
def test_everything_is_translated(name: str, language: str) -> None:
    """No heading, caption or paragraph is left in English."""
    for pattern in (HEADING, re.compile(r"^\*\*§.+$", re.MULTILINE)):
        ours, theirs = pattern.findall(text(name, "en")), pattern.findall(text(name, language))
        assert len(ours) == len(theirs)
        assert not set(ours) & set(theirs)
    captions = {picture.caption for picture in shown(name, "en")}
    assert not captions & {picture.caption for picture in shown(name, language)}


@everywhere
def test_figures_agree(name: str, language: str) -> None:
    """Every paragraph has the same numbers, and the table of notation the same lines, as the English one."""
    assert notation(name, language) == notation(name, "en")
    assert notation(name, language)
    ours, theirs = (re.findall(r"^\*\*§.+$", text(name, each), re.MULTILINE) for each in ("en", language))
    for one, other in zip(ours, theirs, strict=True):
        assert numbers(one) == numbers(other), other


def numbers(paragraph: str) -> list[str]:
    return sorted(re.findall(r"(?<![\w.,])[−+]?\d+(?![\w])", paragraph.replace("2,784", "2784")))


@pytest.mark.parametrize("name", games.names())
def test_words_of_the_catalogue_are_used(name: str) -> None:
    """The rules call things what the board and the log call them."""
    for language, words in DATA[name]["words"].items():
        told = text(name, language).lower()
        assert [word for word in words if word.lower() not in told] == [], language


@pytest.mark.parametrize("name", games.names())
def test_pictures_show_what_their_captions_say(name: str) -> None:
    """Where a caption says which moves are legal, these are exactly those of the position."""
    for shown in DATA[name]["pictures"]:
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
    answer = CliRunner().invoke(main.app, ["rules", name, "--lang", language])
    assert answer.exit_code == 0
    said = "".join(answer.stdout.split())
    assert [section for section in numbered(name) if f"§{section}" not in said] == []
    for picture in shown(name, language):
        assert "".join(picture.caption.split()) in said
