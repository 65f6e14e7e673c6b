"""The rules, paragraph by paragraph: what may be done, and what may not."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from omnibus import Match, games
from omnibus.games.metromania import board
from omnibus.games.metromania.moves import LINES_OF
from omnibus.games.metromania.rules.legal import legal_digs
from omnibus.games.metromania.rules.tunnels import free_whites
from omnibus.games.metromania.state import State, has_deal
from omnibus.kernel.game import OVER
from omnibus.kernel.perft import step
from support.rules import play, refused

from .positions import find, place

pytestmark = pytest.mark.engine

GAME = games.find("metromania")


def lines_of(state: State) -> list[str]:
    return [GAME.write(state, move) for move in GAME.legal(state)]


def refusals(state: State) -> set[tuple[str, str]]:
    """Return code and § of everything that is refused now, the lines of chance left out."""
    found = [GAME.refusal(state, move) for move in range(GAME.space(state)[0])]
    return {(refusal.code, refusal.section) for refusal in found if refusal}


def stations(match: Match) -> list[list[int]]:
    return list(match.position()["stations"])


def laid_out(seats: int, town_hall: str = "hidden") -> Match:
    """A match whose city is complete, with chance by hand."""
    match = Match.new("metromania", seats=seats, options={"town_hall": town_hall}, dice=False)
    return play(match, *(f"piece {piece}.0" for piece in range(1, 7)))


# §1 The city


def test_vertices_and_directions() -> None:
    """§1.1 Vertices are integer pairs; six directions, counter-clockwise from east."""
    assert board.STEPS == [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    assert board.DIRECTIONS == ["E", "NE", "NW", "W", "SW", "SE"]
    for vertex, (a, b) in enumerate(board.POINTS[: board.CITY]):
        for d, (da, db) in enumerate(board.STEPS):
            to = board.NEXT[vertex * 6 + d]
            if to < board.CITY:
                assert board.POINTS[to] == (a + da, b + db)


def test_size_of_the_city() -> None:
    """§1.2 91 vertices, 150 cells and 240 edges are in the city."""
    inside = [(a, b) for a in range(-9, 10) for b in range(-9, 10) if max(abs(a), abs(b), abs(a + b)) <= 5]
    assert sorted(board.POINTS[: board.CITY]) == sorted(inside)
    assert len(inside) == board.CITY == 91
    assert sum(all(vertex < board.CITY for vertex in corners) for corners in board.CORNERS) == 150
    assert sum(max(ends) < board.CITY for ends in board.ENDS) == 240


def test_pieces_fill_the_sectors() -> None:
    """§1.3 Six triangular pieces: what is printed on a piece in sector k lies between the corners k and k+1."""
    for sector in range(6):
        ends = [(0, 0)] + [tuple(5 * x for x in board.STEPS[k % 6]) for k in (sector, sector + 1)]
        limits = [sorted(one[i] for one in ends) for i in (0, 1)]
        for code in range(18):
            for cell, _ in board.PRINTED[sector * 18 + code]:
                for vertex in board.CORNERS[cell]:
                    assert all(limits[i][0] <= board.POINTS[vertex][i] <= limits[i][2] for i in (0, 1))


def test_border_cells() -> None:
    """§1.4 Thirty border cells, five on a side, base on the rim, apex outward; even ones white, odd ones black."""
    assert len(board.WHITE) == len(board.BLACK) == 15
    for n in range(30):
        p, q, apex = board.CORNERS[board.BORDER0 + n]
        assert p < board.CITY
        assert q < board.CITY
        assert apex == board.APEX0 + n
        assert max(abs(part) for part in (*board.POINTS[apex], sum(board.POINTS[apex]))) == 6
    assert board.POINTS[board.APEX0 + 12] == (-6, 3)
    assert len({frozenset(corners) for corners in board.CORNERS}) == 180


def test_left_and_right() -> None:
    """§1.5 Left of direction d is the cell with direction d+1, right the one with d−1."""
    v = board.VERTEX_AT[0, 0]
    for d in range(6):
        for hand, turn in ((0, 1), (1, -1)):
            third = board.VERTEX_AT[board.STEPS[(d + turn) % 6]]
            assert third in board.CORNERS[board.CELL[v * 12 + d * 2 + hand]]


def test_pieces_as_printed() -> None:
    """§1.6 Piece 1 unturned in sector 0: home U(1,0), work D(2,1), leisure U(0,3); local axes are E and NE there."""
    printed = {board.CELL_NAMES[cell]: board.GROUNDS[ground] for cell, ground in board.PRINTED[0]}
    assert printed == {"U1,0": "home", "D2,1": "work", "U0,3": "leisure"}


def test_pieces_turn() -> None:
    """§1.7 With rotation 1 the local vertex (i,j) lies at ((5−i−j)·T0 + i·T1 + j·T2)/5 with T rotated left by one."""
    home = next(cell for cell, ground in board.PRINTED[1] if ground == board.HOME)
    t0, t1, t2 = (5, 0), (0, 5), (0, 0)
    where = {
        tuple(((5 - i - j) * t0[x] + i * t1[x] + j * t2[x]) // 5 for x in (0, 1)) for i, j in ((1, 0), (2, 0), (1, 1))
    }
    assert {board.POINTS[vertex] for vertex in board.CORNERS[home]} == where


def test_spots_lake_and_park() -> None:
    """§1.8 Six spots of each kind, a lake and a park of two cells each, in every city."""
    for piece in range(6):
        for rotation in range(3):
            grounds = [ground for _, ground in board.PRINTED[piece * 3 + rotation]]
            assert [grounds.count(kind) for kind in (1, 2, 3)] == [1, 1, 1]
            assert grounds.count(board.LAKE) == 2 * (piece == 4)
            assert grounds.count(board.PARK) == 2 * (piece == 5)


# §2 Pieces of the players


def test_lines_of_a_player() -> None:
    """§2.1 Two lines each, solid and striped, of 18 tunnels."""
    match = laid_out(2)
    assert match.position()["lines"] == [{"solid": [], "striped": []}] * 2
    assert board.TUNNELS == 18


def test_stations_are_a_common_stock() -> None:
    """§2.2 Thirty stations for all."""
    assert laid_out(2).view(0)["stock"] == 30


def test_destinations() -> None:
    """§2.3 Twelve destinations, A to F twice: home ACDF, work ABEF, leisure BCDE."""
    names = [board.destination_name(one) for one in range(12)]
    assert sorted(name[-1] for name in names) == sorted("AABBCCDDEEFF")
    assert [n[-1] for n in names if n.startswith("home")] == list("ACDF")
    assert [n[-1] for n in names if n.startswith("work")] == list("ABEF")
    assert [n[-1] for n in names if n.startswith("leisure")] == list("BCDE")


# §3 Set-up


def test_city_is_laid_out_by_chance() -> None:
    """§3.1 Chance fills the sectors with six different pieces, each with a rotation; seat 0 begins."""
    match = Match.new("metromania", dice=False)
    assert match.actor == "chance"
    assert len(match.lines()) == 18
    play(match, "piece 3.1")
    assert refused(match, "piece 3.0") == ("piece-lies", "§3.1")
    assert refused(match, "start solid 0 W") == ("pieces-first", "§3.1")
    assert play(match, "piece 1.0", "piece 2.2", "piece 4.0", "piece 5.0", "piece 6.1").actor == 0
    assert refused(match, "piece 3.0") == ("city-complete", "§3.1")


def test_four_hands() -> None:
    """§3.2 Four players: one destination of each kind, three different letters, all valid deals equally likely."""
    match = laid_out(4)
    assert (match.actor, len(match.lines())) == ("chance", 2784)
    assert refused(match, "start solid 0 W") == ("deal-first", "§3.2")
    play(match, "deal ABC/DAE/FEB/CFD")
    assert match.position()["hands"][1] == ["home D", "work A", "leisure E"]
    assert refused(match, "deal ABC/DAE/FEB/CFD") == ("dealt", "§3.2")


def test_three_hands() -> None:
    """§3.2 Three players name the kind to hold two of, the last without a choice; every hand has four letters."""
    match = laid_out(3)
    assert (match.actor, match.lines()) == (0, ["double home", "double work", "double leisure"])
    assert refused(match, "start solid 0 W") == ("doubles-first", "§3.2")
    assert refused(match, LINES_OF[3][-1]) == ("doubles-first", "§3.2")
    play(match, "double work")
    assert refused(match, "double work") == ("double-taken", "§3.2")
    play(match, "double home")
    assert (match.actor, match.lines()) == (2, ["double leisure"])
    play(match, "double leisure")
    assert (match.actor, len(match.lines())) == ("chance", 208)
    other = next(line for line in LINES_OF[3] if line.startswith("deal") and line not in match.lines())
    assert refused(match, other) == ("other-doubles", "§3.2")
    play(match, match.lines()[0])
    for hand in match.position()["hands"]:
        assert len({name[-1] for name in hand}) == len(hand) == 4
    assert [name.split()[0] for name in match.position()["hands"][0]].count("work") == 2
    assert refused(match, "double home") == ("doubles-known", "§3.2")


def test_letters_of_a_doubled_kind_are_in_order() -> None:
    """§13 A deal has one line: the two letters of a doubled kind stand in alphabetical order."""
    match = Match.new("metromania", seats=3, dice=False)
    for line in ("piece 6.1", "piece 1.2", "piece 4.1", "piece 5.0", "piece 3.1", "piece 2.1"):
        match.play(line)
    for kind in ("home", "work", "leisure"):
        match.play(f"double {kind}")
    assert len(match.lines()) == 208
    assert refused(match, "deal ACFD/FEBC/DABE") == ("letters-in-order", "§13")
    match.play("deal ACFD/FBEC/DABE")


def test_two_hands() -> None:
    """§3.2 Two players hold the left and the right column; there is no deal."""
    match = laid_out(2)
    assert match.position()["hands"] == [
        ["home A", "home D", "work B", "work F", "leisure C", "leisure E"],
        ["home C", "home F", "work A", "work E", "leisure B", "leisure D"],
    ]
    assert not has_deal(match.state)


def test_town_hall() -> None:
    """§3.3 hidden: hands are secret; open: public; strict: public and fixed, for four players only."""
    hidden = play(laid_out(4), "deal ABC/DAE/FEB/CFD")
    assert hidden.view(1)["hands"] == [None, ["home D", "work A", "leisure E"], None, None]
    assert hidden.view(None)["hands"] == [None] * 4
    opened = play(laid_out(4, "open"), "deal ABC/DAE/FEB/CFD")
    assert opened.view(None)["hands"] == opened.position()["hands"]
    strict = laid_out(4, "strict")
    assert strict.actor == 0
    assert strict.position()["hands"] == [
        ["home A", "work B", "leisure C"],
        ["home D", "work A", "leisure E"],
        ["home F", "work E", "leisure B"],
        ["home C", "work F", "leisure D"],
    ]
    for seats in (2, 3):
        with pytest.raises(ValueError, match="four players"):
            Match.new("metromania", seats=seats, options={"town_hall": "strict"})


# §4 A turn


def test_three_tunnels_a_turn() -> None:
    """§4.1 A turn is three tunnels, freely divided between the own lines."""
    match = place(lines={"0 solid": "14 E, E l", "0 striped": "2 SW, SW l"})
    assert play(match, "dig solid E l", "dig striped SW l").actor == 0
    assert play(match, "dig solid NE l").actor == 1


def test_digging_or_a_station() -> None:
    """§4.1 Or one intermediate station, never both."""
    facts: dict[str, Any] = {"lines": {"0 solid": "14 E, E l, E l, NE l"}, "stations": "-3,1"}
    assert play(place(**facts), "station solid -4,1").actor == 1
    digging = play(place(**facts), "dig solid NE l")
    assert refused(digging, "station solid -4,1") == ("digging", "§4.1")


def test_nobody_passes_by_choice() -> None:
    """§4.2 There is no line for passing, and `skip` is for the bonus only."""
    assert refused(place(), "skip") == ("no-bonus", "§7.2")


def test_dead_ends_are_refused() -> None:
    """§4.2 A dig is legal only if the largest possible number of tunnels can still be reached."""
    state = find(lambda now: now.step == 3 and now.dug == 0 and ("fewer-tunnels", "§4.2") in refusals(now))
    found = [(move, GAME.refusal(state, move)) for move in range(GAME.space(state)[0])]
    for move, refusal in found:
        if refusal and refusal.code == "fewer-tunnels":
            assert refusal.args["possible"] < refusal.args["most"] <= 3
            assert move not in GAME.legal(state)


TO_THE_RIM = "20 NE, NW l, NW l, NW l, NW l, NW l, NW r"  # a tunnel from a permitted black cell, or on along the rim


def test_a_line_may_end_whatever_is_possible() -> None:
    """§4.2 A dig that ends a line is legal even where other digs leave more tunnels possible."""
    match = place(lines={"0 solid": ALL_ALONG + ", SE r", "0 striped": TO_THE_RIM})
    assert match.lines() == ["dig striped NW r", "dig striped NE r"]
    assert play(match, "dig striped NW r", "skip").actor == 1
    wandering = play(place(lines={"0 solid": ALL_ALONG + ", SE r", "0 striped": TO_THE_RIM}), "dig striped NE r")
    assert (wandering.actor, wandering.position()["dug"]) == (0, 1)


def test_after_an_end_the_tunnels_left_are_counted_afresh() -> None:
    """§4.2 After the end of a line, and its bonus, the turn goes on as far as it can: here by one tunnel of three."""
    match = place(lines={"0 solid": ALL_ALONG, "0 striped": TO_THE_RIM})
    play(match, "dig striped NW r")
    assert refused(match, "dig solid SE r") == ("bonus-first", "§7.2")
    play(match, "skip")
    assert (match.actor, match.lines()) == (0, ["dig solid SE r"])
    assert play(match, "dig solid SE r", "skip").actor == 1


def test_an_end_keeps_to_the_other_rules() -> None:
    """§4.2 §5.8 §6.4 An end that is too near, or for whose station the stock is too small, stays refused."""
    near = place(lines={"0 solid": "14 E, SE l, SW l"})
    assert refused(near, "dig solid W r") == ("ends-too-near", "§5.8")
    state = place(lines={"0 solid": ALL_ALONG + ", SE r", "0 striped": TO_THE_RIM}).state.clone()
    state.track[state.slot[1] ^ 1] = 2  # another line ran alongside: ending here is a separation
    end = GAME.parse(state, "dig striped NW r")
    assert GAME.refusal(state, end) is None
    state.stock = 0
    refusal = GAME.refusal(state, end)
    assert refusal is not None
    assert (refusal.code, refusal.section) == ("stock-short", "§6.4")
    assert end not in GAME.legal(state)


def test_fewer_than_three_when_no_more_are_possible() -> None:
    """§4.2 Where three tunnels are impossible, fewer are dug, and then the turn is over."""
    before: list[State] = []

    def short(now: State) -> bool:
        last = before[-1] if before else now
        before.append(now.clone())
        return (
            now.turn == last.turn + 1
            and last.step == 3
            and last.dug == 0
            and len(_digs(last)) > 0
            and _sum(now) == _sum(last) + 1
        )

    state = find(short)
    assert _sum(state) == _sum(before[-2]) + 1


def _digs(state: State) -> list[str]:
    return [line for line in lines_of(state) if line.startswith(("dig", "start"))]


def _sum(state: State) -> int:
    return sum(state.length)


def test_automatic_pass() -> None:
    """§4.2 With neither a tunnel nor a station possible the turn passes by itself, and is a turn."""
    before: list[State] = []

    def passed(now: State) -> bool:
        last = before[-1] if before else now
        before.append(now.clone())
        return now.actor != OVER and now.turn == last.turn + 2

    state = find(passed, seats=3)
    idle = (state.seat - 1) % 3
    assert (state.finished | state.blocked) >> 2 * idle & 3 == 3
    assert state.seat == state.turn % 3


def test_station_is_compulsory_when_nothing_can_be_dug() -> None:
    """§4.2 With m = 0 an intermediate station is compulsory if there is one."""

    def only_stations(now: State) -> bool:
        return now.step == 3 and now.dug == 0 and all(line.startswith("station") for line in lines_of(now))

    state = find(only_stations, seats=4)
    assert lines_of(state)


def test_first_turn_begins_one_line() -> None:
    """§4.3 In the first turn of a player only one line may be begun; in the second the other may."""
    match = play(laid_out(2), "start solid 14 E")
    assert refused(match, "start striped 2 SW") == ("one-line-at-first", "§4.3")
    play(match, "dig solid E l", "dig solid E l", "start solid 2 SW", "dig solid SW l", "dig solid SW l")
    assert "start striped 2 W" not in match.lines()
    assert "start striped 4 W" in match.lines()


# §5 Tunnels


def test_one_tunnel_a_cell() -> None:
    """§5.1 A cell takes one tunnel; an edge takes two tracks, one from each side."""
    match = place(lines={"0 solid": "14 E, E l, E l", "1 solid": "16 NE, NE l, NW l"}, stations="-5,1", seat=1)
    assert refused(match, "dig solid E l") == ("cell-taken", "§5.1")
    play(match, "dig solid E r")
    assert match.position()["lines"][1]["solid"][-1] == "E r"


def test_beginning() -> None:
    """§5.2 A line begins in a free white border cell, from its apex to one of its base vertices."""
    match = laid_out(2)
    assert len(match.lines()) == 60
    play(match, "start solid 12 SE")
    assert match.position()["lines"][0]["solid"] == ["12 SE"]
    assert refused(match, "start solid 14 E") == ("begun", "§5.2")
    play(match, "dig solid E l", "dig solid E r")
    assert refused(match, "start solid 12 E") == ("cell-taken", "§5.1")
    assert refused(match, "dig striped E l") == ("not-begun", "§5.2")


def test_second_line_begins_far_away() -> None:
    """§5.2 Not on the side of the first beginning nor an adjacent one, while a permitted white cell is free."""
    match = place(lines={"0 solid": "14 E, E l"})
    for n in (10, 12, 6, 8, 16, 18):
        line = f"start striped {n} {'E' if n in (10, 12, 16, 18) else 'SE'}"
        assert refused(match, line) == ("begins-too-near", "§5.2")
    permitted = {int(line.split()[2]) for line in match.lines() if line.startswith("start")}
    assert permitted == {0, 2, 4, 20, 22, 24, 26, 28}


def test_second_line_anywhere_if_nothing_else_is_free() -> None:
    """§5.2 Unless no white cell is free on the permitted sides; then any free white cell."""
    state = GAME.setup(4, {"town_hall": "strict"})
    for code in (0, 3, 6, 9, 12, 15):
        GAME.apply(state, GAME.parse(state, f"piece {code // 3 + 1}.0"))
    state.turn = 8
    state.begun[0] = 14
    for n in (0, 2, 4, 20, 22, 24, 26, 28):
        state.tunnel[board.BORDER0 + n] = 7
    state.tunnel[board.BORDER0 + 14] = 0
    assert free_whites(state, 1) == [6, 8, 10, 12, 16, 18]
    state.tunnel[board.BORDER0 + 28] = -1
    assert free_whites(state, 1) == [28]


def test_going_on() -> None:
    """§5.3 From the tip along an edge, in a free cell to its left or right."""
    match = place(lines={"0 solid": "14 E, E l"})
    for line in ("E l", "E r", "NE l", "NE r", "SE l", "SE r"):
        assert f"dig solid {line}" in match.lines()


def test_lake_park_and_border_are_forbidden() -> None:
    """§5.3 No tunnel in lake and park; border cells serve only for beginnings and ends."""
    lake = place(lines={"0 solid": "22 NW, NE l"})
    assert refused(lake, "dig solid NE l") == ("lake", "§5.3")
    assert refused(lake, "dig solid NE r") == ("lake", "§5.3")
    park = place(lines={"0 solid": "26 NW, W l"})
    assert refused(park, "dig solid NW r") == ("park", "§5.3")
    assert "dig solid NW l" in park.lines()
    rim = place(lines={"0 solid": "12 SE"})
    assert refused(rim, "dig solid SW r") == ("border-cell", "§5.3")
    assert "dig solid SW l" in rim.lines()


ALL_ALONG = "14 SE, E l, E l, E l, E l, E l, E l, E r, E l, E l, E l"  # from one corner of the city to the opposite one


def test_no_way_out_of_the_city() -> None:
    """§5.3 Only edges of the city, and the outer sides of border cells, lead on."""
    assert refused(place(lines={"0 solid": ALL_ALONG}), "dig solid E l") == ("no-way", "§5.3")


def test_no_acute_angle() -> None:
    """§5.4 The direction changes by 60° at most; by 120° only where a station stood before; never back."""
    lines = {"0 solid": "14 E, E l, E l"}
    match = place(lines=lines)
    assert refused(match, "dig solid NW l") == ("acute", "§5.4")
    assert refused(match, "dig solid SW l") == ("acute", "§5.4")
    assert refused(match, "dig solid W l") == ("back", "§5.4")
    at_station = place(lines=lines, stations="-3,1")
    assert "dig solid NW r" in at_station.lines()
    assert "dig solid SW l" in at_station.lines()
    assert refused(at_station, "dig solid W l") == ("back", "§5.4")


def test_line_never_touches_itself() -> None:
    """§5.5 No line comes back to one of its own vertices."""
    match = place(lines={"0 solid": "14 E, E l, E l, NE l, NW r, W l, SW l"})
    assert refused(match, "dig solid SE l") == ("touches-itself", "§5.5")


def test_spot_obliges() -> None:
    """§5.6 A tunnel on a spot asks for a destination at once."""
    match = play(place(lines={"0 solid": "14 E, E l, E l"}), "dig solid E r")
    assert (match.actor, match.lines()) == (0, ["place B", "place F"])
    assert refused(match, "dig solid E l") == ("place-first", "§8.1")
    assert refused(match, "skip") == ("place-first", "§8.1")


def test_eighteen_tunnels() -> None:
    """§5.7 A line has at most 18 tunnels, beginning and end included; then nothing extends it."""

    def used_up(now: State) -> bool:
        own = (2 * now.seat, 2 * now.seat + 1)
        return now.step == 3 and any(now.length[line] == 18 and not now.finished >> line & 1 for line in own)

    state = find(used_up)
    assert ("no-tunnels", "§5.7") in refusals(state)
    assert max(state.length) == 18


def test_ending() -> None:
    """§5.8 A line ends along an outer side of a black border cell; it is never extended afterwards."""
    match = place(lines={"0 solid": ALL_ALONG, "0 striped": "20 NE"})
    assert "dig solid SE r" in match.lines()
    assert refused(match, "dig solid SE l") == ("no-cell", "§5.8")
    play(match, "dig solid SE r", "skip")
    assert refused(match, "dig solid SE r") == ("line-finished", "§5.8")


def test_white_cells_are_no_ends() -> None:
    """§5.8 Lines end in black cells, not in white ones."""
    assert refused(place(lines={"0 solid": ALL_ALONG}), "dig solid NE r") == ("white-cell", "§5.8")


def test_ends_far_from_the_beginning() -> None:
    """§5.8 Not on the side where the line began nor an adjacent one."""
    match = place(lines={"0 solid": "14 E, SE l, SW l"})
    assert refused(match, "dig solid W r") == ("ends-too-near", "§5.8")


def test_ends_anywhere_if_nothing_else_is_free() -> None:
    """§5.8 Unless no black cell is free on the permitted sides; then any free black cell."""
    state = place(lines={"0 solid": "14 E, SE l, SW l"}).state.clone()
    for n in board.FAR_BLACK[2]:
        state.tunnel[board.BORDER0 + n] = 2
    assert "dig solid W r" in [GAME.write(state, move) for move in legal_digs(state, 1, state.hands[0])]


# §6 Stations by digging

TWO_ALONG = {"0 solid": "14 E, E l, E l, E l", "1 solid": "16 NE, NE l, NW l, E r, E r"}


def test_separation() -> None:
    """§6.1 Where a line leaves the one it ran alongside, a station arises."""
    match = play(place(lines=TWO_ALONG, stations="-5,1", seat=1), "dig solid SE l")
    assert stations(match) == [[-5, 1], [-3, 1]]


def test_meeting() -> None:
    """§6.2 Where a line comes to a vertex of another, not alongside anybody, a station arises; at a beginning too."""
    match = place(lines={"0 solid": "14 E, E l, E l", "1 solid": "16 NE, NE l"}, seat=1)
    assert stations(play(match, "dig solid NW r")) == [[-5, 1]]
    begun = place(lines={"0 solid": "14 E, NE r"}, seat=1)
    assert stations(play(begun, "start solid 12 SE")) == [[-5, 2]]


def test_alongside_causes_nothing() -> None:
    """§6.3 While the last and the new edge run beside the same line, no station arises."""
    match = place(
        lines={"0 solid": "14 E, E l, E l, E l", "1 solid": "16 NE, NE l, NW l, E r"}, stations="-5,1", seat=1
    )
    assert stations(play(match, "dig solid E r")) == [[-5, 1]]


def test_stock_must_supply() -> None:
    """§6.4 A dig whose stations the stock cannot supply is illegal."""
    state = find(lambda now: now.step == 3 and now.stock < 2 and ("stock-short", "§6.4") in refusals(now), seats=4)
    assert state.stock < 2


def test_station_points() -> None:
    """§6.5 The digger scores one point for every spot with a corner on the new station; existing ones bring nothing."""
    match = place(lines=TWO_ALONG, stations="-5,1", seat=1)
    play(match, "dig solid SE l")
    assert match.position()["points"] == [0, 1]
    again = place(lines={"0 solid": "14 E, E l, E l", "1 solid": "16 NE, NE l"}, stations="-5,1", seat=1)
    assert play(again, "dig solid NW r").position()["points"] == [0, 0]


# §7 Intermediate stations


def test_intermediate_station() -> None:
    """§7.1 On an own unfinished line, strictly between two stations, its beginning counting as one."""
    match = place(lines={"0 solid": "14 E, E l, E l, NE l"}, stations="-3,1")
    assert [line for line in match.lines() if line.startswith("station")] == [
        "station solid -5,1",
        "station solid -4,1",
    ]
    assert refused(match, "station solid -3,2") == ("not-between", "§7.1")
    assert refused(match, "station solid -3,1") == ("station-there", "§7.1")
    assert refused(match, "station solid 0,0") == ("not-on-line", "§7.1")
    assert refused(match, "station striped 0,0") == ("not-begun", "§7.1")


def test_intermediate_station_needs_stock() -> None:
    """§7.1 Every station needs one in the stock."""
    state = find(lambda now: now.step == 3 and now.stock == 0 and now.dug == 0, seats=4)
    assert ("stock-empty", "§7.1") in refusals(state)
    assert not any(line.startswith("station") for line in lines_of(state))


def test_vertex_on_both_lines() -> None:
    """§7.1 A vertex on both own unfinished lines may be named with either."""
    lines = {"0 solid": "14 E, E l, E l, E l", "0 striped": "0 W, W l, W l, W l, W l, W l, W l, W l, W l"}
    match = place(lines=lines, stations="-2,1 -4,1", placed={"work F": "D-3,0"})
    assert {"station solid -3,1", "station striped -3,1"} <= set(match.lines())
    play(match, "station striped -3,1")
    assert stations(match) == [[-4, 1], [-3, 1], [-2, 1]]


def test_bonus() -> None:
    """§7.2 Finishing a line gives one intermediate station on it at once, or `skip`; then none on it any more."""
    facts: dict[str, Any] = {"lines": {"0 solid": ALL_ALONG, "0 striped": "20 NE, NE l", "1 solid": "16 NE"}}
    match = play(place(**facts), "dig solid SE r")
    assert match.lines()[-1] == "skip"
    assert "station solid 0,0" in match.lines()
    assert refused(match, "dig striped NE l") == ("bonus-first", "§7.2")
    assert refused(match, "station striped 1,-5") == ("bonus-elsewhere", "§7.2")
    play(match, "station solid 0,0")
    assert match.actor == 0
    assert refused(match, "dig solid SE r") == ("line-finished", "§5.8")
    later = place(lines=facts["lines"] | {"0 solid": ALL_ALONG + ", SE r"}, stations="0,0", seat=0)
    assert refused(later, "station solid 1,0") == ("line-finished", "§7.2")


def test_bonus_is_asked_even_without_choice() -> None:
    """§7.2 The bonus is asked even if only `skip` is legal."""
    state = find(lambda now: now.step == 5 and now.stock == 0, seats=4)
    assert lines_of(state) == ["skip"]


# §8 Destinations


def test_destination_of_the_kind() -> None:
    """§8.1 A spot takes one of the digger's destinations of its kind; without one it may not be dug."""
    match = play(place(lines={"0 solid": "14 E, E l, E l"}), "dig solid E r")
    assert refused(match, "place A") == ("not-in-hand", "§8.1")
    assert refused(match, "place C") == ("no-such-destination", "§2.3")
    play(match, "place F")
    assert match.position()["placed"] == {"work F": "D-3,0"}
    assert refused(match, "place B") == ("nothing-to-place", "§8.1")
    strict = place(seats=4, town_hall="strict", lines=SPENT, placed={"work B": "D-1,3"}, stations="")
    assert refused(strict, "dig striped E r") == ("no-destination", "§8.1")


