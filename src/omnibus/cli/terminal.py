"""A table in the terminal: the board, the log, the numbered moves, and somebody to play against."""

from __future__ import annotations

import os
import shutil
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
from rich.theme import Theme

from omnibus.bots import Bot, bot
from omnibus.kernel.game import IllegalMove, Span, Words
from omnibus.kernel.i18n import COMMON_TEXTS, LANGUAGES, mark, words
from omnibus.kernel.match import Match
from omnibus.kernel.svg import SEATS

STYLES: Final = Theme(
    {
        "seat0": "bold blue",
        "seat1": "bold dark_orange",
        "seat2": "bold green",
        "seat3": "bold magenta",
        "seat4": "bold cyan",
        "sue": "bold green",
        "guard": "bold white",
        "hal": "bold yellow",
        "deb": "bold red",
        "charlie": "bold magenta",
        "grey": "bright_black",
        "status": "bold",
        "section": "dim",
        "complaint": "red",
    },
)

FORGET: Final = "\x1b[3J"  # makes a terminal forget what has scrolled away

COMMANDS: Final = (
    ("?", mark("how to play")),
    ("hint", mark("what a strong bot would do, and why")),
    ("log", mark("the whole log")),
    ("undo", mark("take back")),
    ("save FILE", mark("write the record to a file")),
    ("quit", mark("leave the table")),
)


def language() -> str:
    """Return the language the terminal is set to, if it is one of ours; else English."""
    setting = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return setting[:2] if setting[:2] in LANGUAGES else "en"


def console() -> Console:
    """Return a console with the styles of the games."""
    return Console(theme=STYLES, highlight=False, width=None if shutil.get_terminal_size().columns >= 80 else 80)


def board(lines: list[list[Span]]) -> Text:
    """Put the lines of a board together."""
    return Text("\n").join(Text.assemble(*line) for line in lines)


def seat_names(seats: int, told: Words) -> list[str]:
    """Name the seats of a match whose players have no names."""
    return [told.gettext("Seat {seat}").format(seat=SEATS[seat].letter) for seat in range(seats)]


def _hanging(head: str, style: str, paragraph: str) -> Grid:
    """Set a paragraph beside its head."""
    grid = Grid.grid(padding=(0, 2))
    grid.add_row(Text(head, style), Text(paragraph))
    return grid


