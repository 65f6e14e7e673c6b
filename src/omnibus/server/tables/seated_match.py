"""A match and those who play it: what sessions, pages, bots and the API ask about a table."""

from __future__ import annotations

from typing import Any, Final

from omnibus.kernel.dice import Dice
from omnibus.kernel.game import Game, Words
from omnibus.kernel.i18n import ENGLISH, mark
from omnibus.kernel.match import Match
from omnibus.kernel.seat_changes import SeatChange
from omnibus.server.store.models import Sitter, TableSetup, TableStatus
from omnibus.server.tables.events import History, Proposed
from omnibus.server.tables.names import names_of
from omnibus.server.tables.table_clock import TableClock
from omnibus.server.tables.thinking_times import ThinkingTime, clock_document
from omnibus.server.tables.view_cache import ViewCache

SAME_DICE: Final = mark("At a table of a deal, turns cannot be undone: everyone is to have the same dice.")


class SeatedMatch:
    """A match with its history: whose the seats are, who plays in them now, and whom the table waits for."""

    def __init__(self, setup: TableSetup, match: Match, history: History, event: int) -> None:
        self.setup = setup
        self.match = match
        self.event = event
        self.last_change: tuple[int, SeatChange] | None = None  # if the last event was one, with its number
        self.view_cache = ViewCache(match)
        self.clock: TableClock | None = None
        self.rematch: TableSetup | None = None
        """The rematch somebody had proposed when it was last looked for, if it waited for players."""
        self._history = history
        self._broken = False
        self._event_at_rest = 0

    @property
    def game(self) -> Game[Any]:
        """The game that is played here."""
        return self.match.game

    @property
    def actor(self) -> int | None:
        """The seat to decide; None when the game is over."""
        actor = self.match.actor
        return actor if isinstance(actor, int) and not self._history.closed else None

    @property
    def standing(self) -> TableStatus:
        """Whether the game is live, over, or closed before its end."""
        if self.match.actor is None:
            return "over"
        return "closed" if self._history.closed else "live"

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats that have won; None while the game is live."""
        return tuple(self.match.outcome.winners) if self.match.outcome is not None else None

    @property
    def resigned(self) -> dict[int, str | None]:
        """The seats whose owners have resigned, and the bots that play on in them."""
        return self._history.resigned

    @property
    def timed_out(self) -> set[int]:
        """The seats whose time was over at some moment."""
        return self._history.timed_out

    @property
    def proposed(self) -> Proposed | None:
        """The open proposal."""
        return self._history.proposed

    @property
    def agreed(self) -> set[str | None]:
        """The users who have agreed to the proposal."""
        return {self.owner(seat) for seat in self._history.agreed}

    @property
    def awaits(self) -> int | None:
        """The seat to decide, if a person decides for it."""
        actor = self.actor
        return actor if actor is not None and self.sitter(actor).bot is None else None

    @property
    def awaited_user(self) -> str | None:
        """The user the table waits for; None when it waits for a bot, or for nobody any more."""
        seat = self.awaits
        return self.owner(seat) if seat is not None else None

    @property
    def secret(self) -> bool:
        """Whether the record may still hold something that somebody must not know.

        A last move that could not be stored does not end the game: the table is loaded again without it.
        """
        return self.standing == "live" or self._broken

    @property
    def seed(self) -> str | None:
        """The seed of the dice, once nothing will be rolled any more."""
        return None if self.secret else Dice(self.setup.seed).seed

    def sitter(self, seat: int) -> Sitter:
        """Return who decides for a seat now."""
        bot = self.resigned.get(seat) or self._history.handed_over.get(seat)
        return self.setup.sitters[seat] if bot is None else Sitter(bot=bot)

    def handed_over(self, seat: int) -> bool:
        """Tell whether a bot plays in a seat until its owner takes over again."""
        return seat in self._history.handed_over and seat not in self.resigned

    def out_of_time(self, seat: int) -> bool:
        """Tell whether a bot plays in a seat because the time of its owner was over."""
        last = next((change.what for change in reversed(self._history.changes) if change.seat == seat), None)
        return self.handed_over(seat) and last == "timed out"

    def owner(self, seat: int) -> str | None:
        """Return the user a seat belongs to, even while a bot plays in it."""
        return None if self.resigned.get(seat) else self.setup.sitters[seat].user

    def seats_of(self, user: str | None) -> list[int]:
        """Return the seats of a user."""
        return [seat for seat in range(self.match.seats) if user is not None and self.owner(seat) == user]

    def owners(self) -> list[str | None]:
        """Return the user each seat belongs to."""
        return [self.owner(seat) for seat in range(self.match.seats)]

    def people(self) -> set[str]:
        """Return the users who have a seat."""
        return {user for user in self.owners() if user is not None}

    def hides(self, seats: list[int]) -> bool:
        """Tell whether one of these seats sees something that another does not."""
        views = [{**self.game.view(self.match.state, seat), "viewer": None} for seat in seats]
        return any(view != views[0] for view in views[1:])

    def may_ask_hint(self, user: str | None) -> bool:
        """Tell whether a user may ask for hints: nobody else sits here, or plays the same deal."""
        return user is not None and self.setup.people() == {user} and not self.setup.deal

    def can_undo(self, seat: int | None) -> bool:
        """Tell whether a seat may undo its last decision: nothing has been decided or drawn since, in no deal."""
        if self.setup.deal or seat is None or seat != self.awaits:
            return False
        plies = self.match.plies
        return bool(plies) and plies[-1][0] == seat

    def last_decision(self, seat: int) -> int | None:
        """Return the ply of the last decision of a seat."""
        plies = self.match.plies
        return next((ply for ply in reversed(range(len(plies))) if plies[ply][0] == seat), None)

    def played_out(self, user: str) -> bool:
        """Tell whether the game is over and a user has played it to its end, in all their seats."""
        given_up = self.resigned.keys() | self._history.handed_over.keys()
        return self.standing == "over" and given_up.isdisjoint(self.setup.seats_of(user))

    def names(self, told: Words) -> list[str]:
        """Return the names of the seats in a language."""
        return names_of(self.setup, told)

    def rename(self, setup: TableSetup) -> None:
        """Show the same people under other names."""
        self.setup = setup
        self.match.names = tuple(names_of(setup, ENGLISH))
        self.view_cache.cut(0)

    def times(self, since: int = 0) -> list[ThinkingTime]:
        """Return what each decision from a ply on took; nothing at a table without a clock."""
        return self._history.times.since(since)

    def record(self, *, reveal: bool = True) -> str:
        """Return the record of the table; the seed is left out while it is a secret, or unless it is to be revealed."""
        if self.setup.clock is not None:
            self.match.clock = clock_document(self.setup.clock, self.times())
        return self.match.record(reveal=reveal and not self.secret)

    def rest(self) -> None:
        """Forget what readers were shown if nothing has happened since the last call; it can be made again."""
        if self._event_at_rest == self.event:
            self.view_cache = ViewCache(self.match)
            self.match.forget_views()
        self._event_at_rest = self.event

    @property
    def broken(self) -> bool:
        """Whether this copy is ahead of the database, because an event could not be stored."""
        return self._broken
