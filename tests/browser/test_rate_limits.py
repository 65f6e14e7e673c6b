"""A page that sends too many requests."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from support.browser import KEEP_SOCKETS, ready
from support.playing import open_table
from support.server_process import running_server


def test_a_page_that_was_too_fast_waits(browser: Browser, tmp_path: Path) -> None:
    """It gets an error, then it is cut off; it reconnects, but not for half a minute, by the page's own clock."""
    with (
        running_server(tmp_path / "data", "--proxy", "127.0.0.1") as running,
        browser.new_context(base_url=running.url, locale="en-GB") as context,
    ):
        context.add_init_script(KEEP_SOCKETS)
        page = context.new_page()
        page.clock.install()
        open_table(page, "times_square")
        assert ready(page)
        page.clock.pause_at(page.evaluate("Date.now()") + 60_000)
        page.evaluate("""() => {
          const table = window.sockets.find((socket) => socket.url.includes("/tables/"));
          for (let i = 0; i < 200; i++) table.send("{}");
        }""")
        expect(page.locator("#reconnecting")).to_be_visible()
        before = page.evaluate("window.sockets.length")
        page.clock.run_for(29_000)
        assert page.evaluate("window.sockets.length") == before
        assert page.evaluate(
            "window.sockets.every((socket) => !socket.url.includes('/tables/') || socket.readyState === 3)"
        )
        page.clock.run_for(31_000)
        assert page.evaluate("window.sockets.length") > before
