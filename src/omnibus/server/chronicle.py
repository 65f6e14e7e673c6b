"""The log of a match in the words of its readers, told once and kept."""

from __future__ import annotations

from collections.abc import Sequence

from omnibus.kernel.game import Words
from omnibus.kernel.match import Match
from omnibus.server.position import Reader


class Chronicle:
    """What has been told to whom, ply by ply."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._told: dict[Reader, list[list[str]]] = {}

    def told(self, reader: Reader, names: Sequence[str], words: Words, since: int = 0) -> list[tuple[int, str]]:
        """Tell the match from a ply on, as (ply, sentence)."""
        plies = self._told.setdefault(reader, [])
        begun = len(plies)
        plies += [[] for _ in range(begun, len(self._match.plies))]
        for ply, sentence in self._match.log(reader.seat, names, words, begun):
            plies[ply].append(sentence)
        return [(ply, sentence) for ply in range(since, len(plies)) for sentence in plies[ply]]

    def cut(self, ply: int) -> None:
        """Forget everything from a ply on."""
        for plies in self._told.values():
            del plies[ply:]
