"""Match: a state with its history, dice and undo — what people, tests and tools hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from omnibus.kernel import record as records
from omnibus.kernel import registry
from omnibus.kernel.dice import Dice
from omnibus.kernel.game import (
    CHANCE,
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
from omnibus.kernel.i18n import ENGLISH
from omnibus.kernel.record import BadRecord, Ply, Record


class Match:
    """One game being played, or played: begin one with `new`, `from_position` or `read`."""

    def __init__(self, game: Game[Any], state: State, *, dice: Dice | None, placed: bool = False) -> None:
        self.game = game
        self.names: tuple[str, ...] = ()
        self._state = state
        self._past: list[State] = []
        self._plies: list[Ply] = []
        self._known: tuple[tuple[Actor, str], ...] | None = None  # as people read them, until there are more
        self._dice = dice
        self._commitment = dice.commitment if dice else None
        self._seed: str | None = None
        """The seed as a record that was read reveals it."""
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
        """Begin a game. With `dice` the match rolls chance itself, from the seed (a fresh one if None)."""
        found = registry.find(game)
        state = found.setup(_seats(found, seats), _options(found, options or {}))
        return cls(found, state, dice=Dice(seed) if dice else None)

    @classmethod
    def from_position(
        cls, game: str, document: Mapping[str, Any], *, seed: int | None = None, dice: bool = True
    ) -> Match:
        """Begin from a position document; BadPosition (a ValueError) names what is wrong with it."""
        found = registry.find(game)
        return cls(found, found.place(document), dice=Dice(seed) if dice else None, placed=True)

    @classmethod
    def read(cls, text: str) -> Match:
        """Replay a record; BadRecord (a ValueError) names the first wrong line.

        A record does not go on rolling, even if it has revealed its seed: chance is played by hand from here on.
        """
        record = records.parse(text)
        match = begin(record)
        for _ in replay(match, record):
            pass
        return match

    @classmethod
    def resume(cls, text: str, *, seed: int, rolled: int) -> Match:
        """Replay a record and go on with its dice: the seed they were made from, and how often they have been rolled.

        The record may break off anywhere but before a chance, which its own dice would have rolled at once.
        """
        match = cls.read(text)
        dice = Dice(seed)
        dice.rolled = rolled
        match._dice, match._commitment, match._seed = dice, dice.commitment, None
        return match

    @property
    def state(self) -> Any:
        """The state itself. Look, do not touch; `clone()` it to try something out."""
        return self._state

    @property
    def seats(self) -> int:
        """How many seats there are, numbered from 0."""
        return self._state.seats

    @property
    def options(self) -> Document:
        """What was chosen before the game."""
        return self.game.chosen(self._state)

    @property
    def actor(self) -> Actor | None:
        """Whose decision it is: a seat, "chance" (when there are no dice) or None when the game is over."""
        return actor_of(self._state)

    @property
    def length(self) -> int:
        """How many plies there have been."""
        return len(self._plies)

    @property
    def plies(self) -> Sequence[tuple[Actor, str]]:
        """What has happened: (actor, line), chance included."""
        if self._known is None:
            self._known = tuple((ply.actor, ply.line) for ply in self._plies)
        return self._known

    @property
    def written(self) -> Sequence[str]:
        """What has happened, each ply as it stands in a record."""
        return tuple(map(str, self._plies))

    @property
    def states(self) -> Sequence[Any]:
        """The state before each ply, and the present one. Look, do not touch."""
        return (*self._past, self._state)

    @property
    def commitment(self) -> str | None:
        """The hash that commits to the dice; None when there were none."""
        return self._commitment

    @property
    def seed(self) -> str | None:
        """The seed of the dice once it may be known: when the game is over, or when a record has revealed it."""
        return self._dice.seed if self._dice and self.actor is None else self._seed

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on."""
        return self.game.outcome(self._state)

    def lines(self) -> list[str]:
        """Return the legal lines of the actor."""
        return [self.game.write(self._state, move) for move in self.game.legal(self._state)]

    def play(self, line: str) -> None:
        """Play a line; IllegalMove or BadNotation leave the match as it was."""
        self._advance(self._parsed(line), None)
        self._roll()

    def play_move(self, move: int) -> None:
        """Play a move by its number; IllegalMove leaves the match as it was. The quick way: only a refusal is slow."""
        if move not in self.game.legal(self._state):
            self._check(move, self.game.write(self._state, move))
        self._advance(move, None)
        self._roll()

    def undo(self) -> None:
        """Take back the last line; with dice, everything since and including the last decision of a seat."""
        keep = len(self._plies) - 1
        while self._dice and keep >= 0 and self._plies[keep].actor == "chance":
            keep -= 1
        if keep < 0:
            raise ValueError("there is nothing to take back")
        self._state = self._past[keep]
        del self._past[keep:], self._plies[keep:]
        self._known = None

    def view(self, seat: int | None) -> Document:
        """Return what a seat may see (None: a spectator), as JSON; `plies` is the record as that seat read it."""
        return {**self.game.view(self._state, self._seat(seat)), "plies": self._seen(seat)}

    def svg(self, seat: int | None) -> str:
        """Draw what a seat may see (None: a spectator)."""
        return self.game.svg(self.game.view(self._state, self._seat(seat)), ENGLISH)

    def _repr_svg_(self) -> str:
        return self.svg(None)

    def __repr__(self) -> str:
        return f"<Match {self.game.name}, {len(self._plies)} plies, actor {self.actor!r}>"

    def position(self) -> Document:
        """Return the position document. It tells everything, secrets too."""
        return self.game.position(self._state)

    def record(self, *, reveal: bool | None = None) -> str:
        """Write the match as text; `read` replays it.

        The seed of the dice stands in it as soon as `seed` may be known. A match that is broken off reveals it earlier
        (`reveal=True`), one whose end is not yet kept later (`reveal=False`).
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
                result=self._result(),
                plies=tuple(self._plies),
            )
        )

    def log(self, seat: int | None, names: Sequence[str], words: Words, since: int = 0) -> Iterator[tuple[int, str]]:
        """Tell the match as one seat saw it (None: a spectator), from a ply on, as (ply, sentence)."""
        game, states = self.game, self.states
        after = game.view(states[since], self._seat(seat)) if since < len(self._plies) else {}
        for ply in range(since, len(self._plies)):
            before, after = after, game.view(states[ply + 1], seat)
            line = game.seen(states[ply], game.parse(states[ply], self._plies[ply].line), seat)
            for sentence in game.tell(before, line, after, names, words):
                yield ply, sentence

    def at(self, ply: int) -> Match:
        """Return the match as it stood after so many plies, with chance by hand."""
        if not 0 <= ply <= len(self._plies):
            raise ValueError(f"the record has plies 0 to {len(self._plies)}, not {ply}")
        earlier = Match(self.game, self.states[ply].clone(), dice=None)
        earlier.names, earlier._placed = self.names, self._placed
        earlier._commitment, earlier._seed = self._commitment, self.seed
        earlier._past, earlier._plies = self._past[:ply], self._plies[:ply]
        return earlier

    def _parsed(self, line: str) -> int:
        if type(line) is not str:
            raise BadNotation(f"{line!r} is no line: a line is text")
        move = self.game.parse(self._state, line)
        self._check(move, line)
        return move

    def _check(self, move: int, line: str) -> None:
        refusal = self.game.refusal(self._state, move)
        if refusal is not None:
            raise IllegalMove(line, replace(refusal, reason=self.game.explain(refusal, ENGLISH)))

    def _advance(self, move: int, roll: int | None) -> None:
        self._past.append(self._state.clone())
        line = self.game.write(self._state, move)
        self._known = None
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
            for before, ply in zip(self._past, self._plies, strict=True)
        ]

    def _revealed(self, reveal: bool | None) -> str | None:
        if reveal is None or self._dice is None:
            return self.seed
        return self._dice.seed if reveal else None

    def _result(self) -> Document | None:
        return records.result(self.outcome)


def _seats(game: Game[Any], seats: int | None) -> int:
    if seats is None:
        return game.seats[0]
    if type(seats) is not int or seats not in game.seats:
        raise ValueError(f"{game.title} is for {_or(game.seats)} seats, not {seats!r}")
    return seats


def _options(game: Game[Any], options: Mapping[str, Any], version: int | None = None) -> Document:
    """Return all options of a game; what is not offered stands among them only where it is not as usual."""
    chosen = {name: option.default for name, option in game.options.items() if option.offered}
    for name, value in game.upgrade(version or game.version, dict(options)).items():
        if name not in game.options:
            raise ValueError(f"{game.title} has no option {name!r}; it has: {', '.join(game.offered)}")
        option = game.options[name]
        if not option.admits(value):
            raise ValueError(f"the option {name} may be {option.described()}, not {value!r}")
        if option.offered or value != option.default:
            chosen[name] = value
    return chosen


def _or(numbers: Sequence[int]) -> str:
    return " or ".join(map(str, numbers))


def begin(record: Record) -> Match:
    """Set the board up as the headers say, with chance by hand; a header that cannot be is a BadRecord."""
    key = "game"
    try:
        game = registry.find(record.game)
        key = "rules"
        if not 1 <= record.rules <= game.version:
            raise ValueError(f"this program knows the rules up to version {game.version}, not {record.rules}")
        key = "seats"
        seats = _seats(game, record.seats)
        key = "options"
        options = _options(game, record.options, record.rules)
        if record.position is None:
            match = Match(game, game.setup(seats, options), dice=None)
        else:
            key = "position"
            old_rules = {name: value for name, value in options.items() if not game.options[name].offered}
            match = Match(game, game.place({**record.position, **old_rules}), dice=None, placed=True)
            if match.seats != seats or match.options != options:
                raise BadPosition("seats or options differ from those of the header")
    except ValueError as error:
        raise BadRecord(record.lines[key], str(error)) from None
    match.names, match._commitment, match._seed = record.names, record.commitment, record.seed
    return match


def replay(match: Match, record: Record) -> Iterator[tuple[int, Ply]]:
    """Replay a record from its beginning, naming each ply and its line before it is played.

    BadRecord names the first wrong line.
    """
    for number, ply in enumerate(record.plies, record.lines["plies"]):
        yield number, ply
        _follow(match, ply, number)
    if record.result is not None and record.result != match._result():
        raise BadRecord(record.lines["result"], f"the game as replayed has the result {match._result()}")


def _follow(match: Match, ply: Ply, number: int) -> None:
    if ply.actor != match.actor:
        expected = "nobody, for the game is over" if match.actor is None else match.actor
        raise BadRecord(number, f"the actor is {expected}, not {ply.actor}")
    if ply.roll is not None and match._commitment is None:
        raise BadRecord(number, "a rolled line needs the header commitment")
    try:
        match._advance(match._parsed(ply.line), ply.roll)
    except (IllegalMove, BadNotation) as error:
        raise BadRecord(number, str(error)) from None
