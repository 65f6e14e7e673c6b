"""The § of the rules of a game."""

from __future__ import annotations

import re
from pathlib import Path

from omnibus import games

SECTION = re.compile(r"§(\d+(?:\.\d+)?)")


def sections(name: str) -> set[str]:
    """Return all § of a game's README; worked examples, if there are any, count as §14.1, §14.2 and so on."""
    text = (Path(games.find(name).folder) / "README.md").read_text(encoding="utf-8")
    heading = re.search(r"^## §(\d+) Worked examples", text, re.MULTILINE)
    if heading is None:
        return set(SECTION.findall(text))
    examples = re.findall(r"^(\d+)\. ", text[heading.end() :].split("\n## ")[0], re.MULTILINE)
    return {*SECTION.findall(text), *(f"{heading[1]}.{number}" for number in examples)}
