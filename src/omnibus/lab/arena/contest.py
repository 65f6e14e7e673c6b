"""A contest, and how one of its games is played: the seating, the result, the thinking times."""

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

from omnibus import games
from omnibus.kernel import record as records
from omnibus.kernel.dice import Dice
from omnibus.kernel.game import BadNotation, Document, Game, IllegalMove, Outcome
from omnibus.lab.arena.contestants import Contestant
from omnibus.lab.arena.schedule import Schedule, Seating, schedule, seed_of
from omnibus.lab.external_bot import ExternalBot, Forfeit
from omnibus.lab.game_loop import GameLoop, Player

LATE: Final = 1.1
"""A move is late if it took more than its time times this factor."""


@dataclass(frozen=True)
class Contest:
    """What is played and by whom: everything that determines game number n."""

    game: str
    seats: int
    options: Document
    contestants: tuple[Contestant, ...]
    """Without duplicates."""
    named: tuple[int, ...]
    """Indices of the contestants as they were named; one may occur twice."""
    seed: int

    @cached_property
    def schedule(self) -> Schedule:
        """Who sits where in which game."""
        return schedule(self.named, self.seats)

    def chairs(self, lineup: int) -> tuple[int, ...]:
        """Return how many seats each contestant has in a lineup."""
        seated = Counter(self.schedule.lineups[lineup][0])
        return tuple(seated[index] for index in range(len(self.contestants)))

    def document(self) -> Document:
        """Return it as JSON; contests with equal documents are the same contest."""
        return {
            "game": self.game,
            "rules": games.find(self.game).version,
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
    """How many were made, if the bot counts them …"""
    searched: float | None = None
    """… and in how many seconds, if it measures them."""

    def count(self, seconds: float, allowed: float | None) -> None:
        """Add a move."""
        self.moves += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)
        if allowed is not None:
            self.over += seconds > allowed
            self.late += seconds > allowed * LATE


@dataclass
class GameResult:
    """The result of a game."""

    number: int
    seating: Seating
    shares: tuple[float, ...]
    """Each seat's share of the win."""
    ending: str
    """Why the game ended, or `lost` if an external bot forfeited it."""
    plies: int
    decisions: int
    thinking: tuple[Thinking, ...]
    lost: Document | None = None
    """The seat that forfeited the game, the `kind` of its failure, and the `detail`."""
    record: str = field(default="", compare=False)
    fault: str = ""
    """The traceback of an error in a built-in bot; such a game does not count."""

    def document(self) -> Document:
        """Return it as JSON, without the record."""
        told = asdict(self)
        del told["record"], told["fault"]
        return told

    @classmethod
    def parse(cls, told: Document) -> GameResult:
        """Read what `document` wrote."""
        thinking = tuple(Thinking(**one) for one in told["thinking"])
        return cls(**{**told, "seating": tuple(told["seating"]), "shares": tuple(told["shares"]), "thinking": thinking})


def play_game(contest: Contest, number: int, folder: Path | None = None) -> GameResult:
    """Play a game of a contest; the standard error of external bots goes to the folder."""
    return _Game(contest, number, folder).play()


