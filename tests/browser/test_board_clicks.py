"""Clicks on the board of a table: what they choose, and why some choose nothing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from support.browser import (
    PENDING_OR_PLAYED,
    PHONE,
    NewPage,
    choose_card,
    click_part,
    open_moves,
    open_table,
    parts,
    ready,
    until_actions_are_taken,
)


def test_a_click_on_an_action_means_no_other(page: Page) -> None:
    """Bus: who clicks Pass before two actions are taken is told why; the action next to it is not chosen instead."""
    until_actions_are_taken(page)
    page.locator('.board [data-part="pass"]').first.click(force=True)
    expect(page.locator("#reason")).to_contain_text("§")
    expect(page.locator("#unpick").locator("visible=true")).to_have_count(0)


def test_illegal_clicks_say_why(page: Page) -> None:
    """With the §; and a click on what can be done narrows the list."""
    open_table(page, "bus", "you", "another", "another")
    assert ready(page)
    open_moves(page)
    page.locator('.board [data-part="pass"]').first.click(force=True)
    expect(page.locator("#reason")).to_contain_text("§")
    offered = page.locator("#moves button").count()
    plot = next(part for part in parts(page) if part.startswith("plot-"))
    page.locator(f'.board [data-part="{plot}"]').last.click(force=True)
    expect(page.locator("#reason")).to_be_empty()
    expect(page.locator("#moves button")).to_have_count(3)
    page.get_by_role("button", name="Choose again").locator("visible=true").click()
    expect(page.locator("#moves button")).to_have_count(offered)
    page.locator("#find").fill("pub")
    assert page.locator("#moves button").count() == offered // 3


def test_a_misclick_keeps_the_choice(page: Page) -> None:
    """With a kind of building chosen, a click on what does not go with it says why; nothing is played, nothing lost."""
    open_table(page, "bus", "you", "another", "another")
    assert ready(page)
    where = page.locator("#where").text_content()
    assert click_part(page, "kind-pub")
    left = page.locator("#moves button").all_text_contents()
    page.locator('.board [data-part="pass"]').first.click(force=True)
    expect(page.locator("#reason")).not_to_be_empty()
    assert page.locator("#moves button").all_text_contents() == left
    expect(page.locator('.board [data-part="kind-pub"].picked-part').first).to_be_attached()
    expect(page.locator("#where")).to_have_text(where or "")


def test_a_green_card_is_played_by_its_ghosts(page: Page) -> None:
    """Times Square: after a green card Sue and the whole trio stand as ghosts on both sides; each can be clicked."""
    for _ in range(20):  # until two green cards are dealt
        open_table(page, "times_square", "you", "another")
        page.locator("#cover-button").click()
        assert ready(page)
        if page.locator('#moves [data-line="sue+sue left"]').count():
            break
    ghosts = {"ghost-sue--1", "ghost-sue-1", "ghost-trio-left", "ghost-trio-right"}
    for ghost in sorted(ghosts):
        assert not any(part.startswith("ghost-") for part in parts(page))
        assert click_part(page, "card-sue")
        assert ghosts <= set(parts(page))
        assert click_part(page, ghost)
        if page.locator("#confirm").is_visible():
            page.locator("#confirm").click()
        expect(page.locator("#log li").last).to_contain_text("Sue")
        page.locator("#undo").click()
        expect(page.locator("#undo")).to_be_hidden()


GLOWS_AT = "({ x, y }) => document.elementsFromPoint(x, y).some((element) => element.closest('.glow'))"


def test_a_card_chosen_is_never_another_one_played(page: Page) -> None:
    """Times Square: with one card chosen, clicks on spaces only other cards reach play nothing."""
    open_table(page, "times_square", "you", "another")
    page.locator("#cover-button").click()
    assert ready(page)
    card = choose_card(page)
    where = page.locator("#where").text_content()
    chosen = page.locator("#moves button").all_text_contents()
    explained = 0
    for space in range(-8, 9):
        box = page.locator(f'.board [data-part="space-{space}"]').first.bounding_box()
        assert box
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        if page.evaluate(GLOWS_AT, at):  # the space itself, or a pawn on it
            continue
        page.mouse.click(at["x"], at["y"])
        if page.locator("#moves button").all_text_contents() == chosen:
            explained += bool(page.locator("#reason").text_content())
            expect(page.locator(f'.board [data-part="{card}"].picked-part').first).to_be_attached()
        else:  # a target close by took the click: choose the card again
            page.keyboard.press("Escape")
            assert click_part(page, card)
        expect(page.locator("#where")).to_have_text(where or "")
    assert explained


# The spaces to which one move alone leads.
LONE_SPACES = """() => {
  const all = window.latest.moves.flatMap((move) => move.parts);
  return all.filter((part) => part.startsWith("space-") && all.indexOf(part) === all.lastIndexOf(part));
}"""


def test_a_first_click_on_a_bare_place_asks(page: Page) -> None:
    """Times Square: a click on a space names no card, even if only one leads there; nor does a new choice play."""
    for _ in range(20):  # until one card alone leads somewhere
        open_table(page, "times_square", "you", "another")
        page.locator("#cover-button").click()
        assert ready(page)
        if any(click_part(page, space) for space in page.evaluate(LONE_SPACES)):
            break
    where = page.locator("#where").text_content() or ""
    expect(page.locator("#confirm")).to_be_visible()
    page.locator('.board [data-part^="card-"]:not(.picked-part)').first.click(force=True)
    expect(page.locator("#confirm, #unpick").locator("visible=true")).to_have_count(1)
    expect(page.locator("#where")).to_have_text(where)


def test_enter_in_an_empty_search_plays_nothing(page: Page) -> None:
    """Only what was typed is chosen by Enter."""
    open_table(page, "bus", "you", "another", "another")
    assert ready(page)
    open_moves(page)
    where = page.locator("#where").text_content()
    page.locator("#find").focus()
    for _ in range(8):
        page.keyboard.press("Enter")
    expect(page.locator("#where")).to_have_text(where or "")
    expect(page.locator("#confirm")).to_be_hidden()
    page.keyboard.type("pub")
    page.keyboard.press("Enter")
    page.wait_for_function(PENDING_OR_PLAYED, arg=where)


def test_a_near_miss_takes_the_nearest_target(page: Page) -> None:
    """A click a few pixels beside a plot means the plot; a reason cites its § with a link to the rules."""
    open_table(page, "bus", "you", "another", "another")
    assert ready(page)
    plot = next(part for part in parts(page) if part.startswith("plot-"))
    box = page.locator(f'.board [data-part="{plot}"].glow').first.bounding_box()
    assert box
    offered = page.locator("#moves button").count()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] + 8)
    page.wait_for_function("(before) => document.querySelectorAll('#moves button').length < before", arg=offered)
    page.keyboard.press("Escape")
    page.locator('.board [data-part="pass"]').first.click(force=True)
    link = page.locator("#reason a")
    expect(link).to_have_attribute("href", re.compile(r"^/rules/bus#\d"))


IDLE = {"bus": "pass", "times_square": "figure-charlie", "metromania": "points-1"}
"""Of each game, a part with which nothing can be done when it begins."""


def test_every_game_says_why(page: Page) -> None:
    """What is clicked in vain is answered with the real reason, and its § as a link to the rules."""
    for game, part in IDLE.items():
        open_table(page, game)
        assert ready(page)
        page.locator(f'.board [data-part="{part}"]').last.click(force=True)
        expect(page.locator("#reason a")).to_have_attribute("href", re.compile(rf"^/rules/{game}#\d"))


BESIDE = """() => {
  const lit = [...document.querySelectorAll(".board .glow")].map((part) => part.getBoundingClientRect());
  const away = (x, y) => Math.min(...lit.map(({ left, right, top, bottom }) =>
    Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))));
  const free = (x, y) => document.elementsFromPoint(x, y).some((part) => part.closest(".board [data-part]"))
    && !document.elementsFromPoint(x, y).some((part) => part.closest("[data-exact]"));
  const points = lit.flatMap(({ left, right, top, bottom }) => [[(left + right) / 2, top - 30],
    [(left + right) / 2, bottom + 30], [left - 30, (top + bottom) / 2], [right + 30, (top + bottom) / 2]]);
  return points.find(([x, y]) => away(x, y) > 29 && free(x, y));
}"""
"""A point 30 pixels beside what can be clicked, on another part, but on none that is only clicked on purpose."""


@pytest.mark.parametrize(("has_touch", "chosen"), [(False, 0), (True, 1)], ids=["mouse", "finger"])
def test_a_finger_reaches_further(new_page: NewPage, *, has_touch: bool, chosen: int) -> None:
    """A click 30 pixels beside a target is too far away for a mouse, but not for a finger."""
    page = new_page(**PHONE | {"has_touch": has_touch})
    open_table(page, "bus")
    assert ready(page)
    page.locator(".board .glow").first.scroll_into_view_if_needed()
    page.mouse.click(*page.evaluate(BESIDE))
    if not chosen:
        expect(page.locator("#reason")).not_to_be_empty()
    expect(page.locator("#unpick").locator("visible=true")).to_have_count(chosen)
