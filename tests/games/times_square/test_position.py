"""§13 The position document: what it says, and what is refused."""

from __future__ import annotations

import json

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


@pytest.mark.parametrize("key", ["edition", "figures", "hands", "supply", "discards", "exhausted", "seat", "step"])
def test_keys_and_their_kinds(key: str) -> None:
    """§13 All ten keys are required, unknown ones refused, and nothing of another kind taken."""
    without = describe()
    del without[key]
    for document, culprit in [
        (without, key),
        (describe() | {key: 3.5}, key),
        (describe() | {key: {"x": 1}}, key),
        (describe() | {"colour ": None}, "colour "),
    ]:
        with pytest.raises(BadPosition, match=culprit):
            Match.from_position("times_square", document)
