"""How good it is: terms and their phrases, shares of the win, and the estimates they are made of."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from omnibus import Match, games
from omnibus.games.metromania.board import CITY, NOBODY, TO
from omnibus.games.metromania.judging import judge, terms
from omnibus.games.metromania.judging.exits import NO_WAY, SHORTEST, way_out
from omnibus.games.metromania.judging.race import race
from omnibus.games.metromania.judging.rides import rides
from omnibus.games.metromania.judging.summary import COMMON, EACH, LINE, LINE_NUMBERS, TURN
from omnibus.games.metromania.judging.worth import COUNT, NAMES, worths
from omnibus.games.metromania.rules import apply, legal
from omnibus.games.metromania.rules.tunnels import digs
from omnibus.games.metromania.scoring import PENALTY, all_rides, network
from omnibus.games.metromania.state import STRIDE, State
from omnibus.kernel.game import OVER
from support.games_played import EVERYWHERE, GamePlayed, in_positions

from .positions import find, place

pytestmark = pytest.mark.engine

GAME = games.find("metromania")


@in_positions(20, of="metromania")
def test_shares_come_from_the_terms(played: GamePlayed) -> None:
    """Who has the greater worth in all terms together has the greater share."""
    state = played.state
    if state.actor != OVER:
        worth = [sum(terms(state, seat).values()) for seat in range(played.seats)]
        shares = judge(state)
        order = sorted(range(played.seats), key=worth.__getitem__)
        assert all(shares[low] <= shares[high] + 1e-9 for low, high in pairwise(order))


def swapped(state: State) -> State:
    """The same position of two, with the seats exchanged (their hands too, which the rules deal otherwise)."""
    other = state.clone()
    other.seat = 1 - state.seat
    other.actor = 1 - state.actor if state.actor >= 0 else state.actor
    other.line = state.line ^ 2 if state.line >= 0 else state.line
    for name in ("hands", "points"):
        setattr(other, name, getattr(state, name)[::-1])
    for name in ("length", "tip", "way", "slot", "begun"):
        lines = getattr(state, name)
        setattr(other, name, lines[2:] + lines[:2])
    other.path = state.path[2 * STRIDE :] + state.path[: 2 * STRIDE]
    for name in ("tunnel", "track"):
        setattr(other, name, [line ^ 2 if line >= 0 else line for line in getattr(state, name)])
    other.on = [_exchanged(lines) for lines in state.on]
    other.finished, other.blocked = _exchanged(state.finished), _exchanged(state.blocked)
    other.placer = [1 - seat if seat >= 0 else seat for seat in state.placer]
    return other


def _exchanged(lines: int) -> int:
    return (lines & ~15) | (lines & 3) << 2 | (lines >> 2 & 3)


@in_positions(60, of="metromania")
def test_seats_are_alike(played: GamePlayed) -> None:
    """Whoever sits where: in the same position of two with the seats exchanged the shares are exchanged."""
    if played.seats == 2 and played.state.actor >= 0:
        assert judge(swapped(played.state)) == pytest.approx(judge(played.state)[::-1])


@in_positions(12, of="metromania", ways=EVERYWHERE)
def test_rides_are_those_of_the_scoring(played: GamePlayed) -> None:
    """§11: the quick rides score and fine exactly like the slow ones, wherever they are tried."""
    slow = all_rides(played.state, network(played.state))
    quick = rides(played.state)
    for seat in range(played.seats):
        scores = [test.scores[seat] for test in slow]
        fines = quick.unplaced[seat] + quick.unserved[seat] + quick.apart[seat]
        assert quick.won[seat] == sum(score for score in scores if score > 0)
        assert PENALTY * fines == -sum(score for score in scores if score < 0)


def test_way_out_of_a_fresh_line() -> None:
    """§14: the shortest line has eight tunnels; each tunnel the right way leaves one less."""
    match = place(lines={"0 solid": "0 W"})
    needs = way_out(match.state, 0)
    assert SHORTEST - 1 <= needs < NO_WAY
    assert way_out(match.state, 1) == SHORTEST
    better = 0
    for move in legal(match.state):
        after = match.state.clone()
        apply(after, move)
        if after.length[0] == 2:
            assert way_out(after, 0) >= needs - 1
            better += way_out(after, 0) == needs - 1
    assert better


def test_way_out_is_a_way() -> None:
    """A line said to be one tunnel from its end can indeed be finished with the next."""
    for seats in (2, 3):
        state = find(lambda state: state.step == 3 and any(_lacks_one(state)), seats=seats)
        for line in _lacks_one(state):
            assert any(_leads_out(bore) for bore in digs(state, line, state.hands[line >> 1]))


def _lacks_one(state: State) -> list[int]:
    return [line for line in range(2 * state.seats) if state.begun[line] >= 0 and way_out(state, line) == 1]


def _leads_out(bore: int) -> bool:
    return TO[bore] >= CITY


def test_prospects() -> None:
    """A finished line is finished; when the construction has ended, who has had the last turn finishes nothing more."""
    state = find(lambda state: state.finished > 0 and state.ended != NOBODY and state.actor >= 0)
    running = race(state)
    for line in range(4):
        if state.finished >> line & 1:
            assert running.prospects[line] == 1
        elif line >> 1 != state.seat:
            assert running.prospects[line] == 0


def test_the_end_of_the_construction_is_expected_by_its_rules() -> None:
    """§9.1 With two players all four lines have to be finished or blocked, so one more of them makes it sooner."""
    state = find(
        lambda state: state.step == 3 and state.ended < 0 and bin(state.finished | state.blocked).count("1") == 2
    )
    nearer = state.clone()
    nearer.blocked |= next(1 << line for line in range(4) if not (state.finished | state.blocked) >> line & 1)
    assert race(nearer).rounds < race(state).rounds


def better(state: State, seat: int, name: str, change: Callable[[State], None]) -> None:
    """After the change the term is worth more to the seat, and its share is greater."""
    after = state.clone()
    change(after)
    assert terms(after, seat)[name] > terms(state, seat)[name]
    assert judge(after)[seat] > judge(state)[seat]


def test_more_points_are_better() -> None:
    """§6.5: station points count as far as lines promise to be finished."""

    def score(state: State) -> None:
        state.points[0] += 3

    better(place(lines={"0 solid": "0 W"}).state, 0, "stations", score)


def test_a_finished_line_is_better() -> None:
    """§10.1."""
    state = find(lambda state: state.turn == 12 and state.step == 3 and state.finished == 0)

    def finish(state: State) -> None:
        state.finished |= 1

    better(state, 0, "finishing", finish)


def test_a_blocked_line_is_worse() -> None:
    """§9.2."""
    state = find(lambda state: bool(state.blocked & 1) and state.step == 3 and state.ended == NOBODY)

    def free(state: State) -> None:
        state.blocked &= ~1

    better(state, 0, "blocked", free)


def test_an_empty_hand_is_better() -> None:
    """§11.4: what is in hand will cost something."""
    state = find(lambda state: state.turn == 12 and state.step == 3)

    def lay_down(state: State) -> None:
        state.hands[0] = 0

    better(state, 0, "hand", lay_down)


@pytest.mark.parametrize("name", NAMES)
def test_every_term_counts_somewhere(name: str) -> None:
    """No term is idle: somewhere it makes a difference between the seats."""
    term = NAMES.index(name)
    seats = 3 if name == "apart" else 2  # of two players nobody pays for ends that are apart (§11.5)

    def differs(state: State) -> bool:
        if state.actor == OVER or state.step < 3:
            return False
        worth = worths(state)[term::COUNT]
        return max(worth) - min(worth) > 0.01

    worth = worths(find(differs, seats=seats))[term::COUNT]
    assert min(worth) < max(worth)


@pytest.mark.parametrize("record", ["2-open-finished", "3-hidden-stock", "4-strict-blocked"])
def test_the_summary_tells_what_lies_on_the_table(record: str) -> None:
    """Each seat's points, turn, hand and lines, then the stock, the turn and the destinations on the board."""
    match = Match.read((Path(__file__).parent / f"records/{record}.game").read_text("utf-8"))
    assert GAME.summary
    for state in [*[state for state in match.states if state.actor >= 0][::9], match.state]:
        told = list(GAME.summary.of(state))
        assert len(told) == state.seats * EACH + COMMON
        for seat in range(state.seats):
            points, away, to_act = told[seat * EACH + TURN :][:3]
            assert (points, away) == (min(255, 4 * state.points[seat]), (seat - state.seat) % state.seats)
            assert to_act == (state.actor == seat)
            assert sum(told[seat * EACH + TURN + 7 :][:3]) == state.hands[seat].bit_count()
            lengths = [told[seat * EACH + LINE + line * LINE_NUMBERS + 6] for line in range(2)]
            assert sorted(lengths) == sorted(state.length[2 * seat : 2 * seat + 2])
        stock, _, _, ended, turn, placed = told[-COMMON:]
        assert (stock, bool(ended), turn) == (state.stock, state.ended != NOBODY, state.turn)
        assert placed == sum(where >= 0 for where in state.placed)
