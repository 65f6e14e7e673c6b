"""What is neither made nor lost, whatever happens: checked ply by ply along random games."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from omnibus import games
from omnibus.games.bus.board.pieces import REPRINT, UNLIMITED
from omnibus.games.bus.state import EMPTY, State
from support.games_played import ALONG, EVERYWHERE, WHOLE, GamePlayed, in_positions

pytestmark = pytest.mark.engine

GAME = games.find("bus")


def check_line(state: State, seat: int) -> None:
    """§6.4 Connected, and every crossing but the heads is left as often as it is entered: one trail between them."""
    city = state.city
    streets = [street for street, used in enumerate(state.usage) if used >> seat & 1]
    assert len(streets) == state.laid[seat] <= state.sticks[seat]
    if not streets:
        return
    heads = state.heads[2 * seat : 2 * seat + 2]
    assert heads == sorted(heads)
    met = Counter(end for street in streets for end in (city.tail[2 * street], city.tip[2 * street]))
    odd = {crossing for crossing, number in met.items() if number % 2}
    assert odd == (set(heads) if heads[0] != heads[1] else set())
    assert set(heads) <= set(met)
    reached = {heads[0]}
    for _ in streets:
        for street in streets:
            ends = {city.tail[2 * street], city.tip[2 * street]}
            if ends & reached:
                reached |= ends
    assert reached == set(met) == {crossing for crossing, on in enumerate(state.on) if on >> seat & 1}


def check_pieces(state: State) -> None:
    """§2 Passengers, stones, buildings and fleets."""
    assert state.box + sum(state.waiting) + sum(state.seated) == 15
    assert state.pile + sum(state.stones) == (4 if state.seats == 3 else 5)
    assert all(1 <= fleet <= (5 if state.edition == REPRINT else 1 + state.round) for fleet in state.buses)
    city = state.city
    for kind in range(3):
        standing = [plot for plot, there in enumerate(state.plots) if there == kind]
        assert len(standing) + state.supply[kind] == (30 if state.edition == REPRINT else UNLIMITED)
        counts = state.built[kind * city.crossing_count : (kind + 1) * city.crossing_count]
        assert counts == [sum(city.plot_at[plot] == c for plot in standing) for c in range(city.crossing_count)]
    zones = [zone for plot, zone in enumerate(city.plot_zone) if state.plots[plot] == EMPTY]
    assert all(zone <= min(zones, default=4) for p, zone in enumerate(city.plot_zone) if state.plots[p] != EMPTY)


@in_positions(30, of="bus", ways=ALONG)
def test_invariants(played: GamePlayed) -> None:
    """§2.1, §2.3, §6.4 20 cubes a player, 15 passengers, one building a plot, one trail a line; at most ten rounds."""
    spent = [0] * played.seats
    rides = 0
    actor = -1
    for state, line in played.states():
        if line.startswith("take"):
            spent[actor] += 1
        rides += line.startswith("ride")
        actor = state.actor
        assert [state.cubes[seat] + spent[seat] for seat in range(played.seats)] == [20] * played.seats
        assert sum(state.rides) == rides
        assert state.placed == [state.fields.count(seat) for seat in range(played.seats)]
        assert state.round <= 10
        check_pieces(state)
        for seat in range(played.seats):
            check_line(state, seat)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_no_game_is_longer(seats: int) -> None:
    """§2.1, §5.2 No game can be longer than `longest`, whatever the options and the city.

    Set-up: the start player, and two buildings and two sticks each. Then every player has 20 cubes, each a ply, and
    passes at most nine times, for in a tenth round the last two cubes must be placed. What a cube brings in round r is
    at most what its field is worth when a bus was bought in every round: the largest fleet is r for line (one more with
    five seats) and r + 1 after it. Nobody rides twice in a round, and eleven passengers arrive in all.
    """
    worth = [1] * 11
    for fleet in range(1, 11):
        line = fleet + (seats == 5)
        worth += [max(0, top - field) for top in (line, fleet + 1) for field in range(6)]
        riders = 15
        while riders:
            worth.append(min(riders, fleet + 1))
            riders -= worth[-1]
        worth.append(1)  # the clock
    worth.sort(reverse=True)
    assert 1 + 4 * seats + 20 * seats + 9 * seats + sum(worth[: 20 * seats]) <= GAME.longest


@in_positions(60, of="bus", ways=WHOLE)
def test_scores_add_up(played: GamePlayed) -> None:
    """§13.2 The score is rides less stones, and the winner has the highest."""
    outcome = GAME.outcome(played.state)
    assert outcome is not None
    rides, stones = outcome.details["rides"], outcome.details["stones"]
    assert list(outcome.scores) == [made - taken for made, taken in zip(rides, stones, strict=True)]
    assert all(outcome.scores[winner] == max(outcome.scores) for winner in outcome.winners)


@in_positions(20, of="bus", ways=EVERYWHERE)
def test_any_order_of_rides_is_the_maximum(played: GamePlayed) -> None:
    """§11.2 Any order of rides reaches the maximum: no choice of rides leaves fewer for the same field."""
    state = played.state
    if state.actor >= 0 and GAME.write(state, GAME.legal(state)[0]).startswith("ride"):
        assert len({_rides_made(state, Random(way)) for way in range(4)}) == 1


def _rides_made(state: State, random: Random) -> int:
    """Make random rides until the field is done, and count them."""
    now = state.clone()
    field, turn, made = now.field, now.round, 0
    while now.actor >= 0 and (now.field, now.round) == (field, turn):
        moves = GAME.legal(now)
        if not GAME.write(now, moves[0]).startswith("ride"):
            break
        GAME.apply(now, random.choice(moves))
        made += 1
    return made
