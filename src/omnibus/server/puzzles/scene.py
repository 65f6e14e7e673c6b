"""A puzzle as it is shown: the position through the eyes of its seat, the lines to choose from, and the explanation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from omnibus.bots.nicknames import nickname
from omnibus.kernel.game import Game, Words
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.kernel.match import Match
from omnibus.kernel.names import Names
from omnibus.lab.puzzles.document import ComparedLine, Puzzle, has_hidden, state_of, turn_labels
from omnibus.server.puzzles.solving import PuzzleStanding
from omnibus.server.tables.board_view import BoardView, Drawn, Reader, board_view, for_reader
from omnibus.server.tables.messages import Reason
from omnibus.server.tables.reasons import reason
from omnibus.server.tables.scene import Move, legal_moves, move_targets


class PuzzleScene(Struct, frozen=True):
    """A puzzle: the position through the eyes of the seat that is to find the best first line of its turn."""

    id: str
    game: str
    seat: int
    moves: list[Move]
    targets: list[Drawn]
    position: BoardView


class Explained(Struct, frozen=True):
    """A line of a puzzle, and what it is worth."""

    line: str
    label: str
    share: float
    """The share of the win the seat expects with it."""
    error: float
    """The standard error of the share."""
    solution: bool
    turn: list[str]
    """How the turn goes on, as labels; empty where it ends with this line."""
    reasons: list[str]
    doubts: list[str]


class Explanation(Struct, frozen=True):
    """Why the solution of a puzzle is best."""

    lines: list[Explained]
    """The lines that were compared, the best first."""
    themes: list[str]
    gap: float
    """By how much the solution is better than every other line, as a share of the win."""
    exact: bool
    """Whether everything that can follow was gone through, so that the shares are exact."""
    hidden: bool
    """Whether there is something the seat cannot see, which was redealt for the searches."""


class PuzzleAnswer(Struct, frozen=True):
    """What an answer to a puzzle is worth."""

    solved: bool
    standing: PuzzleStanding
    explanation: Explanation | None
    """Once the puzzle is solved or given up."""
    next: str | None
    """The id of another puzzle of the game."""
    position: BoardView | None = None
    """The position after the line, if it solves the puzzle."""


class PuzzleInfo(Struct, frozen=True):
    """A puzzle in a list."""

    id: str
    game: str
    rating: int
    solved: bool | None
    """Whether your first attempt solved it; null: you have not tried it yet."""


class PuzzleList(Struct, frozen=True):
    """Puzzles, by game and rating."""

    daily: str | None
    """The id of the puzzle of the day, the same for everybody."""
    puzzles: list[PuzzleInfo]


PUZZLE_SHAPES: Final = (PuzzleScene, PuzzleAnswer, PuzzleList)
"""What the API answers."""


def words_of(game: Game[Any], language: str) -> Words:
    """Return the texts of a game in a language."""
    return words(language, game.folder, COMMON_TEXTS)


def puzzle_scene(game: Game[Any], puzzle: Puzzle, reader: Reader, ground: str = "") -> PuzzleScene:
    """Show a puzzle to a reader, without the picture if the reader has it (`ground`)."""
    match = Match.from_position(game.name, puzzle.position, dice=False)
    told = words_of(game, reader.language)
    view = game.view(match.state, puzzle.seat)
    moves = legal_moves(game, match.state, view, told)
    return PuzzleScene(
        id=puzzle.id,
        game=game.name,
        seat=puzzle.seat,
        moves=moves,
        targets=move_targets(game, view, moves, told, wide=reader.wide),
        position=_shown(match, puzzle, reader, ground),
    )


def why(game: Game[Any], puzzle: Puzzle, part: str, picked: Sequence[str], language: str) -> Reason:
    """Say why nothing can be done with a part of the board of a puzzle."""
    return reason(game, state_of(game, puzzle), part, picked, words_of(game, language))


def after_line(game: Game[Any], puzzle: Puzzle, line: str, reader: Reader, ground: str = "") -> BoardView:
    """Show the position after a line."""
    match = Match.from_position(game.name, puzzle.position, dice=False)
    match.play(line)
    return _shown(match, puzzle, reader, ground)


def _shown(match: Match, puzzle: Puzzle, reader: Reader, ground: str) -> BoardView:
    told = words_of(match.game, reader.language)
    others = [nickname(puzzle.id, seat, (), told) for seat in range(match.seats)]
    names = [told.gettext("You") if seat == puzzle.seat else name for seat, name in enumerate(others)]
    seen = board_view(match, reader, Names(names, you=puzzle.seat), [""] * match.seats)
    return for_reader(match, reader, seen, ground)


def explanation(game: Game[Any], puzzle: Puzzle, language: str) -> Explanation:
    """Explain a puzzle in a language."""
    told = words_of(game, language)
    return Explanation(
        lines=[_explained(game, puzzle, choice, told) for choice in puzzle.choices],
        themes=themes(game, puzzle, told),
        gap=puzzle.gap,
        exact=puzzle.exact,
        hidden=has_hidden(game, puzzle),
    )


def themes(game: Game[Any], puzzle: Puzzle, told: Words) -> list[str]:
    """Return the themes of a puzzle in words."""
    return [theme_name(game, theme, told) for theme in puzzle.themes]


def theme_name(game: Game[Any], theme: str, told: Words) -> str:
    """Return a theme in words: what the solution achieves."""
    phrase = told.gettext(game.phrases[theme][0])
    return phrase[:1].upper() + phrase[1:]


def _explained(game: Game[Any], puzzle: Puzzle, choice: ComparedLine, told: Words) -> Explained:
    labels = turn_labels(game, puzzle, choice, told)
    return Explained(
        line=choice.line,
        label=labels[0],
        share=choice.share,
        error=choice.error,
        solution=choice.line in puzzle.solution,
        turn=labels[1:],
        reasons=[told.gettext(game.phrases[name][0]) for name in choice.reasons],
        doubts=[told.gettext(game.phrases[name][1]) for name in choice.doubts],
    )
