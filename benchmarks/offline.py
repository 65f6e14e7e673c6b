"""Measure the static site in Chromium: its size, how long it takes to the first page, and how fast its bots answer.

Run it with `python3 dev.py bench --offline`. The times are those of this machine, with Chromium beside Python.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import BrowserContext, Frame, Page, sync_playwright

from file_server import file_server
from omnibus import games
from omnibus.bots import names_for
from omnibus.static_site.builder import build
from omnibus.static_site.packages import cache_folder

VISITS = 5
OWN_MOVES = 12
LONGEST_MS = 120_000

# Sets up a table against bots of a level, plays some moves there, and returns how long each move of a bot took, in ms.
BOTS = """async ([game, seats, level, most]) => {
  const form = new URLSearchParams({ "seat-0": "you", "name-0": "" });
  for (let seat = 1; seat < seats; seat++) form.set(`seat-${seat}`, level);
  const table = await fetch(`/games/${game}/tables`, { method: "POST", body: form });
  const socket = new WebSocket(new URL(`${new URL(table.url).pathname}/socket`, location.href));
  const took = [];
  let last = -1, since = 0, own = 0;
  return new Promise((resolve) => {
    socket.addEventListener("open", () => socket.send(JSON.stringify({ sync: true })));
    socket.addEventListener("message", ({ data }) => {
      const scene = JSON.parse(data);
      if (scene.type !== "scene" || scene.event === last) return;
      const now = performance.now();
      if (last >= 0 && since) took.push(now - since);
      [last, since] = [scene.event, 0];
      if (!scene.live || own === most) { socket.close(); resolve(took); return; }
      if (scene.moves.length) {
        own += 1;
        const move = scene.moves[Math.floor(scene.moves.length / 2)];
        socket.send(JSON.stringify({ play: move.line, event: last, id: `${last}` }));
      } else since = now;
    });
  });
}"""


def first_page(context: BrowserContext, address: str) -> tuple[Page, float]:
    """Open the site in a new tab; return it, and the seconds until its first page was there with its pictures."""
    page = context.new_page()
    began = time.monotonic()
    page.goto(f"{address}/")
    inside = page.frame_locator("#page")
    inside.get_by_role("heading", level=1).wait_for()
    inside.locator("img").last.evaluate("(img) => img.decode()")
    return page, time.monotonic() - began


def inside(page: Page) -> Frame:
    """Return the frame with the pages."""
    found = page.locator("#page").element_handle().content_frame()
    assert found
    return found


def visits(context: BrowserContext, address: str) -> Page:
    """Measure the first visit and later ones; return the last page."""
    page, seconds = first_page(context, address)
    print(f"first visit, with the download from this machine: {seconds:.1f} s", flush=True)
    later = []
    for _ in range(VISITS):
        page.close()
        page, seconds = first_page(context, address)
        later.append(seconds)
    shown = ", ".join(f"{each:.1f}" for each in sorted(later))
    print(f"later visits: {statistics.median(later):.1f} s (median of {shown})", flush=True)
    return page


def bots(page: Page) -> None:
    """Measure how long bots take for a move, from event to event."""
    for name in games.names():
        game = games.find(name)
        for level in names_for(game)[1:4]:
            took: list[float] = inside(page).evaluate(BOTS, [name, game.seats[0], level, OWN_MOVES])
            middle, longest = (statistics.median(took), max(took)) if took else (0.0, 0.0)
            print(f"{name} {level}: {len(took)} moves, median {middle:.0f} ms, longest {longest:.0f} ms", flush=True)


def main() -> int:
    """Build the site, and measure it."""
    chromium = next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        began = time.monotonic()
        built = build(Path(folder) / "site", cache_folder())
        print(f"built in {time.monotonic() - began:.0f} s: {built.files} files, {built.size / 1e6:.2f} MB", flush=True)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with file_server(Path(folder) / "site") as address, browser.new_context() as context:
            context.set_default_timeout(LONGEST_MS)
            page = visits(context, address)
            bots(page)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
