"""A city of one's own on the command line: read from a file there, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from omnibus.games.bus import cities
from support.command_line import omnibus


def written(folder: Path, city: Any) -> str:
    path = folder / "city.json"
    path.write_text(json.dumps(city), encoding="utf-8")
    return str(path)


def test_city_from_a_file(tmp_path: Path) -> None:
    """§1.4 `--option city=@FILE` plays on that map: 3 seats to begin, and its 30 first buildings."""
    path = written(tmp_path, {**cities.find("small-town").document, "name": "mine"})
    answer = omnibus("perft", "bus", "2", "--option", f"city=@{path}")
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.startswith("90 nodes")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [({"stations": [6]}, "stations must be exactly 2 crossings"), ({"streets": []}, "cannot be reached")],
)
def test_malformed_city_in_a_file(tmp_path: Path, change: dict[str, Any], complaint: str) -> None:
    """§1.4 A malformed map is refused in one sentence that names the culprit."""
    path = written(tmp_path, {**cities.find("small-town").document, **change})
    answer = omnibus("perft", "bus", "1", "--option", f"city=@{path}")
    assert answer.returncode == 2
    assert complaint in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_path_is_no_city(tmp_path: Path) -> None:
    """§14 The option itself takes a bundled name; a path in its place is not opened."""
    path = written(tmp_path, cities.find("small-town").document)
    answer = omnibus("perft", "bus", "1", "--option", f"city={path}")
    assert answer.returncode == 2
    assert "small-town" in answer.stderr
