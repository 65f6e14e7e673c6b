"""The tutorials in a real browser, and what a newcomer is shown at a first table."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Page, expect

from omnibus import games
from support.browser import (
    PHONE,
    SEATS,
    NewPage,
    box,
    faults_in_themes,
    focused,
    nightly_but,
    ready,
    resize,
    script,
    submit,
    tab_to,
    wait_for_shape,
)
from support.playing import click_part, decide_by_clicking, hit, parts, start_game

END = "#lesson-end"


def at_step(page: Page, number: int) -> None:
    """Wait until a step is shown."""
    expect(page.locator("#lesson-step")).to_have_text(f"{number} / {page.locator('#progress').get_attribute('max')}")


def follow(page: Page) -> None:
    """Do what is asked for: continue, click what glows, or press the button that is marked."""
    wanted = ".board .glow, #choices .wanted, #go-on:not([hidden]), #lesson-end:not([hidden])"
    page.wait_for_function("(wanted) => document.querySelector(wanted)", arg=wanted)
    if page.locator("#go-on").is_visible():
        page.locator("#go-on").click()
    elif glowing := parts(page):
        assert click_part(page, glowing[0])
    elif page.locator(END).is_hidden():
        page.locator("#choices .wanted").first.click()


@pytest.mark.parametrize("game", nightly_but("bus", of=SEATS))
def test_by_mouse(page: Page, game: str) -> None:
    """Following what glows leads through every step, to the goal and into a game against easy bots."""
    page.goto(f"/learn/{game}")
    for _ in range(60):
        if page.locator(END).is_visible():
            break
        follow(page)
    expect(page.locator(END)).to_contain_text(games.find(game).goal)
    submit(page, page.get_by_role("button", name="Play against easy bots"))
    expect(page.locator("#goal")).to_contain_text(games.find(game).goal)
    expect(page.locator("#panels")).to_contain_text("easy bot")
    expect(page.locator("#offer-tutorial")).to_be_hidden()
    assert ready(page)
    expect(page.locator("#panels").get_by_text("You", exact=True)).to_have_count(0)  # the name alone says it
    decide_by_clicking(page, Random(1))
    expect(page.locator("#goal details")).not_to_have_attribute("open", "")
    assert ready(page)
    page.locator("#hint").click()
    expect(page.locator("#ideas li")).not_to_have_count(0)
    page.wait_for_function(script("lastInSight"))  # what the others did last
    page.locator("#goal button").click()
    expect(page.locator("#goal")).to_be_hidden()
    page.reload()
    expect(page.locator("#goal")).to_be_hidden()


def choose(page: Page, lines: tuple[str, ...]) -> None:
    """Go down the list of moves, where the focus is, to one of these lines, and press Enter."""
    for _ in range(80):
        if focused(page).get_attribute("data-line") in lines:
            page.keyboard.press("Enter")
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"the keys do not lead to {lines}")


def test_by_keyboard(page: Page) -> None:
    """The list of moves is enough: other moves are answered, the wanted one leads on, and the focus follows."""
    lessons = games.find("bus").lessons
    page.goto("/learn/bus")
    at_step(page, 1)
    tab_to(page, "#move-picker-head")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    for number, step in enumerate(lessons, 1):
        at_step(page, number)
        if number == 2:
            choose(page, ("take start",))
            expect(page.locator("#reason")).to_have_text(step.otherwise)
        choose(page, step.wanted)
        if step.result:
            expect(page.locator("#lesson-text")).to_have_text(step.result)
            expect(page.locator("#go-on")).to_be_focused()
            page.keyboard.press("Enter")
    expect(page.locator(END)).to_be_focused()


@pytest.mark.parametrize("size", [(1366, 768), (360, 740)])
def test_other_clicks_are_answered(page: Page, size: tuple[int, int]) -> None:
    """A click that leads elsewhere plays nothing and says what is wanted, before and after the first right one.

    Neither moves the buttons or the board; the arrow covers no target.
    """
    page.set_viewport_size({"width": size[0], "height": size[1]})
    first = games.find("times_square").lessons[0]
    page.goto("/learn/times_square")
    at_step(page, 1)
    wait_for_shape(page)  # the first page does not know the window yet
    before = page.evaluate(script("places"))
    for wanted, elsewhere in (("card-sue", ["card-hal2"]), ("space--7", ["card-hal2", "card-sue"])):
        assert parts(page) == [wanted]
        for part in elsewhere:
            hit(page, part)
            assert parts(page) == [wanted]  # what was chosen stays chosen
            assert page.evaluate(script("places")) == before
            assert not page.evaluate(script("pointerCoversTarget"))
            expect(page.locator("#reason")).to_have_text(first.otherwise)
        text = "Good. Now click what glows." if wanted == "space--7" else first.text
        expect(page.locator("#lesson-text")).to_have_text(text)
        assert click_part(page, wanted)
    expect(page.locator("#lesson-text")).to_have_text(first.result)


def test_what_is_pointed_at(page: Page) -> None:
    """Where the text asks for a button, the arrow is beside it and not on the board.

    On a phone a point of the map is small: once the triangle was chosen, the ring and the arrow are at the point.
    """
    page.goto("/learn/times_square?step=4")
    at_step(page, 4)
    expect(page.locator("#choices .wanted")).to_have_text("Done")
    expect(page.locator("#pointer")).to_be_hidden()
    assert parts(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/learn/metromania?step=5")
    at_step(page, 5)
    wait_for_shape(page)
    expect(page.locator("#ring")).to_be_hidden()
    assert click_part(page, "cell-U-2,-3")
    assert parts(page) == ["vertex--2,-2"]
    expect(page.locator("#ring")).to_be_visible()
    assert click_part(page, "vertex--2,-2")
    at_step(page, 6)


def test_steps_are_kept(page: Page) -> None:
    """Back and Skip lead from step to step; the step stays in the address and on the device."""
    page.goto("/learn/metromania")
    at_step(page, 1)
    expect(page.locator("#back")).to_be_hidden()
    for number in (2, 3):
        page.locator("#skip").click()
        at_step(page, number)
    page.locator("#back").click()
    at_step(page, 2)
    expect(page).to_have_url(re.compile(r"/learn/metromania\?step=2$"))
    submit(page, page.get_by_role("button", name="Italiano"))
    at_step(page, 2)
    expect(page.locator("h1")).to_have_text("Impara MetroMania")
    page.goto("/learn/metromania")
    at_step(page, 2)
    page.goto("/learn/bus")
    at_step(page, 1)


def test_newcomers_are_offered_it(page: Page) -> None:
    """On the lobby until they have a table, and at the first table of a game, below its goal, until that is closed."""
    page.goto("/")
    expect(page.locator(".newcomer a")).to_have_count(len(SEATS))
    submit(page, page.get_by_role("button", name="Play now: Bus"))
    goal, offer = page.locator("#goal"), page.locator("#offer-tutorial")
    expect(goal).to_contain_text(games.find("bus").goal)
    expect(offer).to_have_attribute("href", "/learn/bus")
    page.goto("/")
    submit(page, page.get_by_role("button", name="Play now: Bus"))
    expect(goal).to_be_visible()
    expect(offer).to_have_count(0)
    goal.get_by_role("button").click()
    expect(goal).to_be_hidden()
    page.reload()
    assert ready(page)
    expect(goal).to_be_hidden()
    page.goto("/")
    expect(page.locator(".newcomer")).to_have_count(0)


def test_each_kind_of_decision_is_explained_once(page: Page) -> None:
    """A tip stays until the decision was made or dismissed, and does not come back; it does not hide the status."""
    page.goto("/")
    submit(page, page.get_by_role("button", name="Play now: Times Square"))
    tip = page.locator("#tip")
    assert ready(page)
    expect(tip).to_contain_text("Play cards of one colour")
    page.reload()
    assert ready(page)
    expect(tip).to_contain_text("Play cards of one colour")
    resize(page, 360, 740)
    assert box(page, "#status")["bottom"] <= box(page, "#tip")["top"] + 1
    page.locator('#moves button[data-line^="drop"]').first.evaluate("(button) => button.click()")
    expect(tip).to_contain_text("Drop as many cards as you like")
    page.locator("#tip-close").click()
    expect(tip).to_be_hidden()
    page.reload()
    assert ready(page)
    expect(tip).to_be_hidden()
    page.locator("#undo").click()
    expect(page.locator("#undo")).to_be_hidden()
    assert ready(page)
    expect(tip).to_be_hidden()


@pytest.mark.parametrize("locale", nightly_but("de", of=["en", "it", "fr", "de"]))
def test_a_phone_shows_all_of_a_tip(new_page: NewPage, locale: str) -> None:
    """The first tips are whole, in every game and language."""
    page = new_page(**PHONE, locale=locale)
    for game in SEATS:
        start_game(page, game)
        tip = page.locator("#tip")
        expect(tip).to_be_visible()
        assert tip.evaluate("(element) => element.scrollHeight - element.clientHeight") <= 1


def test_enter_goes_on_and_axe_finds_nothing_serious(page: Page) -> None:
    """“Continue ⏎” is reached by Enter also by those who have played with the mouse.

    In a step, with a reason, after a move, and at the end, axe finds no fault in any theme.
    """
    page.goto("/learn/times_square")
    at_step(page, 1)
    hit(page, "card-hal2")
    assert faults_in_themes(page) == []
    follow(page)
    follow(page)
    expect(page.locator("#go-on")).to_be_visible()
    assert faults_in_themes(page) == []
    page.keyboard.press("Enter")
    at_step(page, 2)
    page.goto(f"/learn/times_square?step={len(games.find('times_square').lessons)}")
    page.locator("#skip").click()
    expect(page.locator(END)).to_be_visible()
    assert faults_in_themes(page) == []
