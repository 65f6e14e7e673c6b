"""One game of a contest: who sits down, what came of it, and how long everybody thought."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from omnibus import games as shelf
from omnibus.kernel import record as records
from omnibus.kernel.dice import Dice
from omnibus.kernel.game import BadNotation, Document, Game, IllegalMove, Outcome
from omnibus.lab.arena.contestants import Contestant
from omnibus.lab.arena.schedule import Schedule, Seating, schedule, seed_of
from omnibus.lab.external_bot import Lost, Outside
from omnibus.lab.game_loop import Player, Sitting

LATE: Final = 1.1
"""A move that took more than this part of its time is late."""


@dataclass(frozen=True)
class Contest:
    """What is played by whom: all that decides what game number n will be."""

    game: str
    seats: int
    options: Document
    contestants: tuple[Contestant, ...]
    """Each once."""
    named: tuple[int, ...]
    """The numbers of the contestants as they were named, some perhaps twice."""
    seed: int

    @cached_property
    def schedule(self) -> Schedule:
        """Who sits where in which game."""
        return schedule(self.named, self.seats)

    def chairs(self, company: int) -> tuple[int, ...]:
        """Return how many chairs each contestant has when this company meets."""
        seated = Counter(self.schedule.companies[company][0])
        return tuple(seated[index] for index in range(len(self.contestants)))

    def document(self) -> Document:
        """Return it as JSON: two contests are the same if these are."""
        return {
            "game": self.game,
            "rules": shelf.find(self.game).version,
            "seats": self.seats,
            "options": self.options,
            "contestants": [one.document() for one in self.contestants],
            "named": list(self.named),
            "seed": self.seed,
        }


@dataclass
class Thinking:
    """How long a seat thought in a game."""

    moves: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    over: int = 0
    """Moves that took longer than allowed."""
    late: int = 0
    """Moves that took longer than 110 % of what is allowed."""
    simulations: int | None = None
    """How many were made, where the bot counts them …"""
    searched: float | None = None
    """… and in how many seconds, where it measures that itself."""

    def count(self, seconds: float, allowed: float | None) -> None:
        """Add a move."""
        self.moves += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)
        if allowed is not None:
            self.over += seconds > allowed
            self.late += seconds > allowed * LATE


@dataclass
class Played:
    """A game that was played."""

    number: int
    seating: Seating
    shares: tuple[float, ...]
    """Each seat's share of the win."""
    ending: str
    """The reason the game ended for, or `lost` when an outside program lost it by misbehaving."""
    plies: int
    decisions: int
    thinking: tuple[Thinking, ...]
    lost: Document | None = None
    """Which seat lost by misbehaving, by what `kind`, and the `detail`."""
    record: str = field(default="", compare=False)
    fault: str = ""
    """What went wrong inside one of our own bots; such a game counts for nothing."""

    def document(self) -> Document:
        """Return it as JSON, without the record."""
        told = asdict(self)
        del told["record"], told["fault"]
        return told

    @classmethod
    def parse(cls, told: Document) -> Played:
        """Read what `document` wrote."""
        thinking = tuple(Thinking(**one) for one in told["thinking"])
        return cls(**{**told, "seating": tuple(told["seating"]), "shares": tuple(told["shares"]), "thinking": thinking})


def play_game(contest: Contest, number: int, folder: Path | None = None) -> Played:
    """Play a game of a contest; what programs say on standard error goes to the folder."""
    return _Game(contest, number, folder).play()


