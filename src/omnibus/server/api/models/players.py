"""Players: their ratings, results and leaderboards."""

from __future__ import annotations

from msgspec import Struct


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
