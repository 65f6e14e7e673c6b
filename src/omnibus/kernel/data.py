"""Reads the data files of a game once, when it is loaded. Games themselves open no files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from omnibus.kernel.game import Document


def documents(folder: str, name: str = "data") -> list[Document]:
    """Read the JSON documents in a folder next to the code, in the order of their file names."""
    found: list[Any] = [json.loads(path.read_text("utf-8")) for path in sorted((Path(folder) / name).glob("*.json"))]
    return found
