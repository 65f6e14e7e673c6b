"""A cache of what readers of a match are shown, for all who see the same.

Readers of one seat, one language and one shape of the board see the same; in an open game, seats matter only for the
texts, which say “you”. Nothing is shared between seats that hide something from each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import count
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from omnibus.kernel.game import Words
from omnibus.kernel.match import Match
from omnibus.kernel.names import Names
from omnibus.kernel.seat_changes import SeatChange, told_at
from omnibus.server.tables.board_view import (
    BoardView,
    Drawn,
    Kept,
    PiecesByPly,
    Reader,
    addressed,
    board_view,
    differences,
    last_decision,
    pieces_at,
    pieces_shown,
    shared_reader,
)
from omnibus.server.tables.steps import MOST, PieceChanges, Step, after, change, decisions, step

Shown = tuple[int, tuple[str, ...], tuple[str, ...], tuple[SeatChange, ...]]
"""What a position depends on besides the reader: plies, names, sitters, what has happened to the seats."""


UNKNOWN: Final[tuple[str, ...]] = ("",)
"""Sentences of a ply that nobody has asked for."""

VERSIONS: Final = count(1)
"""Numbers for pieces that were shown: no two the same, of whatever table."""


class Version(Struct, frozen=True, gc=False):
    """The pieces that are shown, as differences to the ones before."""

    number: int
    before: int
    """The version before; 0: it is not known, or there was none."""
    pieces: list[Drawn | Kept]


class ViewCache:
    """The log ply by ply, the last decisions, and the last position, for each kind of reader."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._told: dict[Reader, list[tuple[str, ...]]] = {}
        self._changes: dict[Reader, dict[int, PieceChanges]] = {}
        self._addressed: dict[Reader, tuple[BoardView, BoardView]] = {}  # the common position, and the reader's own
        self._shown: dict[Reader, tuple[Shown, BoardView]] = {}
        self._pieces: dict[Reader, tuple[int, list[Drawn]]] = {}  # of the position shown last, and its ply
        self._versions: dict[Reader, Version] = {}

    def log(self, reader: Reader, names: Sequence[str], words: Words, since: int = 0) -> list[tuple[int, str]]:
        """Return the log from a ply on, as (ply, sentence)."""
        plies = self._sentences(reader, names, words, since)
        last = told_at(self._match.changes, len(plies), Names(names, reader.you), words)
        told = [(ply, sentence) for ply in range(since, len(plies)) for sentence in plies[ply]]
        return told + [(len(plies), sentence) for sentence in last]

    def _sentences(self, reader: Reader, names: Sequence[str], words: Words, since: int) -> list[tuple[str, ...]]:
        """Return the log as the sentences of each ply, those before a ply perhaps unknown.

        A whole log takes ten times as long as the rest of a scene, and whoever comes back after a restart has it.
        """
        looking = replace(shared_reader(self._match, reader), wide=False)  # the log has no shape
        plies = self._told.setdefault(looking, [])
        if not plies or plies[min(since, len(plies) - 1)] is UNKNOWN:
            plies[:] = [UNKNOWN] * min(since, self._match.length)
        begun = len(plies)
        if begun < self._match.length:
            fresh: list[list[str]] = [[] for _ in range(begun, self._match.length)]
            for ply, sentence in self._match.log(looking.seat, Names(names, looking.you), words, begun):
                if ply < self._match.length:  # what has happened to the seats since the last ply may still change
                    fresh[ply - begun].append(sentence)
            others = [log for known, log in self._told.items() if replace(known, you=looking.you) == looking]
            plies += [_same(tuple(told), others, ply) for ply, told in enumerate(fresh, begun)]
        return plies

    def steps(self, reader: Reader, names: Sequence[str], words: Words, since: int) -> list[Step]:
        """Return the decisions from a ply on; of many only the last."""
        common = replace(shared_reader(self._match, reader), you=None)
        found = decisions(self._match, since)
        log = self._sentences(reader, names, words, found[0]) if found else []
        boards = PiecesByPly(partial(self._pieces_at, common))
        return [step(self._match, ply, log, self._change(common, ply, boards)) for ply in found]

    def _change(self, common: Reader, ply: int, boards: PiecesByPly) -> PieceChanges:
        known = self._changes.setdefault(common, {})
        if ply not in known:
            known[ply] = change(self._match, common, ply, boards.changed(ply, after(self._match, ply)))
            while len(known) > MOST:
                del known[next(iter(known))]
        return known[ply]

    def _pieces_at(self, common: Reader, ply: int) -> list[Drawn]:
        kept, pieces = self._pieces.get(common, (None, []))
        return pieces if kept == ply else pieces_at(self._match, common, ply)

    def position(self, reader: Reader, names: Sequence[str], sitters: Sequence[str]) -> BoardView:
        """Return the current position, without the picture below the pieces."""
        looking = shared_reader(self._match, reader)
        common = replace(looking, you=None)
        now: Shown = (self._match.length, tuple(names), tuple(sitters), tuple(self._match.changes))
        known, seen = self._shown.get(common, (None, None))
        if seen is None or known != now:
            boards = PiecesByPly(partial(self._pieces_at, common))
            before, seen = seen, board_view(self._match, common, tuple(names), sitters, boards=boards)
            last = last_decision(self._match, self._match.length)
            if last is not None:
                self._change(common, last, boards)  # both boards are at hand now
            pieces = pieces_shown(self._match, seen.ply, boards)
            self._versions[common] = self._version(common, pieces, new=before is None)
            self._shown[common] = (now, seen)
            self._pieces[common] = (seen.ply, pieces)
        if looking.you is None:
            return seen
        told, own = self._addressed.get(looking, (None, seen))
        if told is not seen:
            own = addressed(self._match, looking, seen, Names(names, looking.you), sitters)
            self._addressed[looking] = (seen, own)
        return own

    def _version(self, common: Reader, pieces: list[Drawn], *, new: bool) -> Version:
        if new:
            return Version(next(VERSIONS), 0, [])
        return Version(next(VERSIONS), self._versions[common].number, differences(self._pieces[common][1], pieces))

    def version(self, reader: Reader) -> Version:
        """Return the version of the pieces in the position a reader was shown last."""
        return self._versions[replace(shared_reader(self._match, reader), you=None)]

    def cut(self, ply: int) -> None:
        """Forget everything from a ply on."""
        for plies in self._told.values():
            del plies[ply:]
        for changes in self._changes.values():
            for at in [at for at in changes if changes[at].ply > ply]:
                del changes[at]
        self._shown = {reader: kept for reader, kept in self._shown.items() if kept[1].ply <= ply}
        self._pieces = {reader: kept for reader, kept in self._pieces.items() if kept[0] <= ply}


def _same(sentences: tuple[str, ...], logs: Sequence[Sequence[tuple[str, ...]]], ply: int) -> tuple[str, ...]:
    """Return what another reader was told at a ply if it says the same, so that it is kept once; else the sentences."""
    return next((log[ply] for log in logs if ply < len(log) and log[ply] == sentences), sentences)
