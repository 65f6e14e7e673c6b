"""The documents are true: their sessions run, their commands exist, their pictures are drawn by the code."""

from __future__ import annotations

import doctest
import importlib.util
import re
import shlex
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from omnibus import Match, games
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.server.pages.account_texts import ACCOUNT
from omnibus.server.pages.texts import PAGE, TABLE
from support.commands import find, options, parse

pytestmark = pytest.mark.uncompiled

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md")),
    *sorted((ROOT / "benchmarks").glob("*.md")),
    *sorted(DOCS.rglob("*.md")),
]
PLACES = {path: path.relative_to(ROOT).as_posix() for path in DOCUMENTS}
TEXTS = {path: path.read_text(encoding="utf-8") for path in DOCUMENTS}
PROGRAMMED = [path for path in DOCUMENTS if "```python" in TEXTS[path] and path != DOCS / "open-data.md"]  # has a test
ENGLISH = "“([^”]+)”"
QUOTED = {"it": "«([^»]+)»", "fr": r"«\s([^»]+)\s»", "de": "„([^“]+)“"}


def test_the_two_commands_come_first() -> None:
    """`python3 dev.py play` and `python3 dev.py test` are the first commands shown, and nothing else with them."""
    block = re.search(r"```sh\n(.*?)```", TEXTS[ROOT / "README.md"], re.DOTALL)
    assert block
    commands = [line.split("#")[0].strip() for line in block[1].splitlines()]
    assert commands == ["python3 dev.py play", "python3 dev.py test"]


