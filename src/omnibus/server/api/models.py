"""Request and response bodies of the API; those the socket uses too are in tables/messages.py."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field

from omnibus.bots import names as bot_names
from omnibus.kernel.game import Document
from omnibus.lab.analysis.document import Account, Analysis, Grade
from omnibus.server.errors import Code
from omnibus.server.people.invitations import TableInvitation
from omnibus.server.people.vacations import DAYS_A_YEAR
from omnibus.server.store.models import DAY, DEFAULT_BOT, PATIENCE, Listing, TableStatus, TimeControl
from omnibus.server.tables.clock import LONGEST_BANK, LONGEST_INCREMENT, LONGEST_TURN, Pace

LARGEST: Final = 2**53 - 1  # the largest whole number that every JSON reader gets right
MOST_SEATS: Final = 10
HIGHEST_RATING: Final = 9999
TYPED: Final = 240  # characters of a name before it is cleaned


# requests

RequestId = Annotated[
    str,
    Field(max_length=64, description="An id for this request: repeated with the same id, it is carried out once."),
]


class Body(BaseModel):
    """A request body: no other fields, no conversion of types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Named(Body):
    """A name; empty: none."""

    name: Annotated[str, Field(max_length=TYPED, examples=["Ann"])] = ""


class SeatRequest(Body):
    """Who sits in a seat: you (or, under another name, somebody on your device), a bot, or whoever joins."""

    who: Literal["you", "bot", "free"]
    name: Annotated[str, Field(max_length=TYPED)] = ""
    bot: Annotated[str, Field(max_length=TYPED, examples=list(bot_names()))] = DEFAULT_BOT


class ClockRequest(Body):
    """How much time players have: a ready-made pace, or a bank with an increment or days per turn, in seconds."""

    pace: Annotated[Pace | None, Field(description="A ready-made time control; nothing else is needed then.")] = None
    bank: Annotated[
        float, Field(ge=0, le=LONGEST_BANK, allow_inf_nan=False, description="What everybody has for the whole game.")
    ] = 0
    increment: Annotated[
        float,
        Field(
            ge=0,
            le=LONGEST_INCREMENT,
            allow_inf_nan=False,
            description="What every decision adds, never beyond the bank one started with.",
        ),
    ] = 0
    turn: Annotated[
        float,
        Field(ge=0, le=LONGEST_TURN, allow_inf_nan=False, description="What every turn has before the bank is used."),
    ] = 0


class ListingRequest(Body):
    """Whom a table in the lobby is meant for."""

    language: Annotated[
        Literal["", "de", "en", "fr", "it"], Field(description="The language to chat in; empty: any.")
    ] = ""
    lowest: Annotated[int | None, Field(ge=0, le=HIGHEST_RATING, description="The lowest rating to join with.")] = None
    highest: Annotated[int | None, Field(ge=0, le=HIGHEST_RATING, description="The highest one.")] = None


class PairingRequest(ListingRequest):
    """What you would like to play, and with whom."""

    model_config = ConfigDict(json_schema_extra={"example": {"game": "times_square", "pace": "normal"}})

    game: Annotated[str, Field(max_length=TYPED, examples=["times_square"])]
    pace: Annotated[Pace | None, Field(description="A ready-made time control; null: no clock.")] = None
    seats: Annotated[int | None, Field(ge=2, le=MOST_SEATS, description="How many play; null: any number.")] = None
    rated: Annotated[bool, Field(description="Whether the game changes ratings.")] = False


