"""Read what the players have: cubes, buses, stones, points, their lines and their cubes on the action board."""

from __future__ import annotations

from typing import Any, Final

from omnibus.games.bus.board.pieces import (
    ACTIONS,
    CAPACITY,
    CUBES,
    FIRST_BUSES,
    LEAST_CUBES,
    MOST_BUSES,
    MOST_ROUNDS,
    PASSENGERS_IN_ALL,
    SLOTS,
    stones_for,
)
from omnibus.games.bus.state import CHOOSE, FIRST, FOUND, NOBODY, OPEN, SECOND, State
from omnibus.kernel.checks import check_keys, expect, whole

PLAYER_KEYS: Final = ["cubes", "buses", "stones", "rides", "reached", "passed", "streets", "heads"]
MOST_RIDES: Final = PASSENGERS_IN_ALL * MOST_ROUNDS  # nobody rides twice in a round (§10.3, §11.1)


def place_players(state: State, players: Any) -> None:
    """Give the players what they have."""
    good = isinstance(players, list) and len(players) == state.seats
    expect(good, "players must be a list of {number}", number=state.seats)
    for seat, player in enumerate(players):
        what = f"players[{seat}]"
        check_keys(what, player, PLAYER_KEYS)
        state.cubes[seat] = whole(f"{what}.cubes", player["cubes"], 0, CUBES)
        state.buses[seat] = whole(f"{what}.buses", player["buses"], FIRST_BUSES, MOST_BUSES[state.edition])
        state.stones[seat] = whole(f"{what}.stones", player["stones"], 0, stones_for(state.seats))
        state.rides[seat] = whole(f"{what}.rides", player["rides"], 0, MOST_RIDES)
        expect(isinstance(player["passed"], bool), "{what}.passed must be true or false", what=what)
        state.passed |= player["passed"] << seat
        _place_line(state, seat, player["streets"], player["heads"])
    for seat, player in enumerate(players):
        _place_reached(state, seat, player["reached"])


def _place_reached(state: State, seat: int, reached: Any) -> None:
    """Which ride of the whole game was this seat's last (§13.2)."""
    what = f"players[{seat}].reached"
    rides = state.rides[seat]
    state.reached[seat] = whole(what, reached, rides, sum(state.rides) if rides else 0)
    twice = rides > 0 and state.reached[seat] in state.reached[:seat]
    expect(not twice, "{what}: ride {ride} was another player's last", what=what, ride=reached)


def _place_line(state: State, seat: int, streets: Any, heads: Any) -> None:
    """Lay the sticks; they must be one trail between the heads (§6.4)."""
    what = f"players[{seat}]"
    expect(isinstance(streets, list), "{what}.streets must be a list of streets", what=what)
    ways = [_way(state, what, street) for street in streets]
    expect(len(set(ways)) == len(ways), "{what}.streets lists a street twice (§6.4)", what=what)
    most = state.sticks[seat]
    expect(len(ways) <= most, "{what}.streets has more than {most} sticks (§2.2)", what=what, most=most)
    ends = _heads(state, what, heads) if ways or heads != [] else []
    expect(bool(ways) or not ends, "{what}.heads: there is no line yet", what=what)
    if ways:
        _check_trail(state, what, ways, ends)
    for way in ways:
        _lay(state, seat, way)
    state.laid[seat] = len(ways)
    if ends:
        state.heads[2 * seat : 2 * seat + 2] = sorted(ends)


def _way(state: State, what: str, street: Any) -> int:
    known = isinstance(street, str) and street in state.city.way_named
    expect(known, "{what}.streets: there is no street {street!r} in this city", what=what, street=street)
    way = state.city.way_named[street]
    expect(way % 2 == 0, "{what}.streets: write {street} with the smaller number first", what=what, street=street)
    return way


def _heads(state: State, what: str, heads: Any) -> list[int]:
    expect(isinstance(heads, list) and len(heads) == 2, "{what}.heads must be a list of two crossings", what=what)
    for head in heads:
        known = isinstance(head, int) and not isinstance(head, bool) and head in state.city.names
        expect(known, "{key}: there is no crossing {crossing!r} in this city", key=what + ".heads", crossing=head)
    return [state.city.names.index(head) for head in heads]


