"""How it is told: labels with their preview, the log, reasons and help."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest

from omnibus import Match, games
from omnibus.games.metromania.telling.names import WAYS, side
from omnibus.games.metromania.telling.reasons import REASONS
from omnibus.kernel.game import Refusal
from omnibus.kernel.i18n import ENGLISH, LANGUAGES, words

GAME = games.find("metromania")
NAMES = ["Ann", "Bob", "Cy", "Di"]


POSSIBLE = {"possible": 2, "most": 3}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_sentence(language: str) -> None:
    """§13 Every refusal is told in every language, with all its blanks filled."""
    args = {"piece": 3, "kind": "home", "letter": "C", "line": "solid", "vertex": "2,-1", "stock": 1} | POSSIBLE
    for code in REASONS:
        sentence = GAME.explain(Refusal(code, "§4.2", args), words(language, GAME.folder))
        assert sentence
        assert "{" not in sentence


def test_tunnels_are_named_by_their_place_on_the_map() -> None:
    """§1.5 Left of a track is a quarter turn counter-clockwise from its direction, right the other way."""
    compass = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")
    for number, heading in enumerate(WAYS):
        for hand, turn in (("l", 90), ("r", -90)):
            angle = (60 * number + turn) % 360
            assert side(heading, hand, words("en")) == f"to the {compass[round(angle / 45) % 8]}"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_dig_that_blocks_the_line_says_so(seats: int) -> None:
    """§9.2 Before a dig its label warns, after it the log says why no tunnel can follow; no other dig does."""
    warned = 0
    for seed in range(4):
        match, random = Match.new("metromania", seats=seats, seed=seed), Random(seed)
        while match.actor is not None:
            seat, line = cast("int", match.actor), random.choice(match.lines())
            before, turn = match.view(seat), match.view(seat)["turn"]
            match.play(line)
            after = match.view(seat)
            if not line.startswith(("start", "dig")) or after["turn"] == turn:
                continue
            blocked = f"{seat} {line.split(' ')[1]}" in after["blocked"]
            assert ("the line is blocked" in GAME.label(before, line, ENGLISH)) == blocked, (seed, line)
            if blocked:
                warned += 1
                told = GAME.tell(before, line, after, NAMES[:seats], ENGLISH)
                assert any(each.startswith("No tunnel can follow at its tip: ") and "§" in each for each in told)
    assert warned