class TableRequest(Body):
    """A table to set up."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"game": "times_square", "seats": [{"who": "you"}, {"who": "bot", "bot": "easy"}]}
        }
    )

    game: Annotated[str, Field(max_length=TYPED, examples=["times_square"])]
    seats: Annotated[list[SeatRequest], Field(min_length=1, max_length=MOST_SEATS)]
    options: Annotated[dict[str, Any], Field(description="Options of the game by name; defaults for the others.")] = {}
    listed: Annotated[bool, Field(description="Whether the lobby shows it while seats are free.")] = False
    listing: Annotated[ListingRequest | None, Field(description="Whom it is meant for, if it is listed.")] = None
    patience: Annotated[
        float,
        Field(
            ge=60,
            le=30 * DAY,
            allow_inf_nan=False,
            description="After how many seconds of absence the others may let a bot play for a player.",
        ),
    ] = PATIENCE
    clock: Annotated[ClockRequest | None, Field(description="How much time players have; null: no clock.")] = None
    rated: Annotated[
        bool,
        Field(
            description="Whether the game changes ratings: one seat is yours, the others are free, everybody has "
            "claimed their name, and who sits where is drawn when the game starts."
        ),
    ] = False
    random_seats: Annotated[
        bool, Field(description="Whether who sits where is drawn when the game starts; in rated games it always is.")
    ] = False


class TeamMatchRequest(Named):
    """A team match to set up."""

    model_config = ConfigDict(json_schema_extra={"example": {"game": "metromania", "seats": 2, "pair": True}})

    game: Annotated[str, Field(max_length=TYPED, examples=["metromania"])]
    seats: Annotated[int, Field(ge=1, le=MOST_SEATS, description="At each of the two tables: an even number.")]
    options: Annotated[dict[str, Any], Field(description="Options of the game by name; defaults for the others.")] = {}
    pair: Annotated[
        bool, Field(description="Whether two people play both games; only where nothing is hidden in the game.")
    ] = False


class TeamSeatRequest(Named):
    """A seat of a team match."""

    table: Annotated[int, Field(ge=0, le=1, description="The first or the second table.")]
    seat: Annotated[int, Field(ge=0, lt=MOST_SEATS)]


class BotRequest(Body):
    """A bot, by the name of its level."""

    bot: Annotated[str, Field(max_length=TYPED, examples=list(bot_names()))] = DEFAULT_BOT


class StandIn(BotRequest):
    """A bot that is to play for you."""

    id: RequestId = ""


class Turn(Body):
    """A request about the table as it was at the last event seen; if there is a newer event, it is `stale`."""

    event: Annotated[int, Field(ge=0, le=LARGEST, description="The last event seen (`event` of the scene).")]
    seat: Annotated[
        int | None,
        Field(ge=0, lt=MOST_SEATS, description="Which of your seats it is for; needed only if you have several."),
    ] = None
    id: RequestId = ""


class PlayRequest(Turn):
    """A line to play."""

    line: Annotated[str, Field(max_length=1000, description="One of the scene's `moves`.", examples=["sue left"])]


class Proposition(Turn):
    """A proposal that all people at the table have to agree to."""

    what: Annotated[
        Literal["undo", "bot"],
        Field(description="To undo your last decision; to let a bot play for `away`, whose owner is away."),
    ]
    away: Annotated[int | None, Field(ge=0, lt=MOST_SEATS)] = None


class Verdict(Turn):
    """Whether you agree to the proposal; false also withdraws your own."""

    agree: bool


class Saying(Body):
    """Something to say to the other players."""

    text: Annotated[str, Field(max_length=4000, examples=["Good luck!"])]
    id: RequestId = ""


class Muting(Body):
    """The seat whose owner to mute, or to unmute."""

    seat: Annotated[int, Field(ge=0, lt=MOST_SEATS)]


class VacationRequest(Body):
    """How long a vacation is to last."""

    days: Annotated[int, Field(ge=1, le=DAYS_A_YEAR, description="So many days from now.")]


class PushKeys(Body):
    """The keys of a browser, in base64url."""

    p256dh: Annotated[str, Field(max_length=200)]
    auth: Annotated[str, Field(max_length=100)]


class PushRequest(Body):
    """A push subscription, as browsers write it with `JSON.stringify`."""

    model_config = ConfigDict(extra="ignore")

    endpoint: Annotated[str, Field(max_length=500, examples=["https://push.example.org/send/abc"])]
    keys: PushKeys


class Whom(Named):
    """A person: by a claimed name, or by a seat at a table."""

    model_config = ConfigDict(json_schema_extra={"example": {"name": "Ann"}})

    table: Annotated[str, Field(max_length=64, description="The id of a table; empty: `name` says who is meant.")] = ""
    seat: Annotated[int, Field(ge=0, lt=MOST_SEATS)] = 0


class ReportRequest(Whom):
    """A player to report, or a line of the chat of a table where you sit."""

    model_config = ConfigDict(json_schema_extra={"example": {"name": "Bob", "reason": "insults others"}})

    line: Annotated[
        int, Field(ge=0, le=LARGEST, description="The number of a line in the chat of `table`; 0: the player.")
    ] = 0
    reason: Annotated[str, Field(max_length=4000, description="What is wrong; needed where no line shows it.")] = ""


class LineToTry(Body):
    """A line to try in place of the one that was played."""

    line: Annotated[str, Field(max_length=1000, examples=["sue left"])]


# responses


class Problem(Struct, frozen=True, omit_defaults=True):
    """Why a request was rejected: a code for programs, a text in the reader's language for people."""

    code: Code
    text: str
    section: str = ""
    """The § of the rules that forbids it."""