@pytest.mark.parametrize("document", PROGRAMMED, ids=PLACES.get)
def test_sessions_run(document: Path) -> None:
    """Every Python session gives what it says; whole programs, which have tests of their own, can be compiled."""
    if re.search(r"from omnibus(\.| import )envs", TEXTS[document]):
        pytest.importorskip("gymnasium")
    blocks = re.findall(r"^```python\n(.*?)^```", TEXTS[document], re.DOTALL | re.MULTILINE)
    for block in blocks:
        if not block.startswith(">>> "):
            compile(block, str(document), "exec")
    failed, tried = doctest.testfile(str(document), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert failed == 0
    assert tried >= sum(block.startswith(">>> ") for block in blocks)


@pytest.mark.parametrize("name", games.names())
def test_pictures_are_drawn_by_the_code(name: str) -> None:
    """The pictures of the gallery are what `omnibus draw` draws from the records beside them."""
    assert f"pictures/{name}.svg" in TEXTS[DOCS / "gallery.md"]
    record, picture = ((DOCS / "pictures" / f"{name}.{kind}").read_text("utf-8") for kind in ("game", "svg"))
    assert Match.read(record).svg(0, wide=True) == picture.strip()


@pytest.mark.parametrize("document", DOCUMENTS, ids=PLACES.get)
def test_links_lead_somewhere(document: Path) -> None:
    """Every file and every heading the documents link to exists."""
    for groups in re.findall(r"\]\(([^)]+)\)|src=\"([^\"]+)\"", TEXTS[document]):
        link = groups[0] or groups[1]
        path, _, heading = link.partition("#")
        target = document.parent / path if path else document
        assert "://" in link or target.exists(), link
        assert "://" in link or not heading or heading in headings(target), link


def headings(document: Path) -> set[str]:
    """Return the anchors of a document, as GitHub makes them."""
    found = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", each).strip().lower().replace(" ", "-") for each in found}


def shown(document: Path) -> list[str]:
    """Return the commands a document shows in blocks; lines with [...] are patterns."""
    blocks = re.findall(r"^```(?:sh)?\n(.*?)^```", TEXTS[document], re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in re.sub(r"\\\n\s*", "", block).splitlines()]
    lines = [re.sub(r"^docker (?:run|exec) .*\bomnibus (?=\w)", "omnibus ", line) for line in lines]  # in a container
    return [line for line in lines if line.startswith("omnibus ") and "[" not in line]


@pytest.mark.parametrize("document", DOCUMENTS, ids=PLACES.get)
def test_commands_can_be_typed(document: Path) -> None:
    """Every command a document shows is read by the program's own parser; those it mentions exist, with their options.

    So do commands of dev.py and sessions of nox.
    """
    for line in shown(document):
        assert parse(shlex.split(line)[1:]), line
    for mention in re.findall(r"`omnibus ([a-z][^`]*)`", TEXTS[document]):
        command, rest = find(re.findall(r"--[a-z-]+|[^\s]+", mention))
        assert {word for word in rest if word.startswith("--")} <= options(command) | {"--help"}, mention
    sessions = re.findall(r"^@nox.session.*\ndef (\w+)", (ROOT / "noxfile.py").read_text("utf-8"), re.MULTILINE)
    usage = re.findall(r"^  python3 dev.py (\w+)", (ROOT / "dev.py").read_text("utf-8"), re.MULTILINE)
    assert set(re.findall(r"(?:dev\.py|nox -s) ([a-z]+)", TEXTS[document])) <= {*sessions, *usage}


@pytest.mark.parametrize(
    ("page", "language", "pattern"),
    [
        ("playing.md", "en", ENGLISH),
        ("dice.md", "en", ENGLISH),
        *((f"playing.{language}.md", language, pattern) for language, pattern in QUOTED.items()),
    ],
)
def test_quoted_labels_are_on_the_page(page: str, language: str, pattern: str) -> None:
    """What the guides quote from the page is what the page says in that language."""
    translated = words(language, COMMON_TEXTS).gettext
    quoted = set(re.findall(pattern, TEXTS[DOCS / page]))
    assert len(quoted) > (12 if page.startswith("playing") else 0)
    assert quoted <= {translated(label) for label in (*PAGE.values(), *TABLE.values(), *ACCOUNT.values())}


def test_every_command_and_variable_is_documented() -> None:
    """docs/commands.md lists every command there is, and every variable of the environment that is read anywhere."""
    page = TEXTS[DOCS / "commands.md"]
    listed = set(re.findall(r"^\| `omnibus ([a-z]+)", page, re.MULTILINE))
    assert listed == {name for name, command in find([])[0].commands.items() if not command.hidden}
    read = [ROOT / name for name in ("dev.py", "noxfile.py", "setup.py", "release", "src", "tests", "benchmarks")]
    files = [path for each in read for path in ([each] if each.is_file() else each.rglob("*.py"))]
    found = {name for path in files for name in re.findall(r"\bOMNIBUS_[A-Z_]+\b", path.read_text(encoding="utf-8"))}
    assert found == set(re.findall(r"\bOMNIBUS_[A-Z_]+\b", page))


WANTED = {
    "install": "docs/installing.md",
    "host": "docs/hosting.md",
    "write a bot": "docs/bots.md",
    "add a game": "docs/adding-a-game.md",
}


def links(page: Path) -> set[str]:
    """Return which pages of the repository a page links to."""
    found = re.findall(r"\]\(([^):#]+)[^):]*\)", page.read_text("utf-8"))
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
    shown = re.findall(r"pictures/figures/(\w+)\.svg", TEXTS[DOCS / "figures.md"])
    assert shown == list(drawn)
    for name, picture in drawn.items():
        assert ElementTree.fromstring(picture).tag.endswith("svg")
        assert (DOCS / "pictures" / "figures" / f"{name}.svg").exists()
    heading = "| match | win share | 95 % | fair |\n|---|---|---|---|\n"
    measured = figures.matches(f"{heading}| A: b – c | **60.0%** | 50% – 70% | 50.0% |\n")
    assert measured == [figures.MeasuredMatch("A: b – c", 0.6, 0.5, 0.7, 0.5)]
    assert len(figures.matches(TEXTS[ROOT / "benchmarks" / "STRENGTH.md"])) > 10
