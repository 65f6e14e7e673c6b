"""Translations: gettext catalogues, read from the .po files next to the code."""

from __future__ import annotations

import gettext
import re
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final

LANGUAGES: Final = ("en", "it", "fr", "de")
ENGLISH: Final = gettext.NullTranslations()
COMMON_TEXTS: Final = str(Path(__file__).parents[1])
"""The folder with the catalogues of the texts that belong to no game."""

BEFORE_BLANK: Final = re.compile(r"\b([Dd]|[Qq]u)e (?={(\w+)})")
SOUNDED: Final = re.compile(r"[aeiouàâäéèêëîïôöûüæœ]|y[^aeiouy]|h[éèêiy]", re.IGNORECASE)
"""How a name begins before which French drops the e of “de” and “que”; most names with Ha are English or German."""


@cache
def words(language: str, *folders: str) -> gettext.NullTranslations:
    """Return the translations into a language; the first folder that has a message provides it.

    English needs no catalogue: the messages themselves are written in it, and what is not translated is read in it.
    """
    if language not in LANGUAGES:
        raise ValueError(f"there is no language {language!r}; there are: {', '.join(LANGUAGES)}")
    if language == "en" or not folders:
        return ENGLISH
    catalogue = _read(Path(folders[0]) / "locale" / f"{language}.po")
    catalogue.add_fallback(words(language, *folders[1:]))
    return catalogue


def _read(path: Path) -> gettext.NullTranslations:
    """Read a catalogue; the static site has it compiled, so that no browser has to parse it."""
    ready = path.with_suffix(".mo")
    if ready.exists():
        with ready.open("rb") as file:
            return gettext.GNUTranslations(file)
    if not path.exists():
        return gettext.NullTranslations()
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


def fill(text: str, **blanks: Any) -> str:
    """Fill the blanks of a translated sentence; in French, “de {player}” becomes “d’Anna” before a vowel."""

    def shorten(found: re.Match[str]) -> str:
        return f"{found[1]}’" if SOUNDED.match(str(blanks.get(found[2], ""))) else found[0]

    return BEFORE_BLANK.sub(shorten, text).format(**blanks)


class Message:
    """A sentence that is translated when somebody reads it: a marked message, and what fills its blanks.

    What fills a blank may be a message itself. Text without blanks is shown as it is.
    """

    def __init__(self, text: str, /, **blanks: Any) -> None:
        self.text = text
        self.blanks = blanks
        self.folders: tuple[str, ...] = (COMMON_TEXTS,)

    def within(self, folder: str) -> Message:
        """Return the message as one of a game's own: the catalogues of this folder are asked first."""
        own = Message(self.text, **{name: _within(folder, value) for name, value in self.blanks.items()})
        own.folders = (folder, COMMON_TEXTS)
        return own

    def told(self, language: str) -> str:
        """Return the sentence in a language."""
        text = words(language, *self.folders).gettext(self.text) if self.text else ""  # "" stands for the header
        filled = {
            name: value.told(language) if isinstance(value, Message) else value for name, value in self.blanks.items()
        }
        return fill(text, **filled) if filled else text

    def __str__(self) -> str:
        return self.told("en")


def _within(folder: str, value: Any) -> Any:
    return value.within(folder) if isinstance(value, Message) else value


def alternatives(items: Sequence[Message | str]) -> Message | str:
    """Return several things as "3, 4 or 5"; a single one as it is. Only the last may be a message."""
    *others, last = items
    return Message(mark("{others} or {last}"), others=", ".join(map(str, others)), last=last) if others else last


class MessageError(ValueError):
    """An error that can be told in every language; as a string it is English."""

    def __init__(self, text: str, /, **blanks: Any) -> None:
        self.message = Message(text, **blanks)
        super().__init__(str(self.message))

    def told(self, language: str) -> str:
        """Return what it says in a language."""
        return self.message.told(language)


def message_of(error: ValueError) -> Message:
    """Return what an error says, to be translated if it can be."""
    return error.message if isinstance(error, MessageError) else Message(str(error))


def error_text(error: ValueError, language: str) -> str:
    """Return what an error says, in a language if it can be translated."""
    return message_of(error).told(language)
