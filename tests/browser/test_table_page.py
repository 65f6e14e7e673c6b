"""The page of a table: timeline, undo, reasons, several players on one device, languages, themes, phones."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.browser import (
    SEATS,
    NewPage,
    box,
    click_part,
    decide_by_clicking,
    decide_on_the_board,
    disconnect,
    open_moves,
    open_tab,
    open_table,
    parts,
    plies,
    ready,
    reconnect,
    see_ply,
    status,
    submit,
)

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
ON_A_PHONE = 12  # decisions


def test_timeline(page: Page) -> None:
    """By keys, slider, log and address; moves are chosen in the current position only; Escape leads back."""
    open_table(page, "bus")
    address = page.url
    random = Random(1)
    for _ in range(4):
        assert ready(page)
        decide_by_clicking(page, random)
    assert ready(page)
    now = plies(page)
    said = status(page).text_content()
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    see_ply(page, now - 1)
    expect(page).to_have_url(f"{address}?ply={now - 1}")
    expect(page.locator("#move-picker")).to_be_hidden()
    page.keyboard.press("Home")
    see_ply(page, 0)
    expect(status(page)).to_have_text("Chance names the start player.")
    page.locator("#slider").fill("3")
    see_ply(page, 3)
    page.locator("#log button").first.click()
    see_ply(page, 1)
    page.keyboard.press("Escape")
    see_ply(page, now)
    expect(status(page)).to_have_text(said or "")
    expect(page.locator("#move-picker")).to_be_visible()
    expect(page).to_have_url(address)
    page.goto(f"{address}?ply=2")
    see_ply(page, 2)
    page.get_by_role("button", name="Back to the current position").click()
    see_ply(page, now)


def test_undo_inside_the_own_turn(page: Page) -> None:
    """A played card can be undone by button or key, as long as nothing was drawn."""
    open_table(page, "times_square")
    assert ready(page)
    open_moves(page)
    before = page.locator("#moves button").all_text_contents()
    ply = plies(page)
    expect(page.locator("#undo")).to_be_hidden()
    card = page.locator('#moves button:not([data-line^="drop"], [data-line^="lure"], [data-line="done"])').first
    for key in ("", "u"):
        card.click()
        expect(page.locator("#where")).to_have_text(f"{ply + 1} / {ply + 1}")
        expect(page.locator("#undo")).to_be_visible()
        if key:
            page.keyboard.press(key)
        else:
            page.locator("#undo").click()
        expect(page.locator("#where")).to_have_text(f"{ply} / {ply}")
        assert page.locator("#moves button").all_text_contents() == before


def test_a_move_is_previewed(page: Page) -> None:
    """Resting on a move with the pointer shows what it would do; the focus only shows which parts it touches."""
    open_table(page, "times_square")
    assert ready(page)
    open_moves(page)
    move = page.locator('#moves button[data-line^="hal"], #moves button[data-line^="guard"]').first
    move.hover()
    expect(page.locator("#board")).to_contain_class("preview")
    page.locator("h1").hover()
    expect(page.locator("#board")).not_to_contain_class("preview")
    move.focus()
    expect(page.locator(".board .lit").first).to_be_attached()
    expect(page.locator("#board")).not_to_contain_class("preview")
    move.evaluate("(button) => button.blur()")
    expect(page.locator(".board .lit")).to_have_count(0)


def ask_for_hint(page: Page) -> bool:
    """Ask for a hint at a new table; False where nothing much speaks for or against any move."""
    open_table(page, "times_square")
    assert ready(page)
    page.locator("#hint").click()
    expect(page.locator("#ideas > li").first).to_contain_text("% chance to win")
    return any("+" in text or "−" in text for text in page.locator("#ideas .why").all_text_contents())


def test_a_hint_tells_what_and_why(page: Page) -> None:
    """A strong bot names its moves, how sure it is, what is for and against them; one click takes its advice."""
    assert any(ask_for_hint(page) for _ in range(6))  # hands are dealt at random: most, not all, give reasons
    ply = plies(page)
    ideas = page.locator("#ideas > li")
    ideas.first.get_by_role("button").click()
    if page.locator("#confirm").is_visible():
        page.locator("#confirm").click()
    page.wait_for_function("(ply) => Number(document.getElementById('where').textContent.split('/')[1]) > ply", arg=ply)


# A move waits for its confirmation, or has been played.
PENDING_OR_PLAYED = """(was) => {
  const moved = document.getElementById("where").textContent !== was;
  return moved || !document.getElementById("pending").hidden;
}"""


def test_a_turn_ends_with_one_confirm(page: Page) -> None:
    """Confirmed once, with a preview that can be cancelled; that can be switched off, and stays off."""
    open_table(page, "bus", "you", "another", "another")
    assert ready(page)
    open_moves(page)
    ply = plies(page)
    page.locator("#moves button").first.click()
    page.wait_for_function(PENDING_OR_PLAYED, arg=f"{ply} / {ply}")
    if page.locator("#confirm").is_hidden():  # the first of two buildings does not end the turn
        assert ready(page)
        page.locator("#moves button").first.click()
        ply += 1
    expect(page.locator("#confirm")).to_be_focused()
    expect(page.locator("#board")).to_contain_class("preview")
    page.keyboard.press("Escape")
    expect(page.locator("#confirm")).to_be_hidden()
    expect(page.locator("#board")).not_to_contain_class("preview")
    page.locator("#moves button").first.click()
    page.keyboard.press("Enter")
    expect(page.locator("#where")).to_have_text(f"{ply + 1} / {ply + 1}")
    open_tab(page, "This table")
    page.get_by_label("Confirm before ending a turn").uncheck()
    page.reload()
    assert ready(page)
    for more in (2, 3):
        page.locator("#moves button").first.click()
        expect(page.locator("#where")).to_have_text(f"{ply + more} / {ply + more}")


def test_a_click_on_an_action_means_no_other(page: Page) -> None:
    """Bus: who clicks Pass before two actions are taken is told why; the action next to it is not chosen instead."""
    open_table(page, "bus", "you", "another", "another")
    for _ in range(60):
        assert ready(page)
        if page.locator('.board [data-part="action-start"].glow').count():
            break
        open_moves(page)
        page.locator("#moves button").first.click()
        if page.locator("#confirm").is_visible():
            page.locator("#confirm").click()
    page.locator('.board [data-part="pass"]').first.click(force=True)
    expect(page.locator("#reason")).to_contain_text("§")
    expect(page.locator("#unpick").locator("visible=true")).to_have_count(0)


def test_illegal_clicks_say_why(page: Page) -> None:
    """With the §; and a click on what can be done narrows the list."""
    open_table(page, "bus", "you", "another", "another")
    assert ready(page)
    open_moves(page)
    page.locator('.board [data-part="pass"]').first.click(force=True)
    expect(page.locator("#reason")).to_contain_text("§")
    offered = page.locator("#moves button").count()
    plot = next(part for part in parts(page) if part.startswith("plot-"))
    page.locator(f'.board [data-part="{plot}"]').last.click(force=True)
    expect(page.locator("#reason")).to_be_empty()
    expect(page.locator("#moves button")).to_have_count(3)
    page.get_by_role("button", name="Choose again").locator("visible=true").click()
    expect(page.locator("#moves button")).to_have_count(offered)
    page.locator("#find").fill("pub")
    assert page.locator("#moves button").count() == offered // 3


def test_a_misclick_keeps_the_choice(page: Page) -> None:
    """With a kind of building chosen, a click on what does not go with it says why; nothing is played, nothing lost."""
    open_table(page, "bus", "you", "another", "another")
    assert ready(page)
    where = page.locator("#where").text_content()
    assert click_part(page, "kind-pub")
    left = page.locator("#moves button").all_text_contents()
    page.locator('.board [data-part="pass"]').first.click(force=True)
    expect(page.locator("#reason")).not_to_be_empty()
    assert page.locator("#moves button").all_text_contents() == left
    expect(page.locator('.board [data-part="kind-pub"].picked-part').first).to_be_attached()
    expect(page.locator("#where")).to_have_text(where or "")


def test_a_green_card_is_played_by_its_ghosts(page: Page) -> None:
    """Times Square: after a green card Sue and the whole trio stand as ghosts on both sides; each can be clicked."""
    for _ in range(20):  # until two green cards are dealt
        open_table(page, "times_square", "you", "another")
        page.locator("#cover-button").click()
        assert ready(page)
        if page.locator('#moves [data-line="sue+sue left"]').count():
            break
    ghosts = {"ghost-sue--1", "ghost-sue-1", "ghost-trio-left", "ghost-trio-right"}
    for ghost in sorted(ghosts):
        assert not any(part.startswith("ghost-") for part in parts(page))
        assert click_part(page, "card-sue")
        assert ghosts <= set(parts(page))
        assert click_part(page, ghost)
        if page.locator("#confirm").is_visible():
            page.locator("#confirm").click()
        expect(page.locator("#log li").last).to_contain_text("Sue")
        page.locator("#undo").click()
        expect(page.locator("#undo")).to_be_hidden()


GLOWS_AT = "({ x, y }) => document.elementsFromPoint(x, y).some((element) => element.closest('.glow'))"


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


def test_a_card_chosen_is_never_another_one_played(page: Page) -> None:
    """Times Square: with one card chosen, clicks on spaces only other cards reach play nothing."""
    open_table(page, "times_square", "you", "another")
    page.locator("#cover-button").click()
    assert ready(page)
    card = choose_card(page)
    where = page.locator("#where").text_content()
    chosen = page.locator("#moves button").all_text_contents()
    explained = 0
    for space in range(-8, 9):
        box = page.locator(f'.board [data-part="space-{space}"]').first.bounding_box()
        assert box
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        if page.evaluate(GLOWS_AT, at):  # the space itself, or a pawn on it
            continue
        page.mouse.click(at["x"], at["y"])
        if page.locator("#moves button").all_text_contents() == chosen:
            explained += bool(page.locator("#reason").text_content())
            expect(page.locator(f'.board [data-part="{card}"].picked-part').first).to_be_attached()
        else:  # a target close by took the click: choose the card again
            page.keyboard.press("Escape")
            assert click_part(page, card)
        expect(page.locator("#where")).to_have_text(where or "")
    assert explained


# The spaces to which one move alone leads.
LONE_SPACES = """() => {
  const all = window.latest.moves.flatMap((move) => move.parts);
  return all.filter((part) => part.startsWith("space-") && all.indexOf(part) === all.lastIndexOf(part));
}"""


def test_a_first_click_on_a_bare_place_asks(page: Page) -> None:
    """Times Square: a click on a space names no card, even if only one leads there; nor does a new choice play."""
    for _ in range(20):  # until one card alone leads somewhere
        open_table(page, "times_square", "you", "another")
        page.locator("#cover-button").click()
        assert ready(page)
        if any(click_part(page, space) for space in page.evaluate(LONE_SPACES)):
            break
    where = page.locator("#where").text_content() or ""
    expect(page.locator("#confirm")).to_be_visible()
    page.locator('.board [data-part^="card-"]:not(.picked-part)').first.click(force=True)
    expect(page.locator("#confirm, #unpick").locator("visible=true")).to_have_count(1)
    expect(page.locator("#where")).to_have_text(where)


def test_enter_in_an_empty_search_plays_nothing(page: Page) -> None:
    """Only what was typed is chosen by Enter."""
    open_table(page, "bus", "you", "another", "another")
    assert ready(page)
    open_moves(page)
    where = page.locator("#where").text_content()
    page.locator("#find").focus()
    for _ in range(8):
        page.keyboard.press("Enter")
    expect(page.locator("#where")).to_have_text(where or "")
    expect(page.locator("#confirm")).to_be_hidden()
    page.keyboard.type("pub")
    page.keyboard.press("Enter")
    page.wait_for_function(PENDING_OR_PLAYED, arg=where)


def test_a_near_miss_takes_the_nearest_target(page: Page) -> None:
    """A click a few pixels beside a plot means the plot; a reason cites its § with a link to the rules."""
    open_table(page, "bus", "you", "another", "another")
    assert ready(page)
    plot = next(part for part in parts(page) if part.startswith("plot-"))
    box = page.locator(f'.board [data-part="{plot}"].glow').first.bounding_box()
    assert box
    offered = page.locator("#moves button").count()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] + 8)
    page.wait_for_function("(before) => document.querySelectorAll('#moves button').length < before", arg=offered)
    page.keyboard.press("Escape")
    page.locator('.board [data-part="pass"]').first.click(force=True)
    link = page.locator("#reason a")
    expect(link).to_have_attribute("href", re.compile(r"^/rules/bus#\d"))


IDLE = {"bus": "pass", "times_square": "figure-charlie", "metromania": "points-1"}
"""Of each game, a part with which nothing can be done when it begins."""


def test_every_game_says_why(page: Page) -> None:
    """What is clicked in vain is answered with the real reason, and its § as a link to the rules."""
    for game, part in IDLE.items():
        open_table(page, game)
        assert ready(page)
        page.locator(f'.board [data-part="{part}"]').last.click(force=True)
        expect(page.locator("#reason a")).to_have_attribute("href", re.compile(rf"^/rules/{game}#\d"))


BESIDE = """() => {
  const lit = [...document.querySelectorAll(".board .glow")].map((part) => part.getBoundingClientRect());
  const away = (x, y) => Math.min(...lit.map(({ left, right, top, bottom }) =>
    Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))));
  const free = (x, y) => document.elementsFromPoint(x, y).some((part) => part.closest(".board [data-part]"))
    && !document.elementsFromPoint(x, y).some((part) => part.closest("[data-exact]"));
  const points = lit.flatMap(({ left, right, top, bottom }) => [[(left + right) / 2, top - 30],
    [(left + right) / 2, bottom + 30], [left - 30, (top + bottom) / 2], [right + 30, (top + bottom) / 2]]);
  return points.find(([x, y]) => away(x, y) > 29 && free(x, y));
}"""
"""A point 30 pixels beside what can be clicked, on another part, but on none that is only clicked on purpose."""


@pytest.mark.parametrize(("has_touch", "chosen"), [(False, 0), (True, 1)], ids=["mouse", "finger"])
def test_a_finger_reaches_further(new_page: NewPage, *, has_touch: bool, chosen: int) -> None:
    """A click 30 pixels beside a target is too far away for a mouse, but not for a finger."""
    page = new_page(**PHONE | {"has_touch": has_touch})
    open_table(page, "bus")
    assert ready(page)
    page.locator(".board .glow").first.scroll_into_view_if_needed()
    page.mouse.click(*page.evaluate(BESIDE))
    if not chosen:
        expect(page.locator("#reason")).not_to_be_empty()
    expect(page.locator("#unpick").locator("visible=true")).to_have_count(chosen)


def test_one_device_two_hands(page: Page) -> None:
    """Before the other hand is shown the board is covered, and nothing of a hand stands in the page."""
    open_table(page, "times_square", "you", "another")
    for _ in range(2):
        expect(page.locator("#cover")).to_be_visible()
        expect(page.locator('.board [data-piece^="card-"]')).to_have_count(0)
        page.locator("#cover-button").click()
        assert ready(page)
        assert page.locator('.board [data-piece^="card-"]').count() > 0
        open_moves(page)
        page.locator('#moves button[data-line^="lure"], #moves button[data-line^="drop"]').first.click()
        if page.locator("#confirm").is_hidden():
            page.locator('#choices button[data-line="done"]').click()
        page.locator("#confirm").click()
        page.locator("#handover").click()


def test_languages_and_light(page: Page) -> None:
    """A button each; the page, the moves and the log change, and the page says in what language it is."""
    open_table(page, "times_square")
    assert ready(page)
    seen = set()
    for code, name in (("it", "Italiano"), ("fr", "Français"), ("de", "Deutsch"), ("en", "English")):
        submit(page, page.get_by_role("button", name=name))
        expect(page.locator("html")).to_have_attribute("lang", code)
        assert ready(page)
        seen.add((page.locator("#move-picker-head").text_content(), page.locator("#log button").first.text_content()))
    assert len(seen) == 4
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    submit(page, page.get_by_role("button", name="Dark"))
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert ready(page)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    assert page.evaluate("getComputedStyle(document.querySelector('.board svg')).backgroundColor") != light
    submit(page, page.get_by_role("button", name="Light"))
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert ready(page)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == light


@pytest.mark.parametrize("game", SEATS)
def test_on_a_phone(new_page: NewPage, game: str) -> None:
    """At 360 pixels nothing is wider than the screen, and decisions can be made by touching the board alone."""
    page, random = new_page(**PHONE), Random(7)
    page.goto(f"/rules/{game}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    open_table(page, game)
    for _ in range(ON_A_PHONE):
        if not ready(page):
            break
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        decide_on_the_board(page, random)
    box = page.locator(".board svg").bounding_box()
    assert box
    assert box["width"] > 330


def test_pages_on_a_phone(new_page: NewPage) -> None:
    """They are not wider than the screen either."""
    page = new_page(**PHONE)
    for path in ("/", "/credits", "/api"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path


def test_answers_in_sight_on_a_phone(new_page: NewPage) -> None:
    """What a touch of the board leads to is seen without scrolling, and time travel does not scroll the board away."""
    page = new_page(**PHONE)
    open_table(page, "bus", "you", "another", "another")
    assert ready(page)
    plot = next(part for part in parts(page) if part.startswith("plot-"))
    assert click_part(page, plot)
    expect(page.locator("#unpick")).to_be_in_viewport(ratio=1)
    expect(page.locator("#choices button").first).to_be_in_viewport(ratio=1)
    page.locator("#unpick").click()
    assert click_part(page, plot)
    page.locator("#choices button").last.click()
    expect(page.locator("#where")).to_have_text("2 / 2")
    page.evaluate("scrollTo(0, 0)")
    page.locator("#board").click(position={"x": 5, "y": 5})
    page.keyboard.press("Home")
    see_ply(page, 0)
    page.keyboard.press("ArrowRight")
    see_ply(page, 1)
    expect(page.locator("#past button")).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0


def test_long_choices_on_a_phone(new_page: NewPage) -> None:
    """They can all be read without scrolling sideways, and the board stays where it is."""
    page = new_page(**PHONE, locale="de-DE")
    open_table(page, "times_square", "you", "another")
    page.locator("#cover-button").click()
    assert ready(page)
    place = box(page, "#board")
    choose_card(page)
    choices = page.locator("#choices button")
    expect(choices.first).to_be_visible()
    for choice in choices.all():
        expect(choice).to_be_in_viewport(ratio=1)
    assert page.locator("#choices").evaluate("(box) => box.scrollWidth - box.clientWidth") <= 1
    assert box(page, "#board") == place


def test_reconnecting(page: Page, new_page: NewPage) -> None:
    """Cut off, the page says so, reconnects, and has missed nothing, without being reloaded."""
    open_table(page, "bus", "you", "another", "another")
    assert ready(page)
    before = page.locator("#where").text_content() or ""
    other = new_page(storage_state=page.context.storage_state())
    other.goto(page.url)
    assert ready(other)
    page.evaluate("window.stayed = true")
    disconnect(page)
    decide_by_clicking(other, Random(1))
    expect(page.locator("#where")).to_have_text(before)
    reconnect(page)
    expect(page.locator("#where")).to_have_text(other.locator("#where").text_content() or "")
    assert page.evaluate("window.stayed") is True


def play_until_others_have_played(page: Page) -> int:
    """Come to an own turn before which others decided something; return the number of plies."""
    open_table(page, "bus")
    random = Random(2)
    for _ in range(20):
        assert ready(page)
        if page.locator("#since").is_visible():
            return plies(page)
        decide_by_clicking(page, random)
    raise AssertionError("the others never decide anything")


def test_since_your_last_turn(page: Page) -> None:
    """The moves of the others can be replayed, up to the current position."""
    now = play_until_others_have_played(page)
    page.locator("#since").click()
    expect(page.locator("#past")).to_be_visible()
    see_ply(page, now)
    expect(page.locator("#move-picker")).to_be_visible()


# Records the positions the page shows, from its first script on.
SHOWN = """document.addEventListener("readystatechange", () => {
  if (window.positions) return;
  window.positions = [];
  const where = document.getElementById("where");
  new MutationObserver(() => window.positions.push(parseInt(where.textContent))).observe(where, { childList: true });
});"""


def test_replay_on_return(page: Page, new_page: NewPage) -> None:
    """On return the moves since the last own turn are replayed, step by step, up to the current position.

    Another language or theme is no return; a click on the board ends the replay.
    """
    now = play_until_others_have_played(page)
    again = new_page(storage_state=page.context.storage_state(), reduced_motion="no-preference")
    again.add_init_script(SHOWN)
    again.goto(page.url)
    expect(again.locator("#past")).to_be_hidden()
    assert ready(again)
    decided = again.evaluate("JSON.parse(document.getElementById('scene').textContent).decided")
    shown = again.evaluate("[...new Set(window.positions)]")
    assert (shown[0], shown[-1]) == (decided, now)
    assert shown == sorted(shown)
    assert len(shown) > 1
    again.reload()
    assert ready(again)
    assert set(again.evaluate("window.positions")) == {now}
    impatient = again.context.new_page()
    impatient.route("**/at/*", lambda _: None)  # the replay stays at its first step
    impatient.goto(page.url)
    expect(impatient.locator("#past")).to_be_visible()
    impatient.locator("#board").click()
    expect(impatient.locator("#past")).to_be_hidden()
    expect(impatient.locator("#move-picker")).to_be_visible()


def test_on_return_without_motion(page: Page) -> None:
    """With reduced motion the current position is shown at once, with a button for the replay."""
    now = play_until_others_have_played(page)
    again = page.context.new_page()
    again.add_init_script(SHOWN)
    again.goto(page.url)
    assert ready(again)
    expect(again.locator("#past")).to_be_hidden()
    assert set(again.evaluate("window.positions")) == {now}
    expect(again.locator("#since")).to_be_visible()
