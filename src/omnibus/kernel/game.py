"""The contract between the house and a game.

A game is a record of functions around a compact mutable `State`. Moves are small ints of an action space that is fixed
for a game and its options: the moves of seats first, those of chance after them. Every int has exactly one notation
line; people only ever see lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, NamedTuple, Protocol, Self, TypeVar

from omnibus.kernel.features import Feature

CHANCE: Final = -1
OVER: Final = -2

Actor = int | Literal["chance"]
"""Who decides, as people read it: a seat, or chance."""

Document = dict[str, Any]
"""A JSON object: strings, numbers, booleans, None, lists and objects of these."""

Roll = Callable[[int], int]
"""`roll(n)` answers one of 0 … n−1, each as likely as the others. Games own no dice; they are handed some."""


class State(Protocol):
    """What is on the table now. Changed in place by `Game.apply`, copied by `clone`."""

    actor: int
    """The seat to decide, or CHANCE, or OVER."""

    seats: int

    def clone(self) -> Self:
        """Return an independent copy."""
        ...


S = TypeVar("S", bound=State)


def actor_of(state: State) -> Actor | None:
    """Return whose decision it is, as people read it: a seat, "chance", or None when the game is over."""
    if state.actor == OVER:
        return None
    return "chance" if state.actor == CHANCE else state.actor


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move may not be made: a code, the § that forbids it, and what the sentence is about."""

    code: str
    section: str
    args: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    """The sentence for people, in English; empty until somebody has told it (`Game.explain`)."""

    def __str__(self) -> str:
        return f"{self.reason or self.code} ({self.section})"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: why, with what scores, who won, and what broke the tie (None if nothing had to)."""

    reason: str
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    tie_break: str | None = None
    details: Document = field(default_factory=dict)

    def document(self) -> Document:
        """Return the outcome as a JSON object, for views and records."""
        return {
            "reason": self.reason,
            "scores": list(self.scores),
            "winners": list(self.winners),
            "tie_break": self.tie_break,
            "details": self.details,
        }


class IllegalMove(ValueError):
    """A move of the game, but not now: `refusal` says why."""

    def __init__(self, line: str, refusal: Refusal) -> None:
        super().__init__(f"{line}: {refusal}")
        self.line = line
        self.refusal = refusal


class BadNotation(ValueError):
    """Text that is no move of the game at all."""


class BadPosition(ValueError):
    """A position document that describes no position of the game; the message names the culprit."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be chosen before a game: its default and what may stand in its place."""

    default: Any
    choices: tuple[Any, ...]
    text: str
    """What it decides, in English; a message id of the game's catalogue."""
    accept: Callable[[Any], bool] | None = None
    """For values beyond the choices (a document, say): True to take it, False to refuse, ValueError to say why."""
    allowed: str = ""
    """How `accept` is put in words, when there is one."""
    names: tuple[str, ...] = ()
    """What the choices are called, in English, where they do not speak for themselves."""
    offered: bool = True
    """Whether people may choose it for a new game. Rules of an earlier version, which old records need, are not."""

    def admits(self, value: Any) -> bool:
        """Tell whether the value may be chosen. True and 1 are different values here."""
        if any(type(value) is type(choice) and value == choice for choice in self.choices):
            return True
        return self.accept is not None and self.accept(value)

    def called(self, choice: Any) -> str:
        """Return what a choice is called, in English; a message id of the game's catalogue, or its own name.

        A document is called by the name it gives itself: it may be long, and is not spelled out.
        """
        if isinstance(choice, Mapping):
            return str(choice.get("name", self.allowed))
        return dict(zip(self.choices, self.names, strict=True))[choice] if self.names else str(choice)

    def described(self) -> str:
        """Put what may be chosen in words."""
        words = [repr(choice) for choice in self.choices]
        return " or ".join(words + [self.allowed] * bool(self.allowed))


class Piece(NamedTuple):
    """Something drawn that can move: an id that stays the same, a symbol, a place, a name for those who cannot see."""

    id: str
    symbol: str
    x: float
    y: float
    label: str


class Words(Protocol):
    """The words of one language, as `gettext` knows them."""

    def gettext(self, message: str, /) -> str:
        """Return the message in this language."""
        ...

    def ngettext(self, one: str, many: str, number: int, /) -> str:
        """Return the message in this language, in the form that fits the number."""
        ...


Span = tuple[str, str]
"""A run of text on the terminal and the name of its style ("" for plain)."""


def unchanged(_version: int, options: Document) -> Document:
    """Return the options of an earlier rules version as they are."""
    return options


