"""A cache of what readers of a match are shown, for all who see the same.

Readers of one seat, one language and one shape of the board see the same; in an open game, seats matter only for the
texts, which say “you”. Nothing is shared between seats that hide something from each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from omnibus.kernel.game import Words
from omnibus.kernel.match import Match
from omnibus.kernel.names import Names
from omnibus.kernel.seat_changes import SeatChange, told_at
from omnibus.server.tables.board_view import (
    PIECES,
    BoardView,
    Drawn,
    Reader,
    addressed,
    board_view,
    pieces_at,
    shared_reader,
)
from omnibus.server.tables.steps import MOST, Change, Step, after, change, decisions, step

Shown = tuple[int, tuple[str, ...], tuple[str, ...], tuple[SeatChange, ...]]
"""What a position depends on besides the reader: plies, names, sitters, what has happened to the seats."""


class ViewCache:
    """The log ply by ply, the last decisions, and the last position, for each kind of reader."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._told: dict[Reader, list[list[str]]] = {}
        self._pieces: dict[Reader, dict[int, bytes]] = {}  # of the last plies drawn, as JSON, which is small
        self._changes: dict[Reader, dict[int, Change]] = {}
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
        looking = shared_reader(self._match, reader)
        log = self._sentences(reader, names, words)
        wanted = decisions(self._match, since)
        return [step(self._match, ply, log, self._change(replace(looking, you=None), ply)) for ply in wanted]

    def _change(self, looking: Reader, ply: int) -> Change:
        known = self._changes.setdefault(looking, {})
        if ply in known:
            return known[ply]
        before, now = self._pieces_at(looking, ply), self._pieces_at(looking, after(self._match, ply))
        known[ply] = made = change(self._match, looking, ply, before, now)
        _forget_first(known, MOST)
        return made

    def _pieces_at(self, looking: Reader, ply: int) -> list[Drawn]:
        """Return the pieces after a number of plies; the last ones asked for are kept."""
        kept = self._pieces.setdefault(looking, {})
        if ply in kept:
            kept[ply] = kept.pop(ply)  # the last one to be forgotten
            return PIECES.decode(kept[ply])
        pieces = pieces_at(self._match, looking, ply)
        kept[ply] = msgspec.json.encode(pieces)
        _forget_first(kept, 2)
        return pieces

    def position(self, reader: Reader, names: Sequence[str], sitters: Sequence[str]) -> BoardView:
        """Return the current position, without the picture below the pieces."""
        looking = shared_reader(self._match, reader)
        common = replace(looking, you=None)
        now: Shown = (self._match.length, tuple(names), tuple(sitters), tuple(self._match.changes))
        known, seen = self._shown.get(common, (None, None))
        if seen is None or known != now:
            seen = board_view(self._match, common, tuple(names), sitters, pieces=partial(self._pieces_at, common))
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
        for changes in self._changes.values():
            for at in [at for at in changes if changes[at].ply > ply]:
                del changes[at]
        for pieces in self._pieces.values():
            for at in [at for at in pieces if at > ply]:
                del pieces[at]
        self._shown = {reader: kept for reader, kept in self._shown.items() if kept[1].ply <= ply}


def _forget_first(known: dict[int, Any], most: int) -> None:
    """Remove what was added first, until no more than so many are left."""
    while len(known) > most:
        del known[next(iter(known))]
