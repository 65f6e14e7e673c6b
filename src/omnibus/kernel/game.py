"""The contract of a game: what the rest of Omnibus needs to know about it.

A game is a record of functions around a compact mutable `State`. Moves are small ints of an action space that is fixed
for a game and its options: first the moves of seats, then those of chance. Every int has exactly one notation line;
people only ever see lines.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, NamedTuple, Protocol, Self, TypeVar

from omnibus.kernel.editing import Editing
from omnibus.kernel.features import Feature
from omnibus.kernel.i18n import Message, MessageError, alternatives

CHANCE: Final = -1
OVER: Final = -2

Actor = int | Literal["chance"]
"""Who is to act, as shown to people: a seat, or chance."""

Document = dict[str, Any]
"""A JSON object: strings, numbers, booleans, None, lists and objects of these."""

Roll = Callable[[int], int]
"""`roll(n)` returns one of 0 … n−1, all equally likely. Games have no dice of their own."""


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
    """Return who is to act, as shown to people: a seat, "chance", or None when the game is over."""
    if state.actor == OVER:
        return None
    return "chance" if state.actor == CHANCE else state.actor


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is not allowed: a code, the § that forbids it, and what fills the blanks of its message."""

    code: str
    section: str
    args: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    """The reason in English; empty until it has been explained (`Game.explain`)."""

    def __str__(self) -> str:
        return f"{self.reason or self.code} ({self.section})"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the reason, the scores, the winners, and what broke a tie (None if there was none)."""

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
    """A move of the game that is not legal now; `refusal` says why."""

    def __init__(self, line: str, refusal: Refusal) -> None:
        super().__init__(f"{line}: {refusal}")
        self.line = line
        self.refusal = refusal


class BadNotation(ValueError):
    """Text that is not a move of the game at all."""


class BadPosition(MessageError):
    """A position document that describes no position of the game; the message names the culprit."""


@dataclass(frozen=True, slots=True)
class Option:
    """Something to choose before a game: its default and the alternatives."""

    default: Any
    choices: tuple[Any, ...]
    text: str
    """What it is about, in English; a message of the game's catalogue."""
    accept: Callable[[Any], bool] | None = None
    """Checks values other than the choices, such as documents: True, False, or ValueError to say why not."""
    allowed: str = ""
    """What `accept` allows, in English; a message of the game's catalogue."""
    names: tuple[str, ...] = ()
    """Names of the choices in English, if the values are not readable themselves."""

    def admits(self, value: Any) -> bool:
        """Tell whether a value may be chosen. True and 1 are different values here."""
        if any(type(value) is type(choice) and value == choice for choice in self.choices):
            return True
        return self.accept is not None and self.accept(value)

    def called(self, choice: Any) -> str:
        """Return the name of a choice in English; a message of the game's catalogue, or the value itself.

        For a document this is the name it contains: it may be long and is not spelled out.
        """
        if isinstance(choice, Mapping):
            return str(choice.get("name", self.allowed))
        return dict(zip(self.choices, self.names, strict=True))[choice] if self.names else str(choice)

    def described(self) -> Message | str:
        """Describe what may be chosen."""
        found: list[Message | str] = [repr(choice) for choice in self.choices]
        return alternatives(found + [Message(self.allowed)] * bool(self.allowed))


class Piece(NamedTuple):
    """Something drawn that can move: a stable id, a symbol, a place, and a label for screen readers."""

    id: str
    symbol: str
    x: float
    y: float
    label: str


TURN_PIECES: Final = frozenset({"turn", "standing", "remark"})
"""The ids of pieces that say whose turn it is and what to do: they change with every turn, so they leave no trace of a
move, and a preview of a move shows them as they are now."""


