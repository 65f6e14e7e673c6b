"""The folder of a contest: a log with one line per finished game, and the games' records.

An interrupted contest resumes from the log. Its first line identifies the contest; a game is added once its record has
been written, so every game in the log is complete.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from omnibus import bots, games
from omnibus.kernel.game import Document
from omnibus.lab.arena.contest import Contest, GameResult

FILE: Final = "results.jsonl"


class ResultsLog:
    """The log and the records of one contest."""

    def __init__(self, folder: Path, contest: Contest) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.played: dict[int, GameResult] = {}
        """The games already in the log, by number."""
        self._path = folder / FILE
        if self._path.exists() and self._path.stat().st_size:
            self._read(contest)
        else:
            self._write(_head(contest))

    def add(self, played: GameResult) -> None:
        """Add a game: first its record, then its line."""
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
            raise ValueError(f"{self.folder} holds another contest; --keep needs a separate folder for each")
        if head.get("sources") != wanted["sources"]:
            raise ValueError(
                f"{self.folder} was started with other bots or rules, and the results must not be mixed; "
                "--keep needs a new folder"
            )
        for number, told in lines:
            try:
                played = GameResult.parse(told)
            except (TypeError, KeyError):
                raise ValueError(f"{self._path}: line {number} is not a game of this contest") from None
            self.played.setdefault(played.number, played)

    def _whole_lines(self) -> Iterator[tuple[int, Document]]:
        """Read the log; an incomplete last line is removed."""
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
    """Return the first line of the log: the contest, and a fingerprint of the bots and the game."""
    fingerprint = hashlib.sha256()
    for folder in (Path(bots.__file__).parent, Path(games.find(contest.game).folder)):
        for path in sorted(folder.rglob("*.py")):
            fingerprint.update(path.name.encode() + b"\0" + path.read_bytes())
    return {"contest": contest.document(), "sources": fingerprint.hexdigest()}


def keep_fault(folder: Path, played: GameResult) -> Path:
    """Write the record of a game that a bug interrupted; return its path."""
    path = folder / f"fault-{played.number:06}.game"
    path.write_text(played.record, encoding="utf-8")
    return path
