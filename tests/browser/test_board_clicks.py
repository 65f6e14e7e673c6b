"""Choosing on the board alone: everything that glows can be clicked, and clicks lead to a move without any button."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import Page

from support.browser import MOST_CLICKS, POINT, SEATS, click_on_board, decided, open_table, parts, ready

DECISIONS = 12
COVERED = f"""() => {{
  const point = {POINT};
  const glowing = [...document.querySelectorAll(".board .glow")];
  const haunted = (element) => {{  // ghosts stand here, which say more precisely what is meant
    const box = element.getBoundingClientRect();
    const there = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const lit = there.find((other) => other.matches(".glow"));
    return !element.dataset.part.startsWith("ghost-") && lit?.dataset.part?.startsWith("ghost-");
  }};
  const names = [...new Set(glowing.map((element) => element.dataset.part))];
  return names.filter((name) => !glowing.some((element) =>
    element.dataset.part === name && (point(element) || haunted(element))));
}}"""


@pytest.mark.parametrize("window", [(1366, 768), (360, 740)], ids=["wide", "phone"])
@pytest.mark.parametrize("game", SEATS)
def test_every_part_that_glows_can_be_clicked(page: Page, game: str, window: tuple[int, int]) -> None:
    """None lies under others everywhere, unless those are ghosts; while several moves are left, something glows."""
    random = Random(7)
    page.set_viewport_size({"width": window[0], "height": window[1]})
    open_table(page, game)
    for _ in range(DECISIONS):
        if not ready(page):
            break
        decide_on_the_board(page, random)


def decide_on_the_board(page: Page, random: Random) -> None:
    """Click parts that glow until a move is chosen; confirm it where that is asked."""
    event = page.locator("#where").text_content()
    for _ in range(MOST_CLICKS):
        if decided(page, event):
            return
        if page.locator("#confirm").is_visible():
            page.locator("#confirm").click()
            continue
        assert parts(page), "several moves are left, and nothing glows"
        assert page.evaluate(COVERED) == []
        assert click_on_board(page, random)
    raise AssertionError("clicks do not lead to a move")
