"""Same deal: others play a finished game against bots again, with the same seat, options, bots and dice.

Everybody plays a deal once, without undoing turns and without hints. The seed stays a secret until nobody plays the
deal any more and nobody may begin to.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from omnibus import games
from omnibus.kernel.dice import Dice
from omnibus.kernel.dice_proof import verify
from omnibus.kernel.game import Outcome, Words
from omnibus.kernel.i18n import mark
from omnibus.server.background import in_background
from omnibus.server.errors import Code, Forbidden, NotReplayable, NotStarted, Rejected, TableNotFound
from omnibus.server.store.deals import DealClosed, DealGame, DealRow
from omnibus.server.store.models import Sitter, TableRow, TableSetup, TableStatus, User
from omnibus.server.tables import actions
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table

NOT_YOUR_GAME: Final = mark("Only the person who played this game can challenge others with it.")
STILL_PLAYING: Final = mark("You can challenge others when this game is over.")
NOT_ALONE: Final = mark("Others can only be challenged with a game that one person played in one seat against bots.")
NOT_PLAYED_OUT: Final = mark("Others can only be challenged with a game that was played to its end by one person.")
ROLLED_AGAIN: Final = mark(
    "In this game a turn was undone after chance had decided. Others could not have the same dice."
)
DEAL_CLOSED: Final = mark("This deal is closed. Nobody else can play it.")
PLAYED_BEFORE: Final = mark("You have played this deal before. Everyone plays it once.")
NAMELESS: Final = mark("Player {number}")
OTHER_RULES: Final = mark("This deal was played by earlier rules, so it cannot be played again.")


class DealResult(Struct, frozen=True):
    """How somebody did in a deal."""

    name: str
    you: bool
    first: bool
    """Whether it is the game that others were challenged with."""
    standing: TableStatus
    won: bool | None
    """Null until the game is over."""
    shared: bool
    """Whether the win is shared."""
    score: int | None
    best: int | None
    """The best score of the bots."""
    table: str | None
    """The table, for those who have played the deal to its end; for everybody when it is closed and over."""

    @property
    def margin(self) -> int | None:
        """By how much the score is better than that of the best bot."""
        return None if self.score is None or self.best is None else self.score - self.best


class DealStanding(Struct, frozen=True):
    """A deal with the results so far, the best first."""

    id: str
    game: str
    title: str
    seat: int
    """The seat everybody plays in."""
    bots: list[str]
    """The levels of the bots in the other seats."""
    open: bool
    """Whether others may still begin to play it."""
    mine: bool
    """Whether you made the challenge."""
    played: bool
    """Whether you have played it, or are playing."""
    own: str | None
    """Your table."""
    commitment: str
    """Of the dice, the same at all tables of the deal."""
    results: list[DealResult]


class Deals:
    """The deals of a server."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry = registry
        self.store = registry.deal_store

    async def challenge(self, user: User, table_id: str) -> str:
        """Make a deal of a finished game against bots, and return its id."""
        table = await actions.live_table(self.registry, table_id)
        await table.settled()
        if table.setup.deal:
            return table.setup.deal
        _expect_comparable(table, user)
        if (await in_background(verify, table.record())).gaps:
            raise Rejected(Code.REFUSED, why=ROLLED_AGAIN)
        deal = await self.store.add(table_id, user.id)
        table.setup = replace(table.setup, deal=deal)
        return deal

    async def play(self, user: User, deal_id: str, name: str = "") -> str:
        """Begin to play a deal, and return the table; whoever plays it already gets to the same table again."""
        deal = await self.found(deal_id)
        mine = [game for game in await self.store.games(deal_id) if game.player == user.id]
        if mine:
            return _kept(mine[0].table)
        if deal.closes <= time.time():
            raise Rejected(Code.REFUSED, why=DEAL_CLOSED)
        first = (await self._first(deal)).setup
        if first.rules != games.find(first.game).version:
            raise Rejected(Code.REFUSED, why=OTHER_RULES)
        sitters = [seat if seat.bot else Sitter(user=user.id, name=name or user.name) for seat in first.sitters]
        new = await self.registry.open(user.id, first.game, first.options, sitters, seed=first.seed, deal=deal_id)
        try:
            entered = await self.store.enter(deal_id, user.id, new.id)
        except DealClosed:
            await self._remove(new)
            raise Rejected(Code.REFUSED, why=DEAL_CLOSED) from None
        if entered != new.id:  # begun twice at the same moment
            await self._remove(new)
        return _kept(entered)

    async def close(self, user: User, deal_id: str) -> None:
        """Let nobody else begin to play a deal."""
        deal = await self.found(deal_id)
        if user.id not in (await self._first(deal)).setup.people():
            raise Forbidden(NOT_YOUR_GAME)
        await self.store.close(deal_id)

    async def found(self, deal_id: str) -> DealRow:
        """Find a deal; TableNotFound when there is none."""
        deal = await self.store.deal(deal_id)
        if deal is None:
            raise TableNotFound
        return deal

    async def standing(self, deal_id: str, user: User | None, told: Words) -> DealStanding:
        """Return a deal with its results, as a user may see them."""
        deal = await self.found(deal_id)
        first = (await self._first(deal)).setup
        played = await self.store.games(deal_id)
        mine = next((game for game in played if user is not None and game.player == user.id), None)
        knows = await self._knows(deal_id, mine)
        results = [await self._result(n, game, user, told, knows=knows) for n, game in enumerate(played)]
        return DealStanding(
            id=deal_id,
            game=first.game,
            title=games.find(first.game).title,
            seat=_seat(first),
            bots=[sitter.bot for sitter in first.sitters if sitter.bot],
            open=deal.closes > time.time(),
            mine=user is not None and user.id in first.people(),
            played=mine is not None,
            own=mine.table if mine else None,
            commitment=commitment(first),
            results=sorted(filter(None, results), key=_rank),
        )

    async def _knows(self, deal_id: str, mine: DealGame | None) -> bool:
        """Tell whether somebody may see the games of a deal: after their own, played out, or when all are over."""
        if mine and mine.table and await played_out(self.registry, mine.table, mine.player):
            return True
        return not await self.store.keeps_seed(deal_id)

    async def _first(self, deal: DealRow) -> TableRow:
        entry = await self.registry.table_store.entry(deal.table)
        if entry is None:
            raise TableNotFound
        return entry

    async def _result(
        self, number: int, game: DealGame, user: User | None, told: Words, *, knows: bool
    ) -> DealResult | None:
        """Return how somebody did; None if the table has been deleted. Those without a name are told by numbers."""
        entry = await self.registry.table_store.entry(game.table) if game.table else None
        if entry is None:
            return None
        seat, you = _seat(entry.setup), user is not None and game.player == user.id
        outcome = await self._outcome(entry)
        return DealResult(
            name=entry.setup.sitters[seat].name or told.gettext(NAMELESS).format(number=number + 1),
            you=you,
            first=number == 0,
            standing=entry.standing,
            won=None if outcome is None else seat in outcome.winners,
            shared=outcome is not None and len(outcome.winners) > 1,
            score=outcome.scores[seat] if outcome else None,
            best=max(score for other, score in enumerate(outcome.scores) if other != seat) if outcome else None,
            table=game.table if knows or you else None,
        )

    async def _outcome(self, entry: TableRow) -> Outcome | None:
        if entry.standing != "over":
            return None
        await asyncio.sleep(0)  # others have their turn between two tables that are loaded
        try:
            return (await self.registry.table(entry.setup.id)).match.outcome
        except (TableNotFound, NotStarted, NotReplayable):
            return None

    async def _remove(self, setup: TableSetup) -> None:
        async with self.registry.seats_lock:
            await self.registry.remove(setup)


