"""Why a click on the board leads to no move."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from omnibus.kernel.game import Game, Refusal


def why_not(game: Game[Any], state: Any, part: str, picked: Sequence[str] = ()) -> Refusal | None:
    """Return why nothing can be done with a part, after others were picked: why a move that touches them is refused.

    If no move touches all of them, it is why nothing can be done with the part and one of them, the last one first, or
    else with the part alone. The game may know better.
    """
    with_one = [{part, other} for other in reversed(picked)] if len(picked) > 1 else []
    for wanted in ({part, *picked}, *with_one, {part}):
        refusal = _refusal_of_parts(game, state, wanted)
        if refusal is not None:
            break
    return game.part_refusal(state, part, picked, refusal)


def any_touches(parts: Callable[[Any, int], Sequence[str]], state: Any, moves: int, wanted: Collection[str]) -> bool:
    """Tell whether any of the first so many moves, legal or not, touches all these parts."""
    return any(set(wanted).issubset(_parts(parts, state, move)) for move in range(moves))


def _refusal_of_parts(game: Game[Any], state: Any, wanted: set[str]) -> Refusal | None:
    """Return why moves that touch these parts are refused, best one like a legal move; None if one is legal."""
    now = {_head(game.write(state, move)) for move in game.legal(state)}
    found: dict[bool, Refusal] = {}
    for move in range(game.space(state)[0]):
        if wanted.issubset(_parts(game.parts, state, move)):
            refusal = game.refusal(state, move)
            if refusal is None:
                return None
            found.setdefault(_head(game.write(state, move)) in now, refusal)
    return found.get(True) or found.get(False)


def _head(line: str) -> str:
    return line.split(" ", 1)[0]


def _parts(parts: Callable[[Any, int], Sequence[str]], state: Any, move: int) -> Sequence[str]:
    """Return the parts of a move; none if it makes no sense in this state."""
    try:
        return parts(state, move)
    except (LookupError, ValueError):
        return ()
