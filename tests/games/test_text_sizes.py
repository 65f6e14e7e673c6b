"""Text on the boards can be read wherever they are shown: it is never smaller than 11 pixels, or it is hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from omnibus import games
from omnibus.kernel.game import CHANCE, OVER, Game
from omnibus.kernel.i18n import COMMON_TEXTS, LANGUAGES, words
from omnibus.kernel.perft import step
from omnibus.kernel.svg import NARROW

LEAST = 11
STAGES = {360: (344, 9999), 820: (804, 996), 1200: (864, 544)}
"""By the width of the window: the least room for the board. In landscape, from 900 on, it is nowhere smaller than in a
window of 1200 with the sidebar beside it."""
SVG = "{http://www.w3.org/2000/svg}"


def texts(element: ElementTree.Element, defined: dict[str, ElementTree.Element], scale: float) -> Iterator[Any]:
    """Yield every text that is drawn, with its size in units of the picture and whether it is fine print."""
    grown = re.search(r"scale\(([\d.]+)\)", element.get("transform", ""))
    scale *= float(grown[1]) if grown else 1
    if element.tag == f"{SVG}text":
        yield "".join(element.itertext()), float(element.get("font-size", "0")) * scale, element.get("class") == "fine"
    if element.tag == f"{SVG}use":
        yield from texts(defined[element.get("href", "")[1:]], defined, scale)
    if element.tag != f"{SVG}defs":
        for child in element:
            yield from texts(child, defined, scale)


def too_small(picture: str, window: int) -> set[tuple[str, float]]:
    """Return the texts of a picture that are shown in a window and cannot be read there, with their size."""
    root = ElementTree.fromstring(picture)
    wide, high = STAGES[window]
    _, _, width, height = map(float, root.get("viewBox", "").split())
    scale = min(wide / width, high / height)
    defined = {name: element for element in root.iter() if (name := element.get("id"))}
    drawn = [(text, size) for text, size, fine in texts(root, defined, scale) if not (fine and window <= NARROW)]
    assert drawn
    return {(text, round(size, 1)) for text, size in drawn if size < LEAST}


def positions(game: Game[Any], seats: int) -> Iterator[Any]:
    """Yield a state at the beginning, in the middle and at the end of a game."""
    random = Random(seats)
    state = game.setup(seats, {name: option.default for name, option in game.options.items()})
    decisions = 0
    while state.actor != OVER:
        if state.actor != CHANCE:
            if decisions in (0, 45):
                yield state.clone()
            decisions += 1
        game.apply(state, step(game, state, random.random))
    yield state


@pytest.mark.walk
@pytest.mark.parametrize("window", STAGES)
@pytest.mark.parametrize("name", games.names())
def test_no_text_is_too_small(name: str, window: int) -> None:
    """In every language, upright on narrow windows, in landscape on wide ones."""
    game = games.find(name)
    for seats in game.seats:
        for state in positions(game, seats):
            for viewer in (0, None):
                for language in LANGUAGES:
                    told = words(language, game.folder, COMMON_TEXTS)
                    picture = game.svg(game.view(state, viewer), told, wide=window >= 900)
                    assert not too_small(picture, window), language
