"""Puzzles in a real browser: solved by mouse and by keyboard, or given up."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from omnibus import games
from omnibus.lab.puzzles.document import Puzzle, puzzles_of
from support.browser import faults, open_moves, tab_to

FIRST = {name: next(iter(found.values())) for name in games.names() if (found := puzzles_of(games.find(name)))}
NAME, PUZZLE = next(iter(FIRST.items()))


def choose(page: Page, line: str) -> None:
    """Choose a line from the list of all moves, and confirm it."""
    open_moves(page)
    page.locator(f'#moves [data-line="{line}"]').click()
    page.locator("#confirm").click()


def wrong_line(puzzle: Puzzle) -> str:
    return puzzle.choices[-1].line


@pytest.mark.parametrize("name", FIRST)
def test_right(page: Page, name: str) -> None:
    """The right line is praised and explained, and the next puzzle is offered."""
    puzzle = FIRST[name]
    page.goto(f"/puzzles/{puzzle.id}")
    choose(page, puzzle.solution[0])
    expect(page.locator("#verdict")).to_have_text("Right!")
    expect(page.locator("#lines tr.right")).to_have_count(len(puzzle.solution))
    expect(page.locator("#lines tr")).to_have_count(len(puzzle.choices))
    expect(page.locator("#streak")).to_have_text("1")
    expect(page.locator("#show-solution")).to_be_hidden()
    assert faults(page) == []


def test_wrong(page: Page) -> None:
    """A wrong line can be followed by others, or by the solution; the list remembers the first attempt."""
    puzzle = PUZZLE
    page.goto("/puzzles")
    assert faults(page) == []
    page.locator(f'a[href="/puzzles/{puzzle.id}"]').click()
    choose(page, wrong_line(puzzle))
    expect(page.locator("#verdict")).to_have_text("There is something much better. Try again.")
    expect(page.locator("#explanation")).to_be_hidden()
    expect(page.locator("#counts")).to_contain_text("this is practice")
    page.locator("#show-solution").click()
    expect(page.locator("#verdict")).to_have_text("This is the solution.")
    expect(page.locator("#lines tr.right")).to_have_count(len(puzzle.solution))
    page.goto("/puzzles")
    expect(page.locator(f'a[href="/puzzles/{puzzle.id}"] .wrong')).to_be_visible()


def test_illegal_clicks_say_why(page: Page) -> None:
    """Nobody can move Charlie, in no puzzle; the reason has its § as a link."""
    page.goto(f"/puzzles/{FIRST['times_square'].id}")
    expect(page.locator("#move-picker")).to_be_visible()
    page.locator('.board [data-part="figure-charlie"]').first.click(force=True)
    expect(page.locator("#reason a")).to_contain_text("§")


def test_by_keyboard(page: Page) -> None:
    """Tab and Enter are enough: unfold the moves, choose one, confirm it, go to the next puzzle."""
    puzzle = PUZZLE
    page.goto(f"/puzzles/{puzzle.id}")
    expect(page.locator("#move-picker")).to_be_visible()
    tab_to(page, "#move-picker-head")
    page.keyboard.press("Enter")
    expect(page.locator("#moves")).to_be_visible()
    tab_to(page, f'[data-line="{puzzle.solution[0]}"]')
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_have_text("Right!")
    if len(puzzles_of(games.find(NAME))) > 1:
        expect(page.locator("#next-puzzle")).to_be_focused()


def test_giving_up_by_keyboard(page: Page) -> None:
    """A wrong line leaves the focus among the moves; whoever looks at the solution goes on to the next puzzle."""
    puzzle = PUZZLE
    page.goto(f"/puzzles/{puzzle.id}")
    expect(page.locator("#move-picker")).to_be_visible()
    expect(page.locator("#counts")).to_contain_text("Your first attempt counts.")
    tab_to(page, "#move-picker-head")
    page.keyboard.press("Enter")
    expect(page.locator("#moves")).to_be_visible()
    tab_to(page, f'[data-line="{wrong_line(puzzle)}"]')
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#verdict.wrong")).to_be_visible()
    expect(page.locator("#moves :focus")).to_have_count(1)
    tab_to(page, "#show-solution")
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_have_text("This is the solution.")
    expect(page.locator("#next-puzzle")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_have_text("It is your turn. Which move do you begin with?")


def test_the_puzzle_of_the_day(page: Page) -> None:
    """The list leads to it, and it leads back to the list."""
    page.goto("/puzzles")
    page.get_by_role("link", name="Puzzle of the day").click()
    expect(page.locator(".puzzle-card .note").first).to_contain_text("Puzzle of the day")
    page.get_by_role("link", name="All puzzles").click()
    expect(page.get_by_role("heading", name="Puzzles", exact=True)).to_be_visible()
