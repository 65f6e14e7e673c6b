"""What users, programs and strangers must not be able to see or do."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from typing import Any

import httpx
import pytest

from omnibus.games.bus import cities
from omnibus.kernel.match import Match
from omnibus.server.notices.message_sender import MessageSender, TooManyAttempts
from omnibus.server.notices.webhook import Undelivered, WebhookSender
from omnibus.server.store.models import DAY
from omnibus.server.tables.registry import TableRegistry
from support.api_client import Caller, alone, known, together


async def lent(client: httpx.AsyncClient) -> tuple[Caller, Caller, str, str]:
    """Set up two tables of one user; return the user, a program in a seat at the first, and the ids of both."""
    first, ann, _ = await together(client)
    token = (await ann.ask(f"POST tables/{first}/seats/0/token", status=201))["token"]
    second = await alone(ann)
    return ann, Caller(client, token), first, second


async def test_a_program_is_a_spectator_at_other_tables(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Its owner does not count as present there."""
    ann, program, first, second = await lent(client)
    me = (await ann.ask("GET users/me"))["id"]
    for table_id, seen in ((first, True), (second, False)):
        presence = registry.live.presence_at(await registry.table(table_id))
        presence.saw(me, DAY)
        await program.ask(f"GET tables/{table_id}/scene")
        assert (presence.away_for(me) < DAY) == seen


async def test_a_program_reads_no_record_that_does_not_replay(
    client: httpx.AsyncClient, registry: TableRegistry
) -> None:
    """Its owner may, if nobody else plays; a program may see only what its seat sees."""
    ann, program, _, second = await lent(client)
    await registry.table_store.database.execute("UPDATE tables SET rules = 99")
    registry.live.unload_all()
    await ann.ask(f"GET tables/{second}/record")
    await program.ask(f"GET tables/{second}/record", status=409)


async def test_only_a_token_of_ours_makes_a_request_a_programs(
    client: httpx.AsyncClient, registry: TableRegistry
) -> None:
    """Other kinds of authorization, which a browser sends to a proxy by itself, do not let pages of other sites in."""
    await client.post("/play/times_square")
    elsewhere = {"authorization": "Basic YTpi", "origin": "https://elsewhere.example"}
    answer = await client.patch("/api/users/me", json={"name": "Mallory"}, headers=elsewhere)
    assert answer.status_code == 403
    answer = await client.patch("/api/users/me", json={"name": "Ann"}, headers={"authorization": "Basic YTpi"})
    assert answer.status_code == 200
    client.cookies.clear()
    assert (await client.get("/api/lobby", headers={"authorization": "Basic YTpi"})).status_code == 200
    assert (await client.get("/api/lobby", headers={"authorization": "Bearer x"})).status_code == 401


async def slowly(content: bytes, meanwhile: Awaitable[Any]) -> AsyncIterator[bytes]:
    """Send a form, and do something before its last part."""
    yield content[:1]
    await meanwhile
    yield content[1:]


FORM = {"content-type": "application/x-www-form-urlencoded"}


async def test_a_mail_address_is_not_exchanged_while_it_is_confirmed(
    client: httpx.AsyncClient, registry: TableRegistry
) -> None:
    """Confirming an address slowly does not confirm another one that was given meanwhile."""
    user, _ = await registry.user_store.add_user("Mallory")
    await registry.user_store.keep_mail(user.id, "mallory@example.org")
    token = await registry.user_store.add_token("mail", user=user.id)
    other = registry.user_store.keep_mail(user.id, "victim@example.org")
    await client.post(f"/mail/{token}", content=slowly(b"mails=yes", other), headers=FORM)
    assert not (await registry.user_store.profile(user.id)).confirmed


async def test_a_link_that_is_withdrawn_meanwhile(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """A recovery that began before does not succeed after."""
    await client.post("/play/times_square")
    owner, _ = await registry.user_store.add_user("Ann")
    token = await registry.user_store.add_token("recovery", user=owner.id)
    withdrawn = registry.user_store.drop_tokens(owner.id, "recovery")
    answer = await client.post(f"/recover/{token}", content=slowly(b"leave=yes", withdrawn), headers=FORM)
    assert answer.status_code == 404
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("users", r'{"name": "\ud800"}'),
        ("users", r'{"\ud800": 1}'),
        ("tables", r'{"game": "\ud800", "seats": [{"who": "you"}]}'),
        ("tables", r'{"game": "bus", "seats": [{"who": "you"}, {"who": "\ud800"}]}'),
        ("tables", r'{"game": "bus", "seats": [{"who": "you"}, {"who": "bot", "bot": "x\ud800"}]}'),
        ("tables", r'{"game": "metromania", "seats": [{"who": "you"}, {"who": "bot"}], "options": {"\ud800": 1}}'),
        ("tables", r'{"game": "metromania", "seats": [{"who": "you"}, {"who": "bot"}], "options": {"map": "\ud800"}}'),
        ("tables", r'{"game": "bus", "seats": [{"who":"you"},{"who":"bot"},{"who":"bot"}], "options": {"a": 1e999}}'),
    ],
)
async def test_lone_surrogates(client: httpx.AsyncClient, path: str, body: str) -> None:
    """Text that cannot be stored is rejected with an explanation."""
    ann = await known(client, "Ann")
    headers = ann.headers | {"content-type": "application/json"}
    answer = await client.post(f"/api/{path}", content=body, headers=headers)
    assert answer.status_code == 400, answer.text
    assert answer.json()["text"]


async def test_the_lobby_shows_a_custom_map_by_its_name(client: httpx.AsyncClient) -> None:
    """Not as the whole document, and escaped."""
    ann = await known(client, "Ann")
    city = cities.find(cities.DEFAULT).document | {"name": "<b>Mine</b>"}
    city.pop("note", None)
    wish = {"game": "bus", "seats": [{"who": "you"}, *[{"who": "free"}] * 2], "listed": True}
    table = await ann.ask("POST tables", wish | {"options": {"city": city}}, status=201)
    for path in ("/", f"/tables/{table['id']}"):
        page = (await client.get(path)).text
        assert "&lt;b&gt;Mine&lt;/b&gt;" in page
        assert "crossings" not in page


async def test_webhook_addresses_are_looked_up_seldom(registry: TableRegistry) -> None:
    """A few times a minute for each user: a name server that does not answer keeps us busy for long."""
    asked: list[str] = []

    async def resolve(host: str, _port: int) -> list[str]:
        asked.append(host)
        raise OSError

    sender = MessageSender(registry.user_store, WebhookSender(private=False, resolve=resolve), None, str)
    for _ in range(30):
        with pytest.raises((Undelivered, TooManyAttempts)):
            await sender.check_webhook("ann", "https://nobody.example/")
    assert len(asked) == 10


async def test_no_text_of_a_record_becomes_part_of_a_page(client: httpx.AsyncClient) -> None:
    """Names of players and of a map are escaped."""
    evil = "</script></title><script>alert(1)</script>"
    city = cities.find(cities.DEFAULT).document | {"name": evil, "note": evil}
    match = Match.new("bus", seats=3, options={"city": city}, seed=1)
    match.names = (evil, f'"{evil}', f"'{evil}")
    made = await client.post("/records", files={"record": ("a.game", match.record().encode())})
    assert made.status_code == 303, made.text
    for path in ("", "/dice"):
        page = await client.get(made.headers["location"] + path)
        assert page.status_code == 200
        assert "<script>alert" not in page.text
    drawn = (await client.get(made.headers["location"] + "/at/0")).json()["svg"]
    assert "<script" not in drawn
