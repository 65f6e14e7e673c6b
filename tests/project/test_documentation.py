"""The documentation: what people look for is near the start, and figures are drawn from the measurements."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
WANTED = {
    "install": "docs/installing.md",
    "host": "docs/hosting.md",
    "write a bot": "docs/bots.md",
    "add a game": "docs/adding-a-game.md",
}


def links(page: Path) -> set[str]:
    """Return which pages of the repository a page links to."""
    found = re.findall(r"\]\(([^):#]+)[^):]*\)", page.read_text(encoding="utf-8"))
    return {(page.parent / path).resolve().relative_to(ROOT).as_posix() for path in found}


@pytest.mark.parametrize("wanted", WANTED.values(), ids=WANTED)
def test_two_clicks_are_enough(wanted: str) -> None:
    """From the start page of the documentation and from the README, whoever looks for it is there in two clicks."""
    for start in (DOCS / "README.md", ROOT / "README.md"):
        first = links(start)
        second = {link for page in first if page.endswith(".md") for link in links(ROOT / page)}
        assert wanted in first | second, start


def test_figures_are_drawn_from_the_measurements() -> None:
    """Every figure of docs/figures.md can be drawn, is there, and shows what the tables of the benchmarks say."""
    spec = importlib.util.spec_from_file_location("figures_of_docs", DOCS / "pictures" / "figures.py")
    assert spec
    assert spec.loader
    figures = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = figures  # its data classes look for it there
    spec.loader.exec_module(figures)
    drawn = figures.figures()
    shown = re.findall(r"pictures/figures/(\w+)\.svg", (DOCS / "figures.md").read_text(encoding="utf-8"))
    assert shown == list(drawn)
    for name, picture in drawn.items():
        assert ElementTree.fromstring(picture).tag.endswith("svg")
        assert (DOCS / "pictures" / "figures" / f"{name}.svg").exists()
    heading = "| match | win share | 95 % | fair |\n|---|---|---|---|\n"
    measured = figures.matches(f"{heading}| A: b – c | **60.0%** | 50% – 70% | 50.0% |\n")
    assert measured == [figures.MeasuredMatch("A: b – c", 0.6, 0.5, 0.7, 0.5)]
    assert len(figures.matches((ROOT / "benchmarks" / "STRENGTH.md").read_text(encoding="utf-8"))) > 10
