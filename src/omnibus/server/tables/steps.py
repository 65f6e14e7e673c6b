"""What others have decided, one decision at a time: a caption, and the pieces that moved or appeared.

Everything comes from the reader's views before and after the decision, and from the log as the reader sees it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct

from omnibus.kernel.game import TURN_PIECES
from omnibus.kernel.match import Match
from omnibus.server.tables.board_view import Drawn, Reader

MOST: Final = 24
"""So many decisions are told at most; a page that has missed more shows the position as it is."""
SENTENCES: Final = 3

Before = tuple[str, str, float, float]
"""A piece as it was before it moved: id, symbol, x, y."""


class Step(Struct, frozen=True, gc=False):
    """A decision of a seat, with what chance did after it."""

    ply: int
    """The number of plies after it."""
    seat: int
    caption: str
    """What was done, in a sentence or a few."""
    moved: list[Before]
    """The pieces it moved: id, and symbol, x and y as they were before."""
    appeared: list[str]
    """The ids of the pieces it added or changed, among those of the move."""


class Change(Struct, frozen=True, gc=False):
    """What a decision did to the pieces: the same for all who see the same board, whatever they are called."""

    ply: int
    """The number of plies after it."""
    moves: list[tuple[Drawn, Drawn]]
    """The pieces it moved, before and after."""
    appeared: list[str]


def decisions(match: Match, since: int) -> list[int]:
    """Return the plies that are decisions of seats, from a ply on; of many only the last."""
    plies = match.plies
    return [ply for ply in range(since, len(plies)) if plies[ply][0] != "chance"][-MOST:]


def after(match: Match, ply: int) -> int:
    """Return the number of plies after a decision, with what chance did then."""
    return next((at for at in range(ply + 1, match.length) if match.plies[at][0] != "chance"), match.length)


def change(match: Match, reader: Reader, ply: int, before: list[Drawn], now: list[Drawn]) -> Change:
    """Return what the decision at a ply did to the pieces a reader sees."""
    said = parts_seen(match, reader, ply)
    moves = [(old, new) for old, new in _pairs(before, now) if _has_moved(old, new, said)]
    return Change(after(match, ply), moves, _appeared(before, now, said, changed=not moves))


def step(match: Match, ply: int, log: Sequence[Sequence[str]], changed: Change) -> Step:
    """Tell what the decision at a ply did, given the sentences of each ply and the change of the pieces."""
    sentences = [sentence for at in range(ply, changed.ply) for sentence in log[at]]
    return Step(
        ply=changed.ply,
        seat=int(match.plies[ply][0]),
        caption=caption(sentences, changes(sentences, changed.moves)),
        moved=[old[:4] for old, _ in changed.moves],
        appeared=changed.appeared,
    )


def parts_seen(match: Match, reader: Reader, ply: int) -> frozenset[str]:
    """Return the parts of a decision; none where the reader does not see all of it."""
    game, state, line = match.game, match.states[ply], match.plies[ply][1]
    move = game.parse(state, line)
    return frozenset(game.parts(state, move)) if game.seen(state, move, reader.seat) == line else frozenset()


def _pairs(before: Iterable[Drawn], now: Iterable[Drawn]) -> list[tuple[Drawn, Drawn]]:
    """Pair the pieces that were there before and are there now."""
    was = {piece[0]: piece for piece in before}
    return [(was[piece[0]], piece) for piece in now if piece[0] in was and piece[0] not in TURN_PIECES]


def _has_moved(old: Drawn, new: Drawn, said: frozenset[str]) -> bool:
    """Tell whether a piece has moved in the game: cards that only make room for others keep their label."""
    return old[2:4] != new[2:4] and (old[4] != new[4] or _part(new) in said)


def _appeared(before: Iterable[Drawn], now: Iterable[Drawn], said: frozenset[str], *, changed: bool) -> list[str]:
    """Return the pieces of the move that are new; if none is, those that look different, where that is asked for."""
    was = {piece[0]: piece[1] for piece in before}
    own = [piece for piece in now if _part(piece) in said and piece[0] not in TURN_PIECES]
    new = [piece[0] for piece in own if piece[0] not in was]
    return new or [piece[0] for piece in own if changed and was[piece[0]] != piece[1]]


def _part(piece: Drawn) -> str:
    return piece[0].partition("_")[0]


def changes(sentences: Sequence[str], moves: Iterable[tuple[Drawn, Drawn]]) -> list[str]:
    """Say from where to where pieces went ("+4 → +8"), by what differs in their labels.

    Only where that is one word, and the sentences name it: what else a label counts is not what was done.
    """
    named = {word.strip(".,:;()") for sentence in sentences for word in sentence.split()}
    found = []
    for old, new in moves:
        was, is_ = old[4].split(), new[4].split()
        other = [(a, b) for a, b in zip(was, is_, strict=False) if a != b]
        if len(was) == len(is_) and len(other) == 1 and other[0][1] in named:
            found.append(f"{other[0][0]} → {other[0][1]}")
    return list(dict.fromkeys(found))


def caption(sentences: Sequence[str], changed: Sequence[str]) -> str:
    """Join the first sentences; those that repeat are counted."""
    counted = [(sentence, len(list(same))) for sentence, same in groupby(sentences)]
    text = " ".join(sentence if times == 1 else f"{sentence} ×{times}" for sentence, times in counted[:SENTENCES])
    return f"{text} ({', '.join(changed)})" if changed else text