SPENT = {"0 solid": "4 W, SW l, SW r", "0 striped": "14 E, E l, E l"}


def test_one_destination_a_turn() -> None:
    """§8.2 After a destination no further spot may be dug in the same turn."""
    lines = {"0 solid": "14 E, E l, E l", "0 striped": "4 W, SW l"}
    match = play(place(lines=lines), "dig solid E r", "place F")
    assert refused(match, "dig striped SW r") == ("one-destination", "§8.2")


def test_equal_letters_do_not_touch() -> None:
    """§8.3 Two equal letters may share no vertex of their cells; another letter may."""
    lines = {"0 solid": "4 W, SW l, SW r", "1 solid": "2 W, W l"}
    match = play(place(lines=lines, placed={"work B": "D-1,3"}, seat=1), "dig solid NW l")
    assert refused(match, "place B") == ("letter-touches", "§8.3")
    assert match.lines() == ["place D"]
    only = place(
        lines=lines | {"1 striped": "16 NE, E r"},
        placed={"work B": "D-1,3", "leisure D": "D-4,-2"},
        seat=1,
    )
    assert refused(only, "dig solid NW l") == ("letter-touches", "§8.3")


# §9 End of the construction


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("reason", ["finished", "stock", "blocked"])
def test_ends_of_the_construction(seats: int, reason: str) -> None:
    """§9.1 Both lines of a player finished, the stock empty, or so many lines finished and blocked; the first."""
    code = ["", "finished", "stock", "blocked"].index(reason)
    state = find(lambda now: now.actor != OVER and now.reason == code, seats=seats)
    if reason == "finished":
        assert both_finished(state)
    elif reason == "stock":
        assert not both_finished(state)
        assert state.stock == 0
    else:
        assert not both_finished(state)
        assert state.stock > 0
        assert stuck(state) >= LINES_THAT_END[seats]