class Me(Struct, frozen=True):
    """A user."""

    id: str
    name: str


class NewUser(Struct, frozen=True):
    """A new user, with the token to authenticate with. The token is shown only here."""

    id: str
    name: str
    token: str


class Choice(Struct, frozen=True):
    """A choice of an option."""

    value: Any
    text: str


class OptionOffer(Struct, frozen=True):
    """An option of a game."""

    name: str
    text: str
    default: Any
    choices: list[Choice]
    allowed: str
    """What else is allowed, in words (a map of the city, say); mostly empty."""


class GameOffer(Struct, frozen=True):
    """A game you can play here."""

    name: str
    title: str
    about: str
    seats: list[int]
    """The possible numbers of seats."""
    options: list[OptionOffer]


class BotOffer(Struct, frozen=True):
    """A bot you can play against."""

    name: str
    text: str


class Offer(Struct, frozen=True):
    """The games, and the bots from the weakest to the strongest."""

    games: list[GameOffer]
    bots: list[BotOffer]


class SeatInfo(Struct, frozen=True):
    """A seat of a table."""

    seat: int
    name: str
    who: Literal["person", "bot", "free"]
    bot: str | None
    yours: bool


class TableInfo(Struct, frozen=True):
    """A table, as in a list of tables."""

    id: str
    link: str
    game: str
    title: str
    options: Document
    standing: TableStatus
    listed: bool
    listing: Listing | None
    """Whom it is meant for, if it is listed; null: everybody."""
    patience: float
    clock: TimeControl | None
    """How much time players have, in seconds; null: no clock."""
    rated: bool
    """Whether the game changes the players' ratings."""
    random_seats: bool
    """Whether who sits where is drawn when the game starts."""
    created: float
    updated: float
    awaits: int | None
    """The seat that is to decide, if a person decides for it."""
    mine: bool
    """Whether it is your table: you have set it up."""
    seats: list[SeatInfo]


class Tables(Struct, frozen=True):
    """Some tables, the latest first."""

    tables: list[TableInfo]


class Awaiting(Struct, frozen=True):
    """The tables that wait for you, the longest waiting first."""

    tables: list[str]


class Sight(Struct, frozen=True):
    """What a seat may see, as data: the view that bots choose from, as in the line protocol."""

    event: int
    seat: int | None
    view: Document
    legal: list[str]
    """The legal lines, if it is this seat's turn."""


class SeatToken(Struct, frozen=True):
    """A token with which a program can play in one seat of one table, and nothing else. It is shown only here."""

    token: str
    table: str
    seat: int


class NewInvitation(Struct, frozen=True):
    """An invitation: whoever uses the token or the link first may take the seat."""

    token: str
    link: str


class Invitation(Struct, frozen=True):
    """The table and the seat of an invitation."""

    table: TableInfo
    seat: int


class DiceInfo(Struct, frozen=True):
    """The commitment of the dice and, once the game is over, whether the rolls agree with it (docs/dice.md)."""

    commitment: str | None
    seed: str | None
    """Revealed when the game is over."""
    verified: bool | None
    """Null while the game is live."""
    checked: int
    """How many rolls were checked."""
    told: list[str]
    """The result in words."""
    placed: bool = False
    """Whether the game began from a position set up by hand. Then `verified` is false, and only the rolls after that
    position can be checked."""


class RecordInfo(Struct, frozen=True):
    """An uploaded record."""

    id: str
    link: str
    game: str
    seats: int
    names: list[str]
    plies: int


class AnalysisInfo(Struct, frozen=True):
    """The analysis of a finished game: how far it is and, once all decisions are judged, what it says."""

    state: Literal["none", "running", "done"]
    """None: not begun, or interrupted; `POST` begins it or goes on with it."""
    done: int
    """How many decisions are judged."""
    total: int
    analysis: Analysis | None = None
    """Null until it is done; so are the rest."""
    grades: list[Grade] = []
    """The grade of each decision."""
    accuracies: list[float | None] = []
    """Each seat's accuracy in percent; null for a seat that had nothing to decide."""
    accounts: list[Account] = []
    """Where each seat's result came from."""
    moments: list[int] = []
    """The plies of the decisions that decided the game."""


