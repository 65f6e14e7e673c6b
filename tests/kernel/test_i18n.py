"""Translations: catalogues are well formed, and what is not translated yet is read in English."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

from omnibus import BadPosition, Match, games
from omnibus.games.metromania.telling.status import LAST_TURN
from omnibus.kernel.i18n import LANGUAGES, error_text, words
from omnibus.kernel.names import say

pytestmark = pytest.mark.uncompiled

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "omnibus"
ERRORS = ("BadPosition", "MessageError")
KEYWORDS: Any = {"gettext": None, "ngettext": (1, 2), "mark": None, "_": None, "expect": (2,)} | dict.fromkeys(ERRORS)
PLAYERS = {"{player}", "{players}"}
FOLDERS = {"common": PACKAGE, **{name: Path(games.find(name).folder) for name in games.names()}}


def messages_of(source: Path) -> Iterator[tuple[str, ...]]:
    """Find every message in one source."""
    for _, found, _, _ in extract_from_file("python", source, keywords=KEYWORDS):
        yield found if isinstance(found, tuple) else (found,)


def blanks(message: str) -> set[str]:
    return set(re.findall(r"{\w*(?:!r)?}", message))


def texts(*options: str, package: Path = PACKAGE) -> subprocess.CompletedProcess[str]:
    """Run the program that keeps the catalogues up to date."""
    command = [sys.executable, str(ROOT / "release" / "texts.py"), "--package", str(package), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_catalogues_are_well_formed() -> None:
    """Every translation has the blanks of its message, and no message is translated twice."""
    complaints = texts("--check").stderr.splitlines()
    assert [each for each in complaints if "is out of date" not in each] == []  # `nox -s check` insists on that


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A package with one text, which is translated."""
    (tmp_path / "page.py").write_text('TITLE = mark("Hello, {name}")\n')
    (tmp_path / "locale").mkdir()
    assert texts(package=tmp_path).returncode == 0
    translate(tmp_path, "it", "Ciao, {name}")
    translate(tmp_path, "fr", "Salut, {name}")
    translate(tmp_path, "de", "Hallo, {name}")
    return tmp_path


def translate(package: Path, language: str, text: str) -> None:
    catalogue = package / "locale" / f"{language}.po"
    catalogue.write_text(re.sub('msgstr ".*"\n$', f'msgstr "{text}"\n', catalogue.read_text("utf-8")), "utf-8")


def test_a_changed_text_is_read_in_english_until_it_is_translated(small: Path) -> None:
    """The old translation is kept for the translator, marked as a guess; only a release insists on it."""
    assert texts("--complete", package=small).returncode == 0
    assert words("it", str(small)).gettext("Hello, {name}") == "Ciao, {name}"
    (small / "page.py").write_text('TITLE = mark("Hello there, {name}")\n')
    listed = texts("--check", package=small)
    assert (listed.returncode, listed.stdout.count("'Hello there, {name}'")) == (1, 3)
    assert listed.stderr.count("is out of date: run `nox -s texts`") == 3
    assert texts(package=small).returncode == 0
    assert texts("--check", package=small).returncode == 0
    assert "#, fuzzy" in (small / "locale" / "it.po").read_text("utf-8")
    assert "Ciao, {name}" in (small / "locale" / "it.po").read_text("utf-8")
    words.cache_clear()
    assert words("it", str(small)).gettext("Hello there, {name}") == "Hello there, {name}"
    assert texts("--complete", package=small).returncode == 1


def test_a_language_without_a_catalogue_is_read_in_english(small: Path) -> None:
    """A game that nobody has translated yet can be played by everybody."""
    (small / "locale" / "de.po").unlink()
    assert words("de", str(small), str(PACKAGE)).gettext("Hello, {name}") == "Hello, {name}"
    assert words("de", str(small), str(PACKAGE)).gettext("the whole log") != "the whole log"


def test_a_translation_with_other_blanks_is_refused(small: Path) -> None:
    """It would fail where it is shown, so the check fails, even where translations may be missing."""
    translate(small, "fr", "Salut, {nom}")
    checked = texts("--check", package=small)
    assert checked.returncode == 1
    assert "'Hello, {name}' has other blanks" in checked.stderr


AVOIDED = {
    "it": {
        "rivendic": "riservare un nome",
        "con punteggio": "valutazione, partita valutata",
        "due capi": "destinazioni",
    },
    "fr": {"classée": "partie cotée", "creusement": "creuser", "éfausser des cartes": "se défausser"},
    "de": {"dieses Platzes": "dein", "Metro ": "U-Bahn", "Metrolinie": "U-Bahn-Linie"},
}
"""Words that native readers stumbled over, with those that are said instead."""


@pytest.mark.parametrize("language", AVOIDED)
@pytest.mark.parametrize("folder", FOLDERS)
def test_avoided_words_do_not_come_back(folder: str, language: str) -> None:
    """A word that was replaced in one text is not used in another."""
    text = (FOLDERS[folder] / "locale" / f"{language}.po").read_text("utf-8")
    assert {word: instead for word, instead in AVOIDED[language].items() if word in text} == {}


LOOSE_SIGN = re.compile(r" [:;!?%»]|« ")
"""A French sign that a line could begin with, because the space before it is no no-break space."""
FRENCH = [
    *(folder / "locale" / "fr.po" for folder in FOLDERS.values()),
    *(folder / "locale" / "rules.fr.md" for name, folder in FOLDERS.items() if name != "common"),
]


