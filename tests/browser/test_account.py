"""The account page, and recovery links in a second browser."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import BrowserContext, Page, expect

from omnibus.server.notices.web_push import encoded
from support.browser import NewPage, faults_in_themes, script, submit
from support.playing import open_table

NARROW = 360


def take_name(page: Page, name: str) -> None:
    page.goto("/")
    submit(page, page.get_by_role("link", name="You"))
    page.get_by_label("Your name").fill(name)
    submit(page, page.get_by_role("button", name="Save name"))
    expect(page.get_by_role("status")).to_have_text("Name saved.")


def new_link(page: Page) -> str:
    page.goto("/you")
    submit(page, page.get_by_role("button", name="recovery link").first)
    return page.get_by_label("Your recovery link", exact=True).input_value()


def test_the_same_person_in_a_second_browser(page: Page, new_page: NewPage) -> None:
    """Renamed here, continued there with the same tables; signed out from here, unknown there."""
    take_name(page, "Zoë")
    expect(page.get_by_role("link", name="You: Zoë")).to_be_visible()
    open_table(page, "bus")
    table = page.url
    expect(page.locator("#panels .panel").first).to_contain_text("Zoë")
    link = new_link(page)
    expect(page.get_by_role("img", name="Recovery link as a QR code")).to_be_visible()
    second = new_page()
    second.goto(link)
    submit(second, second.get_by_role("button", name="Continue as Zoë"))
    expect(second.locator(".tables li")).to_have_count(1)
    submit(second, second.locator(".tables a"))
    assert second.url == table
    expect(second.locator("#move-picker")).to_be_visible()  # it is their turn here, too
    second.goto("/credits")  # which has no connection that would be closed, and the page loaded again
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto("/you")
    submit(page, page.get_by_role("button", name="Sign out my other devices"))
    expect(page.get_by_role("status")).to_contain_text("You are now signed in on this device only.")
    second.goto("/")
    expect(second.locator(".tables li")).to_have_count(0)
    expect(page.get_by_role("button", name="Revoke recovery link")).to_have_count(0)
    second.goto(link)
    expect(second.get_by_role("heading", level=1)).to_have_text("This recovery link does not work")


def test_somebody_else_is_asked_first(page: Page, new_page: NewPage) -> None:
    """Tables of another account in that browser are not lost by accident. A button copies the link to follow there."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    take_name(page, "Ann")
    link = new_link(page)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link
    second = new_page()
    take_name(second, "Bo")
    open_table(second, "bus")
    second.goto(link)
    expect(second.locator(".notice")).to_contain_text("signed in as Bo in this browser (tables: 1)")
    expect(second.get_by_role("link", name="Create a recovery link first")).to_be_visible()
    second.get_by_role("button", name="Continue as Ann anyway").click()
    expect(second.get_by_role("link", name="You: Ann")).to_be_visible()


def test_notifications_are_on(notified_page: Page) -> None:
    """Where they are allowed, the page says so and does not ask again; the sound stays off on this browser."""
    page = notified_page
    page.goto("/you")
    expect(page.locator("#notify")).to_contain_text("Notifications are on")
    page.get_by_label("Play a sound").uncheck()
    page.reload()
    expect(page.get_by_label("Play a sound")).not_to_be_checked()
    assert page.evaluate("localStorage.getItem('omnibus sound')") == "no"
    page.get_by_label("Play a sound").check()
    assert page.evaluate("localStorage.getItem('omnibus sound')") is None


def test_axe_and_a_narrow_screen(page: Page) -> None:
    """Nothing serious in any theme, and nothing that has to be scrolled sideways."""
    page.set_viewport_size({"width": NARROW, "height": 740})
    take_name(page, "A name of quite some length, as long as names may be at all")
    page.get_by_label("Webhook").fill("http://127.0.0.1/")
    submit(page, page.get_by_role("button", name="Save webhook"))
    expect(page.get_by_role("alert")).to_contain_text("not on the public internet")
    assert_fits(page)
    link = new_link(page)
    assert_fits(page)
    page.context.clear_cookies()
    for path in (link, "/recover/nonsense", "/mail/nonsense", "/you"):
        page.goto(path)
        assert_fits(page)


def assert_fits(page: Page) -> None:
    assert faults_in_themes(page) == [], page.url
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW, page.url


def test_push_messages(page: Page, context: BrowserContext) -> None:
    """The switch registers this browser with the server, takes it out again, and stays as it is."""
    browser_key = ec.generate_private_key(ec.SECP256R1()).public_key()
    point = browser_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    keys = {"p256dh": encoded(point), "auth": encoded(b"0123456789abcdef")}
    context.grant_permissions(["notifications"])
    take_name(page, "Zoë")
    page.goto("/you")
    page.evaluate(
        script("imaginePushService"), ["https://93.184.215.14/zoe", keys]
    )  # without a push service there would be no subscription
    box = page.get_by_label("Notify me on this device")
    state = page.locator("#push-state")
    for _ in range(2):
        box.check()
        expect(state).to_have_text("On. You will get a message here when a table waits for you.")
        box.uncheck()
        expect(state).to_have_text("Off.")
    box.check()
    expect(state).to_have_text("On. You will get a message here when a table waits for you.")
    page.reload()
    expect(page.locator("#push")).to_have_attribute("data-known", "https://93.184.215.14/zoe")