class TryResult(Struct, frozen=True):
    """What a line is worth that was tried in place of the one played."""

    loss: float
    """The points it loses: hundredths of the win, times half the number of seats."""
    passes: bool
    """Whether it loses fewer than two points."""


class RatingInfo(Struct, frozen=True):
    """A rating: a number, the margin after ±, and whether it is still provisional."""

    number: int
    margin: int
    provisional: bool


class PlayerRating(Struct, frozen=True):
    """The rating of a player in one pool."""

    game: str
    seats: str
    """The class of the number of seats: `2` or `3+`."""
    rating: RatingInfo
    games: int
    """How many rated games it follows from."""


class RatingStep(Struct, frozen=True):
    """What a rated game changed for a player."""

    table: str
    at: float
    game: str
    seats: str
    """The class of the number of seats: `2` or `3+`."""
    rank: int
    before: RatingInfo
    after: RatingInfo
    weight: float
    """Less than 1 if the same people have met often within a week."""


class ResultsInfo(Struct, frozen=True):
    """How a player did in one game with so many seats; wins shared with others do not count as won."""

    game: str
    seats: int
    played: int
    won: int
    shared: int


class AnalysedInfo(Struct, frozen=True):
    """How a player did in an analysed game."""

    table: str
    game: str
    at: float
    """When it ended, in seconds since 1970."""
    accuracy: float | None
    """In percent; null if there was nothing to decide."""
    luck: float
    """What chance gave or took, in shares of a win."""


class OpponentInfo(Struct, frozen=True):
    """Somebody a player has met, and in how many finished games."""

    name: str
    games: int


class PlayerInfo(Struct, frozen=True):
    """A player who has claimed a name."""

    name: str
    former: str
    """The name until a change in the last 30 days; mostly empty."""
    ratings: list[PlayerRating]
    history: list[RatingStep]
    """All rated games, the earliest first."""
    results: list[ResultsInfo]
    """Finished games in which the player had one seat."""
    analysed: list[AnalysedInfo]
    """The analysed games among them, the earliest first."""
    opponents: list[OpponentInfo]
    """Those with a claimed name met most often."""
    current: list[str]
    """The tables at which the player plays now: rated ones, those listed in the lobby, and those you sit at too."""
    vacation: float | None
    """Until when the player is on vacation, in seconds since 1970; null: they are not."""


class PushInfo(Struct, frozen=True):
    """What is needed to subscribe to push messages."""

    key: str
    """The server's public key, in base64url (`applicationServerKey`)."""
    endpoints: list[str]
    """Your subscriptions, the latest first."""


class VacationInfo(Struct, frozen=True):
    """Your vacation."""

    until: float | None
    """When it ends, in seconds since 1970; null: you are not on vacation."""
    days_left: int
    """How many more days you can take: 30 in any 365."""


class BotRating(Struct, frozen=True):
    """The fixed rating of a bot."""

    bot: str
    rating: RatingInfo


class LeaderboardEntry(Struct, frozen=True):
    """A player on a leaderboard."""

    name: str
    rating: RatingInfo
    games: int


class Leaderboard(Struct, frozen=True):
    """The players of a pool with at least five rated games, the strongest first, and apart from them the bots."""

    seats: str
    """The class of the number of seats: `2` or `3+`."""
    players: list[LeaderboardEntry]
    bots: list[BotRating]


class Leaderboards(Struct, frozen=True):
    """The leaderboards of a game."""

    game: str
    leaderboards: list[Leaderboard]


class BlockedPlayer(Struct, frozen=True):
    """Somebody you have blocked; the key is for unblocking them."""

    key: str
    name: str


class Blocks(Struct, frozen=True):
    """Whom you have blocked."""

    blocked: list[BlockedPlayer]


class MyInvitations(Struct, frozen=True):
    """The tables to which you are invited by name."""

    invitations: list[TableInvitation]


class Invited(Struct, frozen=True):
    """The names of those who are invited to a table and have not answered yet."""

    names: list[str]
