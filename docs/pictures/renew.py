"""Draw the pictures of the documentation anew: the boards from their records, and the page in a real browser.

    .venv/bin/python docs/pictures/renew.py

It needs the environment of `dev.py test`, which has Playwright, and Chromium.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, sync_playwright

from omnibus import Match, games
from omnibus.bots import bot

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "tests"))

from support import fixed_dice  # noqa: E402 — found through the line above
from support.server_process import running_server  # noqa: E402

PAGES: dict[str, dict[str, Any]] = {
    "page-metromania": {"game": "metromania", "moves": 14, "size": (1366, 768), "scheme": "light", "scale": 1},
    "page-times_square-night": {"game": "times_square", "moves": 9, "size": (1366, 768), "scheme": "dark", "scale": 1},
    "page-bus-phone": {"game": "bus", "moves": 14, "size": (360, 740), "scheme": "light", "scale": 1.5},
}
SETTLED_MS = 3500  # until everything has been drawn and told, and on a phone the caption has gone


def board(name: str) -> None:
    """Draw a board from the record beside this file."""
    match = Match.read((HERE / f"{name}.game").read_text(encoding="utf-8"))
    (HERE / f"{name}.svg").write_text(match.svg(0, wide=True) + "\n", encoding="utf-8")


def table(client: httpx.Client, game: str, moves: int) -> str:
    """Play a few moves against bots, and return the table."""
    found = games.find(game)
    seats = [{"who": "you"}] + [{"who": "bot", "bot": "medium"}] * (found.seats[0] - 1)
    id_ = str(client.post("tables", json={"game": game, "seats": seats}).json()["id"])
    player = bot("medium", found, seed=1)
    while moves:
        scene = client.get(f"tables/{id_}/scene").json()
        if scene["moves"]:
            line = player(client.get(f"tables/{id_}/view").json()["view"])
            client.post(f"tables/{id_}/play", json={"line": line, "event": scene["event"]}).raise_for_status()
            moves -= 1
    return id_


def page(browser: Browser, url: str, token: str, id_: str, name: str) -> None:
    """Take a screenshot of a table."""
    wanted = PAGES[name]
    wide, tall = wanted["size"]
    context = browser.new_context(
        viewport={"width": wide, "height": tall},
        color_scheme=wanted["scheme"],
        device_scale_factor=wanted["scale"],
        reduced_motion="reduce",
        locale="en-GB",
    )
    context.add_cookies([{"name": "omnibus_user", "value": token, "url": url}])
    opened = context.new_page()
    opened.goto(f"{url}/tables/{id_}")
    opened.wait_for_timeout(SETTLED_MS)
    for hint in ("#offer-tutorial button", "#tip button"):  # what only newcomers are shown
        if opened.locator(hint).is_visible():
            opened.locator(hint).click()
    opened.screenshot(path=HERE / f"{name}.png")
    context.close()


def main() -> None:
    """Draw all pictures."""
    for name in games.names():
        board(name)
    with (
        tempfile.TemporaryDirectory() as folder,
        running_server(Path(folder), program=("-P", fixed_dice.__file__)) as server,
        sync_playwright() as playwright,
        httpx.Client(base_url=f"{server.url}/api/", timeout=30) as client,
    ):
        token = client.post("users", json={"name": "Ann"}).json()["token"]
        client.headers["authorization"] = f"Bearer {token}"
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, wanted in PAGES.items():
            page(browser, server.url, token, table(client, wanted["game"], wanted["moves"]), name)
        browser.close()


if __name__ == "__main__":
    main()
