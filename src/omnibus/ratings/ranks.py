"""The ranks of the seats at the end of a game. Ratings follow from ranks, never from scores."""

from __future__ import annotations

from collections.abc import Collection

from omnibus.kernel.game import Outcome


def ranks(outcome: Outcome, last: Collection[int] = ()) -> list[int]:
    """Return the rank of each seat from 1; tied seats have the same rank, and the next ones follow after all of them.

    Winners come first, then the others by score; if nobody won, all are tied. `last` are seats that come after
    everybody else, together, whatever they have reached: their owners resigned or ran out of time.
    """

    def place(seat: int) -> tuple[int, int]:
        if seat in last:
            return 2, 0
        if seat in outcome.winners or not outcome.winners:
            return 0, 0
        return 1, -outcome.scores[seat]

    places = [place(seat) for seat in range(len(outcome.scores))]
    return [1 + sum(other < own for other in places) for own in places]