async def played_out(registry: TableRegistry, table_id: str, user: str) -> bool:
    """Tell whether a user has played the game of a table to its end: whoever resigns has not seen where it leads."""
    entry = await registry.table_store.entry(table_id)
    if entry is None or entry.standing != "over":
        return False
    try:
        return (await registry.table(table_id)).played_out(user)
    except (TableNotFound, NotStarted, NotReplayable):
        return False


def commitment(setup: TableSetup) -> str:
    """Return the commitment of the dice of a table."""
    return Dice(setup.seed).commitment


def _seat(setup: TableSetup) -> int:
    """Return the seat of the only person at a table."""
    return next(seat for seat, sitter in enumerate(setup.sitters) if sitter.bot is None)


def _kept(table: str | None) -> str:
    if table is None:
        raise Rejected(Code.REFUSED, why=PLAYED_BEFORE)
    return table


def _rank(result: DealResult) -> tuple[bool, bool, int]:
    """Sort finished games first, wins before losses, and the largest margin first."""
    return (result.won is None, not result.won, -(result.margin or 0))


def _expect_comparable(table: Table, user: User) -> None:
    """Reject a game that others could not play in the same way."""
    if table.setup.people() != {user.id}:
        raise Forbidden(NOT_YOUR_GAME if user.id not in table.setup.people() else NOT_ALONE)
    if table.standing == "live":
        raise Rejected(Code.REFUSED, why=STILL_PLAYING)
    if len(table.setup.seats_of(user.id)) != 1:
        raise Rejected(Code.REFUSED, why=NOT_ALONE)
    if table.standing != "over" or table.match.changes:
        raise Rejected(Code.REFUSED, why=NOT_PLAYED_OUT)
