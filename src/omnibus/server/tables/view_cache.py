"""A cache of what readers of a match are shown, for all who see the same.

Readers of one seat, one language and one shape of the board see the same; in an open game, seats matter only for the
texts, which say “you”. Nothing is shared between seats that hide something from each other.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from omnibus.kernel.game import Words
from omnibus.kernel.match import Match
from omnibus.kernel.names import Names
from omnibus.kernel.seat_changes import SeatChange, told_at
from omnibus.server.tables.board_view import BoardView, Drawn, Reader, addressed, board_view, shared_reader
from omnibus.server.tables.steps import Step, after, decisions, pieces_at, step

Shown = tuple[int, tuple[str, ...], tuple[str, ...], tuple[SeatChange, ...]]
"""What a position depends on besides the reader: plies, names, sitters, what has happened to the seats."""


class ViewCache:
    """The log ply by ply, the last decisions, and the last position, for each kind of reader."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._told: dict[Reader, list[list[str]]] = {}
        self._drawn: dict[Reader, tuple[int, list[Drawn]]] = {}  # the pieces after the last step, for the next one
        self._steps: dict[Reader, dict[int, Step]] = {}
        self._addressed: dict[Reader, tuple[BoardView, BoardView]] = {}  # the common position, and the reader's own
        self._shown: dict[Reader, tuple[Shown, BoardView]] = {}

    def log(self, reader: Reader, names: Sequence[str], words: Words, since: int = 0) -> list[tuple[int, str]]:
        """Return the log from a ply on, as (ply, sentence)."""
        plies = self._sentences(reader, names, words)
        last = told_at(self._match.changes, len(plies), Names(names, reader.you), words)
        told = [(ply, sentence) for ply in range(since, len(plies)) for sentence in plies[ply]]
        return told + [(len(plies), sentence) for sentence in last]

    def _sentences(self, reader: Reader, names: Sequence[str], words: Words) -> list[list[str]]:
        """Return the log as the sentences of each ply."""
        looking = replace(shared_reader(self._match, reader), wide=False)  # the log has no shape
        plies = self._told.setdefault(looking, [])
        begun = len(plies)
        plies += [[] for _ in range(begun, self._match.length)]
        told = Names(names, looking.you)
        for ply, sentence in self._match.log(looking.seat, told, words, begun):
            if ply < len(plies):  # what has happened to the seats since the last ply may still change
                plies[ply].append(sentence)
        return plies

    def steps(self, reader: Reader, names: Sequence[str], words: Words, since: int) -> list[Step]:
        """Return the decisions from a ply on; of many only the last."""
        looking, match = shared_reader(self._match, reader), self._match
        known, wanted = self._steps.setdefault(looking, {}), decisions(match, since)
        log = self._sentences(reader, names, words)
        shape = replace(looking, you=None)
        at, pieces = self._drawn.get(shape, (-1, []))
        for ply in wanted:
            if ply not in known:
                before = pieces if at == ply else pieces_at(match, looking, ply)
                at = after(match, ply)
                pieces = pieces_at(match, looking, at)
                known[ply] = step(match, looking, ply, log, before, pieces)
        self._drawn[shape] = (at, pieces)
        return [known[ply] for ply in wanted]

    def position(self, reader: Reader, names: Sequence[str], sitters: Sequence[str]) -> BoardView:
        """Return the current position, without the picture below the pieces."""
        looking = shared_reader(self._match, reader)
        common = replace(looking, you=None)
        now: Shown = (self._match.length, tuple(names), tuple(sitters), tuple(self._match.changes))
        known, seen = self._shown.get(common, (None, None))
        if seen is None or known != now:
            seen = board_view(self._match, common, tuple(names), sitters, before=seen)
            self._shown[common] = (now, seen)
        if looking.you is None:
            return seen
        told, own = self._addressed.get(looking, (None, seen))
        if told is not seen:
            own = addressed(self._match, looking, seen, Names(names, looking.you), sitters)
            self._addressed[looking] = (seen, own)
        return own

    def cut(self, ply: int) -> None:
        """Forget everything from a ply on."""
        for plies in self._told.values():
            del plies[ply:]
        for steps in self._steps.values():
            for at in [at for at in steps if steps[at].ply > ply]:
                del steps[at]
        self._drawn = {reader: kept for reader, kept in self._drawn.items() if kept[0] <= ply}
        self._shown = {reader: kept for reader, kept in self._shown.items() if kept[1].ply <= ply}
