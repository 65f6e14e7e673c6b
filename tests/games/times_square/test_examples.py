"""§14 The twelve worked examples, played."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from omnibus import IllegalMove, Match
from support.rules import play

pytestmark = pytest.mark.engine

Place = Callable[..., Match]


def stand(match: Match, names: str) -> list[int]:
    figures = match.position()["figures"]
    return [figures[name] for name in names.split()]


def section(match: Match, line: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        match.play(line)
    return caught.value.refusal.section


def test_example_1() -> None:
    """§14.1 The set-up with Hal on +1."""
    match = play(Match.new("times_square", dice=False), "side 1")
    assert stand(match, "a deb sue hal b charlie") == [-2, -1, 0, 1, 2, 0]
    while match.actor == "chance":
        match.play(match.lines()[0])
    assert match.actor == 1


def example_2(place: Place) -> Match:
    hands = ("sue sue sue sue hal3 hal2", "deb3 deb1 deb4 deb2 guard1 guard2")
    match = place(dice=True, hands=hands, a=-6, sue=-2, b=0, hal=3, deb=2)
    return play(match, "sue+sue left", "sue left", "sue left", "done")


def test_example_2(place: Place) -> None:
    """§14.2 A pair and two singles; Charlie walks two."""
    assert stand(example_2(place), "a sue b charlie") == [-7, -5, -1, -2]


def test_example_3(place: Place) -> None:
    """§14.3 Jokers on both guards, and what is refused beside them."""
    match = example_2(place)
    assert section(match, "deb4 sue right") == "§1.5"
    assert section(match, "deb2 a right") == "§1.5"
    play(match, "deb3 b right")
    for line in ("deb1 left", "deb1 hal left", "deb1 sue left"):
        assert section(match, line) == "§5.3"
    for line in ("guard1 a left", "guard2 a right b right", "guard2 b left left"):
        assert section(match, line) == "§4.1"
    play(match, "deb1 a right", "done")
    assert stand(match, "a b") == [-6, 2]


def test_example_3_deb_first(place: Place) -> None:
    """§14.3 Red cards may move Deb before the first joker, not after it; in royal_visit one kind a turn."""
    match = play(place(hands=("deb3 deb2 deb1", ""), deb=2, sue=0), "deb3 left")
    assert stand(match, "deb") == [-1]
    play(match, "deb2 hal left")
    assert section(match, "deb1 left") == "§5.3"
    royal = play(place(edition="royal_visit", hands=("deb3 deb2 deb1", ""), deb=2, sue=0), "deb3 left")
    assert section(royal, "deb2 hal left") == "§5.3"


def test_example_4(place: Place) -> None:
    """§14.4 Hal comes to −2; then seat 1 may lure exactly Sue and b."""
    match = play(example_2(place), "deb3 b right", "deb1 a right", "done", "hal3 left", "hal2 left", "done")
    assert stand(match, "hal") == [-2]
    assert [line for line in match.lines() if line.startswith("lure")] == ["lure sue", "lure b"]
    hand = match.position()["hands"][1]
    play(match, "lure sue")
    assert stand(match, "sue") == [-2]
    assert match.position()["hands"][1] == hand


def test_example_5(place: Place) -> None:
    """§14.5 Two double steps and a single one: a −2 → −7."""
    match = place(hands=("guard2 guard2 guard1", ""))
    assert stand(play(match, "guard2 a left left", "guard2 a left left", "guard1 a left"), "a") == [-7]


def test_example_6(place: Place) -> None:
    """§14.6 `close` from −6 and +2 with Sue on −2."""
    assert stand(play(place(hands=("close", ""), a=-6, sue=-2, b=2), "close"), "a b") == [-3, -1]


def test_example_7(place: Place) -> None:
    """§14.7 Jokers on a and b are of one kind."""
    match = place(hands=("deb3 deb2", ""), deb=1, a=2, b=7, sue=3)
    assert stand(play(match, "deb3 a left", "deb2 b left"), "a b") == [-1, 5]


def test_example_8(place: Place) -> None:
    """§14.8 Sue at the door: single, pair, and neither."""
    for seat in (0, 1):
        match = play(place(seat=seat, hands=("sue", "sue"), a=-8, sue=-6, b=-2), "sue left")
        assert match.outcome is not None
        assert match.outcome.winners == (0,)
    tight = place(hands=("sue sue", ""), a=-7, sue=-6, b=-2)
    assert section(tight, "sue left") == "§1.5"
    assert play(tight, "sue+sue left").outcome is not None
    assert section(place(hands=("sue sue", ""), a=-8, sue=-6, b=-2), "sue+sue left") == "§4.2"


def test_example_9(place: Place) -> None:
    """§14.9 Sue by a joker stops short of Deb."""
    match = place(seat=1, hands=("", "deb3 deb2 deb1"), sue=-5, a=-8, b=8, deb=-2)
    assert section(match, "deb3 sue right") == "§5.4"
    play(match, "deb2 sue right")
    assert section(match, "deb1 sue right") == "§5.4"


def test_example_10(place: Place) -> None:
    """§14.10 `guard2` has exactly two uses."""
    match = place(hands=("guard2", ""), a=-8, sue=-6, b=-5, hal=-6)
    played = [line for line in match.lines() if line.startswith("guard2")]
    assert played == ["guard2 a right b right", "guard2 b right right"]


@pytest.mark.parametrize(("seat", "over"), [(0, True), (1, False)])
def test_example_11(place: Place, seat: int, over: bool) -> None:
    """§14.11 Charlie moves toward the active player only."""
    match = place(dice=True, seat=seat, hands=("sue", "sue"), charlie=-6, hal=-7)
    play(match, "drop sue", "done")
    assert (match.outcome is not None and match.outcome.winners == (0,)) == over


def test_example_12(place: Place) -> None:
    """§14.12 Second pass, one card left: three played, one drawn, six kept; Charlie stays, and §10.3 decides."""
    hands = ("hal2 hal2 hal2 sue sue sue sue sue", "")
    match = place(hands=hands, supply="deb1", exhausted=1, sue=1, a=-7, hal=0, charlie=-6)
    play(match, "hal2 left", "hal2 right", "hal2 right", "done", "draw deb1")
    assert len(match.position()["hands"][0]) == 6
    assert stand(match, "charlie") == [-6]
    assert match.outcome is not None
    assert (match.outcome.reason, match.outcome.winners) == ("supply-sue", (1,))
