"""A cache of what readers of a match are shown, for all who see the same.

Readers of one seat, one language and one shape of the board see the same; in an open game, seats do not matter. Nothing
is shared between seats that hide something from each other.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from omnibus.kernel.game import Words
from omnibus.kernel.match import Match
from omnibus.server.tables.board_view import BoardView, Reader, board_view, shared_reader


class ViewCache:
    """The log ply by ply, and the last position, for each kind of reader."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._told: dict[Reader, list[list[str]]] = {}
        self._shown: dict[Reader, tuple[Sequence[str], Sequence[str], BoardView]] = {}

    def log(self, reader: Reader, names: Sequence[str], words: Words, since: int = 0) -> list[tuple[int, str]]:
        """Return the log from a ply on, as (ply, sentence)."""
        looking = replace(shared_reader(self._match, reader), wide=False)  # the log has no shape
        plies = self._told.setdefault(looking, [])
        begun = len(plies)
        plies += [[] for _ in range(begun, self._match.length)]
        for ply, sentence in self._match.log(looking.seat, names, words, begun):
            plies[ply].append(sentence)
        return [(ply, sentence) for ply in range(since, len(plies)) for sentence in plies[ply]]

    def position(self, reader: Reader, names: Sequence[str], sitters: Sequence[str]) -> BoardView:
        """Return the current position, without the picture below the pieces."""
        looking = shared_reader(self._match, reader)
        known_names, known_sitters, seen = self._shown.get(looking, ((), (), None))
        if seen is None or (known_names, known_sitters, seen.ply) != (names, sitters, self._match.length):
            seen = board_view(self._match, looking, names, sitters, before=seen)
            self._shown[looking] = (names, sitters, seen)
        return seen

    def cut(self, ply: int) -> None:
        """Forget everything from a ply on."""
        for plies in self._told.values():
            del plies[ply:]
        self._shown = {reader: kept for reader, kept in self._shown.items() if kept[2].ply <= ply}
