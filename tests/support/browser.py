"""Pages for browser tests: wait for conditions, find where things are, ask axe; playing.py makes moves on them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import FilePayload, Locator, Page, expect

from omnibus import games
from omnibus.bots import names as bot_names

WEAK = bot_names()[0]
SEATS = {name: games.find(name).seats[0] for name in games.names()}
PATIENCE_S = 60  # a condition that is met ends the wait, on a busy machine later
SERIOUS = ("serious", "critical")
OF_COLOURS = ("color-contrast", "link-in-text-block")  # the rules of axe that depend on the theme

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True}

NewPage = Callable[..., Page]
"""Opens a page on a new device; takes settings of a browser context."""

SCRIPTS = Path(__file__).with_suffix(".js").read_text("utf-8").partition("\n")[2]


def script(name: str) -> str:
    """A function of browser.js, as an expression that a page evaluates."""
    return f"({SCRIPTS}).{name}"


KEEP_SOCKETS = script("keepSockets") + "()"
IN_SHAPE = script("inShape")
READY = script("ready")
ONE_OF_EACH_KIND = script("oneOfEachKind")
Box = dict[str, float]

# What appears takes no click at once, so that nobody hits it by mistake. Tests do not err: to the page, everything that
# they click has been there for ever.
LONG_AGO = "Object.defineProperty(Event.prototype, 'timeStamp', { get: () => Infinity });"


def nightly_but(*kept: Any, of: Iterable[Any]) -> list[Any]:
    """Rows of parameters of which only some are tried on every run, the others by night."""
    return [row if row in kept else pytest.param(*_fields(row), marks=pytest.mark.nightly) for row in of]


def _fields(row: Any) -> tuple[Any, ...]:
    return row if isinstance(row, tuple) else (row,)


def claim(page: Page, name: str) -> None:
    """Claim a name, as the account page does."""
    for path in ("name", "link", "claim"):
        assert page.request.post(f"/you/{path}", form={"name": name}).ok


def upload(page: Page, record: str) -> str:
    """Upload a record without opening the lobby; return the path of its page."""
    file: FilePayload = {"name": "a.game", "mimeType": "text/plain", "buffer": record.encode()}
    return page.request.post("/records", multipart={"record": file}, max_redirects=0).headers["location"]


def ready(page: Page) -> bool:
    """Wait until there is a move to choose; False when the game is over."""
    page.wait_for_function(READY)
    return not over(page)


def wait_for_message(page: Page, kind: str, number: int = 1) -> None:
    """Wait until the server has sent so many messages of a type over the sockets of a page."""
    page.wait_for_function("([kind, number]) => window.received?.[kind] >= number", arg=[kind, number])


def messages(page: Page, kind: str) -> int:
    """How many messages of a type have come."""
    return int(page.evaluate("(kind) => window.received[kind] ?? 0", kind))


def wait_for_shape(page: Page) -> None:
    """Wait until the board has the shape that fits the window."""
    page.wait_for_function(IN_SHAPE)


def resize(page: Page, width: int, height: int) -> None:
    """Change the size of the window, and wait until the board fits it."""
    page.set_viewport_size({"width": width, "height": height})
    wait_for_shape(page)


def box(page: Page, selector: str) -> Box:
    """Where an element lies in the page."""
    return boxes(page, selector)[0]


def boxes(page: Page, selector: str) -> list[Box]:
    """Where all elements of a kind lie in the page."""
    found: list[Box] = page.evaluate(script("boxes"), selector)
    return found


def middle(page: Page, selector: str) -> tuple[float, float]:
    """Scroll to an element; return where its middle is in the window."""
    page.locator(selector).first.scroll_into_view_if_needed()
    there, scrolled = box(page, selector), page.evaluate("[scrollX, scrollY]")
    return (there["left"] + there["right"]) / 2 - scrolled[0], (there["top"] + there["bottom"]) / 2 - scrolled[1]


def wait_until(page: Page, condition: Callable[[], bool], what: str) -> None:
    """Wait for a condition that concerns several pages; `page` is one of them."""
    for _ in range(PATIENCE_S * 20):
        if condition():
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"in vain: {what}")


def submit(page: Page, button: Locator) -> None:
    """Click a button that loads a page, and wait for that page."""
    with page.expect_navigation():
        button.click()


def disconnect(page: Page) -> None:
    """Cut a page off from the server, and wait until it says so."""
    page.wait_for_load_state("networkidle")  # a script still to come would be missing
    page.context.set_offline(True)
    page.evaluate("window.sockets.forEach((socket) => socket.close())")
    expect(page.locator("#reconnecting")).to_be_visible()


def reconnect(page: Page) -> None:
    """Let a page reach the server again, and wait until it knows what has happened."""
    before = messages(page, "scene")
    page.context.set_offline(False)
    expect(page.locator("#reconnecting")).to_be_hidden()
    wait_for_message(page, "scene", before + 1)


def open_tab(page: Page, name: str) -> None:
    """Open a tab beside the board, once the page listens: the script shows where the game is."""
    expect(page.locator("#where")).not_to_be_empty()
    page.get_by_role("tab", name=name).click()
    expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")


def over(page: Page) -> bool:
    return bool(page.evaluate("document.body.classList.contains('over')"))


def focused(page: Page) -> Locator:
    return page.locator(":focus")


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is there."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab does not lead to {selector}")


def status(page: Page) -> Locator:
    return page.locator("#status")


def see_ply(page: Page, ply: int) -> None:
    """Wait until the board shows a ply."""
    expect(page.locator("#where")).to_have_text(re.compile(rf"^{ply} / [1-9]"))


def where(page: Page) -> str:
    """Where the game is on the time line: the ply that is shown, and how many there are."""
    return page.locator("#where").text_content() or ""


def plies(page: Page) -> int:
    return int(page.locator("#slider").get_attribute("max") or "0")


def faults_in_themes(page: Page) -> list[str]:
    """What axe finds serious or critical, in the theme of the page and, of its colours, in the other one."""
    found = faults(page)
    was = page.evaluate(script("changeTheme"), "")
    found += faults(page, *OF_COLOURS)
    page.evaluate(script("changeTheme"), was)
    return found


def faults(page: Page, *rules: str, but: tuple[str, ...] = ()) -> list[str]:
    """What axe finds serious or critical, by all its rules or by some, or by all but some."""
    if not page.evaluate("'axe' in window"):  # it is large: once for a page is enough
        page.evaluate(AXE_SCRIPT)
    options: dict[str, Any] = {"resultTypes": ["violations"], "rules": {name: {"enabled": False} for name in but}}
    if rules:
        options["runOnly"] = rules
    found = page.evaluate("(options) => axe.run(options)", options)["violations"]
    return [
        f"{fault['id']}: {fault['help']}: {node['html'][:200]}"
        for fault in found
        if fault["impact"] in SERIOUS
        for node in fault["nodes"]
    ]