@dataclass(frozen=True, slots=True)
class Journey:
    """One thing shown at the end of a game, on the way to its result: a ride, or the fact that decided the game.

    It has a caption, and what there is to see on the board: a symbol that travels from point to point, parts that are
    highlighted, or both. Journeys are shown one after the other. What has the class `result` in the picture is covered
    meanwhile, up to the end of the journey of which it is a part.
    """

    caption: str
    """What is shown, as a short text without the name of the seat."""
    seat: int | None = None
    """Whose it is: its name is put before the caption, its colour is that of the route. None: nobody's."""
    symbol: str = ""
    """The symbol of the picture that travels; empty: only the route is drawn."""
    points: tuple[tuple[float, float], ...] = ()
    """The route in the coordinates of the picture."""
    ticks: tuple[str, ...] = ()
    """What is said at each point, such as the minutes so far; as many as there are points, or none."""
    value: str = ""
    """What it yields, said at its end: "14 minutes, +6"."""
    parts: tuple[str, ...] = ()
    """The parts of the board to highlight."""
    row: int | None = None
    """The row of the breakdown that is known at its end; rows of later journeys are covered until then."""


Weight = Literal["light", "medium", "heavy"]
"""How much there is to think about in a game."""


class Words(Protocol):
    """The translations into one language, as `gettext` provides them."""

    def gettext(self, message: str, /) -> str:
        """Return the message in this language."""
        ...

    def ngettext(self, one: str, many: str, number: int, /) -> str:
        """Return the message in this language, in the form that fits the number."""
        ...


R_co = TypeVar("R_co", covariant=True)


class Draws(Protocol[R_co]):
    """A function that draws a view, or a part of it.

    `wide` asks for the drawing in landscape, for a wide window; a game may draw the same in both shapes.
    """

    def __call__(self, view: Mapping[str, Any], words: Words, /, *, wide: bool = False) -> R_co:
        """Return what is drawn."""
        ...


class DrawsPicture(Protocol):
    """A function that draws a view as SVG, in one of the two shapes.

    `names` are those of the players, for games that write them on the board; without them seats go by their colours.
    """

    def __call__(
        self, view: Mapping[str, Any], words: Words, /, *, names: Sequence[str] = (), wide: bool = False
    ) -> str:
        """Return the picture."""
        ...


class NamesGround(Protocol):
    """A function that returns a key of the bare picture of a view, with these names and in one of the two shapes."""

    def __call__(self, view: Mapping[str, Any], /, *, names: Sequence[str] = (), wide: bool = False) -> str:
        """Return the key."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class LessonStep:
    """A step of the tutorial, which seat 0 plays: what to read, the move to make, and what happens then."""

    text: str
    """What the player reads: at most 20 words; a message of the game's catalogue."""
    wanted: tuple[str, ...]
    """The line to play, or any of several."""
    otherwise: str
    """What is said to every other legal move; a message of the game's catalogue."""
    then: tuple[str, ...] = ()
    """What the others and chance play after it."""
    result: str = ""
    """What is said then, if the next step begins with another position or there is none; at most 20 words."""
    start: Mapping[str, Any] | None = None
    """The position document the step begins with; None: it goes on from the step before, which wants one line."""
    target: str = ""
    """The part to click first; where there is none, the first part of the line."""


Tip = tuple[str, str]
"""A kind of decision, and a sentence that explains it."""


def no_journeys(_view: Mapping[str, Any], _words: Words, /, *, wide: bool = False) -> list[Journey]:
    """Show nothing at the end of a game but its result."""
    return []


class DrawsTargets(Protocol):
    """A function that draws where moves lead: pieces that are shown only while their parts can be clicked.

    Parts that begin with `ghost-` are drawn by it alone, and can be clicked only after another part.
    """

    def __call__(
        self, view: Mapping[str, Any], parts: Collection[str], words: Words, /, *, wide: bool = False
    ) -> list[Piece]:
        """Return the pieces for the parts of all legal moves of the view."""
        ...


def no_targets(_view: Mapping[str, Any], _parts: Collection[str], _words: Words, *, wide: bool = False) -> list[Piece]:
    """Draw no targets: all parts are in the picture already."""
    return []


Span = tuple[str, str]
"""A run of text on the terminal and the name of its style ("" for plain)."""


def another_acts(before: Any, after: Any) -> bool:
    """Tell whether the turn has passed to another seat, or to chance."""
    return bool(after.actor != before.actor)


