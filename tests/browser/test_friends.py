"""Friends online: two and three browsers at one table."""

from __future__ import annotations

import re
from random import Random

from playwright.sync_api import Page, expect

from omnibus import games
from support.browser import (
    WEAK,
    claim,
    disconnect,
    faults,
    open_tab,
    plies,
    ready,
    reconnect,
    resize,
    script,
    see_ply,
    submit,
    wait_for_message,
    wait_until,
)
from support.playing import decide_by_clicking, open_table

Form = dict[str, str | float | bool]


def invite(host: Page) -> str:
    """Copy the link for all free seats, once the page listens."""
    wait_for_message(host, "people")
    shown = host.locator(".invitation-link")
    shown.locator("button").click()
    expect(shown.locator("button")).to_have_text("Copied")
    return shown.locator("input").input_value()


def accept(guest: Page, link: str, name: str) -> None:
    """Take a free seat of the table behind a link."""
    guest.goto(link)
    guest.get_by_label("Your name").fill(name)
    submit(guest, guest.get_by_role("button", name="Join"))
    wait_for_message(guest, "people")


def sit_together(guests: list[Page], *more: str, game: str = "bus") -> None:
    """Bring the guests to one table; the first one sets it up."""
    host, title = guests[0], games.find(game).title
    host.goto("/")
    card = host.locator("section.game").filter(has=host.locator("h2", has_text=title))
    card.locator("summary").first.click()
    for seat, who in enumerate(["you", *["friend"] * (len(guests) - 1), *more]):
        card.locator(f"select[name=seat-{seat}]").select_option(who)
    card.locator("input[name=name-0]").fill("Anna")
    submit(host, card.get_by_role("button", name="Create table"))
    expect(host.get_by_role("heading", level=1)).to_have_text(f"{title} · Waiting for players")
    link = invite(host)
    for guest, name in zip(guests[1:], ["Bert", "Cleo", "Dora"], strict=False):
        accept(guest, link, name)
    for guest in guests:
        wait_for_board(guest)


def wait_for_board(guest: Page) -> None:
    """Wait until the page shows a game, and the server has answered it."""
    expect(guest.locator("#board svg")).to_be_visible()
    wait_for_message(guest, "scene")


def whose(guests: list[Page]) -> Page:
    """Return the page of the player whose turn it is."""
    wait_until(guests[0], lambda: any(map(has_turn, guests)), "it is nobody's turn")
    return next(guest for guest in guests if has_turn(guest))


def has_turn(guest: Page) -> bool:
    return guest.locator("#move-picker").is_visible()


def play_until_turn_of(guest: Page, other: Page, seed: int) -> None:
    """Let the other person play until it is a guest's turn."""
    random = Random(seed)
    while not has_turn(guest):
        wait_until(guest, lambda: has_turn(guest) or has_turn(other), "it is nobody's turn")
        if has_turn(other):
            decide_by_clicking(other, random)


def play(guests: list[Page], decisions: int, seed: int) -> None:
    random = Random(seed)
    for _ in range(decisions):
        mover = whose(guests)
        decide_by_clicking(mover, random)
        wait_until(mover, lambda: len(set(map(plies, guests))) == 1, "everybody sees it")


def test_invite_join_play_with_a_reconnect(guests: list[Page]) -> None:
    """Three people play; one loses the connection, misses a move, and has it all when back.

    A move the others have answered is undone when all of them accept, and not before.
    """
    sit_together(guests)
    assert not faults(guests[0])
    for guest in guests:
        expect(guest.locator(".presence.present")).to_have_count(3)
    play(guests, 4, seed=1)
    lost = next(guest for guest in guests if guest is not whose(guests))
    disconnect(lost)
    rest = [guest for guest in guests if guest is not lost]
    before = plies(lost)
    mover = whose(rest)
    decide_by_clicking(mover, Random(2))
    assert plies(lost) == before
    reconnect(lost)
    see_ply(lost, plies(mover))
    assert plies(lost) > before
    play(guests, 3, seed=3)
    lines = "(items) => items.map((item) => item.dataset.ply)"  # each is called You in their own log
    logs = [guest.locator("#log li").evaluate_all(lines) for guest in guests]
    assert logs[0] == logs[1] == logs[2]
    start = plies(guests[0])
    asker = next(guest for guest in guests if guest.locator("#ask-undo").is_visible())
    others = [guest for guest in guests if guest is not asker]
    asker.locator("#ask-undo").click()
    expect(others[0].locator("#proposal")).to_contain_text("asks to undo")
    others[0].locator("#decline").click()
    expect(asker.locator("#declined")).to_be_visible()
    for guest in guests:
        expect(guest.locator("#proposal")).to_be_hidden()
    expect(others[1].locator("#declined")).to_be_hidden()
    asker.locator("#ask-undo").click()
    expect(asker.locator("#declined")).to_be_hidden()
    others[0].locator("#accept").click()
    expect(others[0].locator("#accept")).to_be_hidden()
    assert plies(asker) == start
    others[1].locator("#accept").click()
    expect(others[1].locator("#proposal")).to_be_hidden()
    for guest in guests:
        guest.wait_for_function("(was) => Number(document.getElementById('slider').max) < was", arg=start)
    assert whose(guests) is asker


