"""`omnibus puzzle`: solve a puzzle in the terminal."""

from __future__ import annotations

from random import Random
from typing import Annotated, Any, Final

import typer
from rich.columns import Columns
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from omnibus import games
from omnibus.cli.console import board, console, language, seat_names
from omnibus.cli.parameters import GameName, Language
from omnibus.kernel.game import Game, Words
from omnibus.kernel.i18n import COMMON_TEXTS, MessageError, mark, words
from omnibus.kernel.names import Names
from omnibus.lab.puzzles.document import ComparedLine, Puzzle, has_hidden, puzzles_of, state_of, turn_labels

NO_PUZZLES: Final = mark("{game} has no puzzles")
NO_PUZZLE: Final = mark("{game} has no puzzle {id}")
GIVE_UP: Final = ("q", "quit")
INDENT: Final = 7
"""What is told of a line begins here, after its share."""


def puzzle(
    game: GameName,
    number: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="The id of a puzzle. [default: any of them]")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the choice among the puzzles. [default: random]")] = None,
    lang: Language = None,
) -> None:
    """Solve a puzzle: find the best move to begin the turn with."""
    found = games.find(game)
    known = puzzles_of(found)
    if not known:
        raise MessageError(NO_PUZZLES, game=found.title)
    if number is not None and number not in known:
        raise MessageError(NO_PUZZLE, game=found.title, id=number)
    chosen = known[number or Random(seed).choice(list(known))]
    Solving(found, chosen, console(found), words(lang or language(), found.folder, COMMON_TEXTS)).run()


class Solving:
    """A puzzle on a console."""

    def __init__(self, game: Game[Any], puzzle: Puzzle, out: Console, told: Words) -> None:
        self.game = game
        self.puzzle = puzzle
        self.out = out
        self.told = told
        self.state = state_of(game, puzzle)
        self.view = game.view(self.state, puzzle.seat)
        self.lines = [game.write(self.state, move) for move in game.legal(self.state)]

    def run(self) -> None:
        """Show the puzzle, ask until it is solved or given up, and explain the solution."""
        self._show()
        while (line := self._ask()) is not None and line not in self.puzzle.solution:
            self.out.print(Text(self.told.gettext("There is something much better. Try again."), "complaint"))
        solved = mark("Right!") if line else mark("This is the solution.")
        self.out.print(Text(self.told.gettext(solved), "status"))
        self._explain()

    def _show(self) -> None:
        seats = self.view["seats"]
        names = Names(seat_names(seats, self.told), you=self.puzzle.seat)
        title = self.told.gettext("{game}: puzzle {rating}").format(game=self.game.title, rating=self.puzzle.rating)
        self.out.print(Rule(title, style="section"))
        self.out.print(board(self.game.text(self.view, self.told)))
        self.out.print(Text(self.game.status(self.view, names, self.told), "status"))
        entries = [
            Text.assemble((f"{number:>3} ", "bold"), self.game.label(self.view, line, self.told))
            for number, line in enumerate(self.lines, 1)
        ]
        self.out.print(Columns(entries, column_first=True, padding=(0, 2)))

    def _ask(self) -> str | None:
        """Return a legal line, typed as it is or by its number; None to give up."""
        numbered = {str(number): line for number, line in enumerate(self.lines, 1)}
        prompt = self.told.gettext("Your move (number or line; quit shows the solution):")
        while True:
            try:
                typed = " ".join(self.out.input(Text(prompt + " ", "bold")).split())
            except UnicodeDecodeError:
                return None
            except EOFError:
                self.out.print()  # no Enter was echoed
                return None
            except KeyboardInterrupt:
                self.out.print()
                raise
            line = numbered.get(typed, typed)
            if line.lower() in GIVE_UP:
                return None
            if line in self.lines:
                return line
            complaint = self.told.gettext("There is no such move. Type a number from the list, or a line.")
            self.out.print(Text(complaint, "complaint"))

    def _explain(self) -> None:
        gap = self.told.gettext("Better by {points} percentage points than every other move.")
        self.out.print(gap.format(points=round(100 * self.puzzle.gap)))
        for theme in self.puzzle.themes:
            self.out.print(f"• {self.told.gettext(self.game.phrases[theme][0])}")
        for choice in self.puzzle.choices:
            self.out.print(self._line(choice))
        exact = mark("Exact: everything that can follow was calculated.")
        searched = mark("Estimated by long searches.")
        redealt = mark("Estimated by long searches, in which what you cannot see was redealt 64 times.")
        estimated = redealt if has_hidden(self.game, self.puzzle) else searched
        self.out.print(Text(self.told.gettext(exact if self.puzzle.exact else estimated), "section"))

    def _line(self, choice: ComparedLine) -> Text:
        """Tell what a line is worth, how the turn goes on, and the reasons for and against it."""
        sign, style = ("✓", "bold") if choice.line in self.puzzle.solution else (" ", "")
        first, *others = turn_labels(self.game, self.puzzle, choice, self.told)
        text = Text.assemble((first, style))
        if others:
            then = self.told.gettext("Then: {moves}").format(moves=", ".join(others))
            text.append(f"\n{then}", "section")
        reasons = [("+", self.game.phrases[name][0]) for name in choice.reasons]
        for mark_, phrase in [*reasons, *(("−", self.game.phrases[name][1]) for name in choice.doubts)]:
            text.append(f"\n{mark_} {self.told.gettext(phrase)}", "section")
        lines = text.wrap(self.out, self.out.width - INDENT)
        return Text.assemble((f"{sign} {choice.share:>4.0%} ", style), Text("\n" + " " * INDENT).join(lines))
