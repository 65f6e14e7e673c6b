"""Node counts: the number of sequences of plies from the positions in `GAME/nodes.perft`.

The tables were counted twice: along `legal`, and along `refusal`, which shares no code with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from omnibus import games
from omnibus.kernel.game import Game
from omnibus.kernel.perft import perft, split
from support.cases import Case, begun, cases

pytestmark = pytest.mark.engine

SHALLOW = 1500  # nodes that are soon counted on the sources


def nodes(case: Case) -> list[int]:
    """Return the numbers of nodes by depth, from 1 on."""
    return [int(number) for number in case.steps[-1][1].removeprefix("nodes ").split(", ")]


def tables() -> Iterator[Any]:
    """Yield cases with the depths that are soon counted, then, as a walk, with the others."""
    for name in games.names():
        for case in cases(name, "perft"):
            for deep in (False, True):
                depths = {depth: count for depth, count in enumerate(nodes(case), 1) if (count > SHALLOW) == deep}
                about = f"{name}-{case}-{'deep' if deep else 'soon'}"
                if depths:
                    yield pytest.param(case, depths, id=about, marks=[pytest.mark.walk] if deep else [])


@pytest.mark.parametrize(("case", "depths"), list(tables()))
def test_nodes(case: Case, depths: dict[int, int]) -> None:
    """On a mismatch the split by move is shown, with which two engines are compared."""
    match = begun(case)
    for depth, count in depths.items():
        assert perft(match.game, match.state, depth) == count, f"depth {depth}: {split(match.game, match.state, depth)}"


@pytest.mark.parametrize(("case", "depths"), [each for each in tables() if not each.marks])
def test_nodes_by_refusal(case: Case, depths: dict[int, int]) -> None:
    """The explaining path counts the same (to a smaller depth: it is slow)."""
    match = begun(case)
    for depth, count in depths.items():
        assert by_refusal(match.game, match.state, depth) == count


def by_refusal(game: Game[Any], state: Any, depth: int) -> int:
    """Count like `perft`, but along the explaining path."""
    if depth == 0:
        return 1
    count = 0
    for move in range(game.space(state)[1]):
        if game.refusal(state, move) is None:
            child = state.clone()
            game.apply(child, move)
            count += by_refusal(game, child, depth - 1)
    return count
