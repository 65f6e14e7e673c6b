"""The documentation: what people look for is near the start, every block of code runs, and quoted buttons exist."""

from __future__ import annotations

import doctest
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.server.pages.account_texts import ACCOUNT
from omnibus.server.pages.texts import PAGE, TABLE

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "examples/README.md", *sorted(DOCS.rglob("*.md"))]
ELSEWHERE = {ROOT / "README.md", DOCS / "environments" / "README.md", DOCS / "open-data.md"}  # run by other tests
PROGRAMMED = [page for page in PAGES if "```python" in page.read_text(encoding="utf-8") and page not in ELSEWHERE]
WANTED = {
    "install": "docs/installing.md",
    "host": "docs/hosting.md",
    "write a bot": "docs/bots.md",
    "add a game": "docs/adding-a-game.md",
}
QUOTED = {"it": "«([^»]+)»", "fr": r"«\s([^»]+)\s»", "de": "„([^“]+)“"}


def links(page: Path) -> set[str]:
    """Return what a page links to, as paths in the repository, with and without the heading."""
    found = set()
    for link in re.findall(r"\]\(([^):]+)\)", page.read_text(encoding="utf-8")):
        path, _, heading = link.partition("#")
        place = ((page.parent / path).resolve() if path else page).relative_to(ROOT).as_posix()
        found |= {place, f"{place}#{heading}"} if heading else {place}
    return found


@pytest.mark.parametrize("wanted", WANTED.values(), ids=WANTED)
def test_two_clicks_are_enough(wanted: str) -> None:
    """From the start page of the documentation and from the README, whoever looks for it is there in two clicks."""
    for start in (DOCS / "README.md", ROOT / "README.md"):
        first = links(start)
        second = {link for page in first if page.endswith(".md") for link in links(ROOT / page)}
        assert wanted in first | second, start


@pytest.mark.parametrize("page", PROGRAMMED, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_sessions_run(page: Path) -> None:
    """Every Python session gives what it says; whole programs, which have tests of their own, can be compiled."""
    if "from omnibus import envs" in page.read_text(encoding="utf-8"):
        pytest.importorskip("gymnasium")
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    for block in blocks:
        if not block.startswith(">>> "):
            compile(block, str(page), "exec")
    failed, _ = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert failed == 0


def commands() -> set[str]:
    usage = re.findall(r"^  python3 dev.py (\w+)", (ROOT / "dev.py").read_text(encoding="utf-8"), re.MULTILINE)
    sessions = re.findall(r"^@nox.session.*\ndef (\w+)", (ROOT / "noxfile.py").read_text("utf-8"), re.MULTILINE)
    assert len(usage) > 5
    assert len(sessions) > 5
    return {*usage, *sessions}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_of_the_checkout_exist(page: Path) -> None:
    """Every command of dev.py and every session of nox that a page mentions is there."""
    assert set(re.findall(r"(?:dev\.py|nox -s) ([a-z]+)", page.read_text(encoding="utf-8"))) <= commands()


def test_variables_are_documented() -> None:
    """Every variable of the environment that the program, its tools and its tests read is in docs/commands.md."""
    read = [ROOT / name for name in ("dev.py", "noxfile.py", "setup.py", "release", "src", "tests", "benchmarks")]
    files = [path for each in read for path in ([each] if each.is_file() else each.rglob("*.py"))]
    found = {name for path in files for name in re.findall(r"\bOMNIBUS_[A-Z_]+\b", path.read_text(encoding="utf-8"))}
    page = (DOCS / "commands.md").read_text(encoding="utf-8")
    assert found == set(re.findall(r"\bOMNIBUS_[A-Z_]+\b", page))


@pytest.mark.parametrize("language", QUOTED)
def test_quoted_buttons_are_on_the_page(language: str) -> None:
    """What the players' pages quote in Italian, French and German is what the page says in that language."""
    translations = words(language, COMMON_TEXTS)
    said = {translations.gettext(text) for text in (*PAGE.values(), *TABLE.values(), *ACCOUNT.values())}
    quoted = re.findall(QUOTED[language], (DOCS / f"playing.{language}.md").read_text(encoding="utf-8"))
    assert len(quoted) > 12
    assert set(quoted) <= said


@pytest.fixture(scope="module")
def figures() -> ModuleType:
    """docs/pictures/figures.py."""
    spec = importlib.util.spec_from_file_location("figures_of_docs", DOCS / "pictures" / "figures.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its data classes look for it there
    spec.loader.exec_module(module)
    return module


def test_figures_are_drawn_from_the_measurements(figures: ModuleType) -> None:
    """Every figure of docs/figures.md can be drawn, is there, and shows what the tables of the benchmarks say."""
    drawn = figures.figures()
    shown = re.findall(r"pictures/figures/(\w+)\.svg", (DOCS / "figures.md").read_text(encoding="utf-8"))
    assert shown == list(drawn)
    for name, picture in drawn.items():
        assert ElementTree.fromstring(picture).tag.endswith("svg")
        assert (DOCS / "pictures" / "figures" / f"{name}.svg").exists()
    heading = "| match | win share | 95 % | fair |\n|---|---|---|---|\n"
    measured = figures.matches(f"{heading}| A: b – c | **60.0%** | 50% – 70% | 50.0% |\n")
    assert measured == [figures.MeasuredMatch("A: b – c", 0.6, 0.5, 0.7, 0.5)]
    strength = (ROOT / "benchmarks" / "STRENGTH.md").read_text(encoding="utf-8")
    assert len(figures.matches(strength)) > 10
