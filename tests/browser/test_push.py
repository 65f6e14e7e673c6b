"""Push messages in a real browser: its service worker shows them, and opens the table when one is clicked.

The message comes from the browser's own tools, as from a push service; a click cannot come from there, so the handler
gets an event that looks like one.
"""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import BrowserContext, Page

from support.browser import script, wait_until
from support.server_process import ServerProcess

DELIVERIES = 20
PAUSE_MS = 1000
KEYS = {
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}  # of the example in RFC 8291


def registered(context: BrowserContext, page: Page, url: str) -> tuple[Any, str]:
    """Register the service worker; return the browser's tools, and its registration there."""
    tools, found = context.new_cdp_session(page), list[dict[str, Any]]()
    tools.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    tools.send("ServiceWorker.enable")
    page.evaluate("navigator.serviceWorker.register('/push_worker.js').then(() => navigator.serviceWorker.ready)")
    wait_until(page, lambda: any(each["scopeURL"] == f"{url}/" for each in found), "the service worker is registered")
    return tools, next(each["registrationId"] for each in found if each["scopeURL"] == f"{url}/")


def shown_after(page: Page, tools: Any, asked: dict[str, str]) -> Any:
    """Deliver a message; return what is shown then.

    Who asks what is shown while Chromium is about to show a message makes Chromium forget it. So there is a pause
    before the question, and if nothing is shown the message is delivered again, as a push service would.
    """
    for _ in range(DELIVERIES):
        tools.send("ServiceWorker.deliverPushMessage", asked)
        page.wait_for_timeout(PAUSE_MS)
        shown = page.evaluate(script("shownNotifications"))
        if any(each["body"] == json.loads(asked["data"])["text"] for each in shown):
            break
    return shown


def test_a_push_message(notified_page: Page, hosted: ServerProcess) -> None:
    """It is shown with its title and text; a click shows the table, in the window that has it or else in a new one.

    Something is shown and heard whatever arrives; a subscription that the browser renews is told to the server.
    """
    page, context = notified_page, notified_page.context
    page.goto("/credits")
    tools, registration = registered(context, page, hosted.url)
    link = f"{hosted.url}/tables/abc"
    message = {"title": "Your turn: Bus", "text": "It is your turn in Bus.", "link": link}
    asked = {"origin": hosted.url, "registrationId": registration, "data": json.dumps(message)}
    shown = {"title": message["title"], "body": message["text"], "tag": link, "data": link}
    assert shown_after(page, tools, asked) == [shown]
    again = asked | {"data": json.dumps(message | {"text": "Still."})}
    assert shown_after(page, tools, again) == [shown | {"body": "Still."}], "another about the table replaces it"
    wait_until(page, lambda: bool(context.service_workers), "the service worker can be reached")
    (worker,) = context.service_workers
    worker.evaluate(script("noteWindows"))
    assert worker.evaluate(script("clickNotification"), link) == ["closed", "opened /tables/abc"]
    assert worker.evaluate(script("clickNotification"), "https://other.name/credits") == ["closed", "showed /credits"]
    page.goto("/")
    page.request.post("/you/name", form={"name": "Ann"})
    for data in (None, dict[str, str]()):  # no message, and one that is not JSON
        heard = worker.evaluate(script("happen"), ["push", {"data": data}])
        assert heard == [["Omnibus", "A table may be waiting for you.", True]]

    def endpoints() -> list[str]:
        found: list[str] = page.request.get("/api/users/me/push").json()["endpoints"]
        return found

    first, second, third = (f"https://93.184.215.14/{number}" for number in range(3))
    assert page.request.post("/you/push", data={"endpoint": first, "keys": KEYS}).ok
    changed = {"oldSubscription": {"endpoint": first}, "next": {"endpoint": second, "keys": KEYS}}
    worker.evaluate(script("happen"), ["pushsubscriptionchange", changed])
    assert endpoints() == [second]
    unknown = {"oldSubscription": {"endpoint": first}, "newSubscription": {"endpoint": third, "keys": KEYS}}
    worker.evaluate(script("happen"), ["pushsubscriptionchange", unknown])
    assert endpoints() == [second], "it was switched off here"
