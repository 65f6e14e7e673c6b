"""The board in a wide window and in a narrow one: drawn in the shape that fits, also when the window changes."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from support.browser import resize, see_ply, upload, wait_for_shape
from support.playing import start_game

RECORD = Path(__file__).parents[1] / "games" / "bus" / "records" / "3-stones.game"
WIDE = (1366, 768)
NARROW = (820, 1180)
UPRIGHT = (1024, 1366)
UPRIGHT_BOARD = 'viewBox="0 0 1080 '


def is_wide(page: Page) -> bool:
    """Tell whether the board is drawn in landscape."""
    return bool(
        page.evaluate("(({ width, height }) => width > height)(document.querySelector('#board svg').viewBox.baseVal)")
    )


def pieces(page: Page) -> list[str]:
    """Return the ids of all pieces on the board."""
    found: list[str] = page.locator("#board [data-piece]").evaluate_all("(all) => all.map((one) => one.dataset.piece)")
    return found


def test_a_live_table_changes_its_shape(page: Page) -> None:
    """The same pieces in both shapes; what was chosen stays chosen; a new page comes in the shape of the window."""
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    start_game(page, "bus")
    phone = {"user-agent": "Mozilla/5.0 (Linux; Android 14) Mobile Safari/537.36", "cookie": ""}  # on a first visit
    assert UPRIGHT_BOARD in page.request.get(page.url, headers=phone).text()
    computer = {"user-agent": "Mozilla/5.0 (X11; Linux x86_64) Safari/537.36", "cookie": ""}
    assert 'viewBox="0 0 1760 1100"' in page.request.get(page.url, headers=computer).text()
    assert is_wide(page)
    there = pieces(page)
    page.locator('#board g[data-part="kind-pub"].glow').click()
    chosen = page.locator('#board g[data-part="kind-pub"].picked-part')
    expect(chosen).to_have_count(1)
    for size in (NARROW, WIDE, UPRIGHT):
        resize(page, *size)
        assert is_wide(page) == (size == WIDE)
        assert pieces(page) == there
        expect(chosen).to_have_count(1)
    assert UPRIGHT_BOARD in page.request.get(page.url).text()  # before any script has run


def test_a_record_changes_its_shape(page: Page) -> None:
    """At any ply, the last one too."""
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    page.goto(f"{upload(page, RECORD.read_text('utf-8'))}?ply=30")
    see_ply(page, 30)
    wait_for_shape(page)
    resize(page, *NARROW)
    page.locator("#last").click()
    expect(page.locator("#last")).to_be_disabled()
    wait_for_shape(page)
    resize(page, *WIDE)
    page.locator("#previous").click()
    expect(page.locator("#last")).to_be_enabled()
    wait_for_shape(page)
