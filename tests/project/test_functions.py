"""Functions are short: those that are not say why."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.uncompiled

ROOT = Path(__file__).parents[2]
MOST_LINES = 45
REASON = "# Long: "


def long_functions(source: str) -> Iterator[str]:
    """Name the functions of a source that are too long and give no reason for it in a comment."""
    lines = source.split("\n")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = lines[node.lineno - 1 : node.end_lineno]
            if len(body) > MOST_LINES and not any(line.strip().startswith(REASON) for line in body):
                yield node.name


@pytest.mark.parametrize("folder", ["src", "tests", "benchmarks", "examples", "."])
def test_long_functions_say_why(folder: str) -> None:
    """A function above 45 lines has a comment `# Long: …` with the reason, such as speed."""
    sources = sorted((ROOT / folder).glob("*.py" if folder == "." else "**/*.py"))
    assert sources
    found = [f"{path.relative_to(ROOT)} {name}" for path in sources for name in long_functions(path.read_text("utf-8"))]
    assert not found


def test_what_is_long() -> None:
    """The lines are counted from `def` to the last; a reason anywhere among them will do."""
    body = "    x = 1\n" * MOST_LINES
    assert list(long_functions(f"def one():\n{body}")) == ["one"]
    assert not list(long_functions(f"def one():\n    # Long: it is a table.\n{body}"))
    assert not list(long_functions(f"def one():\n{body[10:]}"))
