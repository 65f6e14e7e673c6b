"""The other pages, and what axe has to say about all of them."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from support.browser import (
    OF_COLOURS,
    ONE_OF_EACH_KIND,
    SEATS,
    faults,
    faults_in_themes,
    open_tab,
    plies,
    see_ply,
    submit,
    upload,
)
from support.playing import start_game


def bring(page: Page, path: Path) -> None:
    page.goto("/")
    page.locator('input[type="file"]').set_input_files(path)
    submit(page, page.get_by_role("button", name="Replay game"))


def test_records_are_brought_and_replayed(page: Page, records: Path, tmp_path: Path) -> None:
    """From the first position to the result, as any seat sees it; MetroMania shows its rides.

    A bad record is refused with the line and the reason.
    """
    lines = (records / "bus/records/3-plots.game").read_text(encoding="utf-8").splitlines()
    lines[29] = "0 take everything"
    (tmp_path / "bad.game").write_text("\n".join(lines), encoding="utf-8")
    bring(page, tmp_path / "bad.game")
    expect(page.get_by_role("alert")).to_contain_text("Line 30")
    bring(page, records / "metromania/records/3-hidden-finished.game")
    assert "/records/" in page.url
    see_ply(page, 0)
    page.locator("#next").click()
    see_ply(page, 1)
    page.keyboard.press("End")
    see_ply(page, plies(page))
    expect(page.locator(".board g.rides")).to_be_visible()
    expect(page.locator("#breakdown tbody tr")).to_have_count(10)
    page.locator("select[name=seat]").select_option("1")
    submit(page, page.get_by_role("button", name="Show"))
    see_ply(page, plies(page))
    assert "seat=1" in page.url
    page.keyboard.press("ArrowLeft")
    see_ply(page, plies(page) - 1)
    page.reload()  # the address says which position is shown, to others too
    see_ply(page, plies(page) - 1)


def test_axe_finds_nothing_serious(page: Page) -> None:
    """On no page to read, in no theme, however it was chosen."""
    page.goto("/")
    submit(page, page.get_by_role("button", name="Dark"))
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    for path in ("/", "/credits", "/tables/nowhere", *(f"/rules/{game}" for game in SEATS)):
        page.goto(path)
        assert faults_in_themes(page) == [], path
    page.goto("/api")
    assert faults(page, but=OF_COLOURS) == []
    page.evaluate(ONE_OF_EACH_KIND, ".route")  # hundreds look alike
    assert faults_in_themes(page) == []
    page.goto("/")
    for part in (".pairing", ".game"):
        page.locator(f"{part} summary").first.click()
    assert faults_in_themes(page) == []


def test_axe_finds_nothing_serious_on_boards(page: Page, records: Path) -> None:
    """Neither in a record nor at a table, in no theme."""
    page.goto(upload(page, (records / "bus/records/3-plots.game").read_text("utf-8")))
    see_ply(page, 0)
    assert faults_in_themes(page) == []
    page.keyboard.press("End")
    see_ply(page, plies(page))
    assert faults_in_themes(page) == []
    for game in SEATS:
        start_game(page, game)
        assert faults_in_themes(page) == [], game


def test_set_up_by_form(page: Page) -> None:
    """Seats, names and options, chosen as people do; a clock of one's own has its fields once it is chosen."""
    page.goto("/")
    card = page.get_by_role("region", name="Bus")
    card.get_by_text("Set up a table").click()
    minutes = card.get_by_label("Minutes per game")
    expect(minutes).to_be_hidden()
    card.get_by_label("Thinking time").select_option("custom")
    expect(minutes).to_be_visible()
    card.get_by_label("Thinking time").select_option("")
    expect(minutes).to_be_hidden()
    card.get_by_label("Pink: Player").select_option("another")
    card.get_by_label("Pink: Name").fill("Zoë")
    card.get_by_label("Green: Player").select_option("random")
    submit(page, card.get_by_role("button", name="Create table"))
    assert "/tables/" in page.url
    expect(page.locator("#panels .panel")).to_have_count(4)
    expect(page.locator("#panels .panel").nth(1)).to_contain_text("Zoë")


def test_leaving_a_table(page: Page) -> None:
    """Resigning asks first, then the result is shown until it is closed; what is deleted is gone from the list."""
    page.on("dialog", lambda dialog: dialog.accept())
    start_game(page, "times_square")
    open_tab(page, "This table")
    submit(page, page.get_by_role("button", name="Resign"))
    expect(page.locator("#status")).to_contain_text("You have resigned.")
    expect(page.locator("#result")).to_be_visible()
    page.reload()
    expect(page.locator("#result")).to_be_visible()
    page.locator("#close-result").click()
    page.reload()
    expect(page.locator("#show-result")).to_be_visible()
    expect(page.locator("#result")).to_be_hidden()
    page.goto("/")
    expect(page.locator(".tables li")).to_have_count(1)
    submit(page, page.locator(".tables").get_by_role("button", name="Delete"))
    expect(page.locator(".tables li")).to_have_count(0)
