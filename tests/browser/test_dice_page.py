"""The dice, as people see them: the commitment in the menu of the table, the check at its end."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from omnibus.kernel.dice_proof import NOT_VERIFIED, VERIFIED
from support.analyses import finished_match
from support.browser import faults, open_tab, submit, upload
from support.playing import start_game


def test_promised_and_checked_at_a_table(page: Page) -> None:
    """One click selects the whole commitment; at the end a button leads to the verdict, with the same commitment."""
    page.on("dialog", lambda dialog: dialog.accept())
    start_game(page, "times_square")
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


def test_checked_beside_a_record(page: Page) -> None:
    """An uploaded record with a seed has the button; a dishonest one is told by its line."""
    record = finished_match().record().replace(" #9\n", " #8\n")
    page.goto(upload(page, record))
    submit(page, page.get_by_role("link", name="Check the dice"))
    expect(page.locator(".verdict strong")).to_have_text(NOT_VERIFIED)
    expect(page.locator(".verdict li").first).to_contain_text("Line 17: roll 8 comes after roll 8")
    assert faults(page) == []
