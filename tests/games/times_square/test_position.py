"""§13 The position document: what it says, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from omnibus import BadPosition, Match

from .positions import describe

pytestmark = pytest.mark.engine


def test_the_documents_shape() -> None:
    """§13 Ten keys; cards listed by kind; the example of the rules is one."""
    document = Match.new("times_square", seed=1).position()
    keys = ["edition", "figures", "hands", "supply", "discards", "exhausted", "seat", "step", "colour", "joker"]
    assert list(document) == keys
    example = (
        '{"edition":"times_square","figures":{"sue":0,"a":-2,"b":2,"hal":1,"deb":-1,"charlie":0},'
        '"hands":[["sue","hal2"],["deb3"]],"supply":["sue"],"discards":[],"exhausted":0,"seat":0,'
        '"step":"act","colour":null,"joker":null}'
    )
    assert Match.from_position("times_square", json.loads(example)).position() == json.loads(example)


def test_order_of_lists_means_nothing() -> None:
    """§13 Lists are multisets."""
    one = Match.from_position("times_square", describe(hands=("sue hal1 sue", ""), discards="deb1 close"))
    other = Match.from_position("times_square", describe(hands=("hal1 sue sue", ""), discards="close deb1"))
    assert one.position() == other.position()


@pytest.mark.parametrize("colour", ["green", "yellow", "grey", "red"])
def test_playing_on_from_a_colour(colour: str) -> None:
    """§13 A turn that has begun goes on with its colour and its joker."""
    joker = "guards" if colour == "red" else None
    hands = ("sue hal2 guard1 deb1", "")
    match = Match.from_position(
        "times_square", describe(step="playing", colour=colour, joker=joker, hands=hands, deb=-4), dice=False
    )
    cards = {"green": "sue", "yellow": "hal2", "grey": "guard1", "red": "deb1"}
    assert {line.split()[0] for line in match.lines()} == {cards[colour], "done"}


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"sue": -7, "a": -8}, "sue"),
        ({"charlie": 7}, "charlie"),
        ({"supply": "", "exhausted": 2, "sue": 1}, "supply-sue"),
        ({"supply": "", "exhausted": 2, "charlie": 1}, "supply-charlie"),
        ({"supply": "", "exhausted": 2}, "draw"),
        ({"supply": "", "exhausted": 2, "charlie": 8, "sue": 1}, "charlie"),
    ],
)
def test_over_tells_its_reason(facts: dict[str, Any], reason: str) -> None:
    """§13 In `over` the reason follows from the position: Sue's entrance, Charlie's entrance, else §10.3."""
    outcome = Match.from_position("times_square", describe(step="over", **facts)).outcome
    assert outcome is not None
    assert outcome.reason == reason


def test_side_and_deal() -> None:
    """§13 Before `side` Hal and Deb are null; in `deal`, `seat` is the seat being dealt to."""
    match = Match.from_position("times_square", describe(step="side", hal=None, deb=None), dice=False)
    assert match.lines() == ["side 0", "side 1"]
    dealing = Match.from_position("times_square", describe(step="deal", seat=1, hands=("sue " * 8, "hal2")), dice=False)
    dealing.play("draw hal2")
    assert dealing.position()["hands"][1] == ["hal2", "hal2"]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"sue": 3, "b": 2}, "between the guards"),
    ({"sue": 2}, "between the guards"),
    ({"a": -9}, "figures.a"),
    ({"hal": 9}, "figures.hal"),
    ({"hal": None}, "figures.hal"),
    ({"deb": 1.0}, "figures.deb"),
    ({"charlie": True}, "figures.charlie"),
    ({"mayor": 3}, "mayor"),
    ({"sue": 7, "b": 8}, "figures.sue"),
    ({"charlie": -7}, "figures.charlie"),
    ({"hands": ("sue " * 9, "")}, "hands[0]"),
    ({"hands": ("joker", "")}, "hands[0] holds 'joker'"),
    ({"hands": ("deb1", "deb1"), "supply": "sue"}, "deb1"),
    ({"supply": "hal9"}, "supply holds 'hal9'"),
    ({"supply": "sue " * 13}, "sue"),
    ({"supply": ""}, "supply"),
    ({"discards": "deb5 deb5"}, "deb5"),
    ({"edition": "royal_visit", "supply": "deb3 " * 5}, "deb3"),
    ({"edition": "deluxe"}, "edition"),
    ({"edition": "royal_visit", "step": "dropping"}, "step"),
    ({"exhausted": 2}, "exhausted"),
    ({"exhausted": 3}, "exhausted"),
    ({"exhausted": -1}, "exhausted"),
    ({"exhausted": 8, "edition": "royal_visit"}, "exhausted"),
    ({"seat": 2}, "seat"),
    ({"seat": None}, "seat"),
    ({"step": "thinking"}, "step"),
    ({"step": "over"}, "over"),
    ({"step": "over", "supply": "", "exhausted": 1}, "over"),
    ({"step": "over", "supply": "", "exhausted": 5, "discards": "sue", "edition": "royal_visit"}, "over"),
    ({"step": "playing"}, "colour"),
    ({"step": "playing", "colour": "blue"}, "colour"),
    ({"step": "playing", "colour": "red"}, "joker"),
    ({"step": "playing", "colour": "red", "joker": "charlie"}, "joker"),
    ({"step": "playing", "colour": "green", "joker": "deb"}, "joker"),
    ({"colour": "green"}, "colour"),
    ({"joker": "deb"}, "joker"),
    ({"step": "side"}, "figures.hal"),
    ({"step": "refill", "hands": ("sue " * 8, "")}, "refill"),
    ({"step": "deal", "hands": ("sue " * 8, "")}, "deal"),
    ({"step": "deal", "supply": "sue hal2"}, "supply"),
    ({"step": "deal", "seat": 1}, "seat"),
    ({"step": "deal", "hal": 0}, "figures.hal"),
    ({"step": "side", "hal": None, "deb": None, "supply": "sue"}, "supply"),
]


@pytest.mark.parametrize(("facts", "culprit"), WRONG)
def test_what_is_refused_names_the_culprit(facts: dict[str, Any], culprit: str) -> None:
    """§13 Whatever is wrong is refused with an error that names it."""
    with pytest.raises(BadPosition) as caught:
        Match.from_position("times_square", describe(**facts))
    assert culprit in str(caught.value)


@pytest.mark.parametrize("key", ["edition", "figures", "hands", "supply", "discards", "exhausted", "seat", "step"])
def test_keys_and_their_kinds(key: str) -> None:
    """§13 All ten keys are required, unknown ones refused, and nothing of another kind taken."""
    without = describe()
    del without[key]
    for document, culprit in [
        (without, key),
        ({**describe(), key: 3.5}, key),
        ({**describe(), key: {"x": 1}}, "unknown key 'x'" if key == "figures" else key),
        ({**describe(), "colour ": None}, "colour "),
    ]:
        if culprit == "unknown key 'x'":
            culprit = "figures"
        with pytest.raises(BadPosition, match=culprit):
            Match.from_position("times_square", document)
