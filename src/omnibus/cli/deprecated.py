"""Old spellings of commands and options: they work for one more release, with a notice. Remove after 0.2."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

COMMANDS: Final = {("admin", "texts"): ("admin", "erase-texts")}
OPTIONS: Final = {
    ("play", "--bot"): "--opponent",
    ("arena", "--bot"): "--program",
    ("protocol", "--bot"): "--level",
}
CITY: Final = "--city"
"""Was `--city FILE`, and is `--option city=@FILE` now."""


def modernized(arguments: Sequence[str], warn: Callable[[str], None]) -> list[str]:
    """Return the arguments with old spellings replaced, and warn of each."""
    given = list(arguments)
    if tuple(given[:2]) in COMMANDS:
        renamed = COMMANDS[given[0], given[1]]
        warn(f"`{' '.join(given[:2])}` is now `{' '.join(renamed)}`")
        given[:2] = renamed
    modern: list[str] = []
    while given:
        word = given.pop(0)
        name, equals, value = word.partition("=")
        if word == "--":
            return [*modern, word, *given]
        if name == CITY:
            file = value if equals or not given else given.pop(0)
            warn("`--city FILE` is now `--option city=@FILE`")
            modern += ["--option", f"city=@{file}"]
        elif (arguments[0], name) in OPTIONS:
            new = OPTIONS[arguments[0], name]
            warn(f"`{name}` is now `{new}`")
            modern.append(new + equals + value)
        else:
            modern.append(word)
    return modern
