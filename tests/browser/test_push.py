"""Push messages in a real browser: its service worker shows them, and opens the table when one is clicked.

The message comes from the browser's own tools, as from a push service; a click cannot come from there, so the handler
gets an event that looks like one.
"""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import BrowserContext, Page

from support.browser import wait_until
from support.server_process import ServerProcess

DELIVERIES = 20
PAUSE_MS = 1000
SHOWN = """navigator.serviceWorker.ready.then((found) => found.getNotifications())
  .then((shown) => shown.map(({ title, body, tag, data }) => ({ title, body, tag, data })))"""

# What a browser does with windows needs a person who clicks, so it is only noted here.
NOTE_WINDOWS = """() => {
  self.done = [];
  Clients.prototype.openWindow = async (path) => self.done.push(`opened ${path}`);
  WindowClient.prototype.focus = async function () { self.done.push(`showed ${new URL(this.url).pathname}`); };
}"""

CLICK = """async (link) => {
  const event = new Event("notificationclick");
  event.notification = { data: link, close: () => self.done.push("closed") };
  const answered = new Promise((settle) => { event.waitUntil = settle; });
  self.dispatchEvent(event);
  await answered;
  return self.done.splice(0);
}"""


# What the worker does with an event of a browser that cannot be made to happen; what it would show is returned.
HAPPEN = """async ([kind, more]) => {
  const shown = [];
  registration.showNotification = async (title, { body, renotify }) => { shown.push([title, body, renotify]); };
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => ({ ...more.next, key: applicationServerKey });
  const event = Object.assign(new Event(kind), more);
  let done;
  event.waitUntil = (promise) => { done = promise; };
  self.dispatchEvent(event);
  await done;
  return shown;
}"""
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
        if any(each["body"] == json.loads(asked["data"])["text"] for each in page.evaluate(SHOWN)):
            break
    return page.evaluate(SHOWN)


def test_a_push_message(notified_page: Page, hosted: ServerProcess) -> None:
    """It is shown with its title and text; a click shows the table, in the window that has it or else in a new one."""
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
    worker.evaluate(NOTE_WINDOWS)
    assert worker.evaluate(CLICK, link) == ["closed", "opened /tables/abc"]
    assert worker.evaluate(CLICK, "https://other.name/credits") == ["closed", "showed /credits"]


def test_messages_without_words_and_a_new_subscription(notified_page: Page, hosted: ServerProcess) -> None:
    """Something is shown and heard whatever arrives; a subscription the browser renews is told to the server."""
    page, context = notified_page, notified_page.context
    page.goto("/")
    page.request.post("/you/name", form={"name": "Ann"})
    registered(context, page, hosted.url)
    wait_until(page, lambda: bool(context.service_workers), "the service worker can be reached")
    (worker,) = context.service_workers
    for data in (None, dict[str, str]()):  # no message, and one that is not JSON
        shown = worker.evaluate(HAPPEN, ["push", {"data": data}])
        assert shown == [["Omnibus", "A table may be waiting for you.", True]]

    def endpoints() -> list[str]:
        found: list[str] = page.request.get("/api/users/me/push").json()["endpoints"]
        return found

    first, second, third = (f"https://93.184.215.14/{number}" for number in range(3))
    assert page.request.post("/you/push", data={"endpoint": first, "keys": KEYS}).ok
    changed = {"oldSubscription": {"endpoint": first}, "next": {"endpoint": second, "keys": KEYS}}
    worker.evaluate(HAPPEN, ["pushsubscriptionchange", changed])
    assert endpoints() == [second]
    unknown = {"oldSubscription": {"endpoint": first}, "newSubscription": {"endpoint": third, "keys": KEYS}}
    worker.evaluate(HAPPEN, ["pushsubscriptionchange", unknown])
    assert endpoints() == [second], "it was switched off here"
