"""The position document in the set-up; `position.cases` say what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from omnibus import BadPosition, Match
from support.cases import changed

pytestmark = pytest.mark.engine


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"round": 1}, "round must be 0"),
        ({"clock": "pub"}, "clock must be `house`"),
        ({"players": {0: {"cubes": 19}}}, "cubes must be 20"),
        ({"players": {0: {"buses": 2}}}, "one bus in the set-up"),
        ({"stones": 3, "players": {0: {"stones": 1}}}, "nobody has any in the set-up"),
        ({"players": {0: {"rides": 1, "reached": 1}}}, "nobody has made a ride"),
        ({"waiting": [16, 20, 21, 24]}, "waiting: "),
        ({"buildings": {"29.1": "pub"}}, "buildings: there are"),
    ],
)
def test_setup_is_as_laid_out(changes: dict[str, Any], complaint: str) -> None:
    """§3 Before the first round everything but buildings and sticks is as it was laid out."""
    match = Match.new("bus", dice=False)
    while match.position()["round"] == 0:
        document = match.position()
        assert Match.from_position("bus", document, dice=False).position() == document
        with pytest.raises(BadPosition, match=complaint):
            Match.from_position("bus", changed(document, changes))
        match.play("first 1" if match.actor == "chance" else match.lines()[0])