LINES_THAT_END = {2: 4, 3: 5, 4: 5}


def both_finished(state: State) -> bool:
    return any(state.finished >> 2 * seat & 3 == 3 for seat in range(state.seats))


def stuck(state: State) -> int:
    """How many lines are finished or blocked."""
    return bin(state.finished | state.blocked).count("1")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_how_many_lines_end_the_construction(seats: int) -> None:
    """§9.1 Five finished and blocked lines end it, all four with two players; one less does not."""
    enough = LINES_THAT_END[seats]
    counted: set[tuple[int, bool]] = set()
    for seed in range(30):
        random = Random(seed)
        state: State = GAME.setup(seats, {"town_hall": "hidden"})
        turn = 0
        while state.ended < 0:
            if state.turn == turn + 1:
                counted.add((stuck(state), False))
            turn = state.turn
            GAME.apply(state, step(GAME, state, random.random))
        if state.reason == 3 and state.turn == turn + 1:
            counted.add((stuck(state), True))
    assert {count for count, ended in counted if not ended} == set(range(enough))
    assert enough in {count for count, ended in counted if ended} <= set(range(enough, 2 * seats + 1))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everyone_else_has_one_more_turn(seats: int) -> None:
    """§9.1 Everyone except the player of the ending turn has one more turn; further triggers are ignored."""
    state = find(lambda now: now.actor == OVER, seats=seats)
    assert state.turn == state.ended + seats
    assert state.seat == state.ended % seats