def test_chat_mute_and_watch(guests: list[Page], page: Page) -> None:
    """Players chat; spectators see the game but not the chat; messages of muted players are hidden.

    A bot plays for somebody who has to leave, until they take their seat back.
    """
    sit_together(guests[:2], WEAK)
    anna, bert = guests[:2]
    page.goto(anna.url)
    wait_for_board(page)
    expect(page.locator("#chat")).to_have_count(0)
    expect(page.get_by_text("You are watching this game.")).to_be_visible()
    expect(page.locator("#move-picker")).to_be_hidden()
    open_tab(anna, "This table")
    expect(anna.locator("#watching")).to_have_text("1 watching")
    wait_for_message(bert, "chat")  # what is written from now on is news
    resize(bert, 360, 740)
    open_tab(anna, "Chat")
    anna.get_by_label("Message to the players").fill("<i>hello</i>")
    anna.keyboard.press("Enter")
    expect(bert.locator("#chat-lines li")).to_contain_text("Anna <i>hello</i>")
    expect(bert.locator("#chat-news")).to_have_text("Anna: <i>hello</i>")
    expect(bert.locator("#chat-badge")).to_have_text("1")
    bert.locator("#chat-news").click()
    expect(bert.locator("#chat-news")).to_be_hidden()
    expect(bert.locator("#chat-badge")).to_be_hidden()
    bert.get_by_role("button", name="Mute Anna").click()
    expect(bert.locator("#chat-lines li")).to_have_count(0)
    anna.get_by_label("Message to the players").fill("still there?")
    anna.keyboard.press("Enter")
    expect(anna.locator("#chat-lines li")).to_have_count(2)
    expect(bert.locator("#chat-lines li")).to_have_count(0)
    bert.get_by_role("button", name="Unmute Anna").click()
    expect(bert.locator("#chat-lines li")).to_have_count(2)
    assert not faults(bert)
    assert not faults(page)
    resize(bert, 1366, 768)
    hand_over_and_back(bert, anna)


def hand_over_and_back(away: Page, other: Page) -> None:
    """A bot plays for somebody until they take their seat back."""
    open_tab(away, "This table")
    away.locator("#bot-for-me select").select_option(WEAK)
    away.locator("#bot-for-me button").click()
    expect(away.locator("#bot-plays")).to_be_visible()
    expect(other.locator(".panel").nth(1)).to_contain_text("until they are back")
    for turn in range(4):
        if ready(other):
            decide_by_clicking(other, Random(turn))
    assert away.locator("#move-picker").is_hidden()
    away.get_by_role("button", name="Take my seat back").click()
    expect(away.locator("#bot-plays")).to_be_hidden()
    play_until_turn_of(away, other, seed=5)
    decide_by_clicking(away, Random(6))


def test_your_next_table(page: Page) -> None:
    """Title, icon and a link say that another table is waiting for you."""
    open_table(page, "bus", "you", "another", "another")
    first = page.url
    expect(page).to_have_title("● Bus · Omnibus")
    expect(page.locator("#next-table")).to_be_hidden()
    open_table(page, "bus", "you", WEAK, WEAK)
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("turn_alert"))
    page.locator("#next-table").click()
    page.wait_for_url(first)


def test_whoever_is_sent_away_is_told(guests: list[Page]) -> None:
    """The page says that the seat was cleared, once."""
    host, guest = guests[:2]
    open_table(host, "bus", "you", "friend", "friend")
    link = invite(host)
    guest.goto(link)
    assert not faults(guest)
    accept(guest, link, "Bert")
    expect(guest.get_by_role("button", name="Leave this seat")).to_be_visible()
    host.get_by_role("button", name="Clear this seat: Bert").click()
    expect(guest.locator("#notice")).to_have_text("The person who set up this table has cleared your seat.")
    assert not faults(guest)
    guest.reload()
    expect(guest.locator("#notice")).to_be_hidden()


