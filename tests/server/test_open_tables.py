"""The pages of tables with free seats: people come by the address of a table or from the lobby.

Who may sit where, and when the game begins, is in tests/traces/tables.
"""

from __future__ import annotations

import httpx

from omnibus.bots import names as bot_names
from support.api_client import known

WEAK = bot_names()[0]


async def shown(client: httpx.AsyncClient, path: str) -> tuple[str, list[str]]:
    """Return how a table stands, and the names of its seats, as the API tells it."""
    table = (await client.get(f"/api{path}")).json()
    return table["standing"], [seat["name"] for seat in table["seats"]]


async def test_one_link_for_all(client: httpx.AsyncClient) -> None:
    """Whoever only looks is nobody yet, and names are shown as text; more is in tests/traces/people/waiting-page."""
    form = {"seat-0": "you", "seat-1": "friend", "seat-2": "friend", "name-0": "Anna"}
    path = (await client.post("/games/bus/tables", data=form)).headers["location"]
    for name in ("<i>Cy</i>", "<b>Bert</b>"):
        client.cookies.clear()
        assert f'action="{path}/join"' in (await client.get(path)).text
        assert not client.cookies
        assert (await client.post(f"{path}/join", data={"name": name})).headers["location"] == path
        page = (await client.get(path)).text
        assert name not in page
        assert name.replace("<", "&lt;").replace(">", "&gt;") in page or name.replace("<", "\\u003c") in page
    assert await shown(client, path) == ("live", ["Anna", "<i>Cy</i>", "<b>Bert</b>"])


async def test_a_mistake_is_answered_where_it_was_made(client: httpx.AsyncClient) -> None:
    """Somebody else's name stays in the form, on the page of the table."""
    form = {"seat-0": "you", "seat-1": "friend", "seat-2": "friend", "name-0": "Anna"}
    path = (await client.post("/games/bus/tables", data=form)).headers["location"]
    await (await known(client, "Bert")).ask("POST users/me/claim", {"name": "Bert"})
    client.cookies.clear()
    taken = await client.post(f"{path}/join", data={"name": "Bert"})
    assert (taken.status_code, 'value="Bert"' in taken.text) == (409, True)
    elsewhere = {"referer": "http://server/players/Somebody"}
    refused = await client.post("/tables/nowhere/seats/0/stand", headers=elsewhere)
    assert refused.status_code == 404


async def test_from_the_lobby(client: httpx.AsyncClient) -> None:
    """A listed table is in the lobby, another one is not."""
    paths = []
    for more in ({"listed": "yes", "patience": "600"}, {}):
        form = {"seat-0": "you", "seat-1": "friend", "seat-2": "friend", **more}
        paths.append((await client.post("/games/bus/tables", data=form)).headers["location"])
    client.cookies.clear()
    lobby = (await client.get("/")).text
    assert [path in lobby for path in paths] == [True, False]
    assert (await client.get(f"/api{paths[0]}")).json()["patience"] == 600


async def test_the_lobby_offers_only_what_can_be_done(client: httpx.AsyncClient) -> None:
    """Bots have a name at once and keep it, nobody sits twice, and tables of others cannot be deleted."""
    form = {"seat-0": "you", "seat-1": "friend", "seat-2": WEAK, "name-0": "Anna", "listed": "yes"}
    path = (await client.post("/games/bus/tables", data=form)).headers["location"]
    own = (await client.get("/")).text
    bot = (await shown(client, path))[1][2]
    assert f"Anna, {bot}" in own
    assert (f"{path}/delete" in own, f"{path}/join" in own) == (True, False)
    mine = dict(client.cookies)
    client.cookies.clear()
    assert f"{path}/join" in (await client.get("/")).text
    await client.post(f"{path}/join", data={"name": "Bert"})
    assert await shown(client, path) == ("live", ["Anna", "Bert", bot])
    client.cookies.clear()
    client.cookies.update(mine)
    assert f"{path}/delete" not in (await client.get("/")).text


async def test_a_link_to_this_machine_only(client: httpx.AsyncClient) -> None:
    """An invitation that no other device can open says so."""
    form = {"seat-0": "you", "seat-1": "friend", "seat-2": WEAK}
    path = (await client.post("/games/bus/tables", data=form)).headers["location"]
    assert "only works on this computer" not in (await client.get(path)).text
    here = {"host": "localhost:8765"}
    assert "only works on this computer" in (await client.get(path, headers=here)).text
