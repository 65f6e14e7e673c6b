"""Nothing is played that was not meant: double clicks, clicks on what has only just appeared, changes of mind."""

from __future__ import annotations

import os
from itertools import product
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.browser import PHONE, SEATS, NewPage, box, boxes, middle, nightly_but, ready, script, where
from support.misclicks import SEEN_MS, Clumsy
from support.playing import POINT_OF_PART, click_part, decide_by_clicking, hit, plot, start_game, until_dealt

ORDINARY, NASTY = (int(number) for number in os.environ.get("OMNIBUS_MISCLICKS", "20,10").split(","))
"""So many inputs on every page; `OMNIBUS_MISCLICKS=500,100` takes half an hour."""
LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
DEVICES = {"laptop": LAPTOP, "phone": PHONE}


@pytest.mark.parametrize(
    ("game", "device"), nightly_but(("times_square", "phone"), ("metromania", "laptop"), of=product(SEATS, DEVICES))
)
def test_nothing_is_played_that_was_not_meant(new_page: NewPage, game: str, device: str) -> None:
    """Whatever is clicked and typed: no line that was not shown before, and every refusal has the true reason."""
    page = clumsy_page(new_page, device)
    result = Clumsy(page, game, 1, touch=device == "phone").err(ORDINARY, NASTY)
    assert result.faults == [], result
    assert result.inputs == ORDINARY + NASTY
    assert result.played


HAND = '.board .pieces [data-part^="card-"]'
DEB_3 = "() => window.latest.moves.filter((move) => move.parts.includes('card-deb3')).length > 4"
"""Whether a card is dealt with which much can be done."""


def clumsy_page(new_page: NewPage, device: str = "laptop") -> Page:
    return new_page(hurried=False, **DEVICES[device])


def see(page: Page) -> None:
    """Give somebody the time to see what has appeared."""
    page.wait_for_timeout(SEEN_MS)


def test_a_second_tap_on_a_card_plays_nothing(new_page: NewPage) -> None:
    """On a phone: what can be done with a card appears nowhere under the finger, and a double tap is one tap."""
    page = clumsy_page(new_page, "phone")
    until_dealt(page, DEB_3)
    see(page)
    began = where(page)
    at = middle(page, '.board [data-part="card-deb3"].glow')
    page.touchscreen.tap(*at)
    page.touchscreen.tap(*at)
    see(page)
    expect(page.locator("#choices button").first).to_be_visible()
    expect(page.locator('.board [data-part="card-deb3"].picked-part').first).to_be_attached()
    for lying in boxes(page, HAND):
        assert lying["top"] >= box(page, "#choices")["bottom"], "the choices lie over the hand"
    page.touchscreen.tap(*at)  # later, it puts the card back
    expect(page.locator("#unpick")).to_be_hidden()
    expect(page.locator("#where")).to_have_text(began)


@pytest.mark.parametrize(("game", "decisions"), [("times_square", 0), ("metromania", 5)])
def test_a_double_click_on_a_place_plays_nothing(new_page: NewPage, game: str, decisions: int) -> None:
    """The second click does not hit what the first has brought, wherever on the board there is a choice."""
    other = new_page(**LAPTOP)
    start_game(other, game)
    for _ in range(decisions):
        decide_by_clicking(other, Random(1))
        assert ready(other)
    page = new_page(hurried=False, storage_state=other.context.storage_state(), **LAPTOP)
    page.goto(other.url)
    assert ready(page)
    began = where(page)
    places = page.evaluate(script("several"))
    assert len(places) > 3
    for place in places:
        see(page)
        if point := page.evaluate(POINT_OF_PART, place):
            page.mouse.dblclick(*point)
        expect(page.locator("#where")).to_have_text(began)
        page.keyboard.press("Escape")


def test_a_figure_answers_for_itself(new_page: NewPage) -> None:
    """A click on a figure that the chosen card does not move says so; it does not play what leads to its space."""
    page = clumsy_page(new_page)
    for _ in range(30):
        until_dealt(page, "() => window.latest.moves.some((move) => move.parts.includes('card-sue'))")
        see(page)
        began = where(page)
        assert click_part(page, "card-sue")
        see(page)
        point = page.evaluate(script("unlitFigure"))
        if point:
            break
    page.mouse.click(*point)
    expect(page.locator("#reason, #picked").locator("visible=true")).to_have_count(1)
    see(page)
    expect(page.locator("#where")).to_have_text(began)
    expect(page.locator("#pending")).to_be_hidden()


@pytest.mark.parametrize("device", DEVICES)
def test_the_hint_and_the_choices_can_both_be_clicked(new_page: NewPage, device: str) -> None:
    """They stand in one place, each in full; on a phone neither lies over the hand."""
    page = new_page(**DEVICES[device])
    until_dealt(page, DEB_3)
    page.locator("#hint").click()
    expect(page.locator("#ideas > li").first).to_be_visible()
    advice = box(page, "#advice")
    for card in boxes(page, HAND):
        assert card["bottom"] <= advice["top"] or advice["left"] > card["left"], "the hint lies over the hand"
    assert click_part(page, "card-deb3")
    page.locator("#choices button").last.click(trial=True)
    page.locator("#ideas button").first.click(trial=True)
    page.locator("#choices button").first.click(trial=True)


def test_the_line_says_what_enter_plays(new_page: NewPage) -> None:
    """After a refused click, a choice takes the place of the reason; a refused click ends the question."""
    page = clumsy_page(new_page)
    start_game(page, "bus")
    for number in range(2):
        see(page)
        assert click_part(page, plot(page))
        hit(page, "pass")
        expect(page.locator("#reason")).not_to_be_empty()
        see(page)
        page.locator("#choices button", has_text="Office").click()
        expect(page.locator("#reason")).to_be_empty()
        if number == 0:
            expect(page.locator("#where")).to_have_text("2 / 2")
    expect(page.locator("#pending-label")).to_be_visible()
    page.keyboard.press("Enter")  # at once: nobody has read it
    expect(page.locator("#pending-label")).to_be_visible()
    see(page)
    hit(page, "pass")
    expect(page.locator("#reason")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#where")).to_have_text("2 / 2")


CHANGES = {
    "bus": ("kind-pub", "kind-office"),
    "metromania": ("border-8", "border-6"),
    "times_square": ("card-hal1", "card-guard2"),
}
"""Two parts of each game of which either can be chosen first, but not both."""


@pytest.mark.parametrize("game", SEATS)
def test_one_can_change_ones_mind(new_page: NewPage, game: str) -> None:
    """What does not go with what was chosen, but begins a move, takes its place."""
    one, two = CHANGES[game]
    page = clumsy_page(new_page)
    glow = f"() => ['{one}', '{two}'].every((part) => document.querySelector(`[data-part='${{part}}'].glow`))"
    until_dealt(page, glow, game)
    see(page)
    began = where(page)
    assert click_part(page, one)
    expect(page.locator(f'.board [data-part="{one}"].picked-part').first).to_be_attached()
    see(page)
    page.locator(f'.board [data-part="{two}"]').last.click(force=True)
    expect(page.locator(f'.board [data-part="{two}"].picked-part').first).to_be_attached()
    expect(page.locator(f'.board [data-part="{one}"].picked-part')).to_have_count(0)
    expect(page.locator("#reason")).to_be_empty()
    expect(page.locator("#where")).to_have_text(began)
