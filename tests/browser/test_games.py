"""Whole games in a real browser: with the mouse alone, and with the keyboard alone."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import Page, expect

from support.browser import SEATS, box, faults, nightly_but, over, ready, submit, tab_to
from support.playing import MOST_DECISIONS, decide_by_clicking, decide_on_the_board, open_table

SHORTEST = "times_square"
A_FEW = 15  # decisions, where a whole game takes long
ON_THE_BOARD = 12  # decisions without any button but Confirm


@pytest.mark.parametrize("game", SEATS)
def test_a_whole_game_by_clicking(page: Page, game: str) -> None:
    """On the board alone, later with buttons too — to the end, where the winner, the record and a rematch stand."""
    random = Random(4)
    page.set_viewport_size({"width": 1366, "height": 768})
    open_table(page, game)
    for number in range(MOST_DECISIONS):
        if not ready(page):
            break
        (decide_on_the_board if number < ON_THE_BOARD else decide_by_clicking)(page, random)
    assert over(page)
    expect(page.locator("#panels .panel")).to_have_count(SEATS[game])
    look_at_the_result(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download record").click()
    assert download.value.suggested_filename.startswith(game)
    submit(page, page.get_by_role("button", name="Rematch"))
    assert ready(page)


def look_at_the_result(page: Page) -> None:
    """The card opens by itself, leaves the board free, closes with Escape, and opens again with a button."""
    card = page.get_by_role("dialog", name="Result")
    expect(card.locator("#outcome")).to_have_text(page.locator("#status").text_content() or "?")
    assert faults(page) == []
    assert box(page, "#result")["left"] >= box(page, "#board")["right"]
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    page.get_by_role("button", name="Result").click()
    expect(card).to_be_focused()
    for name in ("Rematch", "New game", "Share"):
        expect(card.get_by_role("button", name=name)).to_be_visible()


@pytest.mark.parametrize("game", nightly_but(SHORTEST, of=SEATS))
def test_a_game_by_keyboard(page: Page, game: str) -> None:
    """From the lobby without touching the mouse, one to the end; the focus is led from decision to decision."""
    random, whole = Random(5), game == SHORTEST
    page.goto("/")
    tab_to(page, f'form[action="/play/{game}"] button')
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert ready(page)
    page.keyboard.press("m")
    for _ in range(MOST_DECISIONS if whole else A_FEW):
        if not ready(page):
            break
        page.wait_for_function("() => document.activeElement.matches('#moves button, #find')")
        for _ in range(1 + random.randrange(6)):  # at least to the first move: Enter in the empty search plays nothing
            page.keyboard.press("ArrowDown")
        event = page.locator("#where").text_content()
        page.keyboard.press("Enter")
        if page.locator("#confirm").is_visible():
            expect(page.locator("#confirm")).to_be_focused()
            page.keyboard.press("Enter")
        page.wait_for_function("(was) => document.getElementById('where').textContent !== was", arg=event)
    assert ready(page) is not whole
    expect(page.locator("#status")).not_to_be_empty()
