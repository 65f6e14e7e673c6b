"""The rules, paragraph by paragraph: what may be done, and what may not; `*.cases` say most of it."""

from __future__ import annotations

import pytest

from omnibus import Match, games
from omnibus.games.metromania import board
from omnibus.games.metromania.moves import LINES_OF
from omnibus.games.metromania.rules.legal import legal_digs
from omnibus.games.metromania.rules.tunnels import free_whites
from support.cases import Case, cases, check
from support.rules import play, refused

from .positions import place

pytestmark = pytest.mark.engine

GAME = games.find("metromania")


@pytest.mark.parametrize("case", cases("metromania"), ids=str)
def test_case(case: Case) -> None:
    """What is played from a position leads where the case says (tests/games/README.md)."""
    check(case)


def laid_out(seats: int, town_hall: str = "hidden") -> Match:
    """A match whose city is complete, with chance by hand."""
    match = Match.new("metromania", seats=seats, options={"town_hall": town_hall}, dice=False)
    return play(match, *(f"piece {piece}.0" for piece in range(1, 7)))


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


def test_destinations() -> None:
    """§2.3 Twelve destinations, A to F twice: home ACDF, work ABEF, leisure BCDE."""
    kinds = {"home": "ACDF", "work": "ABEF", "leisure": "BCDE"}
    names = [f"{kind} {letter}" for kind, letters in kinds.items() for letter in letters]
    assert sorted(board.destination_name(one) for one in range(12)) == sorted(names)


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


TO_THE_RIM = "20 NE, NW l, NW l, NW l, NW l, NW l, NW r"  # a tunnel from a permitted black cell, or on along the rim


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


def test_a_beginning_needs_its_station() -> None:
    """§6.4 With an empty stock a line begins only where it causes no station, by both paths."""
    state = place(lines={"0 solid": "14 E, NE r"}, seat=1).state.clone()
    state.stock = 0
    beginnings = [move for move in range(GAME.space(state)[0]) if GAME.write(state, move).startswith("start solid")]
    short = [move for move in beginnings if (why := GAME.refusal(state, move)) and why.code == "stock-short"]
    assert GAME.parse(state, "start solid 12 SE") in short
    legal = {move for move in GAME.legal(state) if GAME.write(state, move).startswith("start solid")}
    assert legal == {move for move in beginnings if GAME.refusal(state, move) is None} != set()


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


ALL_ALONG = "14 SE, E l, E l, E l, E l, E l, E l, E r, E l, E l, E l"  # from one corner of the city to the opposite one


def test_ends_anywhere_if_nothing_else_is_free() -> None:
    """§5.8 Unless no black cell is free on the permitted sides; then any free black cell."""
    state = place(lines={"0 solid": "14 E, SE l, SW l"}).state.clone()
    for n in board.FAR_BLACK[2]:
        state.tunnel[board.BORDER0 + n] = 2
    assert "dig solid W r" in [GAME.write(state, move) for move in legal_digs(state, 1, state.hands[0])]
