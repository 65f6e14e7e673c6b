"""The position document: what it tells, and what it does not take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omnibus import BadPosition, Match

from .positions import describe

pytestmark = pytest.mark.engine


def refused(document: dict[str, Any]) -> str:
    with pytest.raises(BadPosition) as caught:
        Match.from_position("metromania", document)
    return str(caught.value)


LINES = {"0 solid": "14 E, E l, E l", "1 solid": "2 SW, SW l"}


def test_round_trip() -> None:
    """§13 A position comes back as it was told."""
    document = describe(lines=LINES, stations="-3,1")
    assert Match.from_position("metromania", document).position() == document


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("seats", 5, "seats"),
        ("seats", True, "seats"),
        ("town_hall", "closed", "town_hall"),
        ("town_hall", "strict", "four players"),
        ("sectors", ["1.0"] * 6, "every piece"),
        ("sectors", ["1.0", "2.0"], "six pieces"),
        ("sectors", ["7.0"], "sectors"),
        ("doubles", ["home"], "doubles"),
        ("hands", [[], []], "fixed"),
        ("hands", [["home A", "home A"], []], "twice"),
        ("hands", [["home B"], []], "hands"),
        ("placed", {"home A": "U0,0"}, "no tunnel"),
        ("placed", {"home A": "X"}, "not a cell"),
        ("stations", [[9, 9]], "stations"),
        ("stations", [[0, 0]], "no line"),
        ("stations", [[5, 5]], "not a vertex"),
        ("stations", [[-3, 1], [-3, 1]], "twice"),
        ("points", [1, 0], "points"),
        ("points", [0], "points"),
        ("turn", 5, "seat"),
        ("seat", 2, "seat"),
        ("step", "deal", "step"),
        ("step", "place", "dug"),
        ("step", "over", "over"),
        ("step", "sleep", "step"),
        ("dug", 3, "dug"),
        ("placed_now", 1, "placed_now"),
        ("placed_now", True, "placed_now"),
        ("line", "solid", "line"),
        ("line", "dotted", "line"),
        ("blocked", ["0 solid"], "not blocked"),
        ("blocked", ["9 solid"], "blocked"),
        ("ended", 2, "ended"),
        ("ended", 9, "ended"),
        ("reason", "bored", "reason"),
        ("ruled_out", [["ABC"], []], "ruled_out"),
    ],
)
def test_wrong_values_are_named(key: str, value: Any, complaint: str) -> None:
    """§13 Wrong values are refused with an error that names the culprit."""
    document = describe(lines=LINES) | {key: value}
    if key == "ended" and value == 9:
        document["reason"] = "stock"
    assert complaint in refused(document)


def test_keys() -> None:
    """§13 All keys are required and no others are taken."""
    document = describe()
    assert "no stations" in refused({key: value for key, value in document.items() if key != "stations"})
    assert "unknown key 'stock'" in refused(document | {"stock": 30})


def test_the_construction_must_have_ended() -> None:
    """§9.1 Three lines of two players may be finished or blocked; a fourth is the end."""
    record = Path(__file__).parent / "records" / "2-hidden-blocked.game"
    match = Match.read(record.read_text(encoding="utf-8"))
    state = next(
        state
        for state in match.states
        if state.step == 3 and state.dug == 0 and bin(state.finished | state.blocked).count("1") == 3
    )
    document = match.game.position(state)
    assert Match.from_position("metromania", document).position() == document
    over = next(state for state in match.states if state.ended >= 0 and state.step == 3 and state.dug == 0)
    ended = match.game.position(over)
    assert "has ended the construction" in refused(ended | {"ended": None, "reason": None})


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ({"0 solid": "13 E"}, "white border cells"),
        ({"0 solid": "12 W"}, "no tunnel"),
        ({"0 solid": "14 E, E x"}, "no tunnel"),
        ({"0 solid": "14 E, E l, W l"}, "no line goes straight back"),
        ({"0 solid": "14 E, E l, NW r"}, "acute angle"),
        ({"0 solid": "14 E, E l", "1 solid": "16 NE, NE l, NW l, E r"}, "acute angle"),
        ({"0 solid": "14 E, E l, E l, NE l, NW r, W l, SW l, SE l"}, "touches itself"),
        ({"0 solid": "22 NW, NE l, NE l"}, "lake and park"),
        ({"0 solid": "14 E, SE l, SW l, W r"}, "too near its beginning"),
        ({"0 solid": "14 E", "0 striped": "12 E"}, "too near the player's other line"),
        ({"0 solid": "14 E", "1 solid": "14 SE"}, "already has a tunnel"),
        ({"0 solid": "14 E, E l, E l, E r"}, "has no destination"),
    ],
)
def test_wrong_lines_are_named(lines: dict[str, str], complaint: str) -> None:
    """§5.1 §5.2 §5.3 §5.4 §5.5 §5.8 §8.1 Lines that could never have been dug are refused."""
    assert complaint in refused(describe(lines=lines, blocked=[]))


def test_destinations_lie_on_their_spots() -> None:
    """§8.1 A destination lies on a dug spot of its kind."""
    assert "not a spot for work B" in refused(describe(lines=LINES, placed={"work B": "U-5,1"}, blocked=[]))


def test_equal_letters_may_not_touch() -> None:
    """§8.3 Nor may equal letters touch in a position."""
    lines = {"0 solid": "4 W, SW l, SW r", "1 solid": "2 W, W l, NW l"}
    placed = {"work B": "D-1,3", "leisure B": "U0,3"}
    assert "touches" in refused(describe(lines=lines, placed=placed, stations="0,4", blocked=[]))


def test_hands_must_be_a_deal() -> None:
    """§3.2 With three or four players the hands are those of a valid deal."""
    document = describe(seats=4)
    document["hands"][0], document["hands"][1] = (
        document["hands"][0][:2] + document["hands"][1][2:],
        document["hands"][1],
    )
    assert "twice" in refused(document)
    swapped = describe(seats=4)
    swapped["hands"][0][0], swapped["hands"][1][0] = "home D", "home A"
    assert "not a valid deal" in refused(swapped)


def test_ruled_out_hands() -> None:
    """§9.2 Hands ruled out are hands that could be dealt, in order, and never the one a seat has."""
    document = describe(seats=4)
    out = [["AEB", "AEC"], [], [], []]
    assert Match.from_position("metromania", document | {"ruled_out": out}).position()["ruled_out"] == out
    assert "in order" in refused(document | {"ruled_out": [["AEC", "AEB"], [], [], []]})
    assert "excludes the hand" in refused(document | {"ruled_out": [["ABC"], [], [], []]})
    assert "ruled_out[0]" in refused(document | {"ruled_out": [["AAB"], [], [], []]})


def test_positions_before_the_game() -> None:
    """§3 Before the first turn nothing is built, held or blocked."""
    empty = Match.new("metromania", seats=3, dice=False)
    for piece in range(1, 7):
        empty.play(f"piece {piece}.0")
    document = empty.position()
    assert Match.from_position("metromania", document, dice=False).lines() == empty.lines()
    assert "blocked" in refused(document | {"blocked": ["0 solid"]})
    assert "nothing is built" in refused(document | {"turn": 1})
    assert "before the deal" in refused(document | {"hands": [["home A"], [], []]})


def test_over_must_follow_from_the_turns() -> None:
    """§9.1 A game is over exactly when everyone else has had one more turn."""
    document = describe(lines=LINES, seat=0)
    assert "one more turn" in refused(document | {"ended": 2, "reason": "stock"})
    assert "exactly one" in refused(document | {"ended": 5, "reason": "stock", "step": "over"})


def test_set_up_belongs_to_seat_0() -> None:
    """§3.1 Before the first turn nobody else is to act, and nothing of a turn is going on."""
    document = Match.new("metromania", seats=2, dice=False).position()
    assert "seat must be 0" in refused(document | {"seat": 1})
    assert "only during a turn" in refused(document | {"line": "solid"})
    assert "only during a turn" in refused(document | {"placed_now": True})


def test_reason_follows_from_the_table() -> None:
    """§9.1 The stock never fills up again, and finished lines stay so."""
    document = describe(lines=LINES, seat=0)
    turn = document["turn"]
    for reason, complaint in (("stock", "the stock is not empty"), ("finished", "nobody has finished both lines")):
        assert complaint in refused(document | {"ended": turn - 1, "reason": reason})
