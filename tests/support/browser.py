"""Helpers for browser tests: open tables, make moves by mouse or keyboard, wait for conditions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import FilePayload, Locator, Page, expect

from omnibus import games
from omnibus.bots import names as bot_names

WEAK = bot_names()[0]
SEATS = {name: games.find(name).seats[0] for name in games.names()}
PATIENCE_S = 60  # a condition that is met ends the wait, on a busy machine later
MOST_DECISIONS = 900
MOST_CLICKS = 40
SERIOUS = ("serious", "critical")
OF_COLOURS = ("color-contrast", "link-in-text-block")  # the rules of axe that depend on the theme

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True}

NewPage = Callable[..., Page]
"""Opens a page on a new device; takes settings of a browser context."""

# Sockets stay reachable for tests, because going offline closes none that is open; what came over them is counted by
# its type, and the last scene is kept.
KEEP_SOCKETS = """window.sockets = [];
window.received = {};
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    window.sockets.push(this);
    this.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data);
      window.received[message.type] = (window.received[message.type] ?? 0) + 1;
      if (message.type === "scene") window.latest = message;
    });
  }
};"""

# What appears takes no click at once, so that nobody hits it by mistake. Tests do not err: to the page, everything that
# they click has been there for ever.
LONG_AGO = "Object.defineProperty(Event.prototype, 'timeStamp', { get: () => Infinity });"

# Whether the board is drawn in the shape that fits the window.
IN_SHAPE = """() => {
  const { width, height } = document.querySelector("#board svg").viewBox.baseVal;
  return (width > height) === matchMedia("(min-width: 900px) and (orientation: landscape)").matches;
}"""

# Whether the server has answered over the socket, the board fits the window, and there is a move to choose or the game
# is over: then nothing changes until somebody does something.
READY = f"""() => {{
  const offered = document.getElementById("move-picker")?.hidden === false;
  return window.received.scene > 0 && ({IN_SHAPE})() && (offered || document.body.classList.contains("over"));
}}"""

# Whether a move waits for a confirmation, or was played at once.
PENDING_OR_PLAYED = """(was) => {
  const moved = document.getElementById("where").textContent !== was;
  return moved || !document.getElementById("pending").hidden;
}"""

# Where elements lie in the page, however far it is scrolled.
BOXES = """(selector) => [...document.querySelectorAll(selector)].map((element) => {
  const box = element.getBoundingClientRect();
  return { left: box.left + scrollX, top: box.top + scrollY, right: box.right + scrollX, bottom: box.bottom + scrollY };
})"""
BOX = f"(selector) => ({BOXES})(selector)[0]"
Box = dict[str, float]

# A point on the board where a click would mean this part, or null where something else always lies above.
POINT = """(element) => {
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const box = element.getBoundingClientRect();
  for (const [x, y] of [[.5, .5], [.5, .2], [.5, .8], [.2, .5], [.8, .5], [.3, .3], [.7, .7], [.3, .7], [.7, .3]]) {
    const at = [box.left + box.width * x, box.top + box.height * y];
    if (!document.elementFromPoint(...at)?.closest("#board")) continue;
    const lit = document.elementsFromPoint(...at).map((other) => other.closest("[data-part]"))
      .find((other) => other && other.matches(".glow, .picked-part"));
    if (lit && lit.dataset.part === element.dataset.part) return at;
  }
  return null;
}"""

# The parts that glow and lie under others everywhere, unless those are ghosts, which say more precisely what is meant.
COVERED = f"""() => {{
  const point = {POINT};
  const glowing = [...document.querySelectorAll(".board .glow")];
  const haunted = (element) => {{
    const box = element.getBoundingClientRect();
    const there = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const lit = there.find((other) => other.matches(".glow"));
    return !element.dataset.part.startsWith("ghost-") && lit?.dataset.part?.startsWith("ghost-");
  }};
  const names = [...new Set(glowing.map((element) => element.dataset.part))];
  return names.filter((name) => !glowing.some((element) =>
    element.dataset.part === name && (point(element) || haunted(element))));
}}"""

# The targets that are shown though a click on them would no longer fit what was chosen.
STRAY = """() => [...document.querySelectorAll(".board .targets use:not(.glow, .picked-part)")]
  .map((target) => target.dataset.part)"""

# Such a point on any element of a part.
POINT_OF_PART = f"""(part) => {{
  for (const element of document.querySelectorAll(`.board [data-part="${{part}}"]`)) {{
    const point = ({POINT})(element);
    if (point) return point;
  }}
  return null;
}}"""


def nightly_but(*kept: Any, of: Iterable[Any]) -> list[Any]:
    """Rows of parameters of which only some are tried on every run, the others by night."""
    return [row if row in kept else pytest.param(*_fields(row), marks=pytest.mark.nightly) for row in of]


def _fields(row: Any) -> tuple[Any, ...]:
    return row if isinstance(row, tuple) else (row,)


def open_table(page: Page, game: str, *sitters: str, **fields: str) -> None:
    """Set up a table with the form of the lobby, without opening the lobby; `fields` are others of the form."""
    who = sitters or ("you", *[WEAK] * (SEATS[game] - 1))
    seats = {f"seat-{seat}": name for seat, name in enumerate(who)}
    answer = page.request.post(f"/games/{game}/tables", form={**seats, **fields}, max_redirects=0)
    page.goto(answer.headers["location"])


def start_game(page: Page, game: str, *sitters: str, **fields: str) -> None:
    """Open a table, and wait for the first move to choose; where several players hide hands, uncover the first."""
    open_table(page, game, *sitters, **fields)
    if "another" in sitters and game != "bus":
        page.locator("#cover-button").click()
    assert ready(page)


def until_dealt(page: Page, condition: str, game: str = "times_square", *sitters: str) -> None:
    """Open tables of a game until something is so when the first own turn begins."""
    for _ in range(30):
        start_game(page, game, *sitters)
        if page.evaluate(condition):
            return
    raise AssertionError(f"never dealt: {condition}")


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
    found: list[Box] = page.evaluate(BOXES, selector)
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


def parts(page: Page) -> list[str]:
    """The parts that glow now."""
    found: list[str] = page.evaluate(
        "[...new Set([...document.querySelectorAll('.glow')].map(e => e.dataset.part))].sort()"
    )
    return found


def plot(page: Page) -> str:
    """The first plot of Bus that glows."""
    return next(part for part in parts(page) if part.startswith("plot-"))


def click_part(page: Page, part: str) -> bool:
    """Click a part on the board; False when it lies under others everywhere."""
    point: Any = page.evaluate(POINT_OF_PART, part)
    if point:
        page.mouse.click(*point)
    return bool(point)


def open_moves(page: Page) -> None:
    """Unfold the list of all moves."""
    if page.locator("#move-picker:not([open])").count():
        page.locator("#move-picker-head").click()
    expect(page.locator("#moves")).to_be_visible()


def choose_first(page: Page) -> None:
    """Choose the first of all moves, and confirm it where that is asked."""
    open_moves(page)
    page.locator("#moves button").first.click()
    confirm(page)


def confirm(page: Page) -> None:
    """Confirm the move that was chosen, where that is asked."""
    if page.locator("#confirm").is_visible():
        page.locator("#confirm").click()


def hit(page: Page, part: str) -> None:
    """Click where a part of the board is drawn, whatever lies above it or comes of it."""
    page.locator(f'.board [data-part="{part}"]').first.click(force=True)


def decide_by_clicking(page: Page, random: Random) -> None:
    """Choose a move with the mouse: parts of the board as long as they narrow it down, then a button, then Confirm."""
    event = page.locator("#where").text_content()
    assert click_on_board(page, random)
    for _ in range(MOST_CLICKS):
        if decided(page, event):
            return
        buttons = page.locator("#choices button")
        if page.locator("#confirm").is_visible():
            page.locator("#confirm").click()
        elif (random.random() > 0.7 and buttons.count()) or not click_on_board(page, random):
            buttons.nth(random.randrange(buttons.count())).click()
    raise AssertionError("clicks do not lead to a move")


def decide_on_the_board(page: Page, random: Random) -> None:
    """Click parts that glow until a move is chosen, and confirm it where that is asked.

    Everything that glows can be clicked, while several moves are left something glows, and no other target is shown.
    """
    event = page.locator("#where").text_content()
    for _ in range(MOST_CLICKS):
        if decided(page, event):
            return
        if page.locator("#confirm").is_visible():
            page.locator("#confirm").click()
            continue
        assert parts(page), "several moves are left, and nothing glows"
        assert page.evaluate(COVERED) == []
        assert page.evaluate(STRAY) == []
        assert click_on_board(page, random)
    raise AssertionError("clicks do not lead to a move")


def click_on_board(page: Page, random: Random) -> bool:
    """Click one of the parts that glow; False when none can be clicked."""
    glowing = parts(page)
    random.shuffle(glowing)
    return any(click_part(page, part) for part in glowing)


def decided(page: Page, event: str | None) -> bool:
    """Tell whether the move has been sent or played."""
    if page.locator("#move-picker").is_hidden():
        page.wait_for_function("(was) => document.getElementById('where').textContent !== was", arg=event)
        return True
    return page.locator("#where").text_content() != event


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


# Leaves of many sections only those with an element of a kind that none before has, by its tags and classes.
ONE_OF_EACH_KIND = """(selector) => {
  const seen = new Set();
  const kind = (element, root) => element === root ? ""
    : `${kind(element.parentElement, root)} ${element.tagName}.${element.className}`;
  for (const section of document.querySelectorAll(selector)) {
    const kinds = [...section.querySelectorAll("*")].map((element) => kind(element, section));
    if (kinds.every((each) => seen.has(each))) section.remove();
    for (const each of kinds) seen.add(each);
  }
}"""

# Gives the page the other theme, or the one it had.
THEME = """(theme) => {
  const { dataset } = document.documentElement, was = dataset.theme ?? "";
  dataset.theme = theme || (was === "dark" ? "light" : "dark");
  return was || "light";
}"""


def faults_in_themes(page: Page) -> list[str]:
    """What axe finds serious or critical, in the theme of the page and, of its colours, in the other one."""
    found = faults(page)
    was = page.evaluate(THEME, "")
    found += faults(page, *OF_COLOURS)
    page.evaluate(THEME, was)
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


def choose_card(page: Page) -> str:
    """Choose a card that can be played in several ways; one that can only be played in one way is played at once."""
    cards = [part for part in parts(page) if part.startswith("card-")]
    for card in cards:
        where = page.locator("#where").text_content() or ""
        assert click_part(page, card)
        if page.locator("#picked").is_visible():
            return card
        if page.locator("#confirm").is_visible():
            page.keyboard.press("Escape")
        else:
            expect(page.locator("#where")).not_to_have_text(where)
            return choose_card(page)
    raise AssertionError(f"none of {cards} can be played in two ways")
