"""The static site in a real browser, after the file server it came from was stopped: there is no network at all."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, FilePayload, Frame, Page, expect

from file_server import file_server
from omnibus import Match, games
from support.browser import LONG_AGO, PATIENCE_S, WEAK, nightly_but, script
from support.static_site import built_site

FOLDER = "/city/games/"  # a site need not be at the root of its server
MOST_TABLES = 40
PAUSE_MS = 1000
AGAINST_MEDIUM = "times_square"


@pytest.fixture(scope="module")
def device(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """A browser that has visited the site once, and since then has no network."""
    root = tmp_path_factory.mktemp("files")
    place = root / FOLDER.strip("/")
    place.parent.mkdir(parents=True)
    place.symlink_to(built_site())
    with browser.new_context(reduced_motion="reduce", locale="en-GB", accept_downloads=True) as context:
        context.set_default_timeout(PATIENCE_S * 1000)
        context.add_init_script(LONG_AGO)
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


@pytest.mark.parametrize("game", nightly_but(AGAINST_MEDIUM, of=games.names()))
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
    frame(page).evaluate(script("playToTheEnd"), table)
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
    page.reload(wait_until="domcontentloaded")
    assert page.locator("html").get_attribute("lang") == "it", "it starts in the language that was chosen"
    expect(inside.locator("#log li").nth(before)).to_be_visible()
    assert page.url == address
    other = device.new_page()
    other.goto(address)
    expect(other.frame_locator("#page").locator("#log li").nth(before)).to_be_visible()
    open_lobby(other, "I tuoi tavoli")
    page.close()  # the other tab takes over; what is asked meanwhile is not lost
    there = other.frame_locator("#page")
    there.locator('form[action$="/play/bus"] button').click()
    expect(there.locator("#board svg")).to_be_visible()
    open_lobby(other, "I tuoi tavoli")
    expect(there.locator("#mine-section li.your_turn, #mine-section li.waiting")).not_to_have_count(0)
    there.get_by_role("button", name="English").click()
    expect(there.get_by_role("heading", name="Your tables")).to_be_visible()


def test_a_what_if_board(page: Page) -> None:
    """Moves are played on it, by a bot too, and its line is downloaded."""
    inside = page.frame_locator("#page")
    open_lobby(page)
    inside.get_by_role("link", name="Open a board").click()
    inside.locator('form[action$="/analysis/times_square"] button.primary').click()
    inside.locator("#roll").click()
    expect(inside.locator("#move-picker")).to_be_visible()
    before = inside.locator("#tree [aria-current]").get_attribute("data-node")
    inside.locator("#moves button").first.evaluate("(button) => button.click()")
    expect(inside.locator("#tree [aria-current]")).not_to_have_attribute("data-node", before or "")
    expect(inside.locator("#move-picker")).to_be_visible()
    inside.get_by_role("button", name="Bot move").click()
    expect(inside.locator("#tree small")).not_to_have_count(0)
    inside.locator(".share summary").click()
    with page.expect_download() as download:
        inside.get_by_role("link", name="Record").click()
    assert len(Match.read(Path(download.value.path()).read_text("utf-8")).plies) >= 3


def test_a_full_disk(page: Page, device: BrowserContext) -> None:
    """What cannot be saved is not done and says so; once there is space it works again, and no move is lost."""
    inside, tools = page.frame_locator("#page"), device.new_cdp_session(page)
    quota = {"origin": page.evaluate("location.origin")}
    open_lobby(page)
    inside.locator('form[action$="/play/times_square"] button').click()
    expect(inside.locator("#move-picker")).to_be_visible()
    table = frame(page).evaluate("location.pathname")
    tools.send("Storage.overrideQuotaForOrigin", quota | {"quotaSize": 1})
    refusal = inside.get_by_text("no space left on this device")
    for _ in range(MOST_TABLES):  # for half a minute Chromium goes by what was free before
        open_lobby(page)
        inside.locator('form[action$="/play/bus"] button').click()
        expect(refusal.or_(inside.locator("#board svg")).first).to_be_visible()
        if refusal.is_visible():
            break
        page.wait_for_timeout(PAUSE_MS)
    expect(inside.get_by_role("alert")).to_contain_text("nothing was changed")
    open_lobby(page)
    inside.locator(f'#mine-section a[href$="{table.removeprefix(FOLDER)}"]').click()
    expect(inside.locator("#move-picker")).to_be_visible()
    before = inside.locator("#log li").count()
    inside.locator("#moves button").first.evaluate("(button) => button.click()")
    if inside.locator("#confirm").is_visible():
        inside.locator("#confirm").click()
    expect(refusal).to_be_visible()
    tools.send("Storage.overrideQuotaForOrigin", quota)
    expect(inside.locator("#log li").nth(before)).to_be_visible()
    expect(refusal).to_be_hidden()
    open_lobby(page)
    inside.locator('form[action$="/play/bus"] button').click()
    expect(inside.locator("#board svg")).to_be_visible()


@pytest.fixture(scope="module")
def origin(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[BrowserContext, Path, str]]:
    """A browser, and the folder and address of a file server: the site is at its root, beside somebody else's pages."""
    root = tmp_path_factory.mktemp("root")
    for each in built_site().iterdir():
        (root / each.name).symlink_to(each)
    (root / "other").mkdir()
    (root / "other" / "index.html").write_text('<h1>Other</h1><img src="picture.svg">')
    shutil.copy(built_site() / "static" / "icon.svg", root / "other" / "picture.svg")
    with browser.new_context(locale="en-GB") as context, file_server(root) as address:
        context.set_default_timeout(PATIENCE_S * 1000)
        context.add_init_script(LONG_AGO)
        page = context.new_page()
        page.goto(address)
        expect(page.frame_locator("#page").get_by_role("heading", level=1)).to_be_visible()
        yield context, root, address


