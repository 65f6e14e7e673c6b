"""Match: a state with its history, dice and undo — what people, tests and tools hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from omnibus.kernel import record as records
from omnibus.kernel import registry
from omnibus.kernel.choices import check_rules, checked_options, checked_seats, placed, set_up
from omnibus.kernel.dice import Dice
from omnibus.kernel.game import (
    CHANCE,
    OVER,
    Actor,
    BadNotation,
    BadPosition,
    Document,
    Game,
    IllegalMove,
    Outcome,
    State,
    Words,
    actor_of,
)
from omnibus.kernel.i18n import ENGLISH, Message, MessageError, mark, words
from omnibus.kernel.past_states import PastStates, States
from omnibus.kernel.record import BadRecord, Ply, Record
from omnibus.kernel.seat_changes import SeatChange, cut, names_at, resigned, told_at

OTHER_RESULT: Final = mark("the replayed game has the result {result}")
OTHER_ACTOR: Final = mark("the actor must be {expected}, not {actor}")
NO_MOVE: Final = mark("{line} is not a move of {game}")
KEPT_VIEWS: Final = 4  # before and after the last ply, for a spectator and for a seat or two


class Match:
    """A game being played or replayed. Create one with `new`, `from_position` or `read`."""

    def __init__(self, game: Game[Any], state: State, *, dice: Dice | None, placed: bool = False) -> None:
        self.game = game
        self.names: tuple[str, ...] = ()
        self.changes: list[SeatChange] = []
        """What has happened to the seats besides moves, in order: who has resigned, for whom a bot plays."""
        self.clock: Document | None = None
        """What a record has of the clocks; None for a game without."""
        self._state = state
        self._past = PastStates(game)
        self._views: dict[tuple[int, int | None], Document] = {}
        self._plies: list[Ply] = []
        self._known: tuple[tuple[Actor, str], ...] = ()  # the plies that have been asked for
        self._dice = dice
        self._commitment = dice.commitment if dice else None
        self._seed: str | None = None
        """The seed revealed by the record this match was read from."""
        self._placed: Document | None = game.position(state) if placed else None
        self._roll()

    @classmethod
    def new(
        cls,
        game: str,
        *,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        seed: int | None = None,
        dice: bool = True,
    ) -> Match:
        """Start a game. With `dice` the match rolls for chance itself, from the seed (a random one if None)."""
        found = registry.find(game)
        state = set_up(found, checked_seats(found, seats), checked_options(found, options or {}))
        return cls(found, state, dice=Dice(seed) if dice else None)

    @classmethod
    def from_position(
        cls, game: str, document: Mapping[str, Any], *, seed: int | None = None, dice: bool = True
    ) -> Match:
        """Start from a position document; BadPosition (a ValueError) says what is wrong with it."""
        found = registry.find(game)
        return cls(found, placed(found, document), dice=Dice(seed) if dice else None, placed=True)

    @classmethod
    def read(cls, text: str) -> Match:
        """Replay a record; BadRecord (a ValueError) names the first wrong line.

        The match has no dice, even if the record reveals its seed: from here on, chance is played by hand.
        """
        record = records.parse(text)
        match = begin(record)
        for _ in replay(match, record):
            pass
        return match

    @classmethod
    def resume(cls, text: str, *, seed: int, rolled: int) -> Match:
        """Replay a record and continue with its dice, given their seed and how often they have been rolled.

        The record may end anywhere except before a chance ply, which the dice would have rolled at once.
        """
        match = cls.read(text)
        dice = Dice(seed)
        dice.rolled = rolled
        match._dice, match._commitment, match._seed = dice, dice.commitment, None
        return match

    @property
    def state(self) -> Any:
        """The state. Do not change it; use `clone()` to try something out."""
        return self._state

    @property
    def seats(self) -> int:
        """How many seats there are, numbered from 0."""
        return self._state.seats

    @property
    def options(self) -> Document:
        """The options chosen before the game."""
        return self.game.chosen(self._state)

    @property
    def actor(self) -> Actor | None:
        """Who is to act: a seat, "chance" (without dice), or None when the game is over."""
        return actor_of(self._state) if self.unopposed is None else None

    @property
    def resigned(self) -> dict[int, int]:
        """The seats that have resigned, and after how many plies each did."""
        return resigned(self.changes, self.length)

    @property
    def unopposed(self) -> int | None:
        """The only seat that has not resigned, which wins at once; None while there are several."""
        if not self.changes:
            return None
        gone = self.resigned
        left = [seat for seat in range(self.seats) if seat not in gone]
        return left[0] if len(left) == 1 and self._state.actor != OVER else None

    @property
    def length(self) -> int:
        """The number of plies so far."""
        return len(self._plies)

    @property
    def plies(self) -> Sequence[tuple[Actor, str]]:
        """All plies as (actor, line), including those of chance."""
        if len(self._known) < len(self._plies):
            self._known += tuple((ply.actor, ply.line) for ply in self._plies[len(self._known) :])
        return self._known

    def written(self, since: int = 0) -> list[str]:
        """Return the plies as written in a record, all of them or from one on."""
        return list(map(str, self._plies[since:]))

    @property
    def states(self) -> Sequence[Any]:
        """The state before each ply, and the current one. Do not change them."""
        return States(self._past, self._state)

    @property
    def commitment(self) -> str | None:
        """The hash that commits to the dice; None without dice."""
        return self._commitment

    @property
    def seed(self) -> str | None:
        """The seed of the dice, once the game is over or if a record has revealed it; else None."""
        return self._dice.seed if self._dice and self.actor is None else self._seed

    @property
    def outcome(self) -> Outcome | None:
        """The outcome; None while the game goes on. Whoever has resigned does not win."""
        if not self.changes:
            return self.game.outcome(self._state)
        winner, gone = self.unopposed, self.resigned
        if winner is not None:
            return Outcome("resigned", tuple(self.game.standing(self._state)), (winner,))
        if gone and self.game.outcome_without is not None:
            return self.game.outcome_without(self._state, tuple(gone))
        return self.game.outcome(self._state)

    def lines(self) -> list[str]:
        """Return the legal moves as lines."""
        if self.unopposed is not None:
            return []
        return [self.game.write(self._state, move) for move in self.game.legal(self._state)]

    def play(self, line: str) -> None:
        """Play a line; IllegalMove or BadNotation leave the match unchanged."""
        self._expect_opponent()
        self._advance(self._parsed(line), None)
        self._roll()

    def play_move(self, move: int) -> None:
        """Play a move by its number, which is faster; IllegalMove leaves the match unchanged."""
        self._expect_opponent()
        if move not in self.game.legal(self._state):
            self._check(move, self.game.write(self._state, move))
        self._advance(move, None)
        self._roll()

    def follow(self, plies: Iterable[str]) -> None:
        """Play plies as written in a record, with what chance did: they were played in another copy of the match.

        BadRecord (a ValueError) says which of them does not fit; those before it have been played.
        """
        for number, ply in enumerate(map(records.ply_of, plies), 1):
            _follow(self, ply, number)
            if self._dice and ply.roll:
                self._dice.rolled = ply.roll

    def resign(self, seat: int) -> None:
        """Let a seat resign: it does not win, whatever is played in it from now on.

        When only one seat has not resigned, it wins at once.
        """
        if self.actor is None or seat in self.resigned:
            raise ValueError("the game is over, or this seat has resigned already")
        self._seat(seat)
        self.changes.append(SeatChange(self.length, seat, "resigned"))

    def undo(self) -> None:
        """Undo the last ply; with dice, the last decision of a seat and everything after it."""
        keep = len(self._plies) - 1
        while self._dice and keep >= 0 and self._plies[keep].actor == "chance":
            keep -= 1
        if keep < 0:
            raise ValueError("there is nothing to undo")
        self._state = self._past.cut(keep)
        del self._plies[keep:]
        self.changes = cut(self.changes, keep)
        self._known = self._known[:keep]
        self.forget_views()

    def view(self, seat: int | None) -> Document:
        """Return what a seat (None: a spectator) may see, as JSON; `plies` is the record as that seat saw it."""
        return {**self._view(self.length, self._seat(seat)), "plies": self._seen(seat)}

    def view_at(self, ply: int, seat: int | None) -> Document:
        """Return what a seat (None: a spectator) could see after so many plies.

        Do not change it: the last ones are kept, because logs and boards of several readers are made of the same.
        """
        if seat is not None and self.game.open:
            return {**self.view_at(ply, None), "viewer": seat}
        view = self._views.get((ply, seat))
        if view is None:
            view = self._view(ply, seat)
            if not view["outcome"]:  # an outcome still changes when somebody has resigned
                self._views[ply, seat] = view
            if len(self._views) > KEPT_VIEWS:
                del self._views[next(iter(self._views))]
        return view

    def forget_views(self) -> None:
        """Forget the views that are kept, which take memory; they are made again when somebody asks."""
        self._views.clear()

    def _view(self, ply: int, seat: int | None) -> Document:
        view = self.game.view(self._past[ply] if ply < self.length else self._state, seat)
        if view["outcome"] and self.changes and (outcome := self.outcome):
            view["outcome"] = outcome.document()  # the game itself does not know who has resigned
        return view

    def svg(self, seat: int | None, *, wide: bool = False) -> str:
        """Draw what a seat (None: a spectator) may see, upright or in landscape."""
        view = self.game.view(self._state, self._seat(seat))
        return self.game.svg(view, ENGLISH, names=self.names, wide=wide)

    def _repr_svg_(self) -> str:
        return self.svg(None)

    def __repr__(self) -> str:
        return f"<Match {self.game.name}, {len(self._plies)} plies, actor {self.actor!r}>"

    def position(self) -> Document:
        """Return the position document. It contains everything, including hidden information."""
        return self.game.position(self._state)

    def record(self, *, reveal: bool | None = None) -> str:
        """Write the match as a record, which `read` replays.

        It contains the seed of the dice as soon as `seed` has it. `reveal=True` reveals it earlier, for an abandoned
        match; `reveal=False` keeps it secret until the end of the game has been stored.
        """
        return records.write(
            Record(
                game=self.game.name,
                rules=self.game.version,
                seats=self.seats,
                options=self.options,
                names=self.names,
                position=self._placed,
                commitment=self._commitment,
                seed=self._revealed(reveal),
                resigned=tuple(self.resigned.items()),
                clock=self.clock,
                result=self._result(),
                plies=tuple(self._plies),
            )
        )

    def log(self, seat: int | None, names: Sequence[str], words: Words, since: int = 0) -> Iterator[tuple[int, str]]:
        """Yield the log as a seat (None: a spectator) saw it, from a ply on, as (ply, sentence).

        What happened to the seats since the last ply comes last, under the number of the ply to come.
        """
        game = self.game
        after = self.view_at(since, self._seat(seat)) if since < len(self._plies) else {}
        for ply in range(since, len(self._plies)):
            for sentence in told_at(self.changes, ply, names, words):
                yield ply, sentence
            state = self._past[ply]
            line = game.seen(state, game.parse(state, self._plies[ply].line), seat)
            before, after = after, self.view_at(ply + 1, seat)
            for sentence in game.tell(before, line, after, names_at(self.changes, ply, names, words), words):
                yield ply, sentence
        for sentence in told_at(self.changes, len(self._plies), names, words):
            yield len(self._plies), sentence

    def at(self, ply: int) -> Match:
        """Return the match as it was after so many plies, without dice."""
        if not 0 <= ply <= len(self._plies):
            raise ValueError(f"the record has plies 0 to {len(self._plies)}, not {ply}")
        earlier = Match(self.game, self.states[ply].clone(), dice=None)
        earlier.names, earlier._placed = self.names, self._placed
        earlier._commitment, earlier._seed = self._commitment, self.seed
        earlier._past, earlier._plies = self._past.first(ply), self._plies[:ply]
        earlier.changes = [change for change in self.changes if change.ply <= ply]
        return earlier

    def _expect_opponent(self) -> None:
        if self.unopposed is not None:
            raise ValueError("the game is over: all others have resigned")

    def _parsed(self, line: str) -> int:
        if type(line) is not str:
            raise BadNotation(f"{line!r} is not a line of text")
        move = self.game.parse(self._state, line)
        self._check(move, line)
        return move

    def _check(self, move: int, line: str) -> None:
        refusal = self.game.refusal(self._state, move)
        if refusal is not None:
            raise IllegalMove(line, replace(refusal, reason=self.game.explain(refusal, ENGLISH)))

    def _advance(self, move: int, roll: int | None) -> None:
        self._past.add(self._state.clone(), move)
        line = self.game.write(self._state, move)
        self._plies.append(Ply("chance" if self._state.actor == CHANCE else self._state.actor, line, roll))
        self.game.apply(self._state, move)

    def _roll(self) -> None:
        while self._dice and self._state.actor == CHANCE:
            number = self._dice.roll(self.game.chance_total(self._state))
            self._advance(self.game.chance_at(self._state, number), self._dice.rolled)

    def _seat(self, seat: int | None) -> int | None:
        if seat is not None and (type(seat) is not int or not 0 <= seat < self.seats):
            raise ValueError(f"there is no seat {seat!r}; there are 0 to {self.seats - 1}")
        return seat

    def _seen(self, seat: int | None) -> list[list[Any]]:
        game = self.game
        return [
            [ply.actor, game.seen(before, game.parse(before, ply.line), seat)]
            for before, ply in zip(self.states, self._plies, strict=False)
        ]

    def _revealed(self, reveal: bool | None) -> str | None:
        if reveal is None or self._dice is None:
            return self.seed
        return self._dice.seed if reveal else None

    def _result(self) -> Document | None:
        return records.result(self.outcome)


def begin(record: Record) -> Match:
    """Set up a match, without dice, as the headers of a record say; BadRecord names a wrong header."""
    key = "game"
    try:
        game = registry.find(record.game)
        key = "rules"
        check_rules(game, record.rules)
        key = "seats"
        seats = checked_seats(game, record.seats)
        key = "options"
        options = checked_options(game, record.options)
        if record.position is None:
            match = Match(game, set_up(game, seats, options), dice=None)
        else:
            key = "position"
            match = Match(game, placed(game, record.position), dice=None, placed=True)
            if match.seats != seats or match.options != options:
                raise BadPosition("its seats or options differ from the headers")
    except ValueError as error:
        raise BadRecord(record.lines[key], _reason(error)) from None
    match.names, match._commitment, match._seed = record.names, record.commitment, record.seed
    match.clock = record.clock
    match.changes = [SeatChange(ply, seat, "resigned") for seat, ply in record.resigned]
    return match


def replay(match: Match, record: Record) -> Iterator[tuple[int, Ply]]:
    """Replay a record from its beginning, yielding each ply and its line number before it is played.

    BadRecord names the first wrong line.
    """
    for number, ply in enumerate(record.plies, record.lines["plies"]):
        yield number, ply
        _follow(match, ply, number)
    if record.result is not None and record.result != match._result():
        raise BadRecord(record.lines["result"], Message(OTHER_RESULT, result=match._result()))


def _follow(match: Match, ply: Ply, number: int) -> None:
    if match.actor is None:
        raise BadRecord(number, Message(mark("the game is already over")))
    if ply.actor != match.actor:
        raise BadRecord(number, Message(OTHER_ACTOR, expected=_written(match.actor), actor=_written(ply.actor)))
    if ply.roll is not None and match._commitment is None:
        raise BadRecord(number, Message(mark("a rolled line needs the header commitment")))
    try:
        match._advance(match._parsed(ply.line), ply.roll)
    except IllegalMove as error:
        raise BadRecord(number, _RefusalMessage(match.game, error)) from None
    except BadNotation:
        raise BadRecord(number, Message(NO_MOVE, line=repr(ply.line), game=match.game.title)) from None


def _written(actor: Actor) -> str:
    """Return an actor as written in a record."""
    return str(Ply(actor, "")).strip()


class _RefusalMessage(Message):
    """Why a line is refused, by the game's own catalogue."""

    def __init__(self, game: Game[Any], illegal: IllegalMove) -> None:
        super().__init__("{line}: {reason} ({section})")
        self.game = game
        self.line = illegal.line
        self.refusal = illegal.refusal

    def told(self, language: str) -> str:
        reason = self.game.explain(self.refusal, words(language, self.game.folder))
        return self.text.format(line=self.line, reason=reason, section=self.refusal.section)


def _reason(error: ValueError) -> Message:
    """Return what is wrong with a header as a message."""
    if isinstance(error, BadPosition):
        return Message(mark("this position is not possible: {reason}"), reason=error.message)
    if isinstance(error, MessageError):
        return error.message
    return Message(mark("these options are not possible: {reason}"), reason=error)
