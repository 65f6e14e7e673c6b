"""A game in the terminal: the board, the log, the numbered moves, and bots or people to play against."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Final

from rich.columns import Columns
from rich.console import Console
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from omnibus.bots import Bot, bot, strongest
from omnibus.bots.nicknames import nickname
from omnibus.cli.console import board, seat_names
from omnibus.kernel.game import IllegalMove
from omnibus.kernel.i18n import COMMON_TEXTS, mark, words
from omnibus.kernel.match import Match
from omnibus.kernel.names import Names

CLEAR_SCROLLBACK: Final = "\x1b[3J"

COMMANDS: Final = (
    ("?", mark("how to play")),
    ("hint", mark("what a strong bot would do, and why")),
    ("log", mark("the whole log")),
    ("undo", mark("undo your last move")),
    ("save FILE", mark("write the record to a file")),
    ("quit", mark("quit the game")),
)


def _hanging(heading: str, style: str, paragraph: str) -> Grid:
    """Lay out a heading with a paragraph beside it."""
    grid = Grid.grid(padding=(0, 2))
    grid.add_row(Text(heading, style), Text(paragraph))
    return grid


class TerminalGame:
    """A match played on one console by people and bots."""

    def __init__(self, match: Match, bots: dict[int, Bot], lang: str, out: Console, record: Path | None = None) -> None:
        self.match = match
        self.bots = bots
        self.out = out
        self.record = record
        self.told = words(lang, match.game.folder, COMMON_TEXTS)
        self.names = self._names()
        self.reader: int | None = None
        """The seat of the person at the keyboard: the one who decided last, or is about to."""
        self.plies_read: dict[int | None, int] = {}
        """How many plies of the log each reader has seen."""

    def play(self) -> None:
        """Play until the game is over or somebody quits."""
        while self.match.actor is not None:
            self._save_record()
            actor = self.match.actor
            assert actor != "chance", "the match has dice"
            if actor in self.bots:
                with self.out.status(self._("{player} is thinking …").format(player=self.names[actor])):
                    line = self.bots[actor](self.match.view(actor))
                self.match.play(line)
            elif not self._ask(actor):
                return
        self._save_record()
        self._show(self.reader)
        self.out.print(self._status(self.reader))

    def _(self, message: str) -> str:
        return self.told.gettext(message)

    def _names(self) -> Names:
        """Name bots, and people by their colour; somebody who plays alone is “you”."""
        people = [seat for seat in range(self.match.seats) if seat not in self.bots]
        names = seat_names(self.match.seats, self.told)
        for seat in self.bots:
            names[seat] = nickname(self.match.commitment or "", seat, (), self.told)
        return Names(names, you=people[0] if len(people) == 1 else None)

    def _ask(self, seat: int) -> bool:
        """Ask a person for a move; False when they quit."""
        if self.reader not in (None, seat) and not self._hand_over(seat):
            return False
        self.reader = seat
        self._show(seat)
        lines = self.match.lines()
        view = self.match.game.view(self.match.state, seat)
        self.out.print(self._status(seat))
        labels = [self.match.game.label(view, line, self.told) for line in lines]
        self.out.print(self._choices(labels, lines, len(self.match.game.text(view, self.told))))
        meant = {label.casefold(): line for label, line in zip(labels, lines, strict=True)}
        meant |= {line.casefold(): line for line in lines}
        meant |= {str(number): line for number, line in enumerate(lines, 1)}
        before = len(self.match.plies), self.match.actor
        while (len(self.match.plies), self.match.actor) == before:
            said = self._read()
            if said is None or said.lower() in ("q", "quit"):
                return False
            self._answer(said, seat, meant)
        return True

    def _read(self) -> str | None:
        try:
            prompt = self._("Your move (number or line; ? for help):")
            return " ".join(self.out.input(Text(prompt + " ", "bold")).split())
        except UnicodeDecodeError:
            return "?!"  # not a move of any game
        except (EOFError, KeyboardInterrupt, RuntimeError):  # RuntimeError: there is no standard input at all
            return None
        finally:
            if not self.out.is_terminal:
                self.out.print()  # no Enter was echoed

    def _answer(self, said: str, seat: int, meant: dict[str, str]) -> None:
        """Run a command, or play a move given by its number, its label or its line."""
        commands: dict[str, Callable[[], None]] = {
            "?": self._help,
            "help": self._help,
            "hint": lambda: self._hint(seat),
            "log": lambda: self._log(seat, 0),
            "undo": lambda: self._undo(seat),
        }
        word, _, rest = said.partition(" ")
        if said.lower() in commands:
            commands[said.lower()]()
        elif word.lower() == "save":
            self._save(rest)
        elif said:
            self._play(meant.get(said.casefold(), said))

    def _play(self, line: str) -> None:
        try:
            self.match.play(line)
        except IllegalMove as illegal:
            refusal = illegal.refusal
            self._complain(f"{self.match.game.explain(refusal, self.told)} ({refusal.section}).")
        except ValueError:
            self._complain(self._("There is no such move. Type a number from the list, or a line.") + f" ({line})")

    def _undo(self, seat: int) -> None:
        """Undo back to the last decision made at this keyboard."""
        people = [
            ply for ply, (actor, _) in enumerate(self.match.plies) if actor != "chance" and actor not in self.bots
        ]
        if not people:
            self._complain(self._("There is nothing to undo."))
            return
        while len(self.match.plies) > people[-1]:
            self.match.undo()
        self.plies_read = {reader: min(ply, people[-1]) for reader, ply in self.plies_read.items()}

    def _save(self, file: str) -> None:
        if not file:
            self._complain(self._("Name a file: save FILE"))
            return
        try:
            Path(file).write_text(self.match.record(), encoding="utf-8")
        except (OSError, ValueError) as error:
            self._complain(f"{file}: {error.strerror if isinstance(error, OSError) else error}")
        else:
            self.out.print(Text(self._("The record is in {file}.").format(file=file)))

    def _help(self) -> None:
        for section, paragraph in self.match.game.help(self.told):
            self.out.print(_hanging(f"{section:>6}", "section", paragraph))
        for command, meaning in COMMANDS:
            self.out.print(_hanging(f"{command:>12}", "bold", self._(meaning)))

    def _hint(self, seat: int) -> None:
        """Show the best moves by a strong bot: the chance of winning with each, and why."""
        view = self.match.view(seat)
        with self.out.status(self._("A strong bot is thinking …")):
            ideas = bot(strongest(self.match.game, self.match.state), self.match.game).explain(view, self.told)
        self.out.print(Text(self._("Your share of the win with each of the best moves:"), "status"))
        for idea in ideas:
            self.out.print(_hanging(f"{idea.share:>6.0%}", "bold", idea.label))
            for sign, phrases in (("+", idea.reasons), ("−", idea.doubts)):
                for phrase in phrases:
                    self.out.print(_hanging(f"{sign:>8}", "section", phrase))

    def _save_record(self) -> None:
        """Save the record after every decision, so that nothing is lost however the game ends."""
        if self.record:
            self.record.write_text(self.match.record(), encoding="utf-8")

    def _hand_over(self, seat: int) -> bool:
        """Hide the last player's hand before the next one looks, in the scrollback too; False when they quit."""
        if self.out.is_terminal:
            self.out.clear()
            self.out.file.write(CLEAR_SCROLLBACK)
        self.out.print(
            self._("It is {player}’s turn. Press Enter when only they can see the screen.").format(
                player=self.names[seat]
            )
        )
        return not self.out.is_terminal or self._pause()

    def _pause(self) -> bool:
        try:
            self.out.input()
        except (EOFError, KeyboardInterrupt):
            return False
        return True

    def _show(self, seat: int | None) -> None:
        self._log(seat, self.plies_read.get(seat, 0))
        self.plies_read[seat] = len(self.match.plies)
        view = self.match.game.view(self.match.state, seat)
        self.out.print(Rule(self.match.game.title, style="section"))
        self.out.print(board(self.match.game.text(view, self.told)))

    def _log(self, seat: int | None, since: int) -> None:
        told = self.match.log(seat, self.names, self.told, since)
        for sentence, plies in groupby(told, key=itemgetter(1)):
            first, *others = [ply for ply, _ in plies]
            self.out.print(_hanging(f"{first:>5}", "section", sentence + (f" ×{len(others) + 1}" if others else "")))

    def _status(self, seat: int | None) -> Text:
        view = self.match.game.view(self.match.state, seat)
        return Text(self.match.game.status(view, self.names, self.told), "status")

    def _choices(self, labels: list[str], lines: list[str], above: int) -> Columns:
        """List the moves by number: labels and lines, or only one of them where the board would scroll away."""
        both = [(f"{label}  ", line) for label, line in zip(labels, lines, strict=True)]
        layouts = [both, [(label, "") for label in labels], [("", line) for line in lines]]
        for layout in layouts:
            entries = [
                Text.assemble((f"{number:>3} ", "bold"), label, (line, "section"))
                for number, (label, line) in enumerate(layout, 1)
            ]
            columns = Columns(entries, column_first=True, padding=(0, 2))
            if not self.out.is_terminal or len(self.out.render_lines(columns)) + above + 4 <= self.out.height:
                break
        return columns

    def _complain(self, sentence: str) -> None:
        self.out.print(Text(sentence, "complaint"))
