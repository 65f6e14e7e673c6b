"""Clicks on the board of a table: what they choose, and why some choose nothing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from support.browser import PHONE, NewPage, box, middle, ready, script, where
from support.playing import (
    PENDING_OR_PLAYED,
    choose_card,
    choose_first,
    click_part,
    confirm,
    hit,
    open_moves,
    parts,
    plot,
    start_game,
    until_dealt,
)

IDLE = {"bus": "pass", "times_square": "figure-charlie", "metromania": "points-1"}
"""Of each game, a part with which nothing can be done when it begins."""


def test_every_game_says_why(page: Page) -> None:
    """What is clicked in vain is answered with the real reason, and its § as a link to the rules."""
    for game, part in IDLE.items():
        start_game(page, game)
        page.locator(f'.board [data-part="{part}"]').last.click(force=True)
        expect(page.locator("#reason a")).to_contain_text("§")
        expect(page.locator("#reason a")).to_have_attribute("href", re.compile(rf"^/rules/{game}#\d"))


def test_a_click_means_no_action_beside_it(page: Page) -> None:
    """Bus: who clicks Pass too early, or the passengers' box, is told why; the action next to it is not chosen."""
    page.set_viewport_size({"width": 1366, "height": 768})
    start_game(page, "bus", "you", "another", "another")
    while not page.locator('.board [data-part="action-start"].glow').count():
        choose_first(page)
        assert ready(page)
    for part, reason in (("pass", "§"), ("box", "Passengers leave the box by the action Passengers")):
        page.locator(f'.board [data-part="{part}"]').last.click(force=True)
        expect(page.locator("#reason")).to_contain_text(reason)
        expect(page.locator("#pending")).to_be_hidden()
        expect(page.locator("#unpick").locator("visible=true")).to_have_count(0)


def test_the_list_of_moves_follows_what_is_clicked(page: Page) -> None:
    """A click narrows it, a near miss too; a misclick with its reason plays and loses nothing; what is typed finds."""
    start_game(page, "bus", "you", "another", "another")
    open_moves(page)
    moves, began = page.locator("#moves button"), where(page)
    offered = moves.count()
    hit(page, "pass")
    expect(page.locator("#reason")).to_contain_text("§")
    near = f'.board [data-part="{plot(page)}"].glow'
    (x, y), lying = middle(page, near), box(page, near)
    page.mouse.click(x, y + (lying["bottom"] - lying["top"]) / 2 + 8)  # means the plot
    expect(page.locator("#reason")).to_be_empty()
    expect(moves).to_have_count(3)
    page.get_by_role("button", name="Choose again").locator("visible=true").click()
    expect(moves).to_have_count(offered)
    assert click_part(page, "kind-pub")
    left = moves.all_text_contents()
    hit(page, "pass")
    expect(page.locator("#reason")).not_to_be_empty()
    assert moves.all_text_contents() == left
    expect(page.locator('.board [data-part="kind-pub"].picked-part').first).to_be_attached()
    page.keyboard.press("Escape")
    page.locator("#find").focus()
    for _ in range(8):
        page.keyboard.press("Enter")  # nothing was typed
    expect(page.locator("#where")).to_have_text(began)
    expect(page.locator("#confirm")).to_be_hidden()
    page.keyboard.type("pub")
    assert moves.count() == offered // 3
    page.keyboard.press("Enter")
    page.wait_for_function(PENDING_OR_PLAYED, arg=began)


def test_a_green_card_is_played_by_its_ghosts(page: Page) -> None:
    """Times Square: Sue and the trio, on its plate, stand as ghosts on both sides, and each can be clicked."""
    two_green = "() => window.latest.moves.some(({ line }) => line === 'sue+sue left')"
    until_dealt(page, two_green, "times_square", "you", "another")
    ghosts = {"ghost-sue--1", "ghost-sue-1", "ghost-trio-left", "ghost-trio-right"}
    for ghost in sorted(ghosts):
        assert not any(part.startswith("ghost-") for part in parts(page))
        assert click_part(page, "card-sue")
        assert ghosts <= set(parts(page))
        assert page.evaluate(script("onThePlate")) == [True, True]
        assert click_part(page, ghost)
        confirm(page)
        expect(page.locator("#log li").last).to_contain_text("Sue")
        page.locator("#undo").click()
        expect(page.locator("#undo")).to_be_hidden()


GLOWS_AT = "([x, y]) => document.elementsFromPoint(x, y).some((element) => element.closest('.glow'))"


def test_a_card_chosen_is_never_another_one_played(page: Page) -> None:
    """Times Square: with one card chosen, clicks on spaces only other cards reach play nothing."""
    start_game(page, "times_square", "you", "another")
    card, began = choose_card(page), where(page)
    chosen = page.locator("#moves button").all_text_contents()
    explained = 0
    for space in range(-8, 9):
        at = middle(page, f'.board [data-part="space-{space}"]')
        if page.evaluate(GLOWS_AT, at):  # the space itself, or a pawn on it
            continue
        page.mouse.click(*at)
        if page.locator("#moves button").all_text_contents() == chosen:
            explained += bool(page.locator("#reason").text_content())
            expect(page.locator(f'.board [data-part="{card}"].picked-part').first).to_be_attached()
        else:  # a target close by took the click: choose the card again
            page.keyboard.press("Escape")
            assert click_part(page, card)
        expect(page.locator("#where")).to_have_text(began)
    assert explained


def test_a_first_click_on_a_bare_place_asks(page: Page) -> None:
    """Times Square: a click on a space names no card, even if only one leads there; nor does a new choice play."""
    for _ in range(20):  # until one card alone leads somewhere
        start_game(page, "times_square", "you", "another")
        began = where(page)
        if any(click_part(page, space) for space in page.evaluate(script("loneSpaces"))):
            break
    expect(page.locator("#confirm")).to_be_visible()
    page.locator('.board [data-part^="card-"]:not(.picked-part)').first.click(force=True)
    expect(page.locator("#confirm, #unpick").locator("visible=true")).to_have_count(1)
    expect(page.locator("#where")).to_have_text(began)


@pytest.mark.parametrize(("has_touch", "chosen"), [(False, 0), (True, 1)], ids=["mouse", "finger"])
def test_a_finger_reaches_further(new_page: NewPage, *, has_touch: bool, chosen: int) -> None:
    """A click 30 pixels beside a target is too far away for a mouse, but not for a finger."""
    page = new_page(**PHONE | {"has_touch": has_touch})
    start_game(page, "bus")
    page.locator(".board .glow").first.scroll_into_view_if_needed()
    page.mouse.click(*page.evaluate(script("beside")))
    if not chosen:
        expect(page.locator("#reason")).not_to_be_empty()
    expect(page.locator("#unpick").locator("visible=true")).to_have_count(chosen)
