"""Measure how soon the page of a table reacts to clicks, in a real browser, in the window of a laptop.

Reported for each game, over the clicks of a random game against bots, in milliseconds: from the pointer going down to
the frame that shows the reaction (what glows, the buttons that remain, Confirm), to the preview of the chosen move,
and to the reason of a click that is refused. The last two are asked of the server.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import sys
import tempfile
from pathlib import Path
from random import Random
from statistics import median

from playwright.sync_api import Page, ViewportSize, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.browser import KEEP_SOCKETS, SEATS, WEAK, ready
from support.playing import click_part, open_table, parts
from support.server_process import running_server

WINDOW: ViewportSize = {"width": 1366, "height": 768}
BUDGET_MS = 50.0
KINDS = {"reaction": "what can be clicked, chosen or confirmed", "preview": "preview", "reason": "reason of a refusal"}

# For every click: when the pointer went down, and when the frame after each kind of answer had been shown.
WATCH = """() => {
  window.measured = [];
  let down = 0, seen = {};
  const shown = (kind) => {
    if (!down || seen[kind]) return;
    seen[kind] = true;
    const since = down;
    requestAnimationFrame(() => {
      const after = new MessageChannel();
      after.port1.onmessage = () => window.measured.push([kind, performance.now() - since]);
      after.port2.postMessage(null);
    });
  };
  addEventListener("pointerdown", () => { down = performance.now(); seen = {}; }, true);
  const lit = new MutationObserver((changes) => {
    if (changes.some(({ target }) => target.id === "board" && target.matches(".preview"))) shown("preview");
    const answers = ".glow, .picked-part, .lit, #pending, #choices";
    if (changes.some(({ target }) => target.matches(answers))) shown("reaction");
  });
  const attributes = { subtree: true, attributes: true, attributeFilter: ["class", "hidden"] };
  for (const name of ["board", "bar"]) lit.observe(document.getElementById(name), { ...attributes, childList: true });
  const reason = document.getElementById("reason");
  new MutationObserver(() => { if (reason.textContent) shown("reason"); }).observe(reason, { childList: true });
}"""

# A point of the board where a click is refused, or null.
REFUSED = """(wanted) => {
  const dark = [...document.querySelectorAll(".board [data-part]")].filter((element) => !element.matches(".glow"));
  for (let n = 0; n < dark.length; n += 1) {
    const box = dark[(wanted + 7 * n) % dark.length].getBoundingClientRect();
    const at = [box.x + box.width / 2, box.y + box.height / 2];
    const near = [];
    for (let radius = 0; radius <= 30; radius += 6) for (let angle = 0; angle < 6.28; angle += .4)
      near.push(...document.elementsFromPoint(at[0] + radius * Math.cos(angle), at[1] + radius * Math.sin(angle)));
    const here = document.elementFromPoint(...at)?.closest("#board [data-part]");
    if (here && !near.some((element) => element.closest(".glow"))) return at;
  }
  return null;
}"""


def settled(page: Page) -> None:
    """Wait until nothing is on its way any more."""
    page.wait_for_timeout(250)


def decide(page: Page, random: Random) -> None:
    """Click something that is refused, then parts that glow until a move is chosen, and confirm it."""
    point = page.evaluate(REFUSED, random.randrange(1000))
    if point:
        page.mouse.click(*point)
        settled(page)
    before = page.locator("#where").text_content()
    for _ in range(6):
        glowing = parts(page)
        random.shuffle(glowing)
        if not any(click_part(page, part) for part in glowing):
            break
        settled(page)
        if page.locator("#confirm").is_visible() or page.locator("#where").text_content() != before:
            break
    if page.locator("#confirm").is_visible():
        page.locator("#confirm").click()
    page.wait_for_function("(was) => document.getElementById('where').textContent !== was", arg=before)


def measured(page: Page, game: str, decisions: int) -> dict[str, list[float]]:
    """Play a game and return the times of each kind."""
    open_table(page, game, "you", *[WEAK] * (SEATS[game] - 1))
    random = Random(1)
    assert ready(page)
    page.evaluate(WATCH)
    for _ in range(decisions):
        if not ready(page):
            break
        decide(page, random)
    times: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for kind, took in page.evaluate("window.measured"):
        times[kind].append(took)
    return times


def main() -> int:
    """Measure all games; return 1 where a reaction took longer than its budget, by the median."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--decisions", type=int, default=20, help="how many decisions to click in each game")
    chosen = options.parse_args()
    late = False
    print(f"Python {platform.python_version()}, {platform.machine()}, window {WINDOW['width']} × {WINDOW['height']}")
    with (
        tempfile.TemporaryDirectory() as folder,
        running_server(Path(folder) / "data") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for game in SEATS:
            page = browser.new_page(base_url=server.url, viewport=WINDOW, reduced_motion="reduce", locale="en-GB")
            page.add_init_script(KEEP_SOCKETS)
            for kind, times in measured(page, game, chosen.decisions).items():
                if times:
                    figures = f"median {median(times):5.1f} ms, longest {max(times):5.1f} ms, {len(times)} clicks"
                    print(f"{game:13} {KINDS[kind]:42} {figures}", flush=True)
                late = late or (kind == "reaction" and bool(times) and median(times) > BUDGET_MS)
            page.close()
        browser.close()
    return int(late)


if __name__ == "__main__":
    sys.exit(main())
