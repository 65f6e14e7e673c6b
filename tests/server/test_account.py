"""The page about oneself: name, devices, muted people, ways to be told; and the links that lead to it."""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path

import httpx
import pytest
import segno
from fastapi import FastAPI

from omnibus.kernel.i18n import COMMON_TEXTS, LANGUAGES, words
from omnibus.server.config import ServerConfig
from omnibus.server.http.middleware import masked
from omnibus.server.http.visitor import TOKEN
from omnibus.server.pages.account_texts import ACCOUNT
from omnibus.server.store.models import Profile, User
from omnibus.server.tables.registry import TableRegistry
from support.api_client import alone, known
from support.live import Socket
from support.receivers import Mailbox, listener, mailbox
from support.wall_clock import WallClock

from .conftest import app_at

HOME = "http://server"


def another(app: FastAPI) -> httpx.AsyncClient:
    """A second browser on the same server."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=HOME, headers={"accept": "text/html"})


async def me(client: httpx.AsyncClient, registry: TableRegistry) -> User:
    """The user of a browser."""
    user = await registry.user_store.user(client.cookies[TOKEN])
    assert user
    return user


async def profile(client: httpx.AsyncClient, registry: TableRegistry) -> Profile:
    """How the user of a browser is told what waits."""
    return await registry.user_store.profile((await me(client, registry)).id)


async def new_link(client: httpx.AsyncClient) -> str:
    """Create a recovery link and return its path."""
    page = await client.post("/you/link")
    assert page.status_code == 200
    found = re.search(r'id="recovery-link"[^>]* value="http://server(/recover/[\w-]+)"', page.text)
    assert found
    return found[1]


async def test_a_stranger_looks_at_the_page(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Looking makes nobody known; a name does."""
    page = await client.get("/you")
    assert page.status_code == 200
    assert "You do not have an account yet" in page.text
    assert "/you/link" not in page.text
    assert not client.cookies
    assert await registry.user_store.database.read("SELECT count(*) FROM users") == [(0,)]
    answer = await client.post("/you/name", data={"name": "Ann"})
    assert answer.headers["location"] == "/you?done=name"
    assert (await me(client, registry)).name == "Ann"
    page = await client.get("/you?done=name")
    assert "Name saved." in page.text
    assert "/you/link" in page.text
    assert "nonsense" not in (await client.get("/you?done=nonsense")).text


async def test_another_name(client: httpx.AsyncClient) -> None:
    """Shown as text, at tables that go on, too; what a name may be is in tests/traces/people/names-are-cleaned."""
    await client.post("/you/name", data={"name": "Ann"})
    path = (await client.post("/play/bus")).headers["location"]
    await client.post("/you/name", data={"name": " <b>Zoë\r\n\u202e & Co</b> "})
    for page in ("/you", "/", path):
        text = (await client.get(page)).text
        assert "<b>Zoë" not in text
        assert "&lt;b&gt;Zoë &amp; Co" in text
    assert (await client.get(f"/api{path}")).json()["seats"][0]["name"] == "<b>Zoë & Co</b>"


