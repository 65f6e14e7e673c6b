"""What the tests of every game do: play lines, see what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from omnibus import IllegalMove, Match
from omnibus.kernel.game import Refusal


def play(match: Match, *lines: str) -> Match:
    """Play lines one after the other."""
    for line in lines:
        match.play(line)
    return match


def refusal(match: Match, line: str) -> Refusal:
    """Return why a line is refused, having made sure that nothing changed."""
    before = match.position()
    with pytest.raises(IllegalMove) as caught:
        match.play(line)
    assert match.position() == before
    assert line not in match.lines()
    return caught.value.refusal


def refused(match: Match, line: str) -> tuple[str, str]:
    """Return code and § of a refusal."""
    found = refusal(match, line)
    return found.code, found.section


def possible(name: str, seats: int, options: dict[str, Any]) -> bool:
    """Tell whether a game can be set up with these seats and options."""
    try:
        Match.new(name, seats=seats, options=options)
    except ValueError:
        return False
    return True
