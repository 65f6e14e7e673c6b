"""What a contest keeps in a folder: a journal with a line for every finished game, and the games' records.

The journal is what an interrupted contest goes on from. Its first line says which contest it is; a game stands in it
once its record is written, so that what is in the journal is whole.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from omnibus import bots, games
from omnibus.kernel.game import Document
from omnibus.lab.arena.contest import Contest, Played

FILE: Final = "journal.jsonl"


class Journal:
    """The folder of one contest."""

    def __init__(self, folder: Path, contest: Contest) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.played: dict[int, Played] = {}
        """The games that are there already."""
        self._path = folder / FILE
        if self._path.exists() and self._path.stat().st_size:
            self._read(contest)
        else:
            self._write(_head(contest))

    def add(self, played: Played) -> None:
        """Keep a game: its record first, then its line."""
        (self.folder / f"{played.number:06}.game").write_text(played.record, encoding="utf-8")
        self._write(played.document())

    def _write(self, told: Document) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(told, ensure_ascii=False) + "\n")

    def _read(self, contest: Contest) -> None:
        lines = self._whole_lines()
        head: Any = next(lines, (0, {}))[1]
        wanted = json.loads(json.dumps(_head(contest)))
        if not isinstance(head, dict) or head.get("contest") != wanted["contest"]:
            raise ValueError(f"{self.folder} holds another contest; --keep needs a folder of its own for each")
        if head.get("sources") != wanted["sources"]:
            raise ValueError(
                f"{self.folder} was begun with other bots or rules than these, and the figures of both do not mix; "
                "--keep needs a new folder"
            )
        for number, told in lines:
            try:
                played = Played.parse(told)
            except (TypeError, KeyError):
                raise ValueError(f"{self._path}: line {number} is no game of this contest") from None
            self.played.setdefault(played.number, played)

    def _whole_lines(self) -> Iterator[tuple[int, Document]]:
        """Read the journal; a last line that was cut off in the middle is taken away."""
        data = self._path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data:
            self._path.write_bytes(whole)
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                yield number, json.loads(line)
            except ValueError:
                raise ValueError(f"{self._path}: line {number} cannot be read") from None


def _head(contest: Contest) -> Document:
    """Return the first line of a journal: the contest, and a fingerprint of the bots and the game that play it."""
    fingerprint = hashlib.sha256()
    for folder in (Path(bots.__file__).parent, Path(games.find(contest.game).folder)):
        for path in sorted(folder.rglob("*.py")):
            fingerprint.update(path.name.encode() + b"\0" + path.read_bytes())
    return {"contest": contest.document(), "sources": fingerprint.hexdigest()}


def keep_fault(folder: Path, played: Played) -> Path:
    """Write the record of a game that was broken off; return where."""
    path = folder / f"fault-{played.number:06}.game"
    path.write_text(played.record, encoding="utf-8")
    return path
