"""Puzzles in a real browser: solved by mouse and by keyboard, or given up."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from omnibus import games
from omnibus.lab.puzzles.document import Puzzle, puzzles_of
from support.browser import PHONE, NewPage, faults, focused, tab_to
from support.playing import hit, open_moves

FIRST = {name: next(iter(found.values())) for name in games.names() if (found := puzzles_of(games.find(name)))}
PUZZLE = next(iter(FIRST.values()))


def unevenness(puzzle: Puzzle) -> float:
    """Tell how far the measured lead of a solution is from the difference of the shares."""
    of_others = [choice.share for choice in puzzle.choices if choice.line not in puzzle.solution]
    own = [choice.share for choice in puzzle.choices if choice.line in puzzle.solution]
    return abs(puzzle.gap - (min(own) - max(of_others)))


UNEVEN = max((puzzle for name in FIRST for puzzle in puzzles_of(games.find(name)).values()), key=unevenness)


def open_puzzle(page: Page, puzzle: Puzzle) -> None:
    page.goto(f"/puzzles/{puzzle.id}")
    expect(page.locator("#move-picker")).to_be_visible()


def choose(page: Page, line: str) -> None:
    """Choose a line from the list of all moves, and confirm it."""
    expect(page.locator("#move-picker")).to_be_visible()
    open_moves(page)
    page.locator(f'#moves [data-line="{line}"]').click()
    page.locator("#confirm").click()


def wrong_line(puzzle: Puzzle) -> str:
    return puzzle.choices[-1].line


@pytest.mark.parametrize("name", FIRST)
def test_right(page: Page, name: str) -> None:
    """The right line is praised and explained; a click that leads to no move has its reason, with the § as a link."""
    puzzle = FIRST[name]
    open_puzzle(page, puzzle)
    if name == "times_square":
        hit(page, "figure-charlie")
        expect(page.locator("#reason a")).to_contain_text("§")
    choose(page, puzzle.solution[0])
    expect(page.locator("#verdict")).to_have_text("Right!")
    expect(page.locator("#lines tr.right")).to_have_count(len(puzzle.solution))
    expect(page.locator("#lines tr")).to_have_count(len(puzzle.choices))
    expect(page.locator("#streak")).to_have_text("1")
    expect(page.locator("#show-solution")).to_be_hidden()
    assert faults(page) == []


def shares(page: Page, lines: str) -> list[int]:
    """Return the percentages that are shown of some lines."""
    return [int(re.findall(r"\d+", text)[0]) for text in page.locator(f"{lines} .share").all_text_contents()]


def test_on_a_phone(new_page: NewPage) -> None:
    """The page says which game it is; a link leads to the explanation, most of which is for the moves.

    The solution is better by the difference of the shares that are shown.
    """
    page = new_page(**PHONE)
    page.goto(f"/puzzles/{UNEVEN.id}")
    title = page.locator("h1")
    expect(title).to_have_text(re.compile(r"\w: puzzle \d+$"))
    assert title.evaluate("(shown) => shown.scrollWidth <= shown.clientWidth && shown.clientHeight < 40")
    expect(page.locator("#see-why")).to_be_hidden()
    page.locator("#show-solution").click()
    expect(page.locator("#see-why")).to_be_visible()
    page.locator("#see-why").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#better")).to_be_in_viewport(ratio=1)
    expect(page.locator("#verdict")).not_to_be_in_viewport()
    lead = min(shares(page, "#lines tr.right")) - max(shares(page, "#lines tr:not(.right)"))
    expect(page.locator("#better")).to_have_text(f"Better by {lead} percentage points than every other move.")
    widths = "(row) => [...row.cells].map((cell) => cell.getBoundingClientRect().width)"
    label, share = page.locator("#lines tr").first.evaluate(widths)
    assert label > 3 * share
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults(page) == []


def test_wrong(page: Page) -> None:
    """A wrong line can be followed by others, or by the solution; the list remembers the first attempt.

    The list leads to the puzzle of the day too, and that leads back to the list.
    """
    page.goto("/puzzles")
    assert faults(page) == []
    page.locator(f'a[href="/puzzles/{PUZZLE.id}"]').click()
    choose(page, wrong_line(PUZZLE))
    expect(page.locator("#verdict")).to_have_text("There is something much better. Try again.")
    expect(page.locator("#explanation")).to_be_hidden()
    expect(page.locator("#counts")).to_contain_text("this is practice")
    page.locator("#show-solution").click()
    expect(page.locator("#verdict")).to_have_text("This is the solution.")
    expect(page.locator("#see-why")).to_be_hidden()  # the explanation is right below
    expect(page.locator("#lines tr.right")).to_have_count(len(PUZZLE.solution))
    page.goto("/puzzles")
    expect(page.locator(f'a[href="/puzzles/{PUZZLE.id}"] .wrong')).to_be_visible()
    page.get_by_role("link", name="Puzzle of the day").click()
    expect(page.locator(".puzzle-card .note").first).to_contain_text("Puzzle of the day")
    page.get_by_role("link", name="All puzzles").click()
    expect(page.get_by_role("heading", name="Puzzles", exact=True)).to_be_visible()


def test_by_keyboard(page: Page) -> None:
    """Tab and Enter are enough: unfold the moves, choose one, confirm it, go to the next puzzle.

    Escape and a wrong line lead back to the move; the solution is followed by its lines, lit, or the next puzzle.
    """
    open_puzzle(page, PUZZLE)
    expect(page.locator("#counts")).to_contain_text("Your first attempt counts.")
    tab_to(page, "#move-picker-head")
    page.keyboard.press("Enter")
    expect(page.locator("#moves")).to_be_visible()
    tab_to(page, f'[data-line="{wrong_line(PUZZLE)}"]')
    for key in ("Escape", "Enter", "Escape", "Enter"):
        page.keyboard.press(key)
        if key == "Escape":
            expect(focused(page)).to_have_attribute("data-line", wrong_line(PUZZLE))
    expect(page.locator("#confirm")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#verdict.wrong")).to_be_visible()
    expect(focused(page)).to_have_attribute("data-line", wrong_line(PUZZLE))
    tab_to(page, "#show-solution")
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_have_text("This is the solution.")
    expect(page.locator("#next-puzzle")).to_be_focused()
    tab_to(page, "#lines tr.right")
    expect(page.locator(".board .lit")).not_to_have_count(0)
    page.locator("#next-puzzle").focus()
    expect(page.locator(".board .lit")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_have_text("It is your turn. Which move do you begin with?")
    open_puzzle(page, FIRST["metromania"])
    tab_to(page, f'[data-line="{FIRST["metromania"].solution[0]}"]')  # the list is still unfolded
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_have_text("Right!")
    expect(page.locator("#next-puzzle")).to_be_focused()
