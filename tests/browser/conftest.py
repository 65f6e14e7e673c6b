"""A real server and a real Chromium. These tests run apart from those with event loops of their own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright")
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, expect, sync_playwright

from support import fixed_dice
from support.browser import KEEP_SOCKETS, LONG_AGO, PATIENCE_S, NewPage
from support.server_process import ServerProcess, running_server

FIXED_DICE = ("-P", fixed_dice.__file__)  # without its folder on the path
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SHELL = "chromium-headless-shell"  # the same without windows: it draws pages in two thirds of the time


expect.set_options(timeout=PATIENCE_S * 1000)  # a condition that is met ends the wait, on a busy machine later


def chromium(*names: str) -> str:
    """Find the system's Chromium by one of these names, or one of those it usually has."""
    for name in (os.environ.get("CHROMIUM", ""), *names, *NAMES):
        if name and (path := shutil.which(name)):
            return path
    pytest.skip("there is no Chromium on this machine; `apt install chromium` adds it")


@pytest.fixture(scope="session")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server at which every test plays the same games on every run."""
    with running_server(tmp_path_factory.mktemp("server") / "data", program=FIXED_DICE) as running:
        yield running


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@contextmanager
def launched(playwright: Playwright, path: str) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Chromium without windows, where there is one."""
    with launched(playwright, chromium(SHELL)) as opened:
        yield opened


@contextmanager
def arriving(
    browser: Browser, hosted: ServerProcess, *, hurried: bool = True, **settings: Any
) -> Iterator[BrowserContext]:
    """A new device; on most of them nothing moves, and clicks need not wait until what they hit was seen."""
    standard: dict[str, Any] = {"base_url": hosted.url, "reduced_motion": "reduce", "locale": "en-GB"}
    with browser.new_context(**(standard | settings)) as opened:
        opened.set_default_timeout(PATIENCE_S * 1000)
        opened.add_init_script(KEEP_SOCKETS)
        if hurried:
            opened.add_init_script(LONG_AGO)
        yield opened


@pytest.fixture
def context(browser: Browser, hosted: ServerProcess) -> Iterator[BrowserContext]:
    with arriving(browser, hosted) as opened:
        yield opened


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page on which no script may fail."""
    with flawless(context) as opened:
        yield opened


@pytest.fixture
def notified_page(playwright: Playwright, hosted: ServerProcess) -> Iterator[Page]:
    """A page that may show notifications, which takes a Chromium with windows."""
    with (
        launched(playwright, chromium()) as browser,
        arriving(browser, hosted, permissions=["notifications"]) as context,
        flawless(context) as opened,
    ):
        yield opened


@pytest.fixture
def moving_page(browser: Browser, hosted: ServerProcess) -> Iterator[Page]:
    """A page on a device on which things move."""
    with arriving(browser, hosted, reduced_motion="no-preference") as context, flawless(context) as opened:
        yield opened


@pytest.fixture
def new_page(browser: Browser, hosted: ServerProcess) -> Iterator[NewPage]:
    """A function that opens a page on a new device, with settings of its own."""
    with ExitStack() as stack:

        def opened(**settings: Any) -> Page:
            return stack.enter_context(flawless(stack.enter_context(arriving(browser, hosted, **settings))))

        yield opened


@pytest.fixture
def guests(new_page: NewPage) -> list[Page]:
    """Three people, each with a device of their own."""
    return [new_page() for _ in range(3)]


@contextmanager
def flawless(context: BrowserContext) -> Iterator[Page]:
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("console", lambda message: wrong.append(message.text) if _is_fault(message) else None)
    yield opened
    assert wrong == []


def _is_fault(message: ConsoleMessage) -> bool:
    """Tell whether a console message is a fault of the page, and not about a refused request or a lost connection."""
    expected = ("Failed to load resource", "ERR_INTERNET_DISCONNECTED")
    return message.type == "error" and not any(text in message.text for text in expected)


@pytest.fixture
def records() -> Path:
    return Path(__file__).parent.parent / "games"
