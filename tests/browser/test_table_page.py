"""The page of a table: timeline, undo, reasons, several players on one device, languages, themes, phones."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Page, expect

from support.browser import (
    PHONE,
    SEATS,
    NewPage,
    box,
    nightly_but,
    open_tab,
    plies,
    ready,
    script,
    see_ply,
    status,
    submit,
    wait_for_message,
    wait_until,
)
from support.playing import (
    PENDING_OR_PLAYED,
    choose_card,
    click_part,
    confirm,
    decide_by_clicking,
    decide_on_the_board,
    open_moves,
    open_table,
    plot,
    start_game,
)

ON_A_PHONE = 12  # decisions
WIDTH = "document.documentElement.scrollWidth"
DECISIONS = 16


def test_timeline(page: Page) -> None:
    """By keys, slider, log and address; moves are chosen in the current position only; Escape leads back."""
    start_game(page, "bus")
    address, random = page.url, Random(1)
    for _ in range(4):
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


def test_a_move_is_previewed_played_and_undone(page: Page) -> None:
    """The pointer on a move shows what it would do, the focus only what it touches; before a draw it can be undone."""
    start_game(page, "times_square")
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
    before, ply = page.locator("#moves button").all_text_contents(), plies(page)
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


def ask_for_hint(page: Page) -> bool:
    """Ask for a hint at a new table; False where nothing much speaks for or against any move."""
    start_game(page, "times_square")
    page.locator("#hint").click()
    expect(page.locator("#ideas > li").first).to_contain_text("% chance to win")
    return any("+" in text or "−" in text for text in page.locator("#ideas .why").all_text_contents())


def test_a_hint_tells_what_and_why(page: Page) -> None:
    """A strong bot names its moves, how sure it is, what is for and against them; one click takes its advice."""
    assert any(ask_for_hint(page) for _ in range(6))  # hands are dealt at random: most, not all, give reasons
    ply = plies(page)
    ideas = page.locator("#ideas > li")
    ideas.first.get_by_role("button").click()
    confirm(page)
    page.wait_for_function("(ply) => Number(document.getElementById('where').textContent.split('/')[1]) > ply", arg=ply)


def test_a_turn_ends_with_one_confirm(page: Page) -> None:
    """Confirmed once, with a preview that can be cancelled; that can be switched off, and stays off."""
    start_game(page, "bus", "you", "another", "another")
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
    start_game(page, "times_square")
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
    for path in ("/", "/credits", "/api", f"/rules/{game}"):
        page.goto(path)
        assert page.evaluate(WIDTH) <= 360, path
    open_table(page, game)
    for _ in range(ON_A_PHONE):
        if not ready(page):
            break
        assert page.evaluate(WIDTH) <= 360
        decide_on_the_board(page, random)
    board = box(page, ".board svg")
    assert board["right"] - board["left"] > 330


def test_answers_in_sight_on_a_phone(new_page: NewPage) -> None:
    """What a touch of the board leads to is seen without scrolling, and time travel does not scroll the board away."""
    page = new_page(**PHONE)
    start_game(page, "bus", "you", "another", "another")
    chosen = plot(page)
    assert click_part(page, chosen)
    expect(page.locator("#unpick")).to_be_in_viewport(ratio=1)
    expect(page.locator("#choices button").first).to_be_in_viewport(ratio=1)
    page.locator("#unpick").click()
    assert click_part(page, chosen)
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


def test_nothing_is_confirmed_at_an_earlier_position(page: Page) -> None:
    """As soon as somebody looks back, before that position is there, nothing is left to confirm."""
    start_game(page, "bus", "you", "another", "another")
    for _ in range(2):  # the second building ends the turn
        assert ready(page)
        open_moves(page)
        page.locator("#moves button").first.click()
    expect(page.locator("#confirm")).to_be_visible()
    page.route(re.compile("/at/"), lambda _: None)  # the server never answers
    page.keyboard.press("Home")
    expect(page.locator("#past")).to_be_visible()
    assert page.locator("#confirm").is_hidden()


def test_long_choices_on_a_phone(new_page: NewPage) -> None:
    """They stand in a row that scrolls sideways, each of them readable, and never cover the hand."""
    page = new_page(**PHONE, locale="de-DE")
    start_game(page, "times_square", "you", "another")
    place = box(page, "#board")
    choose_card(page)
    choices = page.locator("#choices button")
    expect(choices.first).to_be_visible()
    for choice in choices.all():
        choice.scroll_into_view_if_needed()
        expect(choice).to_be_in_viewport(ratio=1)
    for card in page.locator('[data-part^="card-"]').all():
        expect(card).to_be_in_viewport()
        assert card.evaluate(script("uncovered"))
    assert box(page, "#board") == place


def test_a_page_waits_for_a_server_that_can_save_nothing(page: Page) -> None:
    """Longer each time, though the server accepts its socket to say so; but not so long that a clock would run out."""
    start_game(page, "bus", "you", "another", "another")
    page.wait_for_load_state("networkidle")
    page.evaluate(script("keepWaits"))
    page.route_web_socket(
        re.compile("/tables/.*/socket$"), lambda socket: socket.on_message(lambda _: socket.close(code=1013))
    )
    page.evaluate("window.sockets.find((socket) => socket.url.includes('/tables/')).close()")
    page.wait_for_function("() => window.waits.length >= 12")
    waits = page.evaluate("window.waits")
    assert max(waits) > 1000
    assert max(waits) <= 3000
    expect(page.locator("#reconnecting")).to_be_visible()
    expect(page.locator("#unsaved")).to_be_hidden()  # there is nothing to be saved


@pytest.mark.parametrize("game", nightly_but("metromania", of=SEATS))
def test_the_page_shows_the_same_after_a_reload(page: Page, game: str) -> None:
    """It is told only what has changed on the board, undone moves included, and puts the rest together."""
    page.emulate_media(reduced_motion="reduce")
    open_table(page, game)
    random, differences = Random(3), 0
    for number in range(DECISIONS):
        if not ready(page):
            break
        decide_by_clicking(page, random)
        if number % 4 == 3 and ready(page) and page.locator("#undo").is_visible():
            now = plies(page)
            page.locator("#undo").click()
            page.wait_for_function("(now) => parseInt(document.getElementById('where').textContent) < now", arg=now)
        differences += page.evaluate("window.latest.base !== null")
    assert differences > DECISIONS / 2
    ready(page)
    seen = page.evaluate(script("everythingSeen"))
    page.reload()
    ready(page)
    assert page.evaluate(script("everythingSeen")) == seen


def test_a_picture_that_comes_meanwhile_is_kept(page: Page, new_page: NewPage) -> None:
    """A new name changes the picture; who looks at an earlier position then sees it later, though it is sent once."""
    start_game(page, "bus", "you", "another", "another")
    other = new_page(storage_state=page.context.storage_state())
    other.goto(page.url)
    assert ready(other)
    decide_by_clicking(other, Random(1))
    assert ready(page)
    page.goto(f"{page.url}?ply=1")
    see_ply(page, 1)
    site = page.url.split("/tables")[0]
    wait_for_message(page, "scene")
    assert page.request.patch(f"{site}/api/users/me", data={"name": "Zoe"}, headers={"origin": site}).ok
    wait_until(page, lambda: "Zoe" in (page.evaluate("window.latest.position.svg") or ""), "the new picture comes")
    assert ready(other)
    decide_by_clicking(other, Random(2))
    wait_until(page, lambda: page.evaluate("window.latest.position.svg") is None, "it comes once")
    page.get_by_role("button", name="Back to the current position").click()
    assert ready(page)
    expect(page.locator("#board svg")).to_contain_text("Zoe")
    expect(page.locator("#board g.pieces > *")).not_to_have_count(0)


def play_until_others_have_played(page: Page) -> int:
    """Come to an own turn before which others decided something; return the number of plies."""
    start_game(page, "bus")
    random = Random(2)
    for _ in range(20):
        if page.locator("#since").is_visible():
            return plies(page)
        decide_by_clicking(page, random)
        assert ready(page)
    raise AssertionError("the others never decide anything")


def test_replay_on_return(page: Page, new_page: NewPage) -> None:
    """On return the moves since the last own turn are replayed, step by step, up to the current position.

    Another language or theme is no return; a click on the board ends the replay. With reduced motion the current
    position is shown at once, with a button for the replay.
    """
    now = play_until_others_have_played(page)
    again = new_page(storage_state=page.context.storage_state(), reduced_motion="no-preference")
    again.add_init_script(script("notePositions") + "()")
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
    still = page.context.new_page()
    still.add_init_script(script("notePositions") + "()")
    still.goto(page.url)
    assert ready(still)
    expect(still.locator("#past")).to_be_hidden()
    assert set(still.evaluate("window.positions")) == {now}
    expect(still.locator("#since")).to_be_visible()
