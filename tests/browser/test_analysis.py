"""The analysis of a game in the browser: progress, curve, moments, and trying again."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing

import pytest
from playwright.sync_api import Page, expect

from omnibus import Match
from support.analyses import all_made_up, finished_match, rows
from support.browser import OF_COLOURS, NewPage, faults, focused, open_tab, script, submit, upload
from support.playing import click_part, hit, start_game
from support.server_process import ServerProcess


@pytest.fixture(scope="module")
def match() -> Match:
    return finished_match()


def analysed(page: Page, hosted: ServerProcess, match: Match, but: int = 0) -> str:
    """Upload a record, and keep an analysis of it without its last decisions; return the path of its page."""
    path = upload(page, match.record())
    kept = rows(match, path.removeprefix("/records/"))
    with closing(sqlite3.connect(hosted.data / "omnibus.db", timeout=30)) as connection, connection:
        insert = "INSERT OR REPLACE INTO record_analyses (record_id, ply, basis, decision) VALUES (?, ?, ?, ?)"
        connection.executemany(insert, kept[: len(kept) - but])
    return f"{path}/analysis"


def test_curve_and_moments(page: Page, hosted: ServerProcess, match: Match) -> None:
    """Three moments, each with its picture; curve, log and buttons go to positions, by mouse and keys."""
    page.goto(analysed(page, hosted, match))
    expect(page.locator(".moments img")).to_have_count(3)
    page.get_by_role("link", name="Show on the board").first.click()
    expect(page.locator("#played")).to_contain_text("?? blunder")
    expect(page.locator("#shares")).to_contain_text("60% → 35%")
    expect(page.locator("#lines li strong").first).to_be_visible()
    expect(page.locator("#board .lit")).not_to_have_count(0)
    expect(page.locator("#board svg")).to_be_in_viewport(ratio=0.99)
    expect(page.locator("#heading")).to_be_in_viewport()
    curve = page.get_by_role("slider", name="Chances to win")
    curve.press("Home")
    expect(curve).to_have_attribute("aria-valuenow", "1")
    expect(page.locator("#heading")).to_contain_text("Move 1 of")
    curve.press("ArrowRight")
    expect(curve).to_have_attribute("aria-valuenow", "2")
    expect(page.locator("#heading")).to_contain_text("Move 2 of")
    curve.press("End")
    expect(page.locator("#heading")).to_contain_text("End of the game")
    curve.click()
    expect(page.locator("#heading")).not_to_contain_text("End of the game")
    ply = page.locator("#log .current").get_attribute("data-ply")
    assert ply
    assert abs(int(ply) - match.length / 2) < match.length / 8
    page.get_by_role("button", name="Next turn").click()
    expect(page.locator("#log .current[data-turn]")).to_have_count(1)
    page.locator("summary", has_text="The curve as a table").click()
    expect(page.locator(".curve-table tbody tr")).to_have_count(len(all_made_up(match)) + 2)
    assert faults(page) == []
    page.emulate_media(color_scheme="dark")
    assert faults(page, *OF_COLOURS) == []
    turns_follow_one_another(page)


def turns_follow_one_another(page: Page) -> None:
    """However often Play is clicked, one turn follows another; a key ends it at once, and the button says so."""
    play, shown = page.locator("#play"), page.locator("#log .current")
    page.locator("#to-start").click()
    page.locator("#next-turn").click()
    second = shown.get_attribute("data-ply") or ""
    page.locator("#to-start").click()
    page.clock.install(time=0)
    page.clock.pause_at(60)
    play.evaluate("(button) => { for (let click = 0; click < 3; click++) button.click(); }")
    expect(play).to_contain_text("Pause")
    page.clock.run_for(2000)
    expect(shown).to_have_attribute("data-ply", second)
    page.keyboard.press("ArrowRight")
    assert "Play" in play.inner_text()


def test_marks_on_a_phone(new_page: NewPage, hosted: ServerProcess, match: Match) -> None:
    """No mark of the curve covers another one."""
    page = new_page(viewport={"width": 360, "height": 740})
    page.goto(analysed(page, hosted, match))
    expect(page.locator("#heading")).not_to_be_empty()
    assert page.locator(".curve.narrow > g > circle").count() > 10
    assert page.evaluate(script("overlapping")) == 0


def test_progress(page: Page, hosted: ServerProcess) -> None:
    """What is missing is judged by the bots' workers, and the page shows the result by itself."""
    page.goto(analysed(page, hosted, finished_match(seed=6), but=2))
    expect(page.get_by_role("heading", name="The moments that decided the game")).to_be_visible()


def test_trying_again(page: Page, hosted: ServerProcess, match: Match) -> None:
    """By keyboard: a bad move fails, the hint helps, the solution passes and leads to the next mistake."""
    path = analysed(page, hosted, match)
    worst = max((each for each in all_made_up(match) if each.seat == 0), key=lambda each: (each.loss, -each.ply))
    page.goto(f"{path}/retry?seat=0")
    expect(page.locator("#task")).to_have_text("Find a better move.")
    assert faults(page) == []
    hit(page, "figure-charlie")
    expect(page.locator("#reason a")).to_contain_text("§")
    state, game = match.states[worst.ply], match.game
    ways = Counter(part for move in game.legal(state) for part in game.parts(state, move))
    assert click_part(page, next(part for part, number in ways.items() if part.startswith("card-") and number > 1))
    expect(page.locator("#picked")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#picked")).to_be_hidden()
    page.locator("#move-picker-head").press("Enter")
    page.locator(f'#moves [data-line="{worst.line}"]').press("Enter")
    expect(page.locator("#task")).to_contain_text("This leaves a chance to win of 35% instead of 60%.")
    page.get_by_role("button", name="Hint").press("Enter")
    expect(page.locator("#task")).to_contain_text("Look")
    page.locator(f'#moves [data-line="{worst.best}"]').press("Enter")
    expect(page.locator("#task")).to_contain_text("Well done!")
    expect(page.locator("#solution")).to_be_visible()
    expect(page.get_by_role("button", name="Hint")).to_be_hidden()
    expect(focused(page)).to_have_text("Next")
    focused(page).press("Enter")
    expect(page.locator("#count")).to_contain_text("2 /")
    expect(page.locator("#solution")).to_be_hidden()
    page.get_by_role("button", name="Solution").click()
    expect(page.locator("#solution")).to_be_visible()


def test_an_unfinished_game_has_none(page: Page) -> None:
    """Whoever resigns and leaves only bots is told why there is nothing to analyse, where the button would be."""
    page.on("dialog", lambda dialog: dialog.accept())
    start_game(page, "bus")
    open_tab(page, "This table")
    submit(page, page.get_by_role("button", name="Resign"))
    expect(page.locator("#result")).to_contain_text("Only games that were played to the end can be analysed.")
    expect(page.get_by_role("link", name="Analyse")).to_have_count(0)
    assert faults(page) == []
