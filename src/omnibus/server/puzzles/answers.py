"""Answer a puzzle: say whether a line solves it, count the attempt, and explain the solution."""

from __future__ import annotations

from omnibus.lab.puzzles.document import state_of
from omnibus.server.background import in_background
from omnibus.server.puzzles.catalogue import next_after, puzzles
from omnibus.server.puzzles.scene import PuzzleAnswer, after_line, explanation
from omnibus.server.puzzles.solving import attempt
from omnibus.server.store.puzzles import PuzzleStore
from omnibus.server.tables.board_view import Reader
from omnibus.server.tables.registry import TableRegistry


class NoSuchLine(ValueError):
    """A line that is not legal in a puzzle."""


def puzzle_store(registry: TableRegistry) -> PuzzleStore:
    """Return the store of attempts and ratings."""
    return PuzzleStore(registry.table_store.database)


async def answer(store: PuzzleStore, user: str, key: str, line: str, reader: Reader, ground: str = "") -> PuzzleAnswer:
    """Judge a line; an empty one gives the puzzle up. NoSuchLine if it is not legal."""
    game, puzzle = puzzles()[key]
    state = state_of(game, puzzle)
    if line and line not in [game.write(state, move) for move in game.legal(state)]:
        raise NoSuchLine(line)
    solved = line in puzzle.solution
    standing = await attempt(store, user, game, puzzle, solved=solved)
    over = solved or not line
    return PuzzleAnswer(
        solved=solved,
        standing=standing,
        explanation=explanation(game, puzzle, reader.language) if over else None,
        next=next_after(key, tried=await store.attempts(user), rated=await store.puzzles(), wish=standing.rating),
        position=await in_background(after_line, game, puzzle, line, reader, ground) if solved else None,
    )
