"""What the tests of every game do: play lines, see what is refused, count along the explaining path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from omnibus import IllegalMove, Match
from omnibus.kernel.game import Game, Refusal
from omnibus.kernel.perft import perft, split


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


def perft_by_refusal(game: Game[Any], state: Any, depth: int) -> int:
    """Count like `perft`, but along the explaining path, which shares no code with the fast one."""
    if depth == 0:
        return 1
    nodes = 0
    for move in range(game.space(state)[1]):
        if game.refusal(state, move) is None:
            child = state.clone()
            game.apply(child, move)
            nodes += perft_by_refusal(game, child, depth - 1)
    return nodes


def check_counts(game: Game[Any], state: Any, depths: Mapping[int, int]) -> None:
    """Compare the nodes by depth; on a mismatch the split by move is shown, with which two engines are compared."""
    for depth, nodes in depths.items():
        assert perft(game, state, depth) == nodes, f"depth {depth}: {split(game, state, depth)}"


def possible(name: str, seats: int, options: dict[str, Any]) -> bool:
    """Tell whether a game can be set up with these seats and options."""
    try:
        Match.new(name, seats=seats, options=options)
    except ValueError:
        return False
    return True
