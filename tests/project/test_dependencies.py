"""What the package imports is what it says it needs."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOT_TO_RUN = {"bench", "compile", "dev", "docs"}
"""Extras for those who work on it; what is in the others may be imported, where the extra is there."""


def declared() -> set[str]:
    """The names of the distributions that are declared, as in `pip install`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(each for name in extras.keys() - NOT_TO_RUN for each in extras[name])]
    return {normal(re.split(r"[^\w.-]", each)[0]) for each in wanted}


def normal(name: str) -> str:
    return re.sub("[-_.]+", "-", name).lower()


def imported() -> dict[str, Path]:
    """The modules from elsewhere that are imported anywhere in the package, each with one file that does."""
    found: dict[str, Path] = {}
    for file in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_bytes())):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [node.module]
            found |= {name.partition(".")[0]: file for name in names}
    return {name: file for name, file in found.items() if name != "omnibus" and name not in sys.stdlib_module_names}


def test_everything_imported_is_declared() -> None:
    """In the dependencies or an extra, not only by something else that needs it too."""
    of, known = {"pyspiel": ["open-spiel"]} | dict(packages_distributions()), declared()
    found = imported()
    assert "msgspec" in found
    missing = {name for name in found if not {normal(each) for each in of.get(name, [name])} & known}
    assert not {name: str(found[name]) for name in missing}
