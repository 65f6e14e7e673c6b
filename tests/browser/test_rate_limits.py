"""A page that sends too many requests."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from support.browser import KEEP_SOCKETS, open_table, ready
from support.server_process import running_server


def test_a_page_that_was_too_fast_waits(browser: Browser, tmp_path: Path) -> None:
    """It gets an error, then it is cut off; it does not reconnect at once again and again."""
    with (
        running_server(tmp_path / "data", "--proxy", "127.0.0.1") as running,
        browser.new_context(base_url=running.url, locale="en-GB") as context,
    ):
        context.add_init_script(KEEP_SOCKETS)
        page = context.new_page()
        open_table(page, "times_square")
        ready(page)
        page.wait_for_function(
            "() => window.sockets.some((socket) => socket.url.includes('/tables/') && socket.readyState === 1)"
        )
        page.evaluate("""() => {
          const table = window.sockets.find((socket) => socket.url.includes("/tables/"));
          for (let i = 0; i < 200; i++) table.send("{}");
        }""")
        expect(page.locator("#reconnecting")).to_be_visible()
        before = page.evaluate("window.sockets.length")
        page.wait_for_timeout(3000)
        assert page.evaluate("window.sockets.length") == before
        assert page.evaluate(
            "window.sockets.every((socket) => !socket.url.includes('/tables/') || socket.readyState === 3)"
        )
