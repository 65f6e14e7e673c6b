"""Where the parts of the project are, and what pyproject.toml says."""

import hashlib
import os
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "omnibus"
VENV = ROOT / ".venv"
BUILDS = ROOT / "build"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


class UserError(Exception):
    """A problem the user has to solve, in one sentence."""


def project() -> "dict[str, Any]":
    """Read pyproject.toml."""
    import tomllib  # here, because an old Python does not have it

    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def digest(paths: "list[Path]", *words: str) -> str:
    sha = hashlib.sha256("\0".join(words).encode())
    for path in paths:
        sha.update(path.name.encode() + b"\0" + path.read_bytes())
    return sha.hexdigest()
