"""Translations: gettext catalogues, read from the .po files next to the code."""

from __future__ import annotations

import gettext
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final

LANGUAGES: Final = ("en", "it", "fr", "de")
ENGLISH: Final = gettext.NullTranslations()
COMMON_TEXTS: Final = str(Path(__file__).parents[1])
"""The folder with the catalogues of the texts that belong to no game."""


@cache
def words(language: str, *folders: str) -> gettext.NullTranslations:
    """Return the translations into a language; the first folder that has a message provides it.

    English needs no catalogue: the messages themselves are written in it.
    """
    if language not in LANGUAGES:
        raise ValueError(f"there is no language {language!r}; there are: {', '.join(LANGUAGES)}")
    if language == "en" or not folders:
        return ENGLISH
    catalogue = _read(Path(folders[0]) / "locale" / f"{language}.po")
    catalogue.add_fallback(words(language, *folders[1:]))
    return catalogue


def _read(path: Path) -> gettext.GNUTranslations:
    from babel.messages.mofile import write_mo  # imported late: English never needs it
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file, abort_invalid=True))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def mark(message: str) -> str:
    """Mark a message for translation; it is translated where it is shown."""
    return message


class Message:
    """A sentence that is translated when somebody reads it: a marked message, and what fills its blanks.

    What fills a blank may be a message itself.
    """

    def __init__(self, text: str, **blanks: Any) -> None:
        self.text = text
        self.blanks = blanks

    def told(self, language: str) -> str:
        """Return the sentence in a language."""
        filled = {
            name: value.told(language) if isinstance(value, Message) else value for name, value in self.blanks.items()
        }
        return words(language, COMMON_TEXTS).gettext(self.text).format(**filled)

    def __str__(self) -> str:
        return self.told("en")


class MessageError(ValueError):
    """An error that can be told in every language; as a string it is English."""

    def __init__(self, text: str, **blanks: Any) -> None:
        self.message = Message(text, **blanks)
        super().__init__(str(self.message))


def error_text(error: ValueError, language: str) -> str:
    """Return what an error says, in a language if it can be translated."""
    return error.message.told(language) if isinstance(error, MessageError) else str(error)