def test_blocked() -> None:
    """§9.2 A line is blocked if not a single tunnel could extend it, were it its owner's fresh turn."""
    state = find(lambda now: now.step == 3 and now.dug == 0 and now.blocked >> 2 * now.seat & 3 > 0, seats=3)
    for which, name in enumerate(("solid", "striped")):
        digs = [line for line in lines_of(state) if line.startswith((f"dig {name}", f"start {name}"))]
        if state.blocked >> (2 * state.seat + which) & 1:
            assert not digs


def test_blocked_is_not_for_ever() -> None:
    """§9.2 A blocked line can become free again, as by a station at its tip."""
    before: list[State] = []

    def freed(now: State) -> bool:
        last = before[-1] if before else now
        before.append(now.clone())
        return now.turn > last.turn and bool(last.blocked & ~now.blocked & ~now.finished)

    assert find(freed, seats=3).turn > 0


def test_blocked_lines_are_public() -> None:
    """§9.2 Which lines are blocked is shown to everybody."""
    state = find(lambda now: now.blocked > 0 and now.actor != OVER, seats=4)
    assert len({tuple(GAME.view(state, seat)["blocked"]) for seat in (0, 1, 2, 3, None)}) == 1


def test_unbegun_line_is_not_blocked() -> None:
    """§9.2 A line not yet begun is blocked only when it could not be begun."""
    match = play(laid_out(2), "start solid 14 E", "dig solid E l", "dig solid E l")
    assert match.view(0)["blocked"] == []


