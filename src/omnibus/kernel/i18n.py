"""Languages: gettext catalogues, read from the .po files that stand beside the code."""

from __future__ import annotations

import gettext
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

LANGUAGES: Final = ("en", "it", "fr", "de")
ENGLISH: Final = gettext.NullTranslations()
COMMON_TEXTS: Final = str(Path(__file__).parents[1])
"""The folder with the catalogues of texts that belong to no game."""


@cache
def words(language: str, *folders: str) -> gettext.NullTranslations:
    """Return the words of a language; the first folder that knows a message answers.

    English is what the messages themselves are written in and needs no catalogue.
    """
    if language not in LANGUAGES:
        raise ValueError(f"there is no language {language!r}; there are: {', '.join(LANGUAGES)}")
    if language == "en" or not folders:
        return ENGLISH
    catalogue = _read(Path(folders[0]) / "locale" / f"{language}.po")
    catalogue.add_fallback(words(language, *folders[1:]))
    return catalogue


def _read(path: Path) -> gettext.GNUTranslations:
    from babel.messages.mofile import write_mo  # here, because English never needs it
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file, abort_invalid=True))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def mark(message: str) -> str:
    """Mark a message for translation where it stands; it is translated where it is told."""
    return message
