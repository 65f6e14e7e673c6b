"""Where everything is on the page of a table, at five sizes of window; and that nothing moves the board."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from playwright.sync_api import Page, expect

from support.browser import SEATS, Box, box, nightly_but, open_tab, plies, ready, resize, script, submit
from support.playing import click_part, decide_by_clicking, hit, open_moves, open_table, plot, start_game

SIZES = [(360, 740), (820, 1180), (1366, 768), (1920, 1080), (1024, 768)]
WIDE = 1200  # pixels: from here on the sidebar stands beside the board
LAPTOP = SIZES[2]
NEEDED = ("#board", "#status", "#hint", "#slider", "#log", "#move-picker-head", "#menu-head")
LANGUAGES = ("English", "Deutsch", "Français", "Italiano")
REGIONS = (".top", "#bar", "#board", ".timeline", ".side")


def overlap(one: Box, two: Box) -> bool:
    across = min(one["right"], two["right"]) - max(one["left"], two["left"])
    down = min(one["bottom"], two["bottom"]) - max(one["top"], two["top"])
    return across > 1 and down > 1


@pytest.mark.parametrize(
    ("game", "language"),
    nightly_but(
        ("bus", "Français"), ("metromania", "Italiano"), ("times_square", "Deutsch"), of=product(SEATS, LANGUAGES)
    ),
)
def test_everything_has_its_place(page: Page, game: str, language: str) -> None:
    """No overlap, nothing cut off, nothing wider than the window; beside a sidebar, the board fills the height."""
    start_game(page, game)
    submit(page, page.get_by_role("button", name=language))
    for turn in range(2):
        assert ready(page)
        fits(page)
        decide_by_clicking(page, Random(turn))


def fits(page: Page) -> None:
    for width, height in SIZES:
        resize(page, width, height)
        boxes = [box(page, region) for region in REGIONS]
        for at, one in enumerate(boxes):
            assert not any(overlap(one, two) for two in boxes[at + 1 :]), (width, REGIONS[at])
            assert one["left"] >= 0, (width, REGIONS[at])
            assert one["right"] <= width, (width, REGIONS[at])
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(script("cutOff")) == [], width
        assert page.locator(".tools").evaluate("(tools) => tools.scrollWidth - tools.clientWidth") <= 1, width
        if width >= WIDE:
            assert page.evaluate("document.documentElement.scrollHeight") <= height
            assert boxes[2]["bottom"] - boxes[2]["top"] > height - 140
        else:
            assert boxes[2]["right"] - boxes[2]["left"] > width - 20
        if (width, height) == LAPTOP:
            for needed in NEEDED:
                expect(page.locator(needed)).to_be_in_viewport(ratio=1)
            assert page.evaluate(script("glowingOutOfSight")) == []


@pytest.mark.parametrize("size", [SIZES[0], LAPTOP], ids=["phone", "laptop"])
def test_nothing_moves_the_board(page: Page, size: tuple[int, int]) -> None:
    """No reason, choice, confirmation, hint, tip, caption, proposal, message or lost connection."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_table(page, "bus")
    page.reload()  # on the first visit the server had to guess how wide the window is
    assert ready(page)
    place = box(page, "#board")
    hit(page, "pass")
    expect(page.locator("#reason")).to_contain_text("§")
    assert box(page, "#board") == place
    assert click_part(page, plot(page))
    expect(page.locator("#choices button")).to_have_count(3)
    assert box(page, "#board") == place
    page.locator("#unpick").click()
    page.locator("#hint").click()
    expect(page.locator("#ideas > li").first).to_be_visible()
    assert box(page, "#board") == place
    page.locator("#close-advice").click()
    open_moves(page)
    assert box(page, "#board") == place
    shown: dict[str, Box] = page.evaluate(script("fillOneByOne"))
    assert {name for name, at in shown.items() if at != place} == set()
    assert shown.keys() >= {"proposal", "declined", "rematch-asked", "reconnecting", "chat-news", "tip", "caption"}


def test_the_list_of_moves_and_the_tabs(page: Page) -> None:
    """A key unfolds the list, which can show the notation; few moves are buttons; arrow keys go from tab to tab."""
    start_game(page, "bus", "you", "another", "another")
    expect(page.locator("#moves")).to_be_hidden()
    expect(page.locator("#move-picker-head")).to_contain_text("All moves (36)")
    page.keyboard.press("m")
    expect(page.locator("#find")).to_be_focused()
    expect(page.locator("#moves button")).to_have_count(36)
    expect(page.locator("#moves code").first).to_be_hidden()
    open_tab(page, "This table")
    page.get_by_label("Show moves in notation too").check()
    expect(page.locator("#moves code").first).to_be_visible()
    page.reload()
    assert ready(page)
    expect(page.locator("#moves code").first).to_be_visible()
    now = plies(page)
    expect(page.locator("#choices button")).to_have_count(0)
    assert click_part(page, plot(page))
    assert page.locator("#choices button").all_text_contents() == ["House", "Office", "Pub"]
    pub = page.locator("#choices button").last
    assert (pub.get_attribute("aria-label") or "").startswith("Pub on ")
    pub.click()
    expect(page.locator("#where")).to_have_text(f"{now + 1} / {now + 1}")
    page.locator("#log-head").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#menu-head")).to_be_focused()
    expect(page.locator("#menu")).to_be_visible()
    expect(page.locator("#log")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#log")).to_be_visible()
    expect(page.locator("#where")).not_to_have_text("")
    expect(page.locator("#past")).to_be_hidden()


NOTICES = ("result", "declined", "rematch-asked", "proposal")


def test_notices_leave_the_game_in_sight(page: Page) -> None:
    """Beside a laptop's board several lines of the log stay above them; a phone shows the most urgent one at a time."""
    page.set_viewport_size({"width": 1366, "height": 768})
    start_game(page, "bus")
    page.evaluate(script("showNotices"), NOTICES)
    log, toasts = box(page, "#log-panel"), box(page, "#toasts")
    assert min(log["bottom"], toasts["top"]) - log["top"] >= 78
    resize(page, 360, 740)
    page.evaluate(script("showNotices"), NOTICES)  # the board was drawn again
    for name in reversed(NOTICES):
        expect(page.locator("#toasts > *").locator("visible=true")).to_have_count(1)
        expect(page.locator(f"#{name}")).to_be_visible()
        page.locator(f"#{name}").evaluate("(notice) => { notice.hidden = true; }")
