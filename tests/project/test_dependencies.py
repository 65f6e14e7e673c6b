"""What the package imports is what it says it needs."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOT_TO_RUN = {"bench", "compile", "dev", "docs", "nightly", "test"}
"""Extras for those who work on it; what is in the others may be imported, where the extra is there."""


PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DEPENDENCIES, EXTRAS = (PYPROJECT["project"][each] for each in ("dependencies", "optional-dependencies"))
PINS = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()


def distributions(*declared: str) -> set[str]:
    """Return the names of what is declared, as in `pip install`."""
    return {normal(re.split(r"[^\w.-]", each)[0]) for each in declared}


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
    of, found = {"pyspiel": ["open-spiel"]} | dict(packages_distributions()), imported()
    known = distributions(*DEPENDENCIES, *chain(*(EXTRAS[name] for name in EXTRAS.keys() - NOT_TO_RUN)))
    assert "msgspec" in found
    missing = {name for name in found if not {normal(each) for each in of.get(name, [name])} & known}
    assert not {name: str(found[name]) for name in missing}


def test_pip_and_uv_are_given_the_same_pins() -> None:
    """constraints.txt is the one list; uv reads a copy in pyproject.toml, which `nox -s pins -- --copy` renews."""
    assert PYPROJECT["tool"]["uv"]["constraint-dependencies"] == PINS


def test_everything_declared_is_pinned() -> None:
    """Whatever an extra or the group for uv names has a pin, so that every machine gets the same."""
    wanted = distributions(*DEPENDENCIES, *PYPROJECT["dependency-groups"]["dev"], *chain(*EXTRAS.values()))
    assert not wanted - {"omnibus-games"} - {pin.partition("==")[0] for pin in PINS}


def test_no_addresses_are_committed() -> None:
    """No registry or host address stands in what describes the environment, and no lock file with some is kept."""
    names = ["dev.py", "noxfile.py", "setup.py", "pyproject.toml", "constraints.txt", "release/core.py", ".ci/run"]
    names += [".pre-commit-config.yaml", ".editorconfig", ".devcontainer/devcontainer.json"]
    for path in (*map(ROOT.joinpath, names), *(ROOT / ".github").rglob("*.yml")):
        text = path.read_text(encoding="utf-8")
        assert "://" not in text, path
        assert "index-url" not in text, path
    assert "/uv.lock" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
