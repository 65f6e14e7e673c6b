"""What-if boards in a real browser: branches by mouse and keyboard, watched by somebody else, opened from anywhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Dialog, Locator, Page, Route, expect

from omnibus import Match
from omnibus.kernel.game import Document
from support.browser import PHONE, NewPage, box, faults_in_themes, middle, submit, upload, wait_until
from support.playing import hit, open_table

CURRENT = "#tree [aria-current]"


def open_board(page: Page, game: str) -> None:
    """Open an empty board from the page on which boards are opened, and let chance begin."""
    page.goto("/analysis")
    submit(page, page.locator(f'form[action="/analysis/{game}"] button.primary'))
    page.locator("#roll").click()
    expect(page.locator(CURRENT)).not_to_have_attribute("data-node", "0")
    expect(page.locator("#move-picker")).to_be_visible()  # it was hidden while something was played


def open_board_from(page: Page, record: Path, ply: int) -> None:
    """Upload a record, show it as a replay at a ply, and open a board there."""
    page.goto(f"{upload(page, record.read_text('utf-8'))}?ply={ply}")
    expect(page.locator("#where")).to_contain_text(f"{ply} /")
    submit(page, page.locator("#what-if button"))
    expect(page.locator("#move-picker")).to_be_visible()


def choose(page: Page, number: int) -> str:
    """Choose a move from the list by its place, and wait until it is played; return its label."""
    before = page.locator(CURRENT).get_attribute("data-node")
    button = page.locator("#moves button").nth(number)
    label = button.locator("span").text_content() or ""
    button.evaluate("(button) => button.click()")
    expect(page.locator(CURRENT)).not_to_have_attribute("data-node", before or "")
    expect(page.locator(CURRENT)).to_contain_text(label)
    expect(page.locator("#move-picker")).to_be_visible()
    return label


def go_back(page: Page, node: str) -> None:
    """Go back to a node by key, and wait until it is shown."""
    page.keyboard.press("ArrowLeft")
    expect(page.locator(CURRENT)).to_have_attribute("data-node", node)


def test_lines_branch_and_are_watched(guests: list[Page]) -> None:
    """Two moves from one position are two lines; keys lead through them; somebody else sees them come.

    However many moves there are, the page is not higher than what it shows; axe finds nothing serious on it.
    """
    page, other, _ = guests
    open_board(page, "bus")
    start = page.locator(CURRENT).get_attribute("data-node") or ""
    hit(page, "pass")
    expect(page.locator("#reason a")).to_contain_text("§")
    first = choose(page, 0)
    go_back(page, start)
    second = choose(page, 1)
    expect(page.locator("#tree .branch a")).to_contain_text(second)
    page.keyboard.press("ArrowUp")
    expect(page.locator(CURRENT)).to_contain_text(first)
    page.reload()
    expect(page.locator(CURRENT)).to_contain_text(first)
    other.goto(page.url)
    expect(other.locator(CURRENT)).to_contain_text(first)
    expect(other.locator("#move-picker")).to_be_hidden()
    third = choose(page, 2)
    expect(other.locator(CURRENT)).to_contain_text(third)
    removed = page.locator(CURRENT).get_attribute("data-node")
    page.locator("#remove-line").click()
    for one in (page, other):
        expect(one.locator(f'#tree [data-node="{removed}"]')).to_have_count(0)
    other.locator(".share summary").click()
    submit(other, other.get_by_role("button", name="Make my own copy"))
    expect(other.locator("#move-picker")).to_be_visible()
    expect(other.locator("#tree")).to_contain_text(second)
    assert faults_in_themes(page) == []
    board, node = page.locator("#table").get_attribute("data-board"), int(start)
    for _ in range(24):
        answer = page.request.post(f"{board}/nodes", data={"after": node, "bot": "random"})
        assert answer.ok
        node = answer.json()["number"]
    page.reload()
    assert page.locator("#tree li").count() >= 25
    assert page.evaluate("document.documentElement.scrollHeight - document.body.getBoundingClientRect().bottom") <= 0


def test_from_a_replay(page: Page, records: Path) -> None:
    """The button beside the time bar opens the position that is shown, and bots answer if they are to."""
    open_board_from(page, records / "bus/records/3-plots.game", 20)
    page.locator("#level").select_option("random")
    page.locator("#bot-move").click()
    expect(page.locator("#tree small")).to_have_text(["random bot"])
    node = page.locator(CURRENT).get_attribute("data-node")
    expect(page).to_have_url(re.compile(rf"\?node={node}$"))
    assert page.request.get(page.locator("#record").get_attribute("href") or "").ok


def test_while_a_bot_thinks(page: Page) -> None:
    """Nothing can be removed; a line that is clicked is shown afterwards; what goes wrong stays on the page."""
    open_board(page, "bus")
    before = page.locator(CURRENT).get_attribute("data-node") or ""
    page.locator("#level").select_option("random")
    held: list[Route] = []
    page.route("**/nodes", lambda route: held.append(route))
    page.locator("#bot-move").click()
    expect(page.locator("#caption")).to_have_text("A bot is thinking …")
    expect(page.locator("#remove-line")).to_be_disabled()
    page.locator('#tree [data-node="0"]').click()
    wait_until(page, lambda: bool(held), "the bot is asked")
    held.pop().continue_()
    expect(page.locator(CURRENT)).to_have_attribute("data-node", "0")
    expect(page.locator("#tree small")).to_have_text(["random bot"])
    page.locator(f'#tree [data-node="{before}"]').click()
    expect(page.locator(CURRENT)).to_have_attribute("data-node", before)
    page.locator("#bot-move").click()
    wait_until(page, lambda: bool(held), "the bot is asked")
    held.pop().fulfill(status=409, json={"text": "No bot has time."})
    expect(page.locator("#remove-line")).to_be_enabled()
    expect(page.locator("#reason")).to_have_text("No bot has time.")
    expect(page.locator("#caption")).to_be_empty()


def test_a_game_in_progress_stays_secret(guests: list[Page]) -> None:
    """A board between people has no bots and nothing to export, and its link shows nothing; watching opens none."""
    page, other, spectator = guests
    open_table(page, "times_square", "you", "friend", listed="yes")
    table = page.url.partition("/tables/")[2]
    assert other.request.post(f"/tables/{table}/join", form={"name": "Bert"}).ok
    boards = []
    for one in (page, other):
        one.goto(f"/tables/{table}")
        expect(one.locator("#board svg")).to_be_visible()
        submit(one, one.locator("#what-if button"))
        expect(one.locator(".notice")).to_contain_text("Only you can see it until the game is over.")
        expect(one.locator("#move-picker")).to_be_visible()
        one.locator(".share summary").click()
        expect(one.get_by_role("button", name="Make my own copy")).to_be_visible()
        for gone in ("#record", "#position", "#edit", "#copy-link", "#bot-move", "#bots-answer"):
            expect(one.locator(gone)).to_have_count(0)
        boards.append(one.url)
    supposed = [one.locator("#caption").inner_text() for one in (page, other)]
    assert sorted(map(bool, supposed)) == [False, True]  # whoever is not to move does not know that hand
    for one, board in ((page, boards[1]), (other, boards[0]), (spectator, boards[0])):
        one.goto(board)
        expect(one.get_by_text("This board belongs to a game in progress.")).to_be_visible()
    spectator.goto(f"/tables/{table}")
    expect(spectator.locator("#board svg")).to_be_visible()
    expect(spectator.locator("#what-if")).to_be_hidden()


VALID = "This is valid."


def open_editor(page: Page, game: str, *, begin: str = "") -> Document:
    """Open the page on which positions of a game are set up; return the position it begins with."""
    page.goto(f"/analysis/position?game={game}&begin={begin}" if begin else f"/analysis/position?game={game}")
    expect(page.locator("#problem")).to_have_text(VALID)
    document: Document = json.loads(page.locator("#draft").input_value())
    return document


def change(page: Page, field: str | Locator, value: str) -> Locator:
    """Type into a field of the editor, named by its label; return it."""
    found = page.get_by_label(field) if isinstance(field, str) else field
    found.fill(value)
    found.press("Enter")
    return found


def blames(page: Page, why: str, button: str) -> None:
    """Wait for a message about the position, and follow it to the field it is about."""
    expect(page.locator("#problem")).to_contain_text(why)
    page.locator("#problem").get_by_role("button", name=button).click()


def test_positions_are_set_up_on_the_board(page: Page) -> None:
    """A place is clicked and a figure put there; a field that breaks a rule is named, and nothing wrong is opened."""
    page.goto("/analysis")
    assert faults_in_themes(page) == []
    submit(page, page.locator('form[action="/analysis/times_square"] .set-up'))
    expect(page.locator("#problem")).to_have_text(VALID)
    submit(page, page.locator(".beginnings:visible").get_by_role("link", name="Position from a game"))
    expect(page.locator("#problem")).to_have_text(VALID)
    document = json.loads(page.locator("#draft").input_value())
    wanted = 3 if document["figures"]["charlie"] != 3 else -3
    charlie = page.locator('#board [data-piece="figure-charlie"]')
    before = charlie.get_attribute("style") or ""
    page.mouse.click(*middle(page, f'#board .background [data-part="space-{wanted}"]'))
    expect(page.locator("#place")).to_have_value(f"space-{wanted}")
    page.locator("#here").get_by_role("button", name="Charlie").click()
    expect(charlie).not_to_have_attribute("style", before)
    expect(page.locator("#problem")).to_have_text(VALID)
    assert json.loads(page.locator("#draft").input_value())["figures"]["charlie"] == wanted
    exhausted = change(page, "Supplies exhausted so far", "2")
    blames(page, "so the game must be", "Supplies exhausted so far")
    expect(exhausted).to_be_focused()
    submit(page, page.locator("#open-draft"))
    expect(page.locator("#problem")).to_contain_text("so the game must be")


def test_what_is_wrong_is_named_by_the_field_that_was_changed(new_page: NewPage) -> None:
    """On a phone it is said where the field is; the message leads to the field, also if it is about an entry of it."""
    page = new_page(**PHONE)
    open_editor(page, "times_square", begin="middle")
    guard = page.get_by_label("The right guard")
    guard.scroll_into_view_if_needed()
    guard.select_option("−5")
    expect(page.locator("#problem")).to_contain_text("Sue must stand between the guards")
    expect(page.locator("#problem")).to_be_in_viewport()
    expect(guard).to_be_in_viewport()
    blames(page, "Sue must stand between the guards", "The right guard")
    expect(guard).to_be_focused()
    document = open_editor(page, "metromania", begin="middle")
    page.locator(".as-text summary").click()
    page.locator("#draft").fill(json.dumps({**document, "stations": []}))
    blames(page, "an acute angle needs a station", "line")
    expect(page.locator(".list.wrong :focus")).to_be_visible()


def test_choices_have_their_place_on_a_phone(new_page: NewPage, records: Path) -> None:
    """Chance's button stands beside the choices, also in German; long choices stand in one row, scrolled sideways."""
    page = new_page(**PHONE, locale="de")
    page.goto("/analysis")
    submit(page, page.locator('form[action="/analysis/bus"] button.primary'))
    expect(page.locator("#roll")).to_be_in_viewport(ratio=1)
    for choice in page.locator("#choices button").all():
        expect(choice).to_be_in_viewport(ratio=1)
    page = new_page(**PHONE)
    open_board_from(page, records / "times_square/records/times_square-sue.game", 42)
    expect(page.locator("#choices")).to_contain_text("both guards beside Sue")
    bar, choices = (box(page, each) for each in ("#bar", "#choices"))
    assert bar["top"] <= choices["top"]
    assert choices["bottom"] <= bar["bottom"]


