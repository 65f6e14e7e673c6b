"""Translations: every message is in every catalogue, of the common texts and of every game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.extract import extract_from_dir, extract_from_file
from babel.messages.pofile import read_po

import omnibus
from omnibus import BadPosition, Match, games
from omnibus.games.metromania.telling.status import LAST_TURN
from omnibus.kernel.i18n import LANGUAGES, error_text, words
from omnibus.kernel.names import say

pytestmark = pytest.mark.uncompiled

PACKAGE = Path(omnibus.__file__).parent
ERRORS = ("BadPosition", "MessageError")
KEYWORDS: Any = {"gettext": None, "ngettext": (1, 2), "mark": None, "_": None, "expect": (2,)} | dict.fromkeys(ERRORS)
PLAYERS = {"{player}", "{players}"}
FOLDERS = {"common": PACKAGE, **{name: Path(games.find(name).folder) for name in games.names()}}


@cache
def messages(folder: Path) -> set[tuple[str, ...]]:
    """Find every message in the sources of a folder; the common ones are those outside the games."""
    return {
        found if isinstance(found, tuple) else (found,)
        for _, _, found, _, _ in extract_from_dir(folder, keywords=KEYWORDS, directory_filter=is_not_of_games)
    }


def is_not_of_games(folder: str) -> bool:
    """Tell whether a folder is not that of the games, which have messages of their own."""
    return Path(folder) != PACKAGE / "games"


def messages_of(source: Path) -> Iterator[tuple[str, ...]]:
    """Find every message in one source."""
    for _, found, _, _ in extract_from_file("python", source, keywords=KEYWORDS):
        yield found if isinstance(found, tuple) else (found,)


def blanks(message: str) -> set[str]:
    return set(re.findall(r"{\w*(?:!r)?}", message))


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
@pytest.mark.parametrize("folder", FOLDERS)
def test_catalogues_are_complete(folder: str, language: str) -> None:
    """Every message has a translation with the same blanks; none is left over, none is marked as doubtful."""
    with (FOLDERS[folder] / "locale" / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, abort_invalid=True)
    wanted = messages(FOLDERS[folder])
    assert wanted
    for found in wanted:
        entry = catalogue.get(found[0])
        assert entry, f"{found[0]!r} is missing"
        assert not entry.fuzzy, found[0]
        translations = [entry.string] if isinstance(entry.string, str) else entry.string or [""]
        for translation in translations:
            assert translation, f"{found[0]!r} is empty"
            assert blanks(str(translation)) == blanks(found[-1]), found[0]
    known = {entry.id if isinstance(entry.id, tuple) else (entry.id,) for entry in catalogue if entry.id}
    assert known == wanted


@pytest.mark.parametrize(
    "catalogue", [path for folder in FOLDERS.values() for path in (folder / "locale").glob("*.po")]
)
def test_messages_are_translated_once(catalogue: Path) -> None:
    """Of two translations of one message one would never be seen, and translators' tools refuse the file."""
    entries = re.findall(r'^msgid (?:"[^\n]*"\n?)+', catalogue.read_text("utf-8"), re.MULTILINE)
    assert sorted(set(entries)) == sorted(entries)


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
