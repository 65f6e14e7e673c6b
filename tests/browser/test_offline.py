"""The static site in a real browser, after the file server it came from was stopped: there is no network at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, FilePayload, Frame, Page, expect

from file_server import file_server
from omnibus import Match, games
from support.browser import PATIENCE_S, WEAK
from support.static_site import built_site

FOLDER = "/city/games/"  # a site need not be at the root of its server
AGAINST_MEDIUM = "times_square"

# Plays a table to its end over a socket of the page, always the first move that is offered.
PLAY = """(table) => new Promise((resolve, reject) => {
  const socket = new WebSocket(`${table}/socket`);
  let last = -1;
  socket.addEventListener("open", () => socket.send(JSON.stringify({ sync: true })));
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === "error") reject(new Error(message.text));
    if (message.type !== "scene" || message.event === last) return;
    last = message.event;
    if (!message.live) { socket.close(); resolve(message.event); }
    else if (message.moves.length) {
      socket.send(JSON.stringify({ play: message.moves[0].line, event: last, id: `${last}` }));
    }
  });
})"""


@pytest.fixture(scope="module")
def device(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """A browser that has visited the site once, and since then has no network."""
    root = tmp_path_factory.mktemp("files")
    place = root / FOLDER.strip("/")
    place.parent.mkdir(parents=True)
    place.symlink_to(built_site())
    with browser.new_context(reduced_motion="reduce", locale="en-GB", accept_downloads=True) as context:
        context.set_default_timeout(PATIENCE_S * 1000)
        with file_server(root) as address:
            page = context.new_page()
            page.goto(address + FOLDER)
            expect(page.frame_locator("#page").get_by_role("heading", level=1)).to_be_visible()
        context.set_offline(True)
        yield context


@pytest.fixture
def page(device: BrowserContext) -> Page:
    """The site in the only tab of the browser."""
    for old in device.pages[1:]:
        old.close()
    return device.pages[0]


def frame(page: Page) -> Frame:
    found = page.locator("#page").element_handle().content_frame()
    assert found
    return found


def open_lobby(page: Page, heading: str = "Your tables") -> None:
    """Go to the lobby, and wait until it is a new page: the one that is left may be the lobby as well."""
    inside = page.frame_locator("#page")
    inside.locator("body").evaluate("body => body.dataset.left = 'yes'")
    inside.locator("a.brand").click()
    expect(inside.locator("body[data-left]")).to_have_count(0)
    expect(inside.get_by_role("heading", name=heading)).to_be_visible()


def set_up(page: Page, game: str) -> None:
    """Set up a table with the weakest bots, which do not think for long where Python is slow."""
    inside, setup = page.frame_locator("#page"), f'form[action$="/games/{game}/tables"]'
    inside.locator(f"details:has({setup}) > summary").click()
    form = inside.locator(setup)
    for seat in range(1, games.find(game).seats[0]):
        form.locator(f'select[name="seat-{seat}"]').select_option(WEAK)
    form.get_by_role("button", name="Create table").click()


@pytest.mark.parametrize("game", games.names())
def test_a_whole_game_without_a_network(page: Page, game: str) -> None:
    """To the end; the record is downloaded, uploaded again and replayed."""
    inside = page.frame_locator("#page")
    open_lobby(page)
    if game == AGAINST_MEDIUM:
        inside.locator(f'form[action$="/play/{game}"] button').click()
    else:
        set_up(page, game)
    expect(inside.locator("#board svg")).to_be_visible()
    table = frame(page).evaluate("location.pathname")
    assert table.startswith(f"{FOLDER}tables/")
    open_lobby(page)  # a page that looks on would have every move drawn once more
    frame(page).evaluate(PLAY, table)
    inside.locator(f'#mine-section a[href$="{table.removeprefix(FOLDER)}"]').click()
    expect(inside.get_by_role("dialog", name="Result")).to_be_visible()
    with page.expect_download() as download:
        inside.get_by_role("link", name="Download record").click()
    record = Path(download.value.path()).read_text("utf-8")
    assert Match.read(record).outcome
    open_lobby(page)
    file: FilePayload = {"name": "a.game", "mimeType": "text/plain", "buffer": record.encode()}
    inside.locator('input[name="record"]').set_input_files(file)
    inside.get_by_role("button", name="Replay game").click()
    expect(inside.locator("#board svg")).to_be_visible()
    assert "/records/" in frame(page).url


def test_everything_is_there_again(page: Page, device: BrowserContext) -> None:
    """After a reload in the middle of a game table and language are as they were; so they are in another tab."""
    inside = page.frame_locator("#page")
    open_lobby(page)
    inside.get_by_role("button", name="Italiano").click()
    expect(inside.get_by_role("heading", name="I tuoi tavoli")).to_be_visible()
    inside.locator('form[action$="/play/times_square"] button').click()
    expect(inside.locator("#move-picker")).to_be_visible()
    address, before = page.url, inside.locator("#log li").count()
    inside.locator("#move-picker summary").click()
    inside.locator("#moves button").first.click()
    confirm = inside.locator("#confirm")
    if confirm.is_visible():
        confirm.click()
    expect(inside.locator("#log li").nth(before)).to_be_visible()
    page.reload()
    expect(inside.locator("#log li").nth(before)).to_be_visible()
    assert page.url == address
    other = device.new_page()
    other.goto(address)
    expect(other.frame_locator("#page").locator("#log li").nth(before)).to_be_visible()
    page.close()  # the other tab takes over
    open_lobby(other, "I tuoi tavoli")
    there = other.frame_locator("#page")
    expect(there.locator("#mine-section li.your_turn, #mine-section li.waiting")).not_to_have_count(0)
    there.get_by_role("button", name="English").click()
    expect(there.get_by_role("heading", name="Your tables")).to_be_visible()
