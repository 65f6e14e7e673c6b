"""How good it is: what seats that are alike are worth, and the last time stone."""

from __future__ import annotations

import pytest

from omnibus.games.bus import judging

from .positions import place

pytestmark = pytest.mark.engine


def test_equals_have_equal_shares() -> None:
    """Before anybody has a start player's advantage, seats that have the same are worth the same."""
    match = place(lines=dict.fromkeys(range(3), "1-7-14"))
    shares = judging.judge(match.state)
    first = [judging.terms(match.state, seat).pop("first") for seat in range(3)]
    assert first[0] == first[2] == 0 < first[1]  # §12.1: seat 1 begins the next round
    assert shares[0] == pytest.approx(shares[2])
    assert shares[1] > shares[0]


@pytest.mark.parametrize("cubes", [[18, 14, 9], [2, 3, 4]])
def test_shares_turn_with_the_seats(cubes: list[int]) -> None:
    """Who sits one further to the left has the share of who sat here."""
    trails = ["16-20-27", "1-8-10", "24-30-36"]
    facts = [{"buses": 1 + seat, "rides": 3 * seat, "reached": 4 * seat, "cubes": cubes[seat]} for seat in range(3)]
    shares = []
    for turned in range(3):
        at = [(seat + turned) % 3 for seat in range(3)]
        match = place(
            lines={at[seat]: trails[seat] for seat in range(3)},
            players={at[seat]: facts[seat] for seat in range(3)},
            fields={"line": [at[1], at[2]], "bus": [at[0]], "vrroomm": [at[0], at[2]], "clock": [at[1]]},
            start=at[0],
            seat=at[0],
        )
        now = judging.judge(match.state)
        shares.append([now[at[seat]] for seat in range(3)])
    assert shares[1] == pytest.approx(shares[0])
    assert shares[2] == pytest.approx(shares[0])


def test_the_last_time_stone_in_hand() -> None:
    """§10.2 Who has the clock and can win by taking the last stone has as good as won; who cannot has not."""
    fields = {"clock": [0], "line": [0], "bus": [1]}
    stones = {seat: {"stones": 1, "rides": 1, "reached": seat} for seat in (1, 2)}
    leader = place(fields=fields, players=stones | {0: {"stones": 1, "rides": 9, "reached": 11}})
    assert judging.judge(leader.state)[0] > 0.95
    behind = place(fields=fields, players=stones | {0: {"stones": 1, "rides": 0}})
    assert judging.judge(behind.state)[0] < 0.5
