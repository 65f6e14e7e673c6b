"""Clocks on the page: they count down, and when the time is over a bot takes the seat until it is taken back."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from support.browser import faults, open_table


def test_time_runs_out(page: Page) -> None:
    """The clocks stand beside the names; at zero a bot plays on and the page says so; the seat can be taken back."""
    open_table(page, "times_square", clock="custom", minutes="0.1", seconds="0")
    clocks = page.locator("#panels .clock")
    expect(clocks).to_have_count(2)
    expect(clocks.first).to_have_text(re.compile(r"^0:0[0-6]$"))
    expect(clocks.last).to_have_text("")  # a bot needs none
    assert not faults(page)
    expect(page.locator("#bot-plays")).to_be_visible()
    log = page.locator("#log")
    expect(log).to_contain_text("You have run out of time.")
    page.locator("#resume-seat").click()
    expect(log).to_contain_text("You are back.")


def test_a_clock_of_ones_own(page: Page) -> None:
    """The fields for it are there as soon as it is chosen."""
    page.goto("/")
    page.locator("summary").first.click()
    form = page.locator("form.setup").first
    minutes = form.get_by_label("Minutes per game")
    expect(minutes).to_be_hidden()
    form.get_by_label("Thinking time").select_option("custom")
    expect(minutes).to_be_visible()
    form.get_by_label("Thinking time").select_option("")
    expect(minutes).to_be_hidden()
