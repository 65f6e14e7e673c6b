"""What others do can be followed: captions, pace, traces, sounds, and a status that fits the board."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from support.browser import LONG_AGO, SEATS, NewPage, disconnect, plies, ready, reconnect, resize, script, status, where
from support.playing import choose_first, decide_by_clicking, open_table, start_game


@pytest.fixture
def moving(moving_page: Page) -> Page:
    moving_page.add_init_script(script("noteCaptions") + "()")
    moving_page.add_init_script(script("noteNotes") + "()")
    return moving_page


def scene(page: Page) -> dict[str, Any]:
    """The scene a page would get that is loaded now."""
    answer = page.request.get(f"/api/tables/{page.url.split('?')[0].rsplit('/', 1)[1]}/scene")
    found: dict[str, Any] = answer.json()
    return found


def told(page: Page) -> list[list[Any]]:
    """The captions so far, apart from those of own moves."""
    return [entry for entry in page.evaluate("window.told") if entry[0] and not entry[0].startswith("You: ")]


def captions(steps: list[dict[str, Any]]) -> list[str]:
    """What is said of each decision: what the same seat has decided just before it is said again with it."""
    turns: list[list[dict[str, Any]]] = []
    for at, step in enumerate(steps):
        turns.append([*turns[-1], step] if at and steps[at - 1]["seat"] == step["seat"] else [step])
    return [" ".join(each["caption"] for each in turn[-6:]) for turn in turns]


def decide_until(page: Page, random: Random, condition: Callable[[], Any], *, most: int = 30) -> None:
    """Decide until something is so at an own turn; the captions are those since the last own decision."""
    for _ in range(most):
        page.evaluate("window.told && (window.told.length = 0)")
        decide_by_clicking(page, random)
        assert ready(page)
        if condition():
            return
    raise AssertionError("it never came to it")


def decide_until_others_did(page: Page, game: str, random: Random) -> list[dict[str, Any]]:
    """Come to an own turn before which others decided more than one thing; return what they did."""
    start_game(page, game)
    decide_until(page, random, lambda: len(scene(page)["steps"]) > 1)
    steps: list[dict[str, Any]] = scene(page)["steps"]
    return steps


def test_decisions_of_others_are_told_one_by_one(moving: Page, new_page: NewPage) -> None:
    """Each has its caption, in order; moves are offered with the last one. “Since your last turn” tells them again.

    A page that is opened afterwards does not: it has the last caption and the moves at once.
    """
    steps = decide_until_others_did(moving, "bus", Random(2))
    assert [text for text, _ in told(moving)] == captions(steps)
    assert [offered for _, offered in told(moving)] == [False] * (len(steps) - 1) + [True]
    for step in steps:
        expect(moving.locator("#live")).to_contain_text(step["caption"])
    moving.evaluate(script("noteRetold"))
    moving.locator("#since").click()
    expect(moving.locator("#past")).to_be_visible()
    expect(moving.locator("#past")).to_be_hidden()
    retold = moving.evaluate("window.retold")
    assert [text for text in retold if text in captions(steps)] == captions(steps)[:-1]
    expect(moving.locator("#caption")).to_have_text(captions(steps)[-1])
    expect(moving.locator("#move-picker")).to_be_visible()
    still = new_page(storage_state=moving.context.storage_state())
    still.goto(moving.url)
    assert ready(still)
    expect(still.locator("#caption")).to_have_text(captions(steps)[-1])
    expect(still.locator("#live")).to_be_empty()


@pytest.mark.parametrize("answered", [True, False])
def test_missed_decisions_are_told_after_reconnecting(moving: Page, new_page: NewPage, *, answered: bool) -> None:
    """Several decisions in one scene are shown one by one too, on the boards they led to, if those come in time.

    The page stays as it is: it says that it is cut off, and is not loaded again.
    """
    start_game(moving, "bus")
    moving.evaluate("window.stayed = true")
    disconnect(moving)
    before = where(moving)
    other = new_page(storage_state=moving.context.storage_state())
    other.goto(moving.url)
    assert ready(other)
    random = Random(4)
    decide_by_clicking(other, random)
    while ready(other) and len(scene(other)["steps"]) < 2:
        decide_by_clicking(other, random)
    moving.evaluate("window.told.length = 0")
    expect(moving.locator("#where")).to_have_text(before)
    asked: list[str] = []
    moving.on("request", lambda request: asked.append(request.url))
    if not answered:
        moving.route("**/at/*", lambda _: None)
    reconnect(moving)
    steps = scene(moving)["steps"]
    expect(moving.locator("#caption")).to_have_text(captions(steps)[-1])
    assert ready(moving)
    assert [text for text, _ in told(moving)] == captions(steps)
    assert [int(url.split("?")[0].rsplit("/", 1)[1]) for url in asked] == [step["ply"] for step in steps[:-1]]
    expect(moving.locator("#where")).to_have_text(where(other))
    assert moving.evaluate("window.stayed") is True


def stopped_after_an_own_turn(page: Page) -> None:
    """Stop the clock of a page, and end an own turn; when others have decided, the page knows it but shows nothing."""
    start_game(page, "bus")
    page.clock.install()
    page.goto(page.url)
    assert ready(page)
    page.evaluate(LONG_AGO)  # the clock has brought its own
    stop_clock(page)
    page.evaluate("window.told.length = 0")
    random = Random(2)
    for _ in range(6):
        decide_by_clicking(page, random)
        if page.locator("#move-picker").is_hidden():
            wait_for_own_turn(page)
            return
    raise AssertionError("the own turn never ends")


def stop_clock(page: Page) -> None:
    """Stop the clock of a page, a little later than now: the machine may be busy."""
    page.clock.pause_at(page.evaluate("Date.now()") + 60_000)


def wait_for_own_turn(page: Page) -> None:
    """Wait until a page has been told that the reader is to decide again, whatever it shows."""
    page.wait_for_function("() => window.latest.moves.length > 0")


def test_every_decision_stays_for_a_while(moving: Page) -> None:
    """With a clock that only the test moves on: nothing happens before the time of a decision is over."""
    stopped_after_an_own_turn(moving)
    expect(status(moving)).to_contain_text("is thinking …")
    assert told(moving) == []
    seen = []
    for _ in range(20):
        moving.clock.run_for(700)
        seen.append(len(told(moving)))
        if moving.locator("#move-picker").is_visible():
            break
    assert moving.locator("#move-picker").is_visible()
    assert [text for text, _ in told(moving)] == captions(scene(moving)["steps"])
    assert all(later - sooner <= 1 for sooner, later in zip([0, *seen], seen, strict=False))


@pytest.mark.parametrize("how", ["click", "key"])
def test_skipping_shows_the_current_board_and_plays_nothing(moving: Page, how: str) -> None:
    """A click on the board, or Enter, shows what waits; it chooses no move, even if it is a double click."""
    stopped_after_an_own_turn(moving)
    before = scene(moving)
    expect(moving.locator("#move-picker")).to_be_hidden()
    if how == "click":
        moving.locator("#board").dblclick()
    else:
        moving.locator("h1").click()
        moving.keyboard.press("Enter")
    expect(moving.locator("#move-picker")).to_be_visible()
    expect(moving.locator("#caption")).to_have_text(captions(before["steps"])[-1])
    expect(moving.locator("#pending")).to_be_hidden()
    expect(moving.locator("#picked")).to_be_hidden()
    assert plies(moving) == before["position"]["plies"] == scene(moving)["position"]["plies"]


@pytest.mark.parametrize("game", SEATS)
def test_what_moved_leaves_a_trace(page: Page, game: str) -> None:
    """Until the player begins to decide, then only what was moved since is drawn; the device remembers not to."""
    for seed in range(5):  # some decisions, such as passing, move nothing
        if any(step["moved"] or step["appeared"] for step in decide_until_others_did(page, game, Random(seed))):
            break
    drawn = page.locator("#board .trace > *")
    expect(drawn).not_to_have_count(0)
    page.evaluate("document.querySelector('#board .glow').classList.add('picked-part')")
    expect(page.locator("#board .trace")).to_be_hidden()
    page.evaluate("document.querySelector('#board .picked-part').classList.remove('picked-part')")
    decide_by_clicking(page, Random(1))
    assert ready(page)
    steps = scene(page)["steps"]
    pieces = {name for step in steps for name in [*step["appeared"], *(piece[0] for piece in step["moved"])]}
    assert page.locator("#board .trace :is(.way, .ring)").count() <= len(pieces)
    page.locator("#menu-head").click()
    page.locator("#trace").uncheck()
    expect(drawn).to_have_count(0)
    page.reload()
    assert ready(page)
    expect(drawn).to_have_count(0)
    expect(page.locator("#trace")).not_to_be_checked()


def test_sounds_and_pace_are_remembered(moving: Page) -> None:
    """Once switched on, moves of others and the own turn can be heard; with “instant” everything is still announced."""
    decide_until_others_did(moving, "bus", Random(2))
    assert moving.evaluate("window.heard") == []
    moving.locator("#menu-head").click()
    moving.locator("#moves-sound").check()
    decide_until(moving, Random(3), lambda: moving.evaluate("window.heard.length"))
    moving.wait_for_function("() => [520, 660, 880].every((pitch) => window.heard.includes(pitch))")
    moving.locator("#pace").select_option("instant")
    moving.reload()
    assert ready(moving)
    moving.locator("#menu-head").click()
    expect(moving.locator("#moves-sound")).to_be_checked()
    expect(moving.locator("#pace")).to_have_value("instant")
    decide_until(moving, Random(2), lambda: len(scene(moving)["steps"]) > 1)
    for step in scene(moving)["steps"]:
        expect(moving.locator("#live")).to_contain_text(step["caption"])


def test_the_status_says_what_is_happening(moving: Page) -> None:
    """A move that is not answered is being sent; then the table waits for whoever is to decide."""
    start_game(moving, "bus")
    disconnect(moving)
    choose_first(moving)
    expect(status(moving)).to_have_text("Sending your move …")
    reconnect(moving)
    assert ready(moving)
    expect(status(moving)).not_to_have_text("Sending your move …")


RIDES = [
    {"caption": "A–A", "seat": 0, "symbol": "", "points": [[100, 100], [300, 200], [300, 400]], "row": 0,
     "ticks": ["0 min", "3 min", "5 min"], "value": "5 minutes, +3", "parts": []},
    {"caption": "B–B", "seat": None, "symbol": "", "points": [], "row": 1,
     "ticks": [], "value": "", "parts": ["supply"]},
]  # fmt: skip


def finished_table(page: Page) -> None:
    """Open a table whose game is over, with two things to show and a result of three rows."""
    open_table(page, "times_square")
    answer = page.request.post(f"{page.url.split('?')[0]}/resign", headers={"origin": page.url.split("/tables")[0]})
    assert answer.ok

    def prepared(route: Route) -> None:
        text = route.fetch().text()
        before, rest = text.split('id="scene">', 1)
        written, after = rest.split("</script>", 1)
        scene = json.loads(written)
        scene["position"]["journeys"] = RIDES
        scene["position"]["breakdown"] = [[name, ["1", "2"]] for name in ("Ride A", "Ride B", "Total")]
        route.fulfill(body=f'{before}id="scene">{json.dumps(scene)}</script>{after}', content_type="text/html")

    page.route("**/tables/*", prepared)
    page.route_web_socket("**/socket", lambda _: None)  # which would send the true scene
    page.reload()
    expect(page.locator("#result")).to_be_visible()


def covered(page: Page) -> list[bool]:
    found: list[bool] = page.evaluate(
        "[...document.querySelectorAll('#breakdown tbody tr')].map((row) => row.classList.contains('covered'))"
    )
    return found


def test_the_end_of_a_game_is_played(moving: Page) -> None:
    """On a clock of the test: routes grow, captions count, and the rows of the result appear one after the other."""
    moving.clock.install()
    finished_table(moving)
    stop_clock(moving)
    moving.evaluate("window.told.length = 0")
    moving.locator("#watch-end").click()
    expect(moving.locator("#caption")).to_contain_text("A–A · 0 min")
    expect(moving.locator("#outcome")).to_be_hidden()
    assert covered(moving) == [True, True, True]
    for _ in range(20):
        moving.clock.run_for(200)
        if covered(moving) != [True, True, True]:
            break
    assert covered(moving) == [False, True, True]
    expect(moving.locator("#board .lit").first).to_be_attached()
    for _ in range(20):
        moving.clock.run_for(200)
    assert covered(moving) == [False, False, False]
    captions = [text.split(": ", 1)[-1] for text, _ in moving.evaluate("window.told")]
    said = [text for at, text in enumerate(captions) if text != captions[at - 1]]
    assert said == ["A–A · 0 min", "A–A · 3 min", "A–A · 5 min", "A–A · 5 minutes, +3", "B–B", ""]
    expect(moving.locator("#outcome")).to_be_visible()
    expect(moving.locator("#board .journey")).to_have_count(0)
    moving.locator("#watch-end").click()  # once more, and skip it
    expect(moving.locator("#board .journey")).to_have_count(1)
    moving.locator("h1").click()
    moving.keyboard.press("Escape")
    expect(moving.locator("#board .journey")).to_have_count(0)
    assert covered(moving) == [False, False, False]
    expect(moving.locator("#outcome")).to_be_visible()


def test_a_long_round_is_summed_up(moving: Page) -> None:
    """After many decisions of others it is said who has gained what; each was shown at the usual pace."""
    stopped_after_an_own_turn(moving)
    moving.clock.run_for(20_000)
    random = Random(5)
    for _ in range(60):
        assert ready(moving)
        before = scene(moving)["position"]["panels"]
        moving.evaluate("window.told.length = 0")
        decide_by_clicking(moving, random)
        wait_for_own_turn(moving)
        moving.clock.run_for(20_000)
        gained = gains(before, scene(moving)["position"]["panels"])
        if gained and len(scene(moving)["steps"]) >= 6:
            break
    said = [text for text, _ in told(moving)]
    assert said[:-1] == captions(scene(moving)["steps"])
    assert said[-1].startswith("Since your last turn: ")
    assert all(f"{name} (" in said[-1] for name in gained)


def gains(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[str]:
    """The names of those who have more of anything."""
    held = [
        [[int(number.replace("−", "-")) for _, number in panel["holdings"]] for panel in panels]
        for panels in (before, now)
    ]
    more = [any(new > old for old, new in zip(*both, strict=True)) for both in zip(*held, strict=True)]
    return [panel["name"] for panel, gained in zip(now, more, strict=True) if gained]


def test_a_turned_tablet_shows_no_stray_traces(new_page: NewPage) -> None:
    """What has moved is drawn where it lies on the board of the new shape, as on a page that is loaded in it."""
    page = new_page(viewport={"width": 1180, "height": 820})
    decide_until_others_did(page, "times_square", Random(2))
    for width, height in ((820, 1180), (1180, 820)):
        resize(page, width, height)
        fresh = new_page(viewport={"width": width, "height": height}, storage_state=page.context.storage_state())
        fresh.goto(page.url)
        assert ready(fresh)
        traces = fresh.locator("#board .trace").inner_html()
        assert traces
        page.wait_for_function("(traces) => document.querySelector('#board .trace')?.innerHTML === traces", arg=traces)