class _Game:
    def __init__(self, contest: Contest, number: int, folder: Path | None) -> None:
        self.contest = contest
        self.number = number
        self.folder = folder
        self.round = number // contest.schedule.size
        self.seating = contest.schedule.seating(number)
        self.thinking = [Thinking() for _ in self.seating]
        self.game: Game[Any] = games.find(contest.game)
        self.dice = Dice(seed_of(contest.seed, self.round, "chance"))
        self.loop = GameLoop(self.game, self.game.setup(contest.seats, contest.options), self.dice)

    def play(self) -> GameResult:
        lost: Document | None = None
        fault = ""
        with ExitStack() as stack:
            try:
                self._play(stack)
            except _SeatForfeit as forfeit:
                lost = {"seat": forfeit.seat, "kind": forfeit.lost.kind, "detail": forfeit.lost.detail}
            except Exception:  # a bug in a built-in bot: report it with the record that shows it
                fault = traceback.format_exc()
        return self._played(lost, fault)

    def _play(self, stack: ExitStack) -> None:
        players: list[Player] = []
        for seat in range(len(self.seating)):
            players.append(self._seated(seat, stack))
        self.loop.play(players)
        result = records.result(self.game.outcome(self.loop.state))
        for player in players:
            if isinstance(player, _TimedPlayer) and isinstance(player.player, _ExternalPlayer):
                player.player.program.end(result)

    def _seated(self, seat: int, stack: ExitStack) -> Player:
        one = self.contest.contestants[self.seating[seat]]
        seed = seed_of(self.contest.seed, self.round, f"seat {seat}") >> 192
        if one.command:
            external = _ExternalPlayer(seat, stack.enter_context(self._program(seat)), self.loop)
            external.begin(self._announcement(seat), seed)
            return _TimedPlayer(external, one.seconds, self.thinking[seat])
        return _TimedPlayer(one.seated(self.game, seed), one.seconds, self.thinking[seat])

    def _program(self, seat: int) -> ExternalBot:
        index = self.seating[seat]
        one = self.contest.contestants[index]
        errors = self.folder / f"program-{index}.stderr" if self.folder else None
        return ExternalBot(one.command, one.seconds, one.simulations, errors)

    def _announcement(self, seat: int) -> Document:
        return {
            "game": self.game.name,
            "rules": self.game.version,
            "seats": self.contest.seats,
            "seat": seat,
            "options": self.contest.options,
        }

    def _played(self, lost: Document | None, fault: str) -> GameResult:
        outcome = self.game.outcome(self.loop.state)
        if outcome is not None and lost is None:
            shares, ending = shares_of(outcome, len(self.seating)), outcome.reason
        else:
            shares, ending = shares_without(lost["seat"] if lost else None, self.seating), "lost"
        names = [self.contest.contestants[index].name for index in self.seating]
        return GameResult(
            number=self.number,
            seating=self.seating,
            shares=shares,
            ending=ending,
            plies=self.loop.plies,
            decisions=self.loop.decisions,
            thinking=tuple(self.thinking),
            lost=lost,
            record=self.loop.record(names, self.dice),
            fault=fault,
        )


class _SeatForfeit(Exception):
    """A seat has forfeited the game."""

    def __init__(self, seat: int, lost: Forfeit) -> None:
        super().__init__(seat, lost)
        self.seat = seat
        self.lost = lost


class _ExternalPlayer:
    """An external bot in its seat; every answer is checked before it is played."""

    def __init__(self, seat: int, program: ExternalBot, loop: GameLoop) -> None:
        self.seat = seat
        self.program = program
        self.loop = loop
        program.lines = loop.lines

    def begin(self, announcement: Document, seed: int) -> None:
        try:
            self.program.begin(announcement, seed)
        except Forfeit as lost:
            raise _SeatForfeit(self.seat, lost) from None

    def __call__(self, view: Document) -> str:
        try:
            line = self.program(view)
            self.loop.parse(line)
        except Forfeit as lost:
            raise _SeatForfeit(self.seat, lost) from None
        except (IllegalMove, BadNotation) as error:
            raise _SeatForfeit(self.seat, Forfeit("illegal", str(error)[:200])) from None
        return line


class _TimedPlayer:
    """A player whose thinking time is measured."""

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
    """Return each seat's share of the win: winners divide it; if nobody wins, everybody does."""
    winners = outcome.winners or tuple(range(seats))
    return tuple((seat in winners) / len(winners) for seat in range(seats))


def shares_without(loser: int | None, seating: Sequence[int]) -> tuple[float, ...]:
    """Return the shares after a forfeit: all other contestants divide the win, or all seats if there are none."""
    others = [seat for seat, one in enumerate(seating) if loser is None or one != seating[loser]]
    winners = others or list(range(len(seating)))
    return tuple((seat in winners) / len(winners) for seat in range(len(seating)))
