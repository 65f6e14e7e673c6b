"""Collect the texts of the program for its translators, and say which translations are missing.

    python release/texts.py               bring all catalogues up to date with the sources
    python release/texts.py --check       list what is missing; fails where a catalogue is malformed or out of date
    python release/texts.py --complete    also fails where a translation is missing, as a release must not

`nox -s texts` runs it. A changed text keeps its old translation, marked as fuzzy: a translator confirms or changes it
and removes the mark. Until then people read the text in English.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import PoFileError, read_po, write_po

PACKAGE: Final = Path(__file__).resolve().parent.parent / "src" / "omnibus"
LANGUAGES: Final = ("it", "fr", "de")
COMPLAINTS: Final = {"BadPosition": None, "MessageError": None, "expect": (2,)}
KEYWORDS: Final[Any] = {"gettext": None, "ngettext": (1, 2), "mark": None, "_": None} | COMPLAINTS
BLANK: Final = re.compile(r"{\w*(?:!r)?}")


def folders(package: Path) -> list[Path]:
    """Return the folders that have catalogues: the package itself, and every game."""
    return [package, *sorted(path.parent for path in package.glob("games/*/locale"))]


def template(folder: Path) -> Catalog:
    """Collect the messages of a folder; those of the package are the ones outside the games."""
    found = Catalog()
    for file, _, message, _, _ in extract_from_dir(
        folder, keywords=KEYWORDS, directory_filter=lambda path: Path(path) != folder / "games"
    ):
        found.add(message, locations=[(file, 0)])
    return found


def updated(path: Path, messages: Catalog) -> bytes | None:
    """Return a catalogue as it is up to date; None if it is."""
    before = path.read_bytes() if path.exists() else header(path).encode()
    catalogue = read_po(BytesIO(before), locale=path.stem, abort_invalid=True)
    catalogue.update(messages)
    after = BytesIO()
    options: dict[str, Any] = {"include_lineno": False, "sort_by_file": True, "ignore_obsolete": True}
    write_po(after, catalogue, width=120, omit_header=True, **options)
    top = before.decode().partition("\n\n")[0]
    text = f"{top}\n\n{after.getvalue().decode().strip()}\n".encode()
    return None if text == before else text


def header(path: Path) -> str:
    """Return the beginning of a catalogue that is new."""
    plural = "(n > 1)" if path.stem == "fr" else "(n != 1)"
    lines = [
        "Content-Type: text/plain; charset=utf-8",
        f"Language: {path.stem}",
        f"Plural-Forms: nplurals=2; plural={plural};",
    ]
    return '# Omnibus.\nmsgid ""\nmsgstr ""\n' + "".join(f'"{line}\\n"\n' for line in lines) + "\n"


def missing(path: Path, messages: Catalog) -> list[str]:
    """List the messages that a catalogue does not translate yet, or only as a guess."""
    catalogue = read_po(BytesIO(path.read_bytes()), abort_invalid=True) if path.exists() else Catalog()
    return [name(message) for message in messages if message.id and not translated(catalogue.get(name(message)))]


def translated(message: Message | None) -> bool:
    """Tell whether there is a translation that people can read."""
    return message is not None and not message.fuzzy and all(forms(message))


def forms(message: Message) -> list[str]:
    """Return all forms of a translation: one, or singular and plural."""
    return [message.string or ""] if isinstance(message.string, str | None) else [each or "" for each in message.string]


def name(message: Message) -> str:
    """Return the text by which a message is found: its singular."""
    return str(message.id if isinstance(message.id, str) else message.id[0])


def faults(path: Path) -> Iterator[str]:
    """Find what makes a catalogue malformed: blanks that are lost or made up, a message that is there twice."""
    try:
        catalogue = read_po(BytesIO(path.read_bytes()), abort_invalid=True)
    except PoFileError as error:
        yield str(error)
        return
    for message in catalogue:
        last = message.id if isinstance(message.id, str) else message.id[-1]
        for text in forms(message):
            if message.id and text and not message.fuzzy and set(BLANK.findall(text)) != set(BLANK.findall(last)):
                yield f"{name(message)!r} has other blanks in its translation"
    entries = Counter(re.findall(r'^msgid (?:"[^\n]*"\n?)+', path.read_text("utf-8"), re.MULTILINE))
    yield from (f"{entry.strip()} is there {times} times" for entry, times in entries.items() if times > 1)


def main() -> int:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing, list what is missing")
    parser.add_argument("--complete", action="store_true", help="the same, and fail if anything is missing")
    parser.add_argument("--package", type=Path, default=PACKAGE, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    malformed = untranslated = 0
    outdated = False
    for folder in folders(asked.package):
        messages = template(folder)
        for path in (folder / "locale" / f"{language}.po" for language in LANGUAGES):
            shown = path.relative_to(asked.package)
            found = list(faults(path)) if path.exists() else []
            malformed += len(found)
            for fault in found:
                print(f"{shown}: {fault}", file=sys.stderr)
            if found:
                continue
            new = updated(path, messages)
            if new and (asked.check or asked.complete):
                outdated = True
                print(f"{shown} is out of date: run `nox -s texts`", file=sys.stderr)
            elif new:
                path.write_bytes(new)
                print(f"{shown} is up to date now")
            texts = missing(path, messages)
            untranslated += len(texts)
            for text in texts:
                print(f"{shown}: to be translated: {text!r}")
    return 1 if malformed or outdated or (asked.complete and untranslated) else 0


if __name__ == "__main__":
    sys.exit(main())