def test_other_pages_of_the_same_origin(origin: tuple[BrowserContext, Path, str]) -> None:
    """They are left alone, with their pictures; a wrong address in the site still says so."""
    context, _, address = origin
    page = context.new_page()
    page.goto(f"{address}/other/")
    expect(page.get_by_role("heading", name="Other")).to_be_visible()
    assert page.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)")
    page.goto(f"{address}/#/nowhere")
    expect(page.frame_locator("#page").get_by_role("heading", name="Page not found")).to_be_visible()
    page.close()


def test_a_first_visit_without_space(browser: Browser, origin: tuple[BrowserContext, Path, str]) -> None:
    """The page says what is missing."""
    with browser.new_context(locale="de-DE") as context:
        page = context.new_page()
        quota = {"origin": origin[2], "quotaSize": 1_000_000}
        context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", quota)
        page.goto(origin[2])
        expect(page.get_by_role("status")).to_contain_text("nicht genug Platz")


def test_an_update_with_two_tabs(origin: tuple[BrowserContext, Path, str]) -> None:
    """The next tab goes on with the old version while the browser keeps it; then both tabs change to the new one."""
    context, root, address = origin
    (first,), (worker,) = context.pages, context.service_workers
    worker.evaluate(script("keepBusy"))
    first.evaluate("navigator.serviceWorker.controller.postMessage('a request that is not answered')")
    source = (root / "service_worker.js").read_text("utf-8")
    title = (root / "index.html").read_text("utf-8").replace("<title>", '<meta name="new"><title>')
    for name, content in (
        ("index.html", title),
        (
            "service_worker.js",
            re.sub(r'"version": "|(?<="index.html", )"size": \d+, "digest": "', r"\g<0>new", source),
        ),
    ):
        (root / name).unlink()
        (root / name).write_text(content, "utf-8")
    second = context.new_page()
    second.goto(address)
    second.evaluate("""async () => {
      const registration = await navigator.serviceWorker.ready;
      while (!registration.waiting) await new Promise((resolve) => { setTimeout(resolve, 100); });
    }""")
    second.reload()
    expect(second.frame_locator("#page").get_by_role("heading", level=1)).to_be_visible()
    worker.evaluate("self.answer()")
    for page in (second, first):
        expect(page.locator('meta[name="new"]')).to_have_count(1)
        expect(page.frame_locator("#page").get_by_role("heading", level=1)).to_be_visible()