def test_positions_are_set_up_by_keyboard(page: Page, records: Path) -> None:
    """A place is chosen from the list, and what is there changed; what follows from it is changed too."""
    document = Match.read((records / "bus/records/3-plots.game").read_text("utf-8")).at(40).position()
    assert document["box"]
    page.goto("/analysis/position")
    page.locator("#draft-game").select_option("bus")
    page.locator("#draft").fill(json.dumps(document))
    expect(page.locator("#problem")).to_have_text(VALID)
    crossing = document["waiting"][0]
    page.locator("#place").select_option(f"crossing-{crossing}")
    page.locator("#place").press("Tab")
    expect(page.get_by_label("Passengers waiting")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#draft")).to_have_value(re.compile(f'"box": {document["box"] - 1},'))
    expect(page.get_by_label("Passengers waiting")).to_be_focused()
    expect(page.locator("#problem")).to_have_text(VALID)
    submit(page, page.locator("#open-draft"))
    expect(page.locator("#move-picker")).to_be_visible()


def test_a_change_that_cannot_be_is_refused_and_named(page: Page) -> None:
    """What follows from a change does not take it back: it stays as typed, and the message leads to the field.

    What is no position, in JSON or a record, is told without a field, although words of the message are keys.
    """
    document = open_editor(page, "metromania", begin="middle")
    points = page.locator("[id='points[0]']")
    for typed, why in (("999", "points must add up to"), ("-5", "points[0] must be a whole number")):
        change(page, points, typed)
        expect(page.locator("#problem")).to_contain_text(why)
        expect(points).to_have_value(typed)
        expect(points).to_have_attribute("aria-invalid", "true")
        blames(page, why, "Station points")
        expect(points).to_be_focused()
    change(page, points, str(document["points"][0]))
    expect(page.locator("#problem")).to_have_text(VALID)
    page.locator(".as-text summary").click()
    for unreadable, why in (("{,", "this is not JSON: see line 1"), ("game: 1", "line 1")):
        page.locator("#draft").fill(unreadable)
        expect(page.locator("#problem")).to_contain_text(why)
        expect(page.locator("#problem button")).to_have_count(0)
        expect(page.locator("[aria-invalid=true]:not(#draft), .wrong")).to_have_count(0)
    open_editor(page, "bus", begin="middle")
    assert faults_in_themes(page) == []
    change(page, page.locator("[id='players[0].rides']"), "999")
    blames(page, "players[0].rides must be a whole number from 0 to 150, not 999", "Passengers taken")


def test_another_game_begins_with_its_start(page: Page) -> None:
    """What was written is not lost without a question, and stays if it is a position of the game that is chosen."""
    open_editor(page, "bus")
    page.locator("#draft-game").select_option("metromania")
    page.wait_for_url("**/analysis/position?game=metromania")
    expect(page.locator("#problem")).to_have_text(VALID)
    assert "town_hall" in page.locator("#draft").input_value()
    asked: list[str] = []

    def refuse(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", refuse)
    change(page, "Turns so far", "1")
    expect(page.locator("#draft")).to_have_value(re.compile('"turn": 1,'))
    written = page.locator("#draft").input_value()
    page.locator("#draft-game").select_option("bus")
    expect(page.locator("#draft-game")).to_have_value("metromania")
    assert asked == ["Begin with another game? Your changes are lost."]
    assert page.locator("#draft").input_value() == written
    page.locator(".as-text summary").click()
    start = json.dumps(Match.new("bus", dice=False).position())
    page.locator("#draft").fill(start)
    expect(page.locator("#problem")).to_contain_text("the position has no town_hall")
    page.locator("#draft-game").select_option("bus")
    expect(page.locator("#problem")).to_have_text(VALID)
    assert (len(asked), page.locator("#draft").input_value()) == (1, start)


def test_the_game_follows_a_pasted_record(page: Page, records: Path) -> None:
    """A record, or a position as a board exports it, says of which game it is; the board has the record's moves."""
    record = records / "metromania/records/2-hidden-stock.game"
    open_editor(page, "bus")
    page.locator(".as-text summary").click()
    page.locator("#draft").fill(record.read_text("utf-8"))
    expect(page.locator("#draft-game")).to_have_value("metromania")
    expect(page.locator("#problem")).to_have_text(VALID)
    expect(page.locator(".beginnings:visible")).to_have_attribute("data-game", "metromania")
    exported = {"game": "times_square", "position": Match.new("times_square", dice=False).position()}
    page.locator("#draft").fill(json.dumps(exported))
    expect(page.locator("#draft-game")).to_have_value("times_square")
    expect(page.locator("#problem")).to_have_text(VALID)
    page.locator("#draft").fill(record.read_text("utf-8"))
    expect(page.locator("#draft-game")).to_have_value("metromania")
    submit(page, page.locator("#open-draft"))
    played = Match.read(record.read_text("utf-8")).length
    expect(page.locator(CURRENT)).to_have_attribute("data-node", str(played))
    expect(page.locator("#result")).to_be_visible()
    go_back(page, str(played - 1))
    expect(page.locator("#result")).to_be_hidden()
    expect(page.locator("#move-picker")).to_be_visible()