# §13 Notation


def test_notation() -> None:
    """§13 One decision, one line; what is none is no notation."""
    state = laid_out(2).state
    for line in (
        "start solid 12 SE",
        "dig solid NE l",
        "place C",
        "station striped 2,-1",
        "skip",
        "piece 3.1",
        "double work",
    ):
        assert GAME.write(state, GAME.parse(state, line)) == line
    for line in (
        "start solid 13 E",
        "start solid 12 W",
        "dig solid N l",
        "place G",
        "station solid 6,0",
        "pass",
        "deal",
    ):
        with pytest.raises(ValueError, match="no line of MetroMania"):
            GAME.parse(state, line)


def test_foreign_hands_are_dealt_face_down() -> None:
    """§13 Others see `?` for each letter of a foreign hand."""
    match = play(laid_out(4), "deal ABC/DAE/FEB/CFD")
    assert match.view(2)["plies"][-1] == ["chance", "deal ???/???/FEB/???"]
    assert match.view(None)["plies"][-1] == ["chance", "deal ???/???/???/???"]
    assert play(laid_out(4, "open"), "deal ABC/DAE/FEB/CFD").view(None)["plies"][-1][1] == "deal ABC/DAE/FEB/CFD"


def test_doubles_decide_how_a_deal_is_read() -> None:
    """§13 With three players letters stand in the order home, work, leisure, two of the doubled kind."""
    match = play(laid_out(3), "double home", "double work", "double leisure")
    line = match.lines()[0]
    play(match, line)
    letters = line.removeprefix("deal ").split("/")
    for seat, hand in enumerate(match.position()["hands"]):
        assert "".join(name[-1] for name in hand) == letters[seat]
