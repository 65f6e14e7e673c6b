"""Translations: every message is in every catalogue, of the common texts and of every game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import omnibus
from omnibus import games
from omnibus.kernel.i18n import LANGUAGES, words

PACKAGE = Path(omnibus.__file__).parent
KEYWORDS: Any = {"gettext": None, "ngettext": (1, 2), "mark": None, "_": None}
FOLDERS = {"common": PACKAGE, **{name: Path(games.find(name).folder) for name in games.names()}}


def messages(folder: Path) -> Iterator[tuple[str, ...]]:
    """Find every message in the sources of a folder; the common ones are those outside the games."""
    for name, _, found, _, _ in extract_from_dir(folder, keywords=KEYWORDS):
        if folder != PACKAGE or not name.startswith("games/"):
            yield found if isinstance(found, tuple) else (found,)


def blanks(message: str) -> set[str]:
    return set(re.findall(r"{\w*}", message))


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
@pytest.mark.parametrize("folder", FOLDERS)
def test_catalogues_are_complete(folder: str, language: str) -> None:
    """Every message has a translation with the same blanks; none is left over, none is marked as doubtful."""
    with (FOLDERS[folder] / "locale" / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, abort_invalid=True)
    wanted = set(messages(FOLDERS[folder]))
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_first_folder_answers_first(language: str) -> None:
    """A game's own messages come before the common ones, and both are found."""
    told = words(language, games.find("times_square").folder, str(PACKAGE))
    assert (told.gettext("Draw {card}") == "Draw {card}") == (language == "en")
    assert (told.gettext("the whole log") == "the whole log") == (language == "en")


def test_numbers_take_their_form() -> None:
    """One space, two spaces — and in French none is like one."""
    one, many = (
        "Charlie walks {number} space toward the club of {player}, to {space}.",
        "Charlie walks {number} spaces toward the club of {player}, to {space}.",
    )
    for language in LANGUAGES:
        told = words(language, games.find("times_square").folder)
        assert told.ngettext(one, many, 1) != told.ngettext(one, many, 2)
    french = words("fr", games.find("times_square").folder)
    assert french.ngettext(one, many, 0) == french.ngettext(one, many, 1)


def test_unknown_language() -> None:
    """A language we do not speak is refused, naming those we do."""
    with pytest.raises(ValueError, match="en, it, fr, de"):
        words("xx")