@dataclass(frozen=True, kw_only=True, slots=True)
class Game(Generic[S]):
    """One game: what it is called, what can be chosen, and the functions of its rooms."""

    name: str
    title: str
    inventors: str
    """Whose game it is, and since when."""
    version: int
    """The version of the rules: goes up whenever a record could replay differently than before."""
    upgrade: Callable[[int, Document], Document] = unchanged
    """The options of a record with this rules version, as options of today: old rules become options not offered."""
    numbering: int
    """The version of its numbers: goes up whenever an action or a feature changes its place or meaning."""
    seats: tuple[int, ...]
    options: Mapping[str, Option]
    longest: int
    """No game from the normal start has more plies than this."""
    open: bool
    """Whether everybody is shown and told the same, whoever looks: nothing is hidden, nothing marked as one's own."""
    folder: str
    """Where the game's own words and texts stand."""

    # moves — what can be said
    space: Callable[[S], tuple[int, int]]
    """How many moves seats have, and how many there are with those of chance."""
    write: Callable[[S, int], str]
    parse: Callable[[S, str], int]
    """The move of a line; BadNotation for what is none."""

    # state — what is on the table
    setup: Callable[[int, Mapping[str, Any]], S]
    """The state before anything has happened; ValueError for options that do not go together."""
    chosen: Callable[[S], Document]
    """The options a state is played with: the inverse of `setup`."""
    position: Callable[[S], Document]
    place: Callable[[Mapping[str, Any]], S]
    """The state of a position document; BadPosition names the culprit."""

    # rules — what may be done and what follows
    legal: Callable[[S], list[int]]
    apply: Callable[[S, int], None]
    refusal: Callable[[S, int], Refusal | None]
    chances: Callable[[S], list[tuple[int, int]]]
    """What chance may do now, as (move, weight)."""
    chance_total: Callable[[S], int]
    """The sum of these weights; 0 when it is not chance's turn."""
    chance_at: Callable[[S, int], int]
    """The move a roll of 0 … total−1 selects, counting weights in the order of `chances`."""

    # scoring — what it is worth
    outcome: Callable[[S], Outcome | None]

    # view — what one seat may see, and what it may suppose
    view: Callable[[S, int | None], Document]
    seen: Callable[[S, int, int | None], str]
    """The line of a move about to be applied, as a seat (None: a spectator) may read it."""
    redeal: Callable[[Mapping[str, Any], Roll], S]
    """A full state that looks the same through this view."""

    # drawing — how it looks
    svg: Callable[[Mapping[str, Any], Words], str]
    bare: Callable[[Mapping[str, Any], Words], str]
    """The picture before its pieces are laid, for a page: it has the style, and tells the pieces itself."""
    ground: Callable[[Mapping[str, Any]], str]
    """What the bare picture depends on, besides the language: while this stays the same, so does the picture."""
    pieces: Callable[[Mapping[str, Any], Words], list[Piece]]
    text: Callable[[Mapping[str, Any], Words], list[list[Span]]]
    """The board for a terminal, line by line."""
    parts: Callable[[S, int], tuple[str, ...]]
    """What one clicks to say this move."""

    # telling — how it is told
    label: Callable[[Mapping[str, Any], str, Words], str]
    """What a legal line does, for a button."""
    tell: Callable[[Mapping[str, Any], str, Mapping[str, Any], Sequence[str], Words], list[str]]
    """What happened between two views, as sentences: (before, line as seen, after, names of the seats, words)."""
    status: Callable[[Mapping[str, Any], Sequence[str], Words], str]
    """Whose turn it is and what to do, or how it ended."""
    holdings: Callable[[Mapping[str, Any], Words], list[list[tuple[str, str]]]]
    """What lies before each seat for all to see, as (name, number): its score first, where there is one."""
    breakdown: Callable[[Mapping[str, Any], Words], list[tuple[str, list[str]]]]
    """How the final scores came about: rows of a name and an entry for each seat. Empty while the game goes on."""
    explain: Callable[[Refusal, Words], str]
    help: Callable[[Words], list[tuple[str, str]]]
    """How to play, as (§, paragraph)."""

    # judging — how good it is
    judge: Callable[[S], list[float]]
    """Each seat's share of the win as things stand, adding up to 1; once the game is over, what it came to."""
    terms: Callable[[S, int], dict[str, float]]
    """What the judgement of a seat is made of: the worth of each term by name, weighted."""
    phrases: Mapping[str, tuple[str, str]]
    """How a term is put in words when a move raises it, and when it lowers it: two message ids by name."""

    # features — how a machine sees it
    features: Callable[[S], list[Feature]]
    """What an observation is made of, in order; the same for all states of the same seats and options."""
    observe: Callable[[S, int], bytes]
    """What a seat sees, as numbers: a byte each, in the order of `features`. Nothing goes beyond its view."""
    standing: Callable[[S], list[int]]
    """The scores as they stand, by seat, as everybody sees them; for shaping rewards."""

    @property
    def offered(self) -> dict[str, Option]:
        """The options people may choose for a new game."""
        return {name: option for name, option in self.options.items() if option.offered}
