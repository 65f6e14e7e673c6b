"""The documents are true: their sessions run, their commands exist, their pictures are drawn by the code."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from omnibus import Match, games
from omnibus.server.pages.account_texts import ACCOUNT
from omnibus.server.pages.texts import PAGE, TABLE
from support.commands import find, options, parse

pytestmark = pytest.mark.uncompiled

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md")),
    *sorted((ROOT / "benchmarks").glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
PLACES = {path: str(path.relative_to(ROOT)) for path in DOCUMENTS}


def test_session_runs() -> None:
    """The Python session of the README gives what it says."""
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried >= 8
    assert failed == 0


def test_readme_is_short() -> None:
    """The README is an invitation; everything else is in docs/."""
    assert len(README.splitlines()) < 120


def test_the_two_commands_come_first() -> None:
    """`python3 dev.py play` and `python3 dev.py test` are the first commands shown, and nothing else with them."""
    block = re.search(r"```sh\n(.*?)```", README, re.DOTALL)
    assert block
    commands = [line.split("#")[0].strip() for line in block[1].splitlines()]
    assert commands == ["python3 dev.py play", "python3 dev.py test"]


@pytest.mark.parametrize("name", games.names())
def test_pictures_are_drawn_by_the_code(name: str) -> None:
    """The pictures of the gallery are what `omnibus draw` draws from the records beside them."""
    assert f"pictures/{name}.svg" in (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    record = (ROOT / "docs" / "pictures" / f"{name}.game").read_text(encoding="utf-8")
    picture = (ROOT / "docs" / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
    assert Match.read(record).svg(0, wide=True) == picture.strip()


@pytest.mark.parametrize("document", DOCUMENTS, ids=PLACES.get)
def test_links_lead_somewhere(document: Path) -> None:
    """Every file and every heading the documents link to exists."""
    for groups in re.findall(r"\]\(([^)]+)\)|src=\"([^\"]+)\"", document.read_text(encoding="utf-8")):
        link = groups[0] or groups[1]
        if "://" in link:
            continue
        path, _, heading = link.partition("#")
        target = document.parent / path if path else document
        assert target.exists(), link
        if heading:
            assert heading in headings(target), link


def headings(document: Path) -> set[str]:
    """Return the anchors of a document, as GitHub makes them."""
    found = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", each).strip().lower().replace(" ", "-") for each in found}


def shown(document: Path) -> list[str]:
    """Return the commands a document shows in blocks; lines with [...] are patterns."""
    blocks = re.findall(r"^```(?:sh)?\n(.*?)^```", document.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in re.sub(r"\\\n\s*", "", block).splitlines()]
    return [line for line in lines if line.startswith("omnibus ") and "[" not in line]


SHOWN = [(document, line) for document in DOCUMENTS for line in shown(document)]


@pytest.mark.parametrize(("document", "line"), SHOWN, ids=[f"{PLACES[path]}: {line}" for path, line in SHOWN])
def test_commands_can_be_typed(document: Path, line: str) -> None:
    """Every command the documents show is read by the program's own parser."""
    assert parse(shlex.split(line)[1:])


@pytest.mark.parametrize("document", DOCUMENTS, ids=PLACES.get)
def test_mentioned_options_exist(document: Path) -> None:
    """Every command the text mentions exists, with the options it is mentioned with."""
    for mention in re.findall(r"`omnibus ([a-z][^`]*)`", document.read_text(encoding="utf-8")):
        command, rest = find(re.findall(r"--[a-z-]+|[^\s]+", mention))
        assert {word for word in rest if word.startswith("--")} <= options(command) | {"--help"}, mention


@pytest.mark.parametrize("name", ["playing.md", "dice.md"])
def test_quoted_labels_are_on_the_page(name: str) -> None:
    """What the guides quote from the page is what the page says."""
    for label in re.findall("“([^”]+)”", (ROOT / "docs" / name).read_text(encoding="utf-8")):
        assert label in {*PAGE.values(), *TABLE.values(), *ACCOUNT.values()}


def test_every_command_is_documented() -> None:
    """docs/commands.md lists every command there is."""
    listed = set(re.findall(r"^\| `omnibus ([a-z]+)", (ROOT / "docs" / "commands.md").read_text("utf-8"), re.MULTILINE))
    assert listed == {name for name, command in find([])[0].commands.items() if not command.hidden}
