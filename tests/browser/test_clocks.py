"""Clocks on the page: they count down, and when the time is over a bot takes the seat until it is taken back."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from omnibus import Match
from support.browser import faults, upload
from support.playing import open_table


def test_time_runs_out(page: Page) -> None:
    """The clocks stand beside the names; at zero a bot plays on and the page says so; the seat can be taken back."""
    # against a bot that thinks, or two quick ones could end the game before the seat is taken back
    open_table(page, "times_square", "you", "hard", clock="custom", minutes="0.1", seconds="0")
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


def test_a_replay_shows_what_decisions_took(page: Page) -> None:
    """Beside each decision of the log what it took and what was left, and beside the names what everybody had then."""
    match = Match.new("times_square", seed=5)
    while match.length < 24:
        match.play(match.lines()[0])
    decided = [(ply, int(seat)) for ply, (seat, _) in enumerate(match.plies) if seat != "chance"]
    times = [[ply, 5 + number, 95 - number] for number, (ply, _) in enumerate(decided)]
    match.clock = {"bank": 100, "increment": 0, "turn": 0, "times": times}
    page.goto(upload(page, match.record()))
    expect(page.locator("#log .time").first).to_have_text("0:05 · 1:35 left")
    expect(page.locator("#panels .clock")).to_have_text(["1:40", "1:40"])
    page.locator("#log .time").first.click()
    first = decided[0][1]
    expect(page.locator("#panels .clock").nth(first)).to_have_text("1:35")
    expect(page.locator("#panels .clock").nth(1 - first)).to_have_text("1:40")
    assert not faults(page)
