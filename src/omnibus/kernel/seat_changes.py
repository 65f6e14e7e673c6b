"""What happens to seats besides moves: players resign, or leave their seat to a bot until they are back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.names import Names, Saying, is_you, say

SeatEvent = Literal["resigned", "left", "timed out", "returned"]

BOT_FOR: Final = Saying(mark("Bot for {player}"), mark("Your bot"))
RESIGNS: Final = Saying(mark("{player} resigns."), mark("You resign."))
HAS_RESIGNED: Final = Saying(mark("{player} has resigned."), mark("You have resigned."))
RANKED_LAST: Final = Saying(mark("{player} resigned and is ranked last."), mark("You resigned and are ranked last."))
WINS: Final = Saying(mark("{player} wins."), mark("You win."))
TOLD: Final[dict[SeatEvent, Saying]] = {
    "resigned": RESIGNS,
    "left": Saying(
        mark("A bot plays for {player} until they are back."), mark("A bot plays for you until you are back.")
    ),
    "timed out": Saying(
        mark("{player} has run out of time. A bot plays for them until they are back."),
        mark("You have run out of time. A bot plays for you until you are back."),
    ),
    "returned": Saying(mark("{player} is back."), mark("You are back.")),
}


class SeatChange(NamedTuple):
    """Something that happened to a seat, after so many plies."""

    ply: int
    seat: int
    what: SeatEvent


def resigned(changes: Sequence[SeatChange], ply: int) -> dict[int, int]:
    """Return the seats that had resigned after so many plies, and when each did."""
    return {change.seat: change.ply for change in changes if change.what == "resigned" and change.ply <= ply}


def cut(changes: Sequence[SeatChange], keep: int) -> list[SeatChange]:
    """Return the changes after all but so many plies have been undone: who has resigned has resigned."""
    return [change._replace(ply=min(change.ply, keep)) for change in changes]


def names_at(changes: Sequence[SeatChange], ply: int, names: Sequence[str], words: Words) -> Sequence[str]:
    """Return what the seats were called when a ply was played: a bot that plays for somebody is called so."""
    bots: set[int] = set()
    for change in changes:
        if change.ply <= ply:
            (bots.discard if change.what == "returned" else bots.add)(change.seat)
    if not bots:
        return names
    called = [say(BOT_FOR, seat, names, words) if seat in bots else name for seat, name in enumerate(names)]
    return Names(called, next((seat for seat in range(len(names)) if is_you(seat, names) and seat not in bots), None))


def told_at(changes: Sequence[SeatChange], ply: int, names: Sequence[str], words: Words) -> Iterator[str]:
    """Say what happened to the seats after so many plies."""
    for change in changes:
        if change.ply == ply:
            yield say(TOLD[change.what], change.seat, names, words)
