"""How good it is: named terms that say what one would say at the table."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from omnibus.games.bus import judging

from .positions import place

pytestmark = pytest.mark.engine

ALIKE = {0: "1-7-14", 1: "1-7-14", 2: "1-7-14"}


def test_equals_have_equal_shares() -> None:
    """Before anybody has a start player's advantage, seats that have the same are worth the same."""
    match = place(lines=ALIKE)
    shares = judging.judge(match.state)
    first = [judging.terms(match.state, seat).pop("first") for seat in range(3)]
    assert first[0] == first[2] == 0 < first[1]  # §12.1: seat 1 begins the next round
    assert shares[0] == pytest.approx(shares[2])
    assert shares[1] > shares[0]
    assert sum(shares) == pytest.approx(1)


def test_shares_turn_with_the_seats() -> None:
    """Who sits one further to the left has the share of who sat here."""
    trails = ["16-20-27", "1-8-10", "24-30-36"]
    for cubes in ([18, 14, 9], [2, 3, 4]):
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


@pytest.mark.parametrize(
    ("better", "term"),
    [
        ({"players": {0: {"rides": 2, "reached": 2}}}, "score"),
        ({"players": {0: {"buses": 3}}}, "fleet"),
        ({"players": {0: {"cubes": 20}}}, "cubes"),
        ({"lines": ALIKE | {0: "1-7-14-17"}}, "reach"),
        ({"lines": ALIKE | {0: "1-8-14"}}, "stations"),
        ({"lines": ALIKE | {0: "10-15-17"}}, "doors"),
        ({"lines": {0: "16-20-27"}, "waiting": [27, 27, 30, 30]}, "fares"),
        ({"fields": {"start": [0]}}, "first"),
    ],
)
def test_more_is_better(better: dict[str, Any], term: str) -> None:
    """What one has more of than in a position like it is worth more, and so is the seat."""
    facts = {"lines": ALIKE, "waiting": [8, 8, 30, 30]}
    worse = place(**facts).state
    match = place(**(facts | better))
    assert judging.terms(match.state, 0)[term] > judging.terms(worse, 0)[term]
    assert judging.judge(match.state)[0] > judging.judge(worse)[0]


def test_ahead_of_the_line() -> None:
    """§6.2 Passengers one empty street beyond a head of the line are worth more than those further away."""
    near, far = (place(lines={0: "16-20-27"}, waiting=[crossing] * 4).state for crossing in (29, 35))
    assert judging.terms(near, 0)["ahead"] > judging.terms(far, 0)["ahead"]
    assert judging.judge(near)[0] > judging.judge(far)[0]


def test_a_sixth_bus_is_worth_less() -> None:
    """§2.1 A bus beyond five, which only the first edition sells, is still an asset, but less than those before it."""
    worth = [judging.terms(place(players={0: {"buses": buses}}).state, 0)["fleet"] for buses in range(1, 12)]
    gains = [more - less for less, more in pairwise(worth)]
    assert gains[:4] == pytest.approx([gains[0]] * 4)
    assert all(0 < later < earlier for earlier, later in pairwise(gains[3:]))


def test_no_sticks_beyond_those_left() -> None:
    """§2.2 A cube on line promises no more sticks than its owner has left."""
    long = "14-7-1-8-2-5-6-3-4-13-22-31-36-35-30-34-32-33-28"  # 18 streets: a small colour is used up
    facts: dict[str, Any] = {"seats": 4, "buses": 3, "lines": {3: long}, "seat": 3}
    idle, asked = (place(**facts, fields=fields).state for fields in ({"start": [3]}, {"line": [3]}))
    assert judging.terms(asked, 3)["reach"] == pytest.approx(judging.terms(idle, 3)["reach"])
    free = place(**facts, fields={"line": [3]}, sticks="unlimited").state
    assert judging.terms(free, 3)["reach"] > judging.terms(asked, 3)["reach"]


def test_a_time_stone_costs() -> None:
    """§13.2 A time stone is a point less."""
    match = place(players={0: {"stones": 1}})
    assert judging.terms(match.state, 0)["score"] < 0
    assert judging.judge(match.state)[0] < judging.judge(place().state)[0]


