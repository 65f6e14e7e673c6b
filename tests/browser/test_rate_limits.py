"""The page of somebody who was too fast."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from support.browser import open_table, ready
from support.server_process import running_server

KEEP_SOCKETS = """
window.sockets = [];
window.WebSocket = class extends WebSocket {
  constructor(...given) { super(...given); window.sockets.push(this); }
};
"""


def test_a_page_that_was_too_fast_waits(browser: Browser, tmp_path: Path) -> None:
    """It is told so, then cut off; it does not come back at once again and again."""
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
