"""The dice, as people see them: the commitment in the menu of the table, the check at its end."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from omnibus import Match
from omnibus.kernel.dice_proof import NOT_VERIFIED, VERIFIED
from support.browser import faults, open_tab, open_table, ready, see_ply, submit


def test_promised_and_checked_at_a_table(page: Page) -> None:
    """One click selects the whole commitment; at the end a button leads to the verdict, with the same commitment."""
    page.on("dialog", lambda dialog: dialog.accept())
    open_table(page, "times_square")
    assert ready(page)
    expect(page.get_by_role("link", name="Check the dice")).to_be_hidden()
    open_tab(page, "This table")
    page.locator(".commitment .hash").click()
    commitment = page.evaluate("getSelection().toString()").strip()
    assert len(commitment) == 64
    assert faults(page) == []
    submit(page, page.get_by_role("button", name="Close table"))
    submit(page, page.get_by_role("link", name="Check the dice"))
    expect(page.locator(".verdict strong")).to_have_text(VERIFIED)
    expect(page.locator(".hash").first).to_have_text(commitment)
    assert faults(page) == []
    submit(page, page.get_by_role("link", name="Back"))
    open_tab(page, "This table")
    expect(page.locator(".commitment .hash")).to_have_count(2)


def test_checked_beside_a_record(page: Page, tmp_path: Path) -> None:
    """An uploaded record with a seed has the button; a dishonest one is told by its line."""
    match = Match.new("times_square", seed=5)
    while match.actor is not None:
        match.play(match.lines()[0])
    path = tmp_path / "played.game"
    path.write_text(match.record().replace(" #9\n", " #8\n"), encoding="utf-8")
    page.goto("/")
    page.locator('input[type="file"]').set_input_files(path)
    submit(page, page.get_by_role("button", name="Replay game"))
    see_ply(page, 0)
    submit(page, page.get_by_role("link", name="Check the dice"))
    expect(page.locator(".verdict strong")).to_have_text(NOT_VERIFIED)
    expect(page.locator(".verdict li").first).to_contain_text("Line 17: roll 8 comes after roll 8")
    assert faults(page) == []
