"""What everybody can conclude about secret hands from what everybody sees (§3.3, §9.2).

Some things in the open depend on what a seat holds: whether its line is blocked, whether its turn goes on, and that
the tunnel it chose was allowed by the look-ahead (§4.2). Hands with which the same could not have happened are ruled
out, so that a redeal fits everything that has been seen. That is all that becomes public
of a hand: which lines are blocked, which turns pass (§9.2), and which tunnels were allowed.
"""

from __future__ import annotations

from omnibus.games.metromania.board import ALL_DESTINATIONS, CITY, DESTINATIONS, DIGS, NOBODY, TO
from omnibus.games.metromania.moves import all_hands
from omnibus.games.metromania.rules.ahead import can_follow, is_open, most, run_from_tip
from omnibus.games.metromania.rules.tunnels import FREELY, unplaced
from omnibus.games.metromania.state import State, has_secrets


def learn_need(state: State, seat: int, needs: int, had: bool) -> None:
    """Something needed one of these destinations, and everybody saw whether the seat had one."""
    if needs == FREELY or needs == 0 or not has_secrets(state):
        return
    excluded: list[int] = []
    for hand in _supposed(state, seat):
        if ((hand & needs) != 0) != had:
            excluded.append(hand)
    _rule_out(state, seat, excluded)


def learn_dig(state: State, line: int, bore: int) -> None:
    """Everybody sees this dig and knows that it is legal: rule the hands out with which it would not be (§4.2).

    The end of a line is legal with every hand, so it tells nothing.
    """
    if TO[bore] >= CITY:
        return
    tunnels = DIGS - state.dug - 1
    if tunnels == 0 or not has_secrets(state) or state.placed_now:
        return  # the last tunnel, or no destination can follow: the hand does not matter
    if is_open(state, line, bore, tunnels, run_from_tip(state, line ^ 1, tunnels, NOBODY)):
        return
    most_with_all = most(state, tunnels + 1, unplaced(state))
    if can_follow(state, line, bore, most_with_all - 1, 0):
        return  # whatever the seat holds, nothing better was possible and this reaches it
    excluded: list[int] = []
    for hand in _supposed(state, state.seat):
        held = hand & ~_placed_by(state, state.seat)
        if not can_follow(state, line, bore, most(state, tunnels + 1, held) - 1, held):
            excluded.append(hand)
    _rule_out(state, state.seat, excluded)


def _supposed(state: State, seat: int) -> list[int]:
    """List the full hands of a seat not ruled out yet: with what it has placed, without what others have."""
    placed = _placed_by(state, seat)
    gone = ALL_DESTINATIONS & ~unplaced(state)
    out = state.ruled_out[seat]
    return [hand for hand in all_hands(seat, state.doubles) if hand & gone == placed and hand not in out]


def _placed_by(state: State, seat: int) -> int:
    placed = 0
    for one in range(DESTINATIONS):
        if state.placer[one] == seat:
            placed |= 1 << one
    return placed


def _rule_out(state: State, seat: int, hands: list[int]) -> None:
    if hands:
        state.ruled_out[seat] = sorted(state.ruled_out[seat] + hands)
