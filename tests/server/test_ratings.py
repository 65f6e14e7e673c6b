"""Ratings on the server: names that look alike, rated tables, profiles and leaderboards.

Who may play rated games, and what they change, is in tests/traces/ratings.
"""

from __future__ import annotations

import httpx
import pytest

from omnibus.server.http.visitor import TOKEN
from omnibus.server.people.name_folding import folded
from omnibus.server.people.ratings import EARLY, LEAST_GAMES
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables import actions
from omnibus.server.tables.periodic import rate_missing
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from support.api_client import Caller, known
from support.people import claimed
from support.seats import play_first

pytestmark = pytest.mark.both_databases


async def played(registry: TableRegistry, one: User, two: User) -> Table:
    """Play a rated game until it counts; who sits where is drawn."""
    setup = await registry.open(one.id, "times_square", {}, [Sitter(user=one.id), Sitter()], listed=True, rated=True)
    await actions.sit(registry, two, setup.id, 1)
    table = await registry.table(setup.id)
    await play_first(registry, table, 2 * EARLY)
    return table


@pytest.mark.parametrize(
    ("one", "two"),
    [("Anna", "ANNA"), ("Anna", "Ánna"), ("Anna", "A n n a!"), ("Anna", "Аnnа"), ("Bob", "B0b"), ("Illa", "1lla"),
     ("Groß", "gross"), ("modern", "modem"), ("ﬁne", "fine")],
)  # fmt: skip
def test_names_that_look_alike(one: str, two: str) -> None:
    """Case, accents, spaces and letters of other scripts make no difference."""
    assert folded(one) == folded(two) != ""


def test_names_that_differ() -> None:
    """Other names are other names, in every script; what has no letters cannot be compared."""
    several = ["Anna", "Hanna", "Ann", "Анна Петровна", "李雷", "韩梅梅", "Bert"]
    assert len({folded(name) for name in several}) == len(several)
    assert folded(" –! ") == ""


async def test_seats_can_be_drawn_in_any_game(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the form and the API, against bots too, and for a rematch; nobody gets a token for a seat not yet drawn."""
    monkeypatch.setattr("omnibus.server.tables.seating.SHUFFLE.sample", lambda sitters, _number: sitters[::-1])
    ann = await known(client, "Ann")
    wish = {"game": "times_square", "seats": [{"who": "you"}, {"who": "bot"}]}
    made = await ann.ask("POST tables", wish | {"random_seats": True}, status=201)
    assert (made["random_seats"], [seat["who"] for seat in made["seats"]]) == (True, ["bot", "person"])
    made = await ann.ask("POST tables", wish, status=201)
    assert (made["random_seats"], [seat["who"] for seat in made["seats"]]) == (False, ["person", "bot"])
    form = {"seat-0": "you", "name-0": "Cy", "seat-1": "friend", "listed": "yes", "random_seats": "yes"}
    page = (await client.post("/games/times_square/tables", data=form)).headers["location"]
    assert "Drawn at random when the game starts." in (await client.get(page)).text
    table = page.removeprefix("/tables/")
    cy = Caller(client, client.cookies[TOKEN])
    assert "drawn" in (await cy.ask(f"POST tables/{table}/seats/0/token", status=409))["text"]
    joined = await ann.ask(f"PUT tables/{table}/seats/1", {"name": ""})
    assert [seat["name"] for seat in joined["seats"]] == ["Ann", "Cy"]
    await cy.ask(f"POST tables/{table}/resign")
    assert (await cy.ask(f"POST tables/{table}/rematch"))["random_seats"]


async def test_a_game_that_was_not_rated_before_a_stop(registry: TableRegistry) -> None:
    """It is rated at the next start, once."""
    ann, bert = await claimed(registry, "Anna"), await claimed(registry, "Bert")
    table = await played(registry, ann, bert)
    await table.resign(table.seats_of(bert.id)[0], None)  # stored, but not published
    assert await registry.rating_service.store.unrated() == [table.setup.id]
    registry.live.unload_all()
    for _ in range(2):
        await rate_missing(registry)
        assert len(await registry.rating_service.store.games()) == 1
    assert await registry.rating_service.store.unrated() == []


async def test_profiles_and_leaderboards(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Whoever has played enough is listed with a margin; the profile has the curve; bots are listed apart."""
    ann, bert = await claimed(registry, "Anna"), await claimed(registry, "Bert & Co")
    for _ in range(LEAST_GAMES):
        assert "Anna" not in (await client.get("/leaderboards")).text
        await actions.resign(registry, bert, (await played(registry, ann, bert)).setup.id)
    page = (await client.get("/leaderboards")).text
    assert page.index("Anna") < page.index("Bert &amp; Co")
    assert "provisional" in page
    assert "medium bot 1500" in page
    profile = (await client.get("/players/ANNA")).text
    assert profile.count("<polyline") == 1
    assert profile.count("<td>1</td>") == LEAST_GAMES
    assert (await client.get("/players/Bert%20%26%20Co")).status_code == 200
    told = await Caller(client).ask("GET players/Anna")
    assert [each["games"] for each in told["ratings"]] == [LEAST_GAMES]
    assert len(told["history"]) == LEAST_GAMES
    (board,) = (await Caller(client).ask("GET leaderboards/times_square"))["leaderboards"]
    assert [row["name"] for row in board["players"]] == ["Anna", "Bert & Co"]
    assert "medium" in [row["bot"] for row in board["bots"]]


async def test_nobody_adds_a_bot_to_a_rated_table(client: httpx.AsyncClient) -> None:
    """Its page offers none; how the form sets one up is in tests/traces/ratings/pages."""
    await client.post("/you/name", data={"name": "Anna"})
    await client.post("/you/claim")
    for rated, offered in (("yes", False), ("", True)):
        form = {"seat-0": "you", "seat-1": "friend", "rated": rated}
        made = await client.post("/games/times_square/tables", data=form)
        page = (await client.get(made.headers["location"])).text
        assert ("Rated game" in page, "Add bot" in page) == (not offered, offered)