async def test_a_recovery_link(app: FastAPI, client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Shown once, as text and as a QR code; it makes a second browser the same user, as often as it is used."""
    await client.post("/you/name", data={"name": "Ann"})
    table = (await client.post("/play/bus")).headers["location"]
    made = await client.post("/you/link")
    (path,) = set(re.findall(r"http://server(/recover/[\w-]+)", made.text))
    drawn = re.search(r"<svg[^>]*qr.*?</svg>", made.text)
    assert drawn
    side = segno.make(f"http://server{path}", error="m", micro=False).symbol_size(border=4)[0]
    assert f'viewBox="0 0 {side} {side}"' in drawn[0]
    assert f'<path fill="#fff" d="M0 0h{side}v{side}h-{side}z"/>' in drawn[0]
    assert 'stroke="#000"' in drawn[0]
    assert not re.search(r"\son\w+=|\sstyle=|<style|<script(?! type=\"module\" src=)", made.text)
    assert path not in (await client.get("/you")).text
    assert "You already have a recovery link." in (await client.get("/you")).text
    token = path.removeprefix("/recover/")
    assert all(token not in str(row) for row in await registry.user_store.database.read("SELECT * FROM tokens"))
    for _ in range(2):
        async with another(app) as second:
            looked = await second.get(path)
            assert not second.cookies  # looking is not using
            answer = await second.post(path)
            assert (answer.status_code, answer.headers["location"]) == (303, "/")
            assert second.cookies[TOKEN] != client.cookies[TOKEN]
            assert await me(second, registry) == await me(client, registry)
            assert f'href="{table}"' in (await second.get("/")).text
    for page in (made, looked, answer):
        assert page.headers["cache-control"] == "no-store"
        assert page.headers["referrer-policy"] == "strict-origin"
    await client.post("/you/link/withdraw")
    assert (await client.get(path)).status_code == 404
    assert "You already have a recovery link." not in (await client.get("/you")).text


async def test_somebody_else_was_here(app: FastAPI, client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Whoever has tables on a device is asked before they are left behind; others leave nothing behind."""
    path = await new_link(client)
    for name, tables in (("Bo", 1), ("Cy", 0)):
        async with another(app) as second:
            await second.post("/you/name", data={"name": name})
            for _ in range(tables):
                await second.post("/play/bus")
                before = await me(second, registry)
                assert (await second.post(path)).status_code == 200
                assert await me(second, registry) == before
            assert (await second.post(path, data={"leave": "yes"} if tables else {})).status_code == 303
            assert await me(second, registry) == await me(client, registry)


async def test_forms_of_other_pages_are_refused(
    app: FastAPI, client: httpx.AsyncClient, registry: TableRegistry
) -> None:
    """Nobody is signed in or out by somebody else's page."""
    await client.post("/you/name", data={"name": "Ann"})
    path = await new_link(client)
    async with another(app) as second:
        elsewhere = {"origin": "http://elsewhere"}
        for target in (path, "/you/name", "/you/link", "/you/devices", "/you/webhook", "/you/mail", "/you/test"):
            assert (await second.post(target, headers=elsewhere)).status_code == 403
        assert not second.cookies


async def test_signing_out_other_devices(app: FastAPI, client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Only this one is recognized then; what is open elsewhere loses its connection; the recovery link ends."""
    path = await new_link(client)
    async with another(app) as second:
        await second.post(path)
        async with Socket(app, "socket", {"authorization": f"Bearer {second.cookies[TOKEN]}"}) as page:
            await page.hear("awaited")
            assert (await client.post("/you/devices")).headers["location"] == "/you?done=signed-out"
            await page.hear("closed")
        assert "You do not have an account yet" in (await second.get("/you")).text
        assert (await second.post(path)).status_code == 404
        assert "If you had a recovery link, it no longer works" in (await client.get("/you?done=signed-out")).text
        assert (await second.post(await new_link(client))).status_code == 303
        assert await me(second, registry) == await me(client, registry)


async def test_the_last_use_of_a_recovery_link(
    app: FastAPI, client: httpx.AsyncClient, registry: TableRegistry, wall: WallClock
) -> None:
    """The account page says when, in every language; looking at the link is not using it."""
    wall.seconds = 1_763_500_000.0
    path = await new_link(client)
    async with another(app) as second:
        await second.get(path)
        assert "It was created on November 18, 2025 and has not been used." in (await client.get("/you")).text
        wall.seconds = 1_763_600_000.0
        await second.post(path)
    page = (await client.get("/you")).text
    assert "It was created on November 18, 2025 and last used on November 20, 2025, 12:53:20" in page
    for language, said in (("it", "20 novembre 2025"), ("fr", "20 novembre 2025"), ("de", "20. November 2025")):
        assert said in (await client.get("/you", headers={"accept-language": language})).text


async def test_hearing_people_again(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Who is muted is listed by name, and under a key that says nothing to anybody else."""
    await client.post("/you/name", data={"name": "Ann"})
    ann = (await me(client, registry)).id
    others = [(await registry.user_store.add_user(name))[0].id for name in ("<i>Loud</i>", "")]
    for other in others:
        await registry.user_store.mute(ann, other, muted=True)
    page = (await client.get("/you")).text
    assert "&lt;i&gt;Loud&lt;/i&gt;" in page
    assert "an unnamed player" in page
    assert others[0] not in page
    keys = re.findall(r'name="whom" value="(\w+)"', page)
    assert len(keys) == 2
    await client.post("/you/hear", data={"whom": "nonsense"})
    assert await registry.user_store.muted(ann) == set(others)
    for key in keys:
        assert (await client.post("/you/hear", data={"whom": key})).headers["location"] == "/you?done=unmuted"
    assert await registry.user_store.muted(ann) == set()
    assert "Muted players" not in (await client.get("/you")).text


async def test_a_program_with_the_token_of_a_seat_is_not_you(client: httpx.AsyncClient) -> None:
    """It may play in that seat, not look at who its owner is: on pages it is nobody."""
    ann = await known(client, "Ann")
    token = (await ann.ask(f"POST tables/{await alone(ann)}/seats/0/token", status=201))["token"]
    page = await client.get("/you", headers={"authorization": f"Bearer {token}"})
    assert page.status_code == 200
    assert "Ann" not in page.text


async def test_no_token_is_written_down(
    app: FastAPI, client: httpx.AsyncClient, registry: TableRegistry, caplog: pytest.LogCaptureFixture
) -> None:
    """Of an address with a token only its kind is logged."""
    caplog.set_level(logging.DEBUG)
    assert masked("/recover/abc") == "/recover/…"
    assert masked("/mail/abc/more") == "/mail/…/more"
    assert masked("/tables/abc") == "/tables/abc"
    assert masked("//tables//abc") == "//tables//abc"
    others = ["//recover/abc", "/RECOVER/abc", "/./recover/abc", "/x/../recover/abc", "/recover//abc", "/ recover/abc"]
    others += ["/%72ecover/abc", "\\recover\\abc", "//mail/./abc", "/recover%2Fabc"]
    assert not any("abc" in masked(other) for other in others)
    path = await new_link(client)
    token = path.removeprefix("/recover/")
    async with another(app) as second:
        await second.get(path)
        await second.get(f"/recover/x/{token}")
        await second.get(f"/elsewhere%252F{token}")
        await second.post(path)
    lines = [str(vars(record)) for record in caplog.records if record.name.startswith("omnibus")]
    assert any("/recover/…" in line for line in lines)
    assert not any(token in line for line in lines)


@pytest.mark.parametrize("code", LANGUAGES)
async def test_in_every_language(app: FastAPI, client: httpx.AsyncClient, registry: TableRegistry, code: str) -> None:
    """The page, a recovery, a refusal; and messages will be in the language that was chosen last."""
    await client.post("/you/name", data={"name": "Ann"})
    await client.post("/settings", data={"language": code})
    told = words(code, COMMON_TEXTS)
    assert told.gettext(ACCOUNT["devices_help"]) in unescape((await client.get("/you")).text)
    path = await new_link(client)
    async with another(app) as second:
        page = await second.get(path, headers={"accept-language": code})
        assert told.gettext(ACCOUNT["continue_here"]).format(name="Ann") in unescape(page.text)
    assert (await profile(client, registry)).language == code


# notifications


@asynccontextmanager
async def sending(folder: Path, port: int = 0) -> AsyncIterator[tuple[httpx.AsyncClient, FastAPI]]:
    """A server that may send to this machine, and one of its visitors."""
    smtp = f"smtp://127.0.0.1:{port}?from=games@example.org" if port else ""
    config = ServerConfig(local_url=HOME, smtp=smtp, private_webhooks=True)
    async with app_at(folder, config) as app, another(app) as client:
        yield client, app


async def test_a_webhook(tmp_path: Path) -> None:
    """Kept, tried out in words, and taken away; what cannot be one is in tests/traces/account/webhook."""
    async with sending(tmp_path) as (client, app), listener(b"HTTP/1.1 500 Oh\r\n\r\n") as listening:
        registry: TableRegistry = app.state.registry
        assert "/you/test" not in (await client.post("/you/webhook", data={"webhook": "ftp://x"})).text
        assert (await client.post("/you/webhook", data={"webhook": listening.url})).status_code == 303
        assert (await profile(client, registry)).webhook == listening.url
        for told in ("Webhook: The server answered with status 500.", "Webhook: Delivered.", "", "Too many attempts"):
            assert told in (await client.post("/you/test")).text
        assert len(listening.heard) == 3
        gone = await client.post("/you/webhook", data={"webhook": " "})
        assert gone.headers["location"] == "/you?done=no-webhook"
        assert (await profile(client, registry)).webhook == ""


async def test_what_the_host_has_not_allowed(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Private webhooks are refused; without a mail server emails are not offered, and none is promised."""
    answer = await client.post("/you/webhook", data={"webhook": "http://127.0.0.1:8787/"})
    assert answer.status_code == 400
    assert "not on the public internet" in answer.text
    assert "/you/mail" not in (await client.get("/you")).text
    assert (await client.post("/you/mail", data={"mail": "ann@example.org"})).status_code == 400
    found = await profile(client, registry)
    assert (found.webhook, found.mail) == ("", "")


def link_in(box: Mailbox) -> str:
    """The path of the link in the last mail."""
    found = re.search(r"http://server(/mail/[\w-]+)", str(box.mails[-1].get_content()))
    assert found
    return found[1]


async def test_a_mail_address_is_confirmed_first(app: FastAPI, tmp_path: Path) -> None:
    """By whoever reads there; a link that is merely looked at confirms nothing; another address begins anew."""
    with mailbox() as (box, port):
        async with sending(tmp_path, port) as (client, app):
            registry: TableRegistry = app.state.registry
            await client.post("/you/name", data={"name": "Ann"})
            assert "This is not a valid email address." in (await client.post("/you/mail", data={"mail": "ann"})).text
            assert box.mails == []
            answer = await client.post("/you/mail", data={"mail": "ann@example.org"})
            assert answer.headers["location"] == "/you?done=mail"
            assert "Not confirmed yet" in (await client.get("/you")).text
            assert "/you/test" not in (await client.get("/you")).text
            old = link_in(box)
            await client.post("/you/mail", data={"mail": "zoe@example.org"})
            path = link_in(box)
            async with another(app) as reader:
                assert (await reader.get(old)).status_code == 404
                assert (await reader.post(old, data={"mails": "yes"})).status_code == 404
                page = await reader.get(path)
                assert "Ann wants to get an email at zoe@example.org" in page.text
                assert page.headers["cache-control"] == "no-store"
                assert not (await profile(client, registry)).confirmed
                assert "Your address is confirmed" in (await reader.post(path, data={"mails": "yes"})).text
                assert not reader.cookies  # who reads a mail is not yet who plays
            assert (await profile(client, registry)).confirmed
            assert "Confirmed. We send emails" in (await client.get("/you")).text
            await client.post("/you/mail", data={"mail": "zoe@example.org"})
            assert (await profile(client, registry)).confirmed
            assert len(box.mails) == 2
            assert "Accepted by the mail server" in (await client.post("/you/test")).text
            assert len(box.mails) == 3


async def test_no_more_mails(tmp_path: Path) -> None:
    """With one click in a mail program, with a button behind the link in any mail, or on the page."""
    with mailbox() as (box, port):
        async with sending(tmp_path, port) as (client, app):
            registry: TableRegistry = app.state.registry
            user, _ = await registry.user_store.add_user("Ann")
            for form in ({"List-Unsubscribe": "One-Click"}, {"mails": "no"}):
                await registry.user_store.keep_mail(user.id, "ann@example.org", confirmed=True)
                await app.state.sender.send_test(user.id)
                path = link_in(box)
                assert "Stop emails" in (await client.get(path)).text
                assert (await registry.user_store.profile(user.id)).confirmed
                answer = await client.post(path, data=form)
                assert answer.status_code == 200
                assert "No more emails will be sent" in answer.text
                assert (await registry.user_store.profile(user.id)).mail == ""
                assert (await client.get(path)).status_code == 404
            await client.post("/you/mail", data={"mail": "bo@example.org"})
            gone = await client.post("/you/mail", data={"mail": ""})
            assert gone.headers["location"] == "/you?done=no-mail"
            assert (await profile(client, registry)).mail == ""


async def test_a_mail_server_that_is_away(tmp_path: Path) -> None:
    """It is said, and the address stays to be tried again; too many attempts are not made."""
    with mailbox() as (_, port):
        pass
    async with sending(tmp_path, port) as (client, _):
        answer = await client.post("/you/mail", data={"mail": "ann@example.org"})
        assert answer.status_code == 400
        assert "The mail server could not be reached." in answer.text
        assert 'value="ann@example.org"' in answer.text
        for _ in range(2):
            await client.post("/you/mail", data={"mail": "ann@example.org"})
        assert "Too many attempts" in (await client.post("/you/mail", data={"mail": "ann@example.org"})).text


async def test_coming_back(client: httpx.AsyncClient) -> None:
    """Who has no link yet is reminded at their table, and who has one is not; tests/traces/account/coming-back."""
    against_a_bot = {"seat-0": "you", "name-0": "Anna", "seat-1": "easy"}
    path = (await client.post("/games/times_square/tables", data=against_a_bot)).headers["location"]
    assert "/you#devices" in (await client.get(path)).text
    page = (await client.post("/you/claim")).text
    link = page.split("/recover/", 1)[1].split('"', 1)[0]
    assert 'id="come-back"' not in page
    assert "/you#devices" not in (await client.get(path)).text
    client.cookies.clear()
    await client.post(f"/recover/{link}")
    assert path in (await client.get("/")).text
