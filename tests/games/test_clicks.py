"""Moves are made by clicking on the board: every line can be, and every click is answered."""

from __future__ import annotations

import itertools
import re
from random import Random
from typing import Any

import pytest

from omnibus import games
from omnibus.kernel.clicks import any_touches, why_not
from omnibus.kernel.game import CHANCE, OVER, Game
from omnibus.kernel.i18n import ENGLISH
from omnibus.kernel.svg import part_of
from support.games_played import GamePlayed, in_positions, random_match


@pytest.mark.walk
@in_positions(6)
def test_every_line_can_be_clicked(played: GamePlayed) -> None:
    """Whatever was clicked on the board: as long as several lines are left, a part glows for each that leads on to it.

    Every part that glows is in the picture of the seat to act, or among its targets.
    """
    game, state = played.game, played.state
    if state.actor in (CHANCE, OVER):
        return
    lines = {game.write(state, move): frozenset(game.parts(state, move)) for move in game.legal(state)}
    drawn = parts_drawn(game, game.view(state, state.actor), {part for parts in lines.values() for part in parts})
    assert drawn == parts_drawn(game, game.view(state, state.actor), set().union(*lines.values()), wide=True)
    first = {line: {part for part in parts if not part.startswith("ghost-")} for line, parts in lines.items()}
    assert all(first.values()), f"no first click for {[line for line, parts in first.items() if not parts]}"
    waiting = [(frozenset(lines), frozenset[str]().union(*first.values()))]
    known = {frozenset(lines)}
    while waiting:
        left, glowing = waiting.pop()
        assert glowing <= drawn, glowing - drawn
        for part in glowing:
            narrowed = frozenset(line for line in left if part in lines[line])
            if len(narrowed) < 2 or narrowed in known:
                continue
            known.add(narrowed)
            shared = frozenset.intersection(*[lines[line] for line in narrowed])
            assert not (stuck := [line for line in narrowed if lines[line] <= shared]), stuck
            waiting.append((narrowed, frozenset().union(*[lines[line] for line in narrowed]) - shared))


@in_positions(2)
def test_every_click_is_answered(played: GamePlayed) -> None:
    """Whatever is clicked on the board, first or after another part, leads on to a move or has a reason with its §."""
    game, state, random = played.game, played.state, played.random
    if state.actor in (CHANCE, OVER):
        return
    lines = [set(game.parts(state, move)) for move in game.legal(state)]
    parts = set().union(*lines)
    drawn = sorted(parts_drawn(game, game.view(state, state.actor), parts))
    first = random.choice(sorted(part for part in parts if not part.startswith("ghost-")))
    for picked in ([], [first]):
        left = [parts for parts in lines if parts.issuperset(picked)]
        clicked = dark_parts(drawn, left, random) if len(left) > 1 else []
        refusals = {part: why_not(game, state, part, picked) for part in clicked}
        for part, refusal in refusals.items():
            assert refusal or part in parts, (picked, part)  # what begins another line is chosen instead
            assert not refusal or game.explain(refusal, ENGLISH)


def dark_parts(drawn: list[str], lines: list[set[str]], random: Random) -> list[str]:
    """Choose up to two parts of each kind that no line touches."""
    found: list[str] = []
    for _, group in itertools.groupby(drawn, lambda part: part.split("-")[0]):
        dark = [part for part in group if not any(part in parts for parts in lines)]
        found += random.sample(dark, min(2, len(dark)))
    return found


def parts_drawn(game: Game[Any], view: dict[str, Any], parts: set[str], *, wide: bool = False) -> set[str]:
    """Return the parts that can be clicked in the picture of a view, with the targets of these parts."""
    targets = game.targets(view, parts, ENGLISH, wide=wide)
    assert all(piece.label and part_of(piece) in parts for piece in targets)
    bare = game.bare(view, ENGLISH, wide=wide)
    assert {piece.symbol for piece in targets} <= set(re.findall(r'<symbol id="([^"]+)"', bare))
    pieces = game.pieces(view, ENGLISH, wide=wide) + targets
    return set(re.findall('data-part="([^"]+)"', bare)) | set(map(part_of, pieces))


ASKED = [
    ("times_square", "card-hal", "figure-sue", "Yellow cards move only Hal", "§4.4"),
    ("times_square", "card-guard", "figure-sue", "Grey cards move only the guards", "§4.5"),
    ("times_square", "card-sue", "figure-hal", "Green cards move only Sue, or Sue with both guards", "§4.3"),
    ("metromania", "cell-", "vertex-", "A tunnel in the cell you chose does not lead to this point", "§5.3"),
    ("bus", "plot-", "crossing-", "One building at a time: a plot and a kind", "§3.2 §9.1"),
]
"""Of each game, what was chosen, what was clicked then, and the reason why that is refused, with its §."""


@pytest.mark.parametrize(("name", "chosen", "clicked", "reason", "sections"), ASKED)
def test_the_reason_is_about_what_was_chosen(name: str, chosen: str, clicked: str, reason: str, sections: str) -> None:
    """What does not go with a choice is refused for that, not for what other moves would need."""
    game, asked = games.find(name), 0
    for state in [state for seed in range(4) for state in random_match(name, seed).states[::7]]:
        if state.actor in (CHANCE, OVER):
            continue
        lines = [set(game.parts(state, move)) for move in game.legal(state)]
        parts = set().union(*lines)
        first = next((part for part in sorted(parts) if part.startswith(chosen)), None)
        drawn = parts_drawn(game, game.view(state, state.actor), parts)
        dark = next((part for part in sorted(drawn - parts) if part.startswith(clicked)), None)
        if first and dark and not any_touches(game.parts, state, game.space(state)[0], {first, dark}):
            refusal = why_not(game, state, dark, [first])
            assert refusal
            assert game.explain(refusal, ENGLISH) == reason
            assert refusal.section in sections.split()
            asked += 1
    assert asked