def _check_trail(state: State, what: str, ways: list[int], heads: list[int]) -> None:
    """Connected streets are one trail exactly if an odd number of them meets at the heads and nowhere else (Euler)."""
    city = state.city
    met = [0] * city.crossing_count
    for way in ways:
        met[city.tail[way]] += 1
        met[city.tip[way]] += 1
    reached = {heads[0]}
    left = ways
    while left:
        near = [way for way in left if city.tail[way] in reached or city.tip[way] in reached]
        expect(bool(near), "{what}.streets are not one line between the heads (§6.4)", what=what)
        reached.update(end for way in near for end in (city.tail[way], city.tip[way]))
        left = [way for way in left if way not in near]
    end = city.names[heads[1]]
    expect(heads[1] in reached, "{what}.heads: the line does not reach crossing {crossing}", what=what, crossing=end)
    odd = [crossing for crossing, streets in enumerate(met) if streets % 2]
    wrong = sorted(set(odd) ^ ({heads[0]} ^ {heads[1]}))
    expect(
        not wrong,
        "{what}.streets are not one trail between the heads: see crossing {crossing} (§6.4)",
        what=what,
        crossing=city.names[wrong[0]] if wrong else None,
    )


def _lay(state: State, seat: int, way: int) -> None:
    for crossing in (state.city.tail[way], state.city.tip[way]):
        state.on[crossing] |= 1 << seat
    state.usage[way >> 1] |= 1 << seat


def place_fields(state: State, fields: Any) -> None:
    """Put the cubes on the action board (§4.2); what may be left of them depends on the round (§4.3)."""
    check_keys("fields", fields, ACTIONS)
    for action, name in enumerate(ACTIONS):
        owners = fields[name]
        expect(isinstance(owners, list), "fields.{name} must be a list of seats", name=name)
        most = CAPACITY[action]
        expect(len(owners) <= most, "fields.{name} has more than {most} (§2.5)", name=name, most=most)
        for field, owner in enumerate(owners):
            seat = whole(f"fields.{name}[{field}]", owner, 0, state.seats - 1)
            state.fields[action * SLOTS + field] = seat
            state.placed[seat] += 1
        state.taken[action] = len(owners)
        state.full |= (len(owners) == CAPACITY[action]) << action
    _check_cubes(state)


def _check_cubes(state: State) -> None:
    spent = LEAST_CUBES * max(state.round - 1, 0)
    for seat in range(state.seats):
        there = state.cubes[seat] + state.placed[seat]
        most = max(CUBES - spent, 0)
        expect(
            there <= most,
            "players[{seat}] has {there} cubes including those on the board, but at most {most} can be left",
            seat=seat,
            there=there,
            most=most,
        )
        if state.step in (FIRST, FOUND, OPEN, SECOND):
            unspent = state.cubes[seat] == CUBES
            expect(unspent, "players[{seat}].cubes must be {number} in the set-up", seat=seat, number=CUBES)
        _check_spent(state, seat)
        if state.passed >> seat & 1:
            expect(state.step == CHOOSE, "players[{seat}].passed can be true only while choosing", seat=seat)
            expect(
                state.placed[seat] >= LEAST_CUBES,
                "players[{seat}].passed is true, but they have not placed two cubes (§4.3)",
                seat=seat,
            )


def _check_spent(state: State, seat: int) -> None:
    """Two cubes a round are spent when choosing is over (§4.3); until then there must be fields for them."""
    left = max(CUBES - LEAST_CUBES * state.round, 0)
    if state.cubes[seat] <= left or state.step <= SECOND:
        return
    expect(
        state.step == CHOOSE,
        "players[{seat}].cubes must be at most {most} once this round's actions are chosen (§4.3)",
        seat=seat,
        most=left,
    )
    free = state.fields.count(NOBODY) - sum(SLOTS - capacity for capacity in CAPACITY)
    expect(
        free >= LEAST_CUBES * state.seats,
        "fields: too few are free for players[{seat}], who must place two (§4.3)",
        seat=seat,
    )


def place_stones(state: State, pile: Any) -> None:
    """Time stones are neither made nor lost (§2.4)."""
    most = stones_for(state.seats)
    state.pile = whole("stones", pile, 0, most)
    there = state.pile + sum(state.stones)
    expect(
        there == most, "there are {most} time stones, but the pile and the players have {there}", most=most, there=there
    )