OFFICES = {"16.1": "office", "16.2": "pub", "21.1": "house", "24.1": "pub"}


@pytest.mark.parametrize(
    ("fields", "due"),
    [
        ({}, 0),
        ({"vrroomm": [0]}, 1),  # one bus, one office
        ({"vrroomm": [0], "bus": [0]}, 1),  # still one office
        ({"vrroomm": [0], "bus": [0], "buildings": [0]}, 2),  # §7.1: now two may build two
        ({"vrroomm": [0], "clock": [0]}, 1),
        ({"vrroomm": [1, 0]}, 0),  # seat 1 is on the same line and comes first
    ],
)
def test_the_round_is_looked_through(fields: dict[str, list[int]], due: int) -> None:
    """§5, §11.2 What the cubes on the action board will bring: here offices are next, and two wait at 27 and 20."""
    match = place(
        lines={0: "16-20-27", 1: "16-20-27"}, buildings=OFFICES, waiting=[27, 20, 8, 8], fields=fields, cubes=15
    )
    worth = judging.worths(match.state)
    assert worth[judging.TERMS.index("due")] == due


def test_a_stopped_clock_counts_its_stone() -> None:
    """§10.1 Who took the clock stops it when that pays: two rides to houses for one stone, when no office is near."""
    houses = {"16.1": "house", "16.2": "house", "10.1": "pub", "15.1": "pub"}
    facts = {"lines": {0: "16-20-27"}, "buildings": houses, "waiting": [27, 20, 8, 8], "buses": 2}
    due = judging.TERMS.index("due")
    assert judging.worths(place(fields={"vrroomm": [0], "clock": [0]}, **facts).state)[due] == 1
    assert judging.worths(place(fields={"vrroomm": [0]}, **facts).state)[due] == 0


def test_rides_to_come() -> None:
    """§11.1 After offices come pubs, then houses: what the line offers then, and what one more cube offers now."""
    match = place(
        lines={0: "16-20-27"}, buildings={"16.1": "office", "20.1": "office", "16.2": "pub"}, waiting=[27, 27, 8, 8]
    )
    terms = judging.terms(match.state, 0)
    poor = judging.terms(place().state, 0)
    for name in ("open", "next", "fares", "doors"):
        assert terms[name] > poor[name], name
    later = place(lines={0: "16-20-27"}, buildings={"16.1": "house", "16.2": "house"}, waiting=[27, 27, 8, 8])
    assert judging.terms(later.state, 0)["later"] > poor["later"]


def test_spent_cubes_are_told_of_the_cubes() -> None:
    """A cube on the board lowers the term of the cubes, not those of the fleet or the line; it all adds up."""
    match = place()
    before = judging.terms(match.state, 0)
    match.play("take start")
    after = judging.terms(match.state, 0)
    assert after["cubes"] < before["cubes"]
    for name in ("fleet", "reach", "doors", "ahead"):
        assert after[name] == pytest.approx(before[name])


def test_an_ended_game_is_what_it_came_to() -> None:
    """§13.2 A winner has it all, a shared win is shared; as is nothing."""
    over = {"step": "over", "seat": None, "cubes": 0}
    won = place(**over, players={1: {"rides": 2, "reached": 2}})
    assert judging.judge(won.state) == [0, 1, 0]
    assert judging.judge(place(**over).state) == pytest.approx([1 / 3] * 3)


def test_the_last_time_stone_in_hand() -> None:
    """§10.2 Who has the clock and can win by taking the last stone has as good as won; who cannot has not."""
    fields = {"clock": [0], "line": [0], "bus": [1]}
    stones = {seat: {"stones": 1, "rides": 1, "reached": seat} for seat in (1, 2)}
    leader = place(fields=fields, players=stones | {0: {"stones": 1, "rides": 9, "reached": 11}})
    assert judging.judge(leader.state) == pytest.approx([0.99, 0.005, 0.005])
    behind = place(fields=fields, players=stones | {0: {"stones": 1, "rides": 0}})
    assert judging.judge(behind.state)[0] < 0.5
