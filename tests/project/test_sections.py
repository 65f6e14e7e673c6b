"""Every § of a game's rules has a test, and every § that is cited exists."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from omnibus import games
from support.cases import cases
from support.sections import SECTION, sections

TESTS = Path(__file__).parent.parent / "games"


def to_be_tested(name: str) -> set[str]:
    """The smallest paragraphs: §4.3, and §2 where nothing is numbered below it."""
    everything = sections(name)
    above = {section.split(".")[0] for section in everything if "." in section}
    return {section for section in everything if section not in above}


def cited_by_tests(name: str) -> set[str]:
    """Return all § in the titles of a game's cases and in the docstrings of its tests."""
    cited = {section for case in cases(name) for section in SECTION.findall(case.title)}
    for path in (TESTS / name).rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                cited |= set(SECTION.findall(ast.get_docstring(node) or ""))
    return cited


@pytest.mark.parametrize("name", games.names())
def test_every_section_has_a_test(name: str) -> None:
    """A § without a test whose docstring cites it is a rule nobody holds."""
    assert to_be_tested(name) <= cited_by_tests(name)


@pytest.mark.parametrize("name", games.names())
def test_every_cited_section_exists(name: str) -> None:
    """Code, words and tests cite only what the rules hold."""
    folder = Path(games.find(name).folder)
    tests = [path for ending in ("py", "cases") for path in (TESTS / name).rglob(f"*.{ending}")]
    for path in [*folder.rglob("*.py"), *folder.rglob("*.po"), *tests]:
        cited = set(SECTION.findall(path.read_text(encoding="utf-8")))
        assert cited <= sections(name), f"{path.name} cites {cited - sections(name)}"