def test_a_rematch_asks(guests: list[Page]) -> None:
    """Whoever wants one waits at the new table; the other is asked at the old one, and by joining starts the game."""
    anna, bert = guests[:2]
    sit_together([anna, bert], game="times_square")
    anna.on("dialog", lambda dialog: dialog.accept())
    open_tab(anna, "This table")
    submit(anna, anna.get_by_role("button", name="Resign"))
    expect(bert.get_by_role("button", name="Rematch")).to_be_visible()
    expect(bert.locator("#rematch-asked")).to_be_hidden()
    submit(anna, anna.get_by_role("button", name="Rematch"))
    expect(anna.get_by_role("heading", level=1)).to_have_text("Times Square · Waiting for players")
    wait_for_message(anna, "people")  # the page hears of what happens
    expect(bert.locator("#rematch-asked")).to_contain_text("Anna wants a rematch.")
    assert not faults(bert)
    submit(bert, bert.get_by_role("button", name="Join"))
    for guest in (anna, bert):
        wait_for_board(guest)
    assert anna.url == bert.url


def test_called_to_the_table(guests: list[Page]) -> None:
    """Players who look elsewhere hear a sound, unless it is switched off, and get a notification, if allowed."""
    sit_together(guests[:2], WEAK)
    for sound in ("yes", "no"):
        mover = whose(guests[:2])
        waiting = next(guest for guest in guests[:2] if guest is not mover)
        wait_for_message(waiting, "awaited")  # what comes after that is news
        waiting.locator("h1").click()  # without any click there would be no sound
        waiting.evaluate(script("goOutOfSight"))
        waiting.evaluate("(sound) => localStorage.setItem('omnibus sound', sound)", sound)
        play_until_turn_of(waiting, mover, seed=7)
        expect(waiting).to_have_title("● Bus · Omnibus")
        waiting.wait_for_function("() => window.shown.length > 0")
        assert waiting.evaluate("window.shown[0]") == ["Omnibus", "It is your turn."]
        if sound == "yes":
            waiting.wait_for_function("() => window.rung > 0")
        else:
            assert waiting.evaluate("window.rung") == 0
        waiting.reload()  # what was replaced for the test is as before


def test_the_list_of_open_tables_updates_by_itself(guests: list[Page]) -> None:
    """A new table appears without reloading, and goes when it is full; what somebody types meanwhile stays.

    The last one to join starts the game, and those who wait are taken to it.
    """
    host, guest, other = guests
    wish: Form = {"seat-0": "you", "name-0": "Eva", "seat-1": "friend", "listed": "yes", "language": "it"}
    wish["lowest"] = 1400
    guest.goto("/")
    wait_for_message(guest, "open_tables")
    first = host.request.post("/games/times_square/tables", form=wish).url
    row = guest.locator("#open-list li").filter(has_text="Eva")
    expect(row).to_contain_text("Rating from 1400 · Italiano")
    row.get_by_label("Your name").fill("Bert")
    second = host.request.post("/games/times_square/tables", form={**wish, "name-0": "Ottavia"}).url
    expect(guest.locator("#open-list li").filter(has_text="Ottavia")).to_be_visible()
    expect(row.get_by_label("Your name")).to_have_value("Bert")
    expect(row.get_by_label("Your name")).to_be_focused()
    assert not faults(guest)
    host.goto("/")
    submit(host, host.get_by_role("link", name="Times Square Eva").first)
    expect(host.get_by_role("heading", level=1)).to_contain_text("Waiting for players")
    assert not faults(host)
    wait_for_message(host, "people")  # it hears of what happens
    submit(guest, row.get_by_role("button", name="Join"))
    for each in (guest, host):
        wait_for_board(each)
    guest.goto("/")
    wait_for_message(guest, "open_tables", 1)
    expect(guest.locator("#open-list li").filter(has_text="Ottavia")).to_be_visible()
    other.request.post(f"{second}/join", form={"name": "Fritz"})
    expect(guest.locator("#open-list li").filter(has_text=re.compile("Eva|Ottavia"))).to_have_count(0)
    assert host.url == first


def test_invited_by_name(guests: list[Page]) -> None:
    """The mark appears on the page that is open; accepting the invitation starts the game for both."""
    host, guest = guests[:2]
    claim(host, "Ludovica")
    claim(guest, "Marcello")
    guest.goto("/")
    wait_for_message(guest, "awaited")
    expect(guest.locator("#inbox")).to_be_hidden()
    open_table(host, "times_square", "you", "friend")
    assert not faults(host)
    host.get_by_label("Invite by name").fill("marcello")
    submit(host, host.get_by_role("button", name="Invite by name"))
    expect(host.get_by_text("Invited: Marcello")).to_be_visible()
    wait_for_message(host, "people")  # it hears of what happens
    submit(guest, guest.get_by_role("link", name="Invitations and friend requests"))
    assert not faults(guest)
    submit(guest, guest.get_by_role("button", name="Accept: Ludovica, Times Square"))
    wait_for_board(guest)
    wait_for_board(host)
    guest.goto(f"{guest.url}/players")
    assert not faults(guest)
    submit(guest, guest.get_by_role("button", name="Add friend: Ludovica"))
    expect(guest.get_by_text("asked, no answer yet")).to_be_visible()