def same_refusal(_state: Any, _part: str, _picked: Sequence[str], refusal: Refusal | None) -> Refusal | None:
    """Tell of a part what is told of the moves that touch it."""
    return refusal


def no_editing(_state: Any, _words: Words) -> Editing:
    """Offer nothing to be changed by itself: positions are edited as text."""
    return Editing()


def as_written(document: Mapping[str, Any]) -> Document:
    """Return a position document as it is."""
    return dict(document)


def no_tip(_view: Mapping[str, Any], _words: Words) -> Tip | None:
    """Explain no kind of decision."""
    return None


@dataclass(frozen=True, slots=True)
class Summary(Generic[S]):
    """A position in few numbers, for value networks: those of each seat one after the other, then what is common."""

    of: Callable[[S], bytes]
    """The numbers of a position, a byte each. It may say what is hidden: only redeals are asked about."""
    each: int
    """How many numbers there are of each seat."""
    common: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Game(Generic[S]):
    """One game: its names, its options, and the functions of its modules."""

    name: str
    title: str
    inventors: str
    """The author of the game, and the year."""
    version: int
    """The version of the rules; records of any other are refused. It is 1 until the first release: from then on, raise
    it whenever a record could replay differently."""
    numbering: int
    """The version of the action and feature numbers. It is 1 until the first release: from then on, raise it whenever
    one changes its place or meaning."""
    seats: tuple[int, ...]
    options: Mapping[str, Option]
    longest: int
    """No game from the normal start has more plies than this."""
    open: bool
    """Whether everybody sees the same: nothing is hidden, nothing is marked as the reader's own."""
    folder: str
    """The folder with the game's texts: `locale/`, `pictures/`."""
    minutes: tuple[int, int] = (0, 0)
    """How long a game between people takes: the shortest and the longest; zeros where nobody knows."""
    weight: Weight | None = None
    """How much there is to think about."""
    styles: Mapping[str, str] = field(default_factory=dict)
    """The game's own styles of terminal text: rich styles by the names that `text` uses."""

    # moves — the action space
    space: Callable[[S], tuple[int, int]]
    """The number of moves of seats, and the number of all moves including those of chance."""
    write: Callable[[S, int], str]
    parse: Callable[[S, str], int]
    """The move of a line; BadNotation if there is none."""

    # state and position — what is on the table
    setup: Callable[[int, Mapping[str, Any]], S]
    """The state at the start; ValueError for options that do not go together."""
    chosen: Callable[[S], Document]
    """The options of a state: the inverse of `setup`."""
    position: Callable[[S], Document]
    place: Callable[[Mapping[str, Any]], S]
    """The state of a position document; BadPosition names the culprit."""

    too_large: Callable[[S], Message | None] = lambda _: None
    """Why a server starts no new game from a state, because its board is too large; None where it does."""

    # rules — what may be done and what follows
    legal: Callable[[S], list[int]]
    apply: Callable[[S, int], None]
    refusal: Callable[[S, int], Refusal | None]
    ends_turn: Callable[[S, S], bool] = another_acts
    """Whether the move between two states ended a turn: the page asks before it plays such a move."""
    chances: Callable[[S], list[tuple[int, int]]]
    """The possible chance moves, as (move, weight)."""
    chance_total: Callable[[S], int]
    """The sum of these weights; 0 if it is not the turn of chance."""
    chance_at: Callable[[S, int], int]
    """The move a roll of 0 … total−1 selects, counting weights in the order of `chances`."""

    # scoring — how it ended
    outcome: Callable[[S], Outcome | None]
    outcome_without: Callable[[S, tuple[int, ...]], Outcome | None] | None = None
    """The outcome where some seats have resigned and do not win; needed by games for more than two."""

    # view — what one seat may see, and what it may suppose
    view: Callable[[S, int | None], Document]
    seen: Callable[[S, int, int | None], str]
    """The line of a move about to be applied, as a seat (None: a spectator) may see it."""
    redeal: Callable[[Mapping[str, Any], Roll], S]
    """A full state with this view: what is hidden is dealt at random."""

    # drawing — how it looks
    svg: DrawsPicture
    """The complete picture, upright or in landscape (`wide`)."""
    bare: DrawsPicture
    """The picture without pieces, style and description, for a page that adds them itself."""
    ground: NamesGround
    """A key of the bare picture: it changes whenever the picture does, apart from the language."""
    pieces: Draws[list[Piece]]
    text: Callable[[Mapping[str, Any], Words], list[list[Span]]]
    """The board for a terminal, line by line, as (text, style)."""
    parts: Callable[[S, int], tuple[str, ...]]
    """The parts of the picture to click for this move, first the one that says which move is meant."""
    part_refusal: Callable[[S, str, Sequence[str], Refusal | None], Refusal | None] = same_refusal
    """Why a part cannot be clicked, after others were picked, given why a move that touches them all is refused: what
    no move touches has its reason here, and another may be told where it says more."""
    journeys: Draws[list[Journey]] = no_journeys
    """What is shown at the end of the game before its result; empty while the game goes on."""
    targets: DrawsTargets = no_targets
    """Where the legal moves lead: pieces that are shown only while their parts can be clicked."""

    # telling — how it is described
    label: Callable[[Mapping[str, Any], str, Words], str]
    """What a legal line does, for a button and the list of moves."""
    tell: Callable[[Mapping[str, Any], str, Mapping[str, Any], Sequence[str], Words], list[str]]
    """What happened between two views, as sentences of the log: (before, line as seen, after, names, words)."""
    status: Callable[[Mapping[str, Any], Sequence[str], Words], str]
    """Whose turn it is and what to do, or how the game ended."""
    holdings: Callable[[Mapping[str, Any], Words], list[list[tuple[str, str]]]]
    """The public belongings of each seat, as (name, number): the score first, if there is one."""
    breakdown: Callable[[Mapping[str, Any], Words], list[tuple[str, list[str]]]]
    """The final scores explained: rows of a name and an entry for each seat. Empty while the game goes on."""
    explain: Callable[[Refusal, Words], str]
    """The reason of a refusal, as a sentence without a full stop."""
    help: Callable[[Words], list[tuple[str, str]]]
    """How to play, as (§, paragraph)."""

    # lessons — how it is learned
    lessons: tuple[LessonStep, ...] = ()
    """The steps of the tutorial; none: the game has no tutorial."""
    goal: str = ""
    """The goal and the main choice, in any seat; a message of the game's catalogue."""
    tip: Callable[[Mapping[str, Any], Words], Tip | None] = no_tip
    """What a player who has to decide this for the first time should know."""

    # editing — how positions are set up by hand
    editing: Callable[[S, Words], Editing] = no_editing
    """What can be changed in a position, field by field."""
    settled: Callable[[Mapping[str, Any]], Document] = as_written
    """A position document that is not valid, with the entries that follow from the others brought into line."""

    # judging — how good it is
    judge: Callable[[S], list[float]]
    """Each seat's expected share of the win, adding up to 1; once the game is over, the actual share."""
    terms: Callable[[S, int], dict[str, float]]
    """The weighted terms of a seat's evaluation, by name."""
    phrases: Mapping[str, tuple[str, str]]
    """For each term the phrase for a move that raises it and for one that lowers it; marked messages."""

    # features — how a machine sees it
    features: Callable[[S], list[Feature]]
    """The parts of an observation, in order; the same for all states with the same seats and options."""
    observe: Callable[[S, int], bytes]
    """What a seat sees as numbers: one byte each, in the order of `features`. It contains no more than the view."""
    standing: Callable[[S], list[int]]
    """The current public scores by seat, for shaping rewards."""
    mirror: Callable[[int], tuple[list[int], list[int]]] | None = None
    """Where seats are mirror images: for a seat, where each number of its observation and each of its moves stands in
    seat 0's place. Applied twice, both change nothing. None if observations are the same for all seats anyway."""
    summary: Summary[S] | None = None
    """A position in few numbers, where networks learn values from these; None where they learn from observations."""
