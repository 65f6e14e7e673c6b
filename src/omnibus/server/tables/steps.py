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
from omnibus.server.tables.board_view import Drawn, Reader, part_of

MOST: Final = 24
"""So many decisions are told at most; a page that has missed more shows the position as it is."""
SENTENCES: Final = 3

Before = tuple[str, str, float, float]
"""A piece as it was before it moved: id, symbol, x, y."""

Renamed = tuple[str, str, str]
"""The label of a piece that moved, and the one word in which it differs: before, and after."""


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


class PieceChanges(Struct, frozen=True, gc=False):
    """What a decision did to the pieces: the same for all who see the same board, whatever they are called."""

    ply: int
    """The number of plies after it."""
    moved: list[Before]
    renamed: list[Renamed]
    """Where the label of a piece that moved differs in one word."""
    appeared: list[str]


def decisions(match: Match, since: int) -> list[int]:
    """Return the plies that are decisions of seats, from a ply on; of many only the last."""
    plies = match.plies
    return [ply for ply in range(since, len(plies)) if plies[ply][0] != "chance"][-MOST:]


def after(match: Match, ply: int) -> int:
    """Return the number of plies after a decision, with what chance did then."""
    return next((at for at in range(ply + 1, match.length) if match.plies[at][0] != "chance"), match.length)


def change(match: Match, reader: Reader, ply: int, differing: Sequence[tuple[Drawn | None, Drawn]]) -> PieceChanges:
    """Return what the decision at a ply did to the pieces a reader sees, given those that differ after it."""
    said = parts_seen(match, reader, ply)
    changed = [(old, new) for old, new in differing if new[0] not in TURN_PIECES]
    moves = [(old, new) for old, new in changed if old and _has_moved(old, new, said)]
    return PieceChanges(
        ply=after(match, ply),
        moved=[old[:4] for old, _ in moves],
        renamed=renamed(moves),
        appeared=_appeared(changed, said) or ([] if moves else _changed(changed, said)),
    )


def step(match: Match, ply: int, log: Sequence[Sequence[str]], changed: PieceChanges) -> Step:
    """Tell what the decision at a ply did, given the sentences of each ply and the change of the pieces."""
    sentences = [sentence for at in range(ply, changed.ply) for sentence in log[at]]
    return Step(
        ply=changed.ply,
        seat=int(match.plies[ply][0]),
        caption=caption(explained(sentences, changed.renamed)),
        moved=changed.moved,
        appeared=changed.appeared,
    )


def parts_seen(match: Match, reader: Reader, ply: int) -> frozenset[str]:
    """Return the parts of a decision; none where the reader does not see all of it."""
    game, state, line = match.game, match.states[ply], match.plies[ply][1]
    move = game.parse(state, line)
    return frozenset(game.parts(state, move)) if game.seen(state, move, reader.seat) == line else frozenset()


def _has_moved(old: Drawn, new: Drawn, said: frozenset[str]) -> bool:
    """Tell whether a piece has moved in the game: cards that only make room for others keep their label."""
    return old[2:4] != new[2:4] and (old[4] != new[4] or part_of(new) in said)


def _appeared(changed: Iterable[tuple[Drawn | None, Drawn]], said: frozenset[str]) -> list[str]:
    """Return the pieces of the move that are new."""
    return [new[0] for old, new in changed if not old and part_of(new) in said]


def _changed(changed: Iterable[tuple[Drawn | None, Drawn]], said: frozenset[str]) -> list[str]:
    """Return the pieces of the move that look different."""
    return [new[0] for old, new in changed if old and old[1] != new[1] and part_of(new) in said]


def renamed(moves: Iterable[tuple[Drawn, Drawn]]) -> list[Renamed]:
    """Return how the labels of pieces that moved differ, where it is in one word."""
    found = []
    for old, new in moves:
        was, is_ = old[4].split(), new[4].split()
        other = [(a, b) for a, b in zip(was, is_, strict=False) if a != b]
        if len(was) == len(is_) and len(other) == 1:
            found.append((new[4], *other[0]))
    return found


def explained(sentences: Sequence[str], changes: Iterable[Renamed]) -> list[str]:
    """Add to each sentence which way the piece went that it tells of, as in "right guard to +8 (+4 → +8)".

    A sentence tells of a piece if it names both it and where it went: what else a label counts is not what was done.
    """
    ways: dict[int, list[str]] = {}
    for label, was, is_ in changes:
        names = {word.casefold() for word in _words(label) if word[:1].isupper()}
        for at, words in enumerate(map(_words, sentences)):
            if is_ in words and was not in words and names & {word.casefold() for word in words}:
                ways.setdefault(at, []).append(f"{was} → {is_}")
                break
    return [
        f"{sentence.removesuffix('.')} ({', '.join(ways[at])})." if at in ways else sentence
        for at, sentence in enumerate(sentences)
    ]


def _words(text: str) -> set[str]:
    return {word.strip(".,:;()") for word in text.split()}


def caption(sentences: Sequence[str]) -> str:
    """Join the first sentences; those that repeat are counted."""
    counted = [(sentence, len(list(same))) for sentence, same in groupby(sentences)]
    return " ".join(sentence if times == 1 else f"{sentence} ×{times}" for sentence, times in counted[:SENTENCES])