class Table:
    """One match, the people and bots around it, and a console between them."""

    def __init__(self, match: Match, bots: dict[int, Bot], lang: str, out: Console, record: Path | None = None) -> None:
        self.match = match
        self.bots = bots
        self.out = out
        self.record = record
        self.told = words(lang, match.game.folder, COMMON_TEXTS)
        self.names = self._names()
        self.reader: int | None = None
        """The person at the keyboard: who decided last, or is about to."""
        self.told_plies: dict[int | None, int] = {}
        """Up to where each reader has been told the log."""

    def play(self) -> None:
        """Play until the game is over or somebody leaves."""
        while self.match.actor is not None:
            self._keep()
            actor = self.match.actor
            assert actor != "chance", "a table has dice"
            if actor in self.bots:
                with self.out.status(self._("{player} is thinking …").format(player=self.names[actor])):
                    line = self.bots[actor](self.match.view(actor))
                self.match.play(line)
            elif not self._ask(actor):
                return
        self._keep()
        self._show(self.reader)
        self.out.print(self._status(self.reader))

    def _(self, message: str) -> str:
        return self.told.gettext(message)

    def _names(self) -> list[str]:
        people = [seat for seat in range(self.match.seats) if seat not in self.bots]
        names = seat_names(self.match.seats, self.told)
        if len(people) == 1:
            names[people[0]] = self._("{player} (you)").format(player=names[people[0]])
        return names

    def _ask(self, seat: int) -> bool:
        """Let a person decide; False when they leave."""
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
            return "?!"  # no move of any game
        except (EOFError, KeyboardInterrupt, RuntimeError):  # RuntimeError: there is no standard input at all
            return None
        finally:
            if not self.out.is_terminal:
                self.out.print()  # nobody pressed Enter

    def _answer(self, said: str, seat: int, meant: dict[str, str]) -> None:
        """Carry out a command, or a move by its number, its label or its line."""
        commands: dict[str, Callable[[], None]] = {
            "?": self._help,
            "help": self._help,
            "hint": lambda: self._hint(seat),
            "log": lambda: self._tell(seat, 0),
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
            self._complain(self._("There is no such move. Type a number of the list, or its line.") + f" ({line})")

    def _undo(self, seat: int) -> None:
        """Take back to the last decision of a person at this keyboard."""
        people = [
            ply for ply, (actor, _) in enumerate(self.match.plies) if actor != "chance" and actor not in self.bots
        ]
        if not people:
            self._complain(self._("There is nothing to take back."))
            return
        while len(self.match.plies) > people[-1]:
            self.match.undo()
        self.told_plies = {reader: min(ply, people[-1]) for reader, ply in self.told_plies.items()}

    def _save(self, file: str) -> None:
        if not file:
            self._complain(self._("Say where: save FILE"))
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
        """Tell what a strong bot thinks of the best moves: the share of the win, and why."""
        view = self.match.view(seat)
        with self.out.status(self._("A strong bot is thinking …")):
            thoughts = bot("hard", self.match.game).explain(view)
        self.out.print(Text(self._("Your share of the win with each of the best moves:"), "status"))
        for thought in thoughts:
            label = self.match.game.label(view, thought.line, self.told)
            self.out.print(_hanging(f"{thought.shares[seat]:>6.0%}", "bold", label))
            for sign, phrases in (("+", thought.reasons), ("−", thought.doubts)):
                for phrase in phrases:
                    self.out.print(_hanging(f"{sign:>8}", "section", self._(phrase)))

    def _keep(self) -> None:
        """Write the record after every decision, so that nothing is lost whatever ends the game."""
        if self.record:
            self.record.write_text(self.match.record(), encoding="utf-8")

    def _hand_over(self, seat: int) -> bool:
        """At one keyboard, nobody sees the other's hand, not even by scrolling back; False when somebody leaves."""
        if self.out.is_terminal:
            self.out.clear()
            self.out.file.write(FORGET)
        self.out.print(
            self._("It is the turn of {player}. Press Enter when only they can see the screen.").format(
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
        self._tell(seat, self.told_plies.get(seat, 0))
        self.told_plies[seat] = len(self.match.plies)
        view = self.match.game.view(self.match.state, seat)
        self.out.print(Rule(self.match.game.title, style="section"))
        self.out.print(board(self.match.game.text(view, self.told)))

    def _tell(self, seat: int | None, since: int) -> None:
        told = self.match.log(seat, self.names, self.told, since)
        for sentence, plies in groupby(told, key=itemgetter(1)):
            first, *others = [ply for ply, _ in plies]
            self.out.print(_hanging(f"{first:>5}", "section", sentence + (f" ×{len(others) + 1}" if others else "")))

    def _status(self, seat: int | None) -> Text:
        view = self.match.game.view(self.match.state, seat)
        return Text(self.match.game.status(view, self.names, self.told), "status")

    def _choices(self, labels: list[str], lines: list[str], above: int) -> Columns:
        """Number the moves: what they do and their lines, or as much of it as leaves the board on the screen."""
        both = [(f"{label}  ", line) for label, line in zip(labels, lines, strict=True)]
        ways = [both, [(label, "") for label in labels], [("", line) for line in lines]]
        for way in ways:
            entries = [
                Text.assemble((f"{number:>3} ", "bold"), label, (line, "section"))
                for number, (label, line) in enumerate(way, 1)
            ]
            columns = Columns(entries, column_first=True, padding=(0, 2))
            if not self.out.is_terminal or len(self.out.render_lines(columns)) + above + 4 <= self.out.height:
                break
        return columns

    def _complain(self, sentence: str) -> None:
        self.out.print(Text(sentence, "complaint"))
