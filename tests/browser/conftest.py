"""A real house and a real Chromium. These tests run apart from those with event loops of their own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from hosting import House, house

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str:
    """Find the system's Chromium."""
    for name in (os.environ.get("CHROMIUM", ""), *NAMES):
        if name and (path := shutil.which(name)):
            return path
    pytest.fail("there is no Chromium on this machine; `apt install chromium` adds it")


@pytest.fixture(scope="session")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("house") / "data") as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def context(browser: Browser, hosted: House) -> Iterator[BrowserContext]:
    with browser.new_context(base_url=hosted.url, reduced_motion="reduce", locale="en-GB") as opened:
        opened.set_default_timeout(30_000)
        yield opened


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page on which no script may fail."""
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("console", lambda message: wrong.append(message.text) if _is_fault(message) else None)
    yield opened
    assert wrong == []


def _is_fault(message: ConsoleMessage) -> bool:
    """An answer of the server that refuses something is also written to the console, but no fault of the page."""
    return message.type == "error" and "Failed to load resource" not in message.text


@pytest.fixture
def records() -> Path:
    return Path(__file__).parent.parent / "games"
