"""The same deal in the browser: a challenge to a finished game, and somebody who accepts it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from support.browser import PHONE, WEAK, NewPage, faults, ready
from support.playing import open_table

MOST_DECISIONS = 400


def finish(page: Page) -> None:
    """Play the game on the page to its end, always the first line."""
    table = page.url.rpartition("/")[2]
    for _ in range(MOST_DECISIONS):
        if not ready(page):
            return
        line, event = page.evaluate("[window.latest.moves[0].line, window.latest.event]")
        answer = page.request.post(f"/api/tables/{table}/play", data={"line": line, "event": event})
        assert answer.ok, answer.text()
        page.wait_for_function("(event) => window.latest.event > event", arg=event)
    raise AssertionError("the game does not end")


def test_a_challenge(page: Page, new_page: NewPage) -> None:
    """The page of a deal says what to beat; whoever follows its link plays the same deal, and the owner closes it.

    On a phone the results stand side by side, in every language.
    """
    open_table(page, "times_square", "you", WEAK)
    finish(page)
    page.reload()
    page.get_by_role("button", name="Challenge others with this deal").click()
    expect(page.get_by_role("heading", name="Same deal: Times Square")).to_be_visible()
    assert faults(page) == []
    link = page.get_by_label("Link to this deal").input_value()
    for locale in ("en-GB", "it-IT", "fr-FR", "de-DE"):
        phone = new_page(locale=locale, **PHONE)
        phone.goto(page.url)
        assert phone.locator("table").evaluate("(table) => table.scrollWidth <= table.clientWidth"), locale
    guest = new_page()
    guest.goto(link)
    expect(guest.locator(".claim")).to_contain_text("played this deal against")
    guest.get_by_role("textbox", name="Your name").fill("Bo")
    guest.get_by_role("button", name="Play this deal").click()
    assert ready(guest)
    own = guest.url
    guest.goto(link)
    expect(guest.get_by_role("link", name="Your game")).to_be_visible()
    expect(guest.locator("tbody a")).to_have_count(0)  # nobody sees another game of the deal before their own is over
    page.reload()
    expect(page.locator("tbody tr")).to_have_count(2)
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Close this deal").click()
    expect(page.get_by_role("button", name="Close this deal")).to_have_count(0)
    guest.goto(own)
    finish(guest)
    guest.goto(link)
    expect(guest.locator("tbody th", has_text="Bo")).to_be_visible()
    expect(guest.locator("tbody a")).to_have_count(2)
    guest.get_by_role("link", name="Check the dice").click()
    expect(guest.get_by_role("heading", name="Dice")).to_be_visible()
    assert faults(guest) == []


def test_a_team_match_fills(page: Page, new_page: NewPage) -> None:
    """Whoever waits sees the others come, and the way to the game, without loading the page again."""
    page.goto("/team-matches/new?game=metromania")
    page.get_by_role("combobox").select_option("metromania 2 pair")
    page.get_by_role("textbox", name="Your name").fill("Ann")
    page.get_by_role("button", name="Set up the match").click()
    expect(page.get_by_role("heading", name="Team match: MetroMania")).to_be_visible()
    expect(page.get_by_text("A game starts when its table is full.")).to_be_visible()
    assert faults(page) == []
    guest = new_page()
    guest.goto(page.get_by_label("Link to this match").input_value())
    guest.get_by_role("textbox", name="Your name").fill("Bo")
    guest.get_by_role("button", name="Join").click()
    expect(page.get_by_text("A game starts when its table is full.")).to_have_count(0)
    expect(page.locator(".who", has_text="Bo")).to_have_count(2)
    page.get_by_role("link", name="Table 1").click()
    assert ready(page)
