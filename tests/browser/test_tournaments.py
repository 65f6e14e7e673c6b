"""A tournament in three browsers: a Swiss of three rounds, with a bye in each, and a player who runs out of time."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from support.browser import claim, faults, submit, wait_until

NARROW = 360
NAMES = ("Annegret", "Bertolda", "Clothilde")
OUT_OF_TIME = "You have run out of time."


def set_up(host: Page) -> str:
    """Set up a tournament with a short clock, and return its path."""
    host.set_viewport_size({"width": NARROW, "height": 740})
    host.goto("/tournaments")
    assert not faults(host)
    submit(host, host.get_by_role("link", name="Set up a tournament"))
    submit(host, host.get_by_role("link", name="Times Square"))
    assert not faults(host)
    host.get_by_role("textbox", name="Name", exact=True).fill("Friday cup")
    host.get_by_label("Rounds of a Swiss tournament").fill("3")
    host.get_by_label("Thinking time").select_option("custom")
    host.get_by_label("Minutes per game").fill("0.1")
    host.get_by_label("Extra seconds per decision").fill("0")
    tomorrow = host.evaluate("new Date(Date.now() + 864e5).toISOString().slice(0, 10)")
    host.get_by_label("Starts by itself at").fill(f"{tomorrow}T20:15")
    submit(host, host.get_by_role("button", name="Create tournament"))
    expect(host.locator("time.starts")).to_contain_text("8:15")  # in the time zone in which it was chosen
    return host.url


def at_table(guests: list[Page], number: int) -> list[Page]:
    """Wait for a round, and return the pages of those who have a table in it; the third has a bye."""
    for guest in guests:
        expect(guest.locator("#tables")).to_have_text(f"Round {number}")
        expect(guest.locator("#tournament-live")).to_contain_text("Bye: ")
    wait_until(guests[0], lambda: len(with_table(guests)) == 2, "two of three have a table")
    return with_table(guests)


def with_table(guests: list[Page]) -> list[Page]:
    return [guest for guest in guests if guest.locator("#your-table").is_visible()]


def elsewhere(guest: Page) -> Page:
    """Open another page of the same person."""
    page = guest.context.new_page()
    page.goto("/leaderboards")
    wait_until(page, lambda: bool(page.evaluate("window.received.awaited")), "the page would be told")
    expect(page.locator("#next-table")).to_be_hidden()
    return page


def go_to_announced_table(pages: list[Page]) -> None:
    """Wait until a page elsewhere announces a table, as one of two must, and go there; then it is announced no more."""

    def announcing() -> list[Page]:
        return [page for page in pages if page.locator("#next-table").is_visible()]

    wait_until(pages[0], lambda: bool(announcing()), "a table is announced")
    page = announcing()[0]
    expect(page.locator("#next-table")).to_have_text("Your tournament table is open.")
    assert not faults(page)
    page.locator("#next-table").click()
    wait_until(page, lambda: bool(page.evaluate("window.received.scene")), "the table knows that its player has come")
    page.goto("/leaderboards")
    wait_until(page, lambda: bool(page.evaluate("window.received.awaited")), "the page would be told")
    expect(page.locator("#next-table")).not_to_have_text("Your tournament table is open.")
    for each in pages:
        each.close()


def resign(guest: Page, table: str) -> None:
    assert guest.request.post(f"{table}/resign").ok


def test_a_swiss_of_three_rounds(guests: list[Page]) -> None:
    """Standings and tables appear by themselves, and the last round ends after somebody's time is over."""
    for guest, name in zip(guests, NAMES, strict=True):
        claim(guest, name)
    path = set_up(guests[0])
    for guest in guests:
        guest.goto(path)
        submit(guest, guest.get_by_role("button", name="Enter"))
    expect(guests[0].locator(".ranking tbody tr")).to_have_count(3)  # without loading the page again
    others = [elsewhere(guest) for guest in guests[1:]]
    submit(guests[0], guests[0].get_by_role("button", name="Start the tournament"))
    go_to_announced_table(others)
    for number in (1, 2):
        one, _ = at_table(guests, number)
        resign(one, str(one.locator("#your-table").get_attribute("href")))
    two = at_table(guests, 3)
    table = str(two[0].locator("#your-table").get_attribute("href"))
    for guest in two:
        guest.locator("#your-table").click()
        expect(guest.locator("#board svg")).to_be_visible()
    logs = [guest.locator("#log") for guest in two]
    wait_until(two[0], lambda: any(OUT_OF_TIME in (log.text_content() or "") for log in logs), "somebody is too slow")
    slow, other = two if OUT_OF_TIME in (logs[0].text_content() or "") else two[::-1]
    resign(other, table)
    slow.locator("#menu-head").click()
    submit(slow, slow.get_by_role("link", name="Tournament", exact=True))
    for guest in guests:
        guest.goto(path)
        expect(guest.locator("#tournament-live")).to_contain_text("Winner: ")
        expect(guest.locator(".ranking tbody tr")).to_have_count(3)
        expect(guest.locator(".ranking td:last-child")).to_have_text(["2", "2", "2"])
    assert not faults(guests[0])
    assert guests[0].evaluate("document.documentElement.scrollWidth") <= NARROW