class _Game:
    def __init__(self, contest: Contest, number: int, folder: Path | None) -> None:
        self.contest = contest
        self.number = number
        self.folder = folder
        self.round = number // contest.schedule.size
        self.seating = contest.schedule.seating(number)
        self.thinking = [Thinking() for _ in self.seating]
        self.game: Game[Any] = shelf.find(contest.game)
        self.dice = Dice(seed_of(contest.seed, self.round, "chance"))
        self.sitting = Sitting(self.game, self.game.setup(contest.seats, contest.options), self.dice)

    def play(self) -> Played:
        lost: Document | None = None
        fault = ""
        with ExitStack() as stack:
            try:
                self._play(stack)
            except _Forfeit as forfeit:
                lost = {"seat": forfeit.seat, "kind": forfeit.lost.kind, "detail": forfeit.lost.detail}
            except Exception:  # a bug of ours: it must be found, with the record that shows it
                fault = traceback.format_exc()
        return self._played(lost, fault)

    def _play(self, stack: ExitStack) -> None:
        players: list[Player] = []
        for seat in range(len(self.seating)):
            players.append(self._seated(seat, stack))
        self.sitting.play(players)
        result = records.result(self.game.outcome(self.sitting.state))
        for player in players:
            if isinstance(player, _Timed) and isinstance(player.player, _Guest):
                player.player.program.end(result)

    def _seated(self, seat: int, stack: ExitStack) -> Player:
        one = self.contest.contestants[self.seating[seat]]
        seed = seed_of(self.contest.seed, self.round, f"seat {seat}") >> 192
        if one.command:
            guest = _Guest(seat, stack.enter_context(self._program(seat)), self.sitting)
            guest.begin(self._announcement(seat), seed)
            return _Timed(guest, one.seconds, self.thinking[seat])
        return _Timed(one.seated(self.game, seed), one.seconds, self.thinking[seat])

    def _program(self, seat: int) -> Outside:
        index = self.seating[seat]
        one = self.contest.contestants[index]
        errors = self.folder / f"program-{index}.stderr" if self.folder else None
        return Outside(one.command, one.seconds, one.simulations, errors)

    def _announcement(self, seat: int) -> Document:
        return {
            "game": self.game.name,
            "rules": self.game.version,
            "seats": self.contest.seats,
            "seat": seat,
            "options": self.contest.options,
        }

    def _played(self, lost: Document | None, fault: str) -> Played:
        outcome = self.game.outcome(self.sitting.state)
        if outcome is not None and lost is None:
            shares, ending = shares_of(outcome, len(self.seating)), outcome.reason
        else:
            shares, ending = shares_without(lost["seat"] if lost else None, self.seating), "lost"
        names = [self.contest.contestants[index].name for index in self.seating]
        return Played(
            number=self.number,
            seating=self.seating,
            shares=shares,
            ending=ending,
            plies=self.sitting.plies,
            decisions=self.sitting.decisions,
            thinking=tuple(self.thinking),
            lost=lost,
            record=self.sitting.record(names, self.dice),
            fault=fault,
        )


class _Forfeit(Exception):
    """A seat has lost by misbehaving."""

    def __init__(self, seat: int, lost: Lost) -> None:
        super().__init__(seat, lost)
        self.seat = seat
        self.lost = lost


class _Guest:
    """An outside program in its seat: every answer is looked at before it is played."""

    def __init__(self, seat: int, program: Outside, sitting: Sitting) -> None:
        self.seat = seat
        self.program = program
        self.sitting = sitting
        program.lines = sitting.lines

    def begin(self, announcement: Document, seed: int) -> None:
        try:
            self.program.begin(announcement, seed)
        except Lost as lost:
            raise _Forfeit(self.seat, lost) from None

    def __call__(self, view: Document) -> str:
        try:
            line = self.program(view)
            self.sitting.parse(line)
        except Lost as lost:
            raise _Forfeit(self.seat, lost) from None
        except (IllegalMove, BadNotation) as error:
            raise _Forfeit(self.seat, Lost("illegal", str(error)[:200])) from None
        return line


class _Timed:
    """A player under a clock."""

    def __init__(self, player: Player, allowed: float | None, thinking: Thinking) -> None:
        self.player = player
        self.allowed = allowed
        self.thinking = thinking

    def __call__(self, view: Document) -> str:
        began = perf_counter()
        try:
            return self.player(view)
        finally:
            self.thinking.count(perf_counter() - began, self.allowed)
            self.thinking.simulations = getattr(self.player, "simulations_made", None)
            self.thinking.searched = getattr(self.player, "seconds_searched", None)


def shares_of(outcome: Outcome, seats: int) -> tuple[float, ...]:
    """Return each seat's share of the win: winners divide it; where nobody wins, all do."""
    winners = outcome.winners or tuple(range(seats))
    return tuple((seat in winners) / len(winners) for seat in range(seats))


def shares_without(loser: int | None, seating: Sequence[int]) -> tuple[float, ...]:
    """Return the shares after a contestant misbehaved: all others divide the win, or all seats if it sat alone."""
    others = [seat for seat, one in enumerate(seating) if loser is None or one != seating[loser]]
    winners = others or list(range(len(seating)))
    return tuple((seat in winners) / len(winners) for seat in range(len(seating)))
