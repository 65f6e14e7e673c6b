"""How good it is: terms and their phrases, shares of the win, and the estimates they are made of."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from omnibus import Match, games
from omnibus.games.metromania.board import NOBODY
from omnibus.games.metromania.judging import judge, terms
from omnibus.games.metromania.judging.rides import rides
from omnibus.games.metromania.judging.summary import COMMON, EACH, LINE, LINE_NUMBERS, TURN
from omnibus.games.metromania.judging.worth import COUNT, NAMES, worths
from omnibus.games.metromania.scoring import PENALTY, all_rides, network
from omnibus.games.metromania.state import STRIDE, State
from omnibus.kernel.game import OVER
from support.games_played import EVERYWHERE, GamePlayed, in_positions

from .positions import find

pytestmark = pytest.mark.engine

GAME = games.find("metromania")
RECORDS = Path(__file__).parent / "records"


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


def more_points(state: State) -> None:
    state.points[0] += 3


def finish(state: State) -> None:
    state.finished |= 1


def free(state: State) -> None:
    state.blocked &= ~1


def lay_down(state: State) -> None:
    state.hands[0] = 0


@pytest.mark.parametrize(
    ("term", "change", "record", "ply"),
    [
        ("stations", more_points, "2-open-finished", 30),
        ("finishing", finish, "2-open-finished-2", 30),
        ("blocked", free, "2-hidden-blocked", 71),
        ("hand", lay_down, "2-open-finished", 30),
    ],
)
def test_more_is_better(term: str, change: Callable[[State], None], record: str, ply: int) -> None:
    """§6.5 §9.2 §10.1 §11.4 Points, a finished line, one that is not blocked and an empty hand are worth more."""
    state = Match.read((RECORDS / f"{record}.game").read_text("utf-8")).at(ply).state
    after = state.clone()
    change(after)
    assert terms(after, 0)[term] > terms(state, 0)[term]
    assert judge(after)[0] > judge(state)[0]


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
    match = Match.read((RECORDS / f"{record}.game").read_text("utf-8"))
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