@pytest.mark.parametrize("path", FRENCH, ids=lambda path: f"{path.parent.parent.name}-{path.name}")
def test_french_signs_stay_on_their_line(path: Path) -> None:
    """In French a no-break space stands before colon, semicolon, !, ?, %, and inside quotation marks."""
    if path.suffix == ".po":
        with path.open("rb") as file:
            entries = [entry.string for entry in read_po(file, abort_invalid=True) if entry.id]
        lines = [text for string in entries for text in ([string] if isinstance(string, str) else string or ())]
    else:
        lines = path.read_text("utf-8").splitlines()
    assert lines
    shown = [re.sub(r"`[^`]*`", "", str(line)) for line in lines]
    assert [line for line in shown if LOOSE_SIGN.search(line)] == []


def first_texts(path: Path) -> Iterator[ast.expr]:
    """Find what is given as the complaint of a check or of an error in a source file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ERRORS:
                yield node.args[0]
            elif node.func.id == "expect":
                yield node.args[1]


def test_complaints_are_messages() -> None:
    """What a check or an error says is a whole message, which the catalogues know: never put together on the spot."""
    texts = [(path, text) for path in sorted(PACKAGE.rglob("*.py")) for text in first_texts(path)]
    assert len(texts) > 100
    loose = [
        f"{path.relative_to(PACKAGE)}:{text.lineno}"
        for path, text in texts
        if not isinstance(text, ast.Constant | ast.Name)  # a name is that of a marked message
    ]
    assert not loose


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games.names())
def test_complaints_about_positions_are_translated(game: str, language: str) -> None:
    """The common part of a complaint and the game's own are both told in the reader's language."""
    document = Match.new(game, seed=1).position()
    for wrong in ({}, {**document, "seat": "nobody"}, {**document, "hands": 1, "players": 1}):
        with pytest.raises(BadPosition) as caught:
            Match.from_position(game, wrong)
        told = caught.value.told(language)
        assert "{" not in told
        assert (told == str(caught.value)) == (language == "en")


def sayings(source: Path) -> Iterator[tuple[str, str]]:
    """Find the pairs of sentences in a source: what others read of a player, and what the player reads."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Saying":
            others, you = (ast.literal_eval(marked.args[0]) for marked in node.args if isinstance(marked, ast.Call))
            yield others, you


@pytest.mark.parametrize("game", games.names())
def test_every_sentence_about_a_player_addresses_the_player_too(game: str) -> None:
    """Whoever is told of their own moves reads “you”: every sentence with a player in it has a second form."""
    folder = FOLDERS[game]
    sources = [*(folder / "telling").glob("*.py"), *folder.glob("telling.py")]
    pairs = [pair for source in sources for pair in sayings(source)]
    assert pairs
    told = {message for source in sources for found in messages_of(source) for message in found}
    assert {message for message in told if blanks(message) & PLAYERS} == {others for others, _ in pairs}
    for others, you in pairs:
        assert blanks(others) - PLAYERS == blanks(you) - {"{others}"}, others
        assert ("{players}" in others) == ("{others}" in you), others


@pytest.mark.parametrize("language", LANGUAGES)
def test_first_folder_answers_first(language: str) -> None:
    """A game's own messages come before the common ones, and both are found."""
    told = words(language, games.find("times_square").folder, str(PACKAGE))
    assert (told.gettext("Draw {card}") == "Draw {card}") == (language == "en")
    assert (told.gettext("the whole log") == "the whole log") == (language == "en")


def test_numbers_take_their_form() -> None:
    """One space, two spaces — and in French none is like one."""
    one, many = "{number} space", "{number} spaces"
    for language in LANGUAGES:
        told = words(language, games.find("times_square").folder)
        assert told.ngettext(one, many, 1) != told.ngettext(one, many, 2)
    french = words("fr", games.find("times_square").folder)
    assert french.ngettext(one, many, 0) == french.ngettext(one, many, 1)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Anna", "C’est le dernier tour d’Anna."),
        ("Élise", "C’est le dernier tour d’Élise."),
        ("Hélène", "C’est le dernier tour d’Hélène."),
        ("Yves", "C’est le dernier tour d’Yves."),
        ("Yann", "C’est le dernier tour de Yann."),
        ("Hal", "C’est le dernier tour de Hal."),
        ("Martha", "C’est le dernier tour de Martha."),
        ("8 de {coeur}", "C’est le dernier tour de 8 de {coeur}."),
    ],
)
def test_french_elides_before_a_name(name: str, sentence: str) -> None:
    """“de” loses its vowel before a name that begins with one; whatever is in the name itself stays as it is."""
    french = words("fr", games.find("metromania").folder)
    assert say(LAST_TURN, 0, [name, "Bea"], french) == sentence


def test_page_texts_in_french_need_no_elision() -> None:
    """Templates and scripts fill names in by themselves, so page texts avoid “de” and “que” before a name."""
    with (PACKAGE / "locale" / "fr.po").open("rb") as file:
        texts = [str(entry.string) for entry in read_po(file) if entry.id]
    assert [text for text in texts if re.search(r"\b([Dd]|[Qq]u)e {(player|name|names|other|host|seat)}", text)] == []


def test_errors_without_a_message_are_told_as_they_are() -> None:
    """Text that no catalogue has stays as it is, braces and all; an empty one stays empty."""
    for text in ("", "{", "not {here}"):
        assert error_text(ValueError(text), "de") == text


def test_unknown_language() -> None:
    """A language we do not speak is refused, naming those we do."""
    with pytest.raises(ValueError, match="en, it, fr, de"):
        words("xx")
