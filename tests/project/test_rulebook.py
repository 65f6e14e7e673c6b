"""The rules people read: complete in every language, with the same §, the same pictures and the games' own words."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from omnibus import Match, games
from omnibus.cli import main
from omnibus.kernel.i18n import LANGUAGES
from omnibus.kernel.rulebook import Picture, draw, pictures, rulebook
from support.sections import SECTION, sections

MARK = re.compile(r"^(?:## |\*\*)§(\d+(?:\.\d+)?)", re.MULTILINE)
HEADING = re.compile(r"^#+ (?:§\d+ )?(.+)$", re.MULTILINE)
TRANSLATIONS = [language for language in LANGUAGES if language != "en"]

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
    """Return the lines in the first column of the table of notation: `code` at the head of a row."""
    rows = re.findall(r"^\| (`.+?) \|", text(name, language), re.MULTILINE)
    return [line for row in rows for line in re.findall(r"`([^`]+)`", row)]


@everywhere
def test_every_section_is_told_in_order(name: str, language: str) -> None:
    """Every § of the README heads a paragraph of its own, in order, and no other § is cited."""
    assert MARK.findall(text(name, language)) == numbered(name)
    assert set(SECTION.findall(text(name, language))) <= sections(name)


@everywhere
def test_every_section_says_something(name: str, language: str) -> None:
    """No paragraph is only its number, and no language says much less than English does."""
    for paragraph in re.findall(r"^\*\*§[\d.]+\*\*(.*)$", text(name, language), re.MULTILINE):
        assert len(paragraph.split()) >= 5, paragraph
    assert len(text(name, language)) > 0.9 * len(text(name, "en"))


@everywhere
def test_pictures_are_the_same_everywhere(name: str, language: str) -> None:
    """All languages show all pictures of the game, each once, in one order, with plain captions."""
    names = [picture.name for picture in shown(name, language)]
    assert names == [picture.name for picture in shown(name, "en")]
    assert sorted(names) == list(pictures(name))
    assert len(names) >= 4
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
    """No heading, caption or paragraph stands there in English."""
    for pattern in (HEADING, re.compile(r"^\*\*§.+$", re.MULTILINE)):
        ours, theirs = pattern.findall(text(name, "en")), pattern.findall(text(name, language))
        assert len(ours) == len(theirs)
        assert not set(ours) & set(theirs)
    captions = {picture.caption for picture in shown(name, "en")}
    assert not captions & {picture.caption for picture in shown(name, language)}


@everywhere
def test_figures_agree(name: str, language: str) -> None:
    """Every paragraph has the numbers, and the table of notation the lines, that stand in the English one."""
    assert notation(name, language) == notation(name, "en")
    assert len(notation(name, language)) >= 8
    ours, theirs = (re.findall(r"^\*\*§.+$", text(name, each), re.MULTILINE) for each in ("en", language))
    for one, other in zip(ours, theirs, strict=True):
        assert numbers(one) == numbers(other), other


def numbers(paragraph: str) -> list[str]:
    return sorted(re.findall(r"(?<![\w.,])[−+]?\d+(?![\w])", paragraph.replace("2,784", "2784")))


@pytest.mark.parametrize("name", games.names())
def test_words_of_the_catalogue_are_used(name: str) -> None:
    """The rules call things what the board and the log call them."""
    for language, words in VOCABULARY[name].items():
        told = text(name, language).lower()
        for word in words.split(", "):
            assert word.lower() in told, f"{language}: {word}"


VOCABULARY = {
    "bus": {
        "it": "incroci, lotti, bastoncini, cubetti, capolinea, pietre del tempo, primo giocatore, flotta più grande",
        "fr": "carrefour, parcelle, bâtonnet, cube, terminus, pierres du temps, premier joueur, plus grande flotte",
        "de": "Kreuzung, Bauplätze, Stäbchen, Klötzchen, Enden, Zeitsteine, Startspieler, größte Flotte",
    },
    "metromania": {
        "it": "gallerie, casella di bordo, luogo, destinazione, linea piena, stazione bonus, gita della domenica",
        "fr": "tunnel, case de bord, lieu, destination, ligne pleine, station bonus, sortie du dimanche",
        "de": "Tunnel, Randfeld, Ort, Ziel, durchgezogene Linie, Bonusstation, Sonntagsfahrt",
    },
    "times_square": {
        "it": "tombino, ingresso, Ranghi stretti, jolly, mazzo, scarti, guardia a, Guardia 2, attirare",
        "fr": "bouche d’égout, entrée, Serrer les rangs, joker, pioche, défausse, garde a, Garde 2, attirer",
        "de": "Gully, Eingang, Aufrücken, Joker, Nachziehstapel, Ablage, Wächter a, Wächter 2, anlocken",
    },
}


SHOWN = {
    ("bus", "loop", "lay"): "lay 15-14, lay 15-17, lay 15-19, lay 15-20",
    ("bus", "no-way-out", "lay"): "lay 17-19, lay 25-26, lay 25-33",
    ("bus", "seats", "ride"): "ride 21-24, ride 21-29",
    ("bus", "shared-ends", "lay"): "lay 10-6, lay 24-22, lay 24-29, lay 24-30",
    ("metromania", "finish", "skip"): "skip",
    ("metromania", "going-on", "dig"): "dig solid SE l, dig solid SE r, dig solid E l, dig solid E r, dig solid SW l, "
    "dig solid SW r",
    ("times_square", "joker", "deb1"): "deb1 a left, deb1 a right, deb1 b left, deb1 b right",
    ("times_square", "lure", "lure"): "lure sue, lure b",
}


@pytest.mark.parametrize(("name", "picture", "head"), SHOWN)
def test_pictures_show_what_their_captions_say(name: str, picture: str, head: str) -> None:
    """Where a caption says what may be done, that and nothing else may be done."""
    record = Path(games.find(name).folder) / "pictures" / f"{picture}.game"
    lines = Match.read(record.read_text(encoding="utf-8")).lines()
    assert [line for line in lines if line.split()[0] == head] == SHOWN[name, picture, head].split(", ")


def test_the_rides_of_the_picture() -> None:
    """The game in the picture of §11 ended as its caption tells."""
    record = Path(games.find("metromania").folder) / "pictures" / "rides.game"
    outcome = Match.read(record.read_text(encoding="utf-8")).outcome
    assert outcome is not None
    tests = {test["test"]: (test["minutes"], test["scores"]) for test in outcome.details["tests"]}
    assert tests["A"] == (1, [6, 0, 0])
    assert tests["B"] == (None, [-6, 0, -6])
    assert tests["sunday"] == (7, [5, 5, 0])


def test_what_is_not_there_is_told() -> None:
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
    """`omnibus rules` prints every paragraph, and what the pictures show."""
    answer = CliRunner().invoke(main.app, ["rules", name, "--lang", language])
    assert answer.exit_code == 0
    said = "".join(answer.stdout.split())
    assert [section for section in numbered(name) if f"§{section}" not in said] == []
    for picture in shown(name, language):
        assert "".join(picture.caption.split()) in said
