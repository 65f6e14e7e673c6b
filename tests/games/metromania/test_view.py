"""What a seat may not know changes nothing it is shown; what it may suppose fits everything it has seen."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from omnibus import games
from omnibus.games.metromania.board import CELL, CITY_CELLS, DIGS, TOUCHING, WORK
from omnibus.games.metromania.moves import LINES_OF, all_deals, all_hands, letters_dealt
from omnibus.games.metromania.position.write import DESTINATION_NAMES
from omnibus.games.metromania.rules.ahead import can_follow, most
from omnibus.games.metromania.rules.legal import bore_of, line_of
from omnibus.games.metromania.state import ACT, State, held_at_first
from omnibus.kernel.game import OVER
from omnibus.kernel.i18n import words
from omnibus.kernel.perft import step
from support.games_played import GamePlayed, in_positions

from .positions import place

pytestmark = pytest.mark.engine

GAME = games.find("metromania")
NAMES = ["Ann", "Bob", "Cy", "Di"]


def played(seats: int, seed: int, town_hall: str = "hidden") -> list[int]:
    """The moves of a random game."""
    random = Random(seed)
    state: State = GAME.setup(seats, {"town_hall": town_hall})
    moves: list[int] = []
    while state.actor != OVER:
        moves.append(step(GAME, state, random.random))
        GAME.apply(state, moves[-1])
    return moves


def shown(moves: list[int], seats: int, seat: int | None) -> list[str]:
    """Everything a seat is sent during a game: views, lines, log; its own legal lines and refusals where it decides."""
    state: State = GAME.setup(seats, {"town_hall": "hidden"})
    told = words("en")
    sent: list[Any] = []
    for move in moves:
        before = GAME.view(state, seat)
        sent.append(before)
        if state.actor == seat:
            lines = [GAME.write(state, other) for other in GAME.legal(state)]
            sent.append([(line, GAME.label(before, line, told)) for line in lines])
            refused = [GAME.refusal(state, other) for other in range(0, GAME.space(state)[0], 5)]
            sent.append([refusal and GAME.explain(refusal, told) for refusal in refused])
        line = GAME.seen(state, move, seat)
        assert move in GAME.legal(state), "with these hands the game could not have gone like this"
        GAME.apply(state, move)
        sent.append([line, GAME.tell(before, line, GAME.view(state, seat), NAMES[:seats], told)])
        if state.actor == OVER:
            break
    return [json.dumps(item) for item in sent]


def dealt_otherwise(moves: list[int], seats: int, hands: list[int]) -> list[int]:
    """The same game with another deal."""
    line = "deal " + "/".join(letters_dealt(hand) for hand in hands)
    deal = LINES_OF[seats].index(line)
    return [deal if GAME.write(_setup(seats), move).startswith("deal") else move for move in moves]


def _setup(seats: int) -> State:
    state: State = GAME.setup(seats, {"town_hall": "hidden"})
    return state


@pytest.mark.walk
@in_positions(4, of="metromania", least=3, town_hall="hidden")
def test_redeals_fit_everything_seen(played: GamePlayed) -> None:
    """§3.3 §9.2 A game with the hands redealt goes the same way, and no byte of what the viewer was sent differs."""
    moves, seats = played.moves, played.seats
    if played.state.step < ACT:
        return
    for seat in played.readers():
        real = shown(moves, seats, seat)
        for _ in range(2):
            other = GAME.redeal(GAME.view(played.state, seat), played.random.randrange)
            hands = [held_at_first(other, own) for own in range(seats)]
            assert shown(dealt_otherwise(moves, seats, hands), seats, seat) == real


@pytest.mark.walk
@pytest.mark.parametrize("seats", [3, 4])
def test_only_what_is_public_excludes_a_hand(seats: int) -> None:
    """§9.2 A deal excluded by `ruled_out` would have changed something in the open: a blocked line, a pass, a dig."""
    found = 0
    for seed in range(120):
        moves = played(seats, seed)
        state = _setup(seats)
        for ply, move in enumerate(moves, 1):
            known = [len(out) for out in state.ruled_out]
            GAME.apply(state, move)
            for seat, out in enumerate(state.ruled_out):
                excluded = [
                    hands
                    for hands in (all_deals(state.doubles) if len(out) > known[seat] else [])
                    if hands[seat] in out and _holds_what_was_placed(state, hands)
                ]
                for hands in excluded[:3]:
                    assert not _goes(dealt_otherwise(moves[:ply], seats, hands), seats, moves[:ply])
                    found += 1
        if found > 20:
            return
    assert found


def _holds_what_was_placed(state: State, hands: list[int]) -> bool:
    return all(hands[state.placer[one]] >> one & 1 for one in range(12) if state.placer[one] >= 0)


def _goes(moves: list[int], seats: int, real: list[int]) -> bool:
    """Whether the game goes the same way in the open with another deal."""
    state, other = _setup(seats), _setup(seats)
    for move, said in zip(moves, real, strict=True):
        if move not in GAME.legal(other):
            return False
        GAME.apply(other, move)
        GAME.apply(state, said)
        if (state.turn, state.step, state.blocked, state.actor) != (other.turn, other.step, other.blocked, other.actor):
            return False
    return True


def test_the_end_of_a_line_tells_nothing_of_the_hand() -> None:
    """§4.2 An end is legal with every hand, also where another hand would allow more tunnels."""
    lines = {
        "0 solid": "14 SE, E l, E l, E l, E l, E l, E l, E r, E l, E l, E l, SE r",
        "0 striped": "20 NE, NW l, NW l, NW l, NW l, NW l, NW r",
    }
    state = place(seats=4, lines=lines).state.clone()
    wandering = CELL[bore_of(state, GAME.parse(state, "dig striped NE r"))]
    state.soil[wandering] = WORK  # going on needs a work destination, but not B: leisure B lies beside it
    state.ground = [WORK if cell == wandering else ground for cell, ground in enumerate(state.ground)]
    state.placed[DESTINATION_NAMES.index("leisure B")] = next(
        cell for cell in range(CITY_CELLS) if TOUCHING[wandering][cell] and cell != wandering
    )
    end = GAME.parse(state, "dig striped NW r")
    line, bore = line_of(state, end), bore_of(state, end)
    hands = all_hands(0, state.doubles)  # with some of them the end leaves fewer tunnels than another dig
    assert any(not can_follow(state, line, bore, most(state, DIGS, hand) - 1, hand) for hand in hands)
    assert end in GAME.legal(state)
    GAME.apply(state, end)
    assert state.ruled_out[0] == []


@pytest.mark.parametrize("town_hall", ["open", "strict"])
def test_open_hands_are_seen(town_hall: str) -> None:
    """§3.3 In the open games every seat and every spectator sees all hands."""
    state: State = GAME.setup(4, {"town_hall": town_hall})
    random = Random(1)
    while state.step < 3:
        GAME.apply(state, step(GAME, state, random.random))
    for seat in (0, 1, 2, 3, None):
        assert None not in GAME.view(state, seat)["hands"]


def test_hands_are_shown_when_it_is_over() -> None:
    """§11.4 The penalties show who holds what, so the end shows all hands."""
    state = _setup(4)
    for move in played(4, 3):
        GAME.apply(state, move)
    assert GAME.view(state, None)["hands"] == GAME.position(state)["hands"]


def test_counted_kinds_are_told() -> None:
    """§3.3 Of foreign hands a view tells how many destinations of each kind they hold."""
    state: State = GAME.setup(4, {"town_hall": "hidden"})
    random = Random(5)
    while state.step < ACT:
        GAME.apply(state, step(GAME, state, random.random))
    assert GAME.view(state, 0)["held"] == [[1, 1, 1]] * 4
