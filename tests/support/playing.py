"""Tables for browser tests: set them up, and make moves there by mouse."""

from __future__ import annotations

from random import Random
from typing import Any

from playwright.sync_api import Page, expect

from support.browser import SEATS, WEAK, ready, script

MOST_DECISIONS = 900
MOST_CLICKS = 40
PENDING_OR_PLAYED = script("pendingOrPlayed")
POINT_OF_PART = script("pointOfPart")


def open_table(page: Page, game: str, *sitters: str, **fields: str) -> None:
    """Set up a table with the form of the lobby, without opening the lobby; `fields` are others of the form."""
    who = sitters or ("you", *[WEAK] * (SEATS[game] - 1))
    seats = {f"seat-{seat}": name for seat, name in enumerate(who)}
    answer = page.request.post(f"/games/{game}/tables", form={**seats, **fields}, max_redirects=0)
    page.goto(answer.headers["location"])


def start_game(page: Page, game: str, *sitters: str, **fields: str) -> None:
    """Open a table, and wait for the first move to choose; where several players hide hands, uncover the first."""
    open_table(page, game, *sitters, **fields)
    if "another" in sitters and game != "bus":
        page.locator("#cover-button").click()
    assert ready(page)


def until_dealt(page: Page, condition: str, game: str = "times_square", *sitters: str) -> None:
    """Open tables of a game until something is so when the first own turn begins."""
    for _ in range(30):
        start_game(page, game, *sitters)
        if page.evaluate(condition):
            return
    raise AssertionError(f"never dealt: {condition}")


def choose_first(page: Page) -> None:
    """Choose the first of all moves, and confirm it where that is asked."""
    open_moves(page)
    page.locator("#moves button").first.click()
    confirm(page)


def confirm(page: Page) -> None:
    """Confirm the move that was chosen, where that is asked."""
    if page.locator("#confirm").is_visible():
        page.locator("#confirm").click()


def hit(page: Page, part: str) -> None:
    """Click where a part of the board is drawn, whatever lies above it or comes of it."""
    page.locator(f'.board [data-part="{part}"]').first.click(force=True)


def parts(page: Page) -> list[str]:
    """The parts that glow now."""
    found: list[str] = page.evaluate(
        "[...new Set([...document.querySelectorAll('.glow')].map(e => e.dataset.part))].sort()"
    )
    return found


def plot(page: Page) -> str:
    """The first plot of Bus that glows."""
    return next(part for part in parts(page) if part.startswith("plot-"))


def click_part(page: Page, part: str) -> bool:
    """Click a part on the board; False when it lies under others everywhere."""
    point: Any = page.evaluate(POINT_OF_PART, part)
    if point:
        page.mouse.click(*point)
    return bool(point)


def open_moves(page: Page) -> None:
    """Unfold the list of all moves."""
    if page.locator("#move-picker:not([open])").count():
        page.locator("#move-picker-head").click()
    expect(page.locator("#moves")).to_be_visible()


def decide_by_clicking(page: Page, random: Random) -> None:
    """Choose a move with the mouse: parts of the board as long as they narrow it down, then a button, then Confirm."""
    event = page.locator("#where").text_content()
    assert click_on_board(page, random)
    for _ in range(MOST_CLICKS):
        if decided(page, event):
            return
        buttons = page.locator("#choices button")
        if page.locator("#confirm").is_visible():
            page.locator("#confirm").click()
        elif (random.random() > 0.7 and buttons.count()) or not click_on_board(page, random):
            buttons.nth(random.randrange(buttons.count())).click()
    raise AssertionError("clicks do not lead to a move")


def decide_on_the_board(page: Page, random: Random) -> None:
    """Click parts that glow until a move is chosen, and confirm it where that is asked.

    Everything that glows can be clicked, while several moves are left something glows, and no other target is shown.
    """
    event = page.locator("#where").text_content()
    for _ in range(MOST_CLICKS):
        if decided(page, event):
            return
        if page.locator("#confirm").is_visible():
            page.locator("#confirm").click()
            continue
        assert parts(page), "several moves are left, and nothing glows"
        assert page.evaluate(script("coveredParts")) == []
        assert page.evaluate(script("strayTargets")) == []
        assert click_on_board(page, random)
    raise AssertionError("clicks do not lead to a move")


def click_on_board(page: Page, random: Random) -> bool:
    """Click one of the parts that glow; False when none can be clicked."""
    glowing = parts(page)
    random.shuffle(glowing)
    return any(click_part(page, part) for part in glowing)


def decided(page: Page, event: str | None) -> bool:
    """Tell whether the move has been sent or played."""
    if page.locator("#move-picker").is_hidden():
        page.wait_for_function("(was) => document.getElementById('where').textContent !== was", arg=event)
        return True
    return page.locator("#where").text_content() != event


def choose_card(page: Page) -> str:
    """Choose a card that can be played in several ways; one that can only be played in one way is played at once."""
    cards = [part for part in parts(page) if part.startswith("card-")]
    for card in cards:
        where = page.locator("#where").text_content() or ""
        assert click_part(page, card)
        if page.locator("#picked").is_visible():
            return card
        if page.locator("#confirm").is_visible():
            page.keyboard.press("Escape")
        else:
            expect(page.locator("#where")).not_to_have_text(where)
            return choose_card(page)
    raise AssertionError(f"none of {cards} can be played in two ways")
