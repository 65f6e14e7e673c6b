"""The README is true: its session runs, its commands are the first two, its picture is the code's own."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from omnibus import Match, games

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_session_runs() -> None:
    """The Python session of the README gives what it says."""
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried >= 8
    assert failed == 0


def test_the_two_commands_come_first() -> None:
    """`python3 dev.py play` and `python3 dev.py test` are the first commands shown, and nothing else with them."""
    block = re.search(r"```sh\n(.*?)```", README, re.DOTALL)
    assert block
    commands = [line.split("#")[0].strip() for line in block[1].splitlines()]
    assert commands == ["python3 dev.py play", "python3 dev.py test"]


@pytest.mark.parametrize("name", games.names())
def test_pictures_are_drawn_by_the_code(name: str) -> None:
    """The pictures of the README are what `omnibus draw` draws from the records beside them."""
    assert f"docs/pictures/{name}.svg" in README
    record = (ROOT / "docs" / "pictures" / f"{name}.game").read_text(encoding="utf-8")
    picture = (ROOT / "docs" / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
    assert Match.read(record).svg(0) == picture.strip()


def test_links_lead_somewhere() -> None:
    """Every file the documents link to exists."""
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+?)\)|src=\"([^\"]+)\"", document.read_text(encoding="utf-8")):
            link = target[0] or target[1]
            if "://" not in link:
                assert (document.parent / link).exists(), f"{document.name}: {link}"
