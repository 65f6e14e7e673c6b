"""The clocks of a table: how much time each seat has left. Pure arithmetic; what the time is, others know.

Every seat has a bank of time. While a person is to decide, the clock of the seat runs: first the time that each turn
has for itself, then the bank. Every decision adds the increment, but never beyond the bank one starts with.

In correspondence games somebody may be on vacation: until it ends their clock stands still.

One rule decides between a move and the end of the time: whoever holds the table's lock asks `Clocks.overrun` with the
time used until now. Zero is over, and what is shown as 0.0 seconds is zero: a move comes too late then. So every
instant is either in time or too late, never both.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from omnibus.kernel.game import Game
from omnibus.kernel.i18n import MessageError, mark
from omnibus.server.store.models import DAY, TimeControl

MINUTE: Final = 60.0
LONGEST_BANK: Final = 60 * DAY
LONGEST_INCREMENT: Final = DAY
LONGEST_TURN: Final = 30 * DAY
UNKNOWN_MINUTES: Final = 30  # how long a game takes whose length nobody knows
NOTHING_S: Final = 0.05  # so much is shown as 0.0
BACK_S: Final = 30.0  # who takes a seat back after its time was over has at least so much, or a quarter of the bank

Pace = Literal["blitz", "normal", "slow", "days"]
"""A ready-made time control."""
PACES: Final[tuple[Pace, ...]] = get_args(Pace)

_PACES: Final[dict[Pace, tuple[float, float]]] = {"blitz": (1 / 8, 5.0), "normal": (1 / 4, 20.0), "slow": (1 / 2, 60.0)}
"""The bank, as a part of the time a player may take in a game between people, and the increment in seconds."""


def check(control: TimeControl) -> None:
    """Raise ValueError when nobody could play with a time control."""
    least = 0 if control.turn >= MINUTE else 5
    for seconds, fewest, most, what in (
        (control.bank, least, LONGEST_BANK, mark("the time per game must be between {least} and {most} seconds")),
        (control.increment, 0, LONGEST_INCREMENT, mark("the time per decision must be between 0 and {most} seconds")),
        (control.turn, 0, LONGEST_TURN, mark("the time per turn must be between 0 and {most} seconds")),
    ):
        if not fewest <= seconds <= most:
            raise MessageError(what, least=fewest, most=round(most))


def time_control(game: Game[Any], pace: Pace) -> TimeControl:
    """Return a ready-made time control, from how long the game takes between people."""
    if pace == "days":
        return TimeControl(bank=3 * DAY, turn=DAY)
    part, increment = _PACES[pace]
    seats = (min(game.seats) + max(game.seats)) / 2
    minutes = (game.minutes[1] or UNKNOWN_MINUTES) * part / seats
    return TimeControl(bank=max(1, round(minutes)) * MINUTE, increment=increment)


class Clocks(Struct, frozen=True, omit_defaults=True):
    """The clocks of all seats as they were after an event; stored with it."""

    banks: tuple[float, ...]
    """What is left of each bank."""
    repeats: tuple[int, ...]
    """How many decisions of each seat replace ones that were undone; those add no increment again."""
    running: int | None = None
    """The seat whose clock runs; None while a bot is to decide, or nobody."""
    turn: float = 0.0
    """What is left of the time that the running turn has for itself."""
    used: float = 0.0
    """What the clock that ran before the event had used since the event before."""
    since: float = 0.0
    """What the server's clock shows when the running clock begins to run; it stands still before."""
    away: tuple[float, ...] = ()
    """Until when each seat is on vacation, as a time of the wall clock; empty: nobody ever was."""

    def away_until(self, seat: int | None) -> float:
        """Return until when a seat is on vacation, and its clock stands still; 0 if it never was."""
        return self.away[seat] if self.away and seat is not None else 0.0

    def left(self, seat: int, used: float = 0.0) -> float:
        """Return the time of a seat, when the running clock has used some since the last event; never below zero."""
        if seat != self.running:
            return self.banks[seat]
        left = self.turn + self.banks[seat] - used
        return left if left > NOTHING_S else 0.0

    def overrun(self, used: float) -> bool:
        """Tell whether the time of the running clock is over, when it has used some since the last event."""
        return self.running is not None and self.left(self.running, used) <= 0


def due_at(clocks: Clocks | None) -> float | None:
    """Return what the server's clock shows when the time of the running clock is over; None if none runs."""
    if clocks is None or clocks.running is None:
        return None
    return clocks.since + clocks.left(clocks.running)


def started(control: TimeControl, seats: int, running: int | None) -> Clocks:
    """Return the clocks at the start of a game, with one of them running."""
    return switched(control, Clocks((control.bank,) * seats, (0,) * seats), running)


def spent(clocks: Clocks, used: float) -> Clocks:
    """Take time from the running clock; what it does not have cannot be taken."""
    seat = clocks.running
    if seat is None:
        return replace(clocks, used=0.0)
    from_turn = min(clocks.turn, used)
    bank = max(0.0, clocks.banks[seat] - (used - from_turn))
    return replace(clocks, turn=clocks.turn - from_turn, banks=_with(clocks.banks, seat, bank), used=used)


def decided(control: TimeControl, clocks: Clocks, seat: int) -> Clocks:
    """Add the increment for a decision of a seat, unless it replaces one that was undone."""
    if clocks.repeats[seat]:
        return replace(clocks, repeats=_with(clocks.repeats, seat, clocks.repeats[seat] - 1))
    bank = min(control.bank, clocks.banks[seat] + control.increment)
    return replace(clocks, banks=_with(clocks.banks, seat, bank))


def undone(clocks: Clocks, seats: Iterable[int]) -> Clocks:
    """Note whose decisions were undone, each seat as often as it had decided. No time is given back."""
    repeats = clocks.repeats
    for seat in seats:
        repeats = _with(repeats, seat, repeats[seat] + 1)
    return replace(clocks, repeats=repeats)


def switched(control: TimeControl, clocks: Clocks, running: int | None) -> Clocks:
    """Let the clock of another seat run, or none; a turn ends only when another seat's begins."""
    if running == clocks.running:
        return clocks
    return replace(clocks, running=running, turn=0.0 if running is None else control.turn)


def returned(control: TimeControl, clocks: Clocks, seat: int) -> Clocks:
    """Give somebody who takes a seat back enough time to play on."""
    least = min(control.bank, max(BACK_S, control.bank / 4))
    return replace(clocks, banks=_with(clocks.banks, seat, max(clocks.banks[seat], least)))


def begun(clocks: Clocks, server_clock: float, now: float) -> Clocks:
    """Let the running clock run from now on: what the server's clock shows, and the time; or from a vacation's end."""
    return replace(clocks, since=server_clock + max(0.0, clocks.away_until(clocks.running) - now))


def on_vacation(clocks: Clocks, seat: int, until: float) -> Clocks:
    """Pause the clock of a seat until a time."""
    return replace(clocks, away=_with(clocks.away or (0.0,) * len(clocks.banks), seat, until))


def _with(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
