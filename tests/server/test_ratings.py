"""Ratings on the server: claimed names, rated tables, what a finished game changes, profiles and leaderboards."""

from __future__ import annotations

import httpx
import pytest

from omnibus.bots import names as bot_names
from omnibus.ratings.log import Ratings, pool_of
from omnibus.ratings.model import MIDDLE
from omnibus.server.errors import Rejected
from omnibus.server.people import accounts
from omnibus.server.people.name_folding import folded
from omnibus.server.people.players import find_player
from omnibus.server.people.ratings import EARLY, LEAST_GAMES
from omnibus.server.store.erasing import remove_texts
from omnibus.server.store.models import Sitter, TimeControl, User
from omnibus.server.tables import actions
from omnibus.server.tables.periodic import rate_missing
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.rematches import ask_for_rematch
from omnibus.server.tables.table import Table
from support.api_client import Caller, known
from support.people import claimed
from support.seats import play_first

pytestmark = pytest.mark.both_databases

POOL = pool_of("times_square", 2)
WEAK = bot_names()[0]


async def rated_table(registry: TableRegistry, one: User, two: User, clock: TimeControl | None = None) -> Table:
    """Bring two people to a rated table; who sits where is drawn."""
    sitters = [Sitter(user=one.id), Sitter()]
    setup = await registry.open(one.id, "times_square", {}, sitters, listed=True, rated=True, clock=clock)
    await actions.sit(registry, two, setup.id, 1)
    return await registry.table(setup.id)


async def finish(registry: TableRegistry, winner: User, loser: User, decisions: int = 2 * EARLY) -> Table:
    """Play a rated game in which somebody resigns after so many decisions."""
    table = await rated_table(registry, winner, loser)
    await play_first(registry, table, decisions)
    await actions.resign(registry, loser, table.setup.id)
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


async def test_seats_can_be_drawn_in_any_game(
    client: httpx.AsyncClient, registry: TableRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the form and the API, against bots too; nobody gets a token for a seat that is still to be drawn."""
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
    table_id = page.removeprefix("/tables/")
    owner = await registry.user_store.find((await registry.waiting_setup(table_id)).owner)
    assert owner
    with pytest.raises(Rejected) as refused:
        await actions.lend(registry, owner, table_id, 0)
    assert "drawn" in refused.value.why
    await ann.ask(f"PUT tables/{table_id}/seats/1", {"name": ""})
    table = await registry.table(table_id)
    assert [sitter.name for sitter in table.setup.sitters] == ["Ann", "Cy"]
    await actions.resign(registry, owner, table_id)
    assert (await registry.waiting_setup(await ask_for_rematch(registry, owner, table_id))).random_seats


async def test_claiming_a_name(registry: TableRegistry) -> None:
    """It makes a recovery link; nobody else has the name then, and a change of name takes the claim along."""
    ann, _ = await registry.user_store.add_user("Anna")
    token = await accounts.claim(registry, ann, "Anna")
    assert token is not None
    recovered = await registry.user_store.token(token)
    assert recovered is not None
    assert (recovered.kind, recovered.user) == ("recovery", ann.id)
    assert await accounts.claim(registry, ann, "Anna") is None
    other, _ = await registry.user_store.add_user("Bert")
    await registry.user_store.add_token("recovery", user=other.id)
    for name, why in (("ANNA", accounts.NAME_TAKEN), ("Аnna", accounts.NAME_TAKEN), ("Q.", accounts.NAME_TOO_SHORT)):
        with pytest.raises(Rejected) as refused:
            await accounts.claim(registry, other, name)
        assert refused.value.why == why
    with pytest.raises(Rejected):
        await accounts.rename(registry, other, "anna")
    await accounts.rename(registry, ann, "Anneliese")
    found = await find_player(registry.rating_service, "anneliese")
    assert found is not None
    assert (found.name, found.former) == ("Anneliese", "Anna")
    await accounts.rename(registry, other, "Anna")
    await remove_texts(registry.database, ann.id)
    assert await find_player(registry.rating_service, "Anneliese") is None


async def test_who_may_play_rated_games(registry: TableRegistry) -> None:
    """Different people with claimed names; no bots, no programs, nobody twice; who sits where is drawn."""
    ann, bert = await claimed(registry, "Anna"), await claimed(registry, "Bert")
    stranger, _ = await registry.user_store.add_user("Cleo")
    alone = [Sitter(user=ann.id), Sitter()]
    for sitters in ([Sitter(user=ann.id), Sitter(bot=WEAK)], [Sitter(user=ann.id)] * 2):
        with pytest.raises(ValueError, match="in a rated game"):
            await registry.open(ann.id, "times_square", {}, sitters, rated=True)
    with pytest.raises(Rejected, match="refused"):
        await registry.open(stranger.id, "times_square", {}, [Sitter(user=stranger.id), Sitter()], rated=True)
    setup = await registry.open(ann.id, "times_square", {}, alone, listed=True, rated=True)
    for refused in (
        actions.sit(registry, stranger, setup.id, 1),
        actions.sit(registry, ann, setup.id, 1),
        actions.fill(registry, ann, setup.id, 1, WEAK),
        actions.lend(registry, ann, setup.id, 0),
    ):
        with pytest.raises(Rejected):
            await refused
    await actions.sit(registry, bert, setup.id, 1, name="Somebody else")
    table = await registry.table(setup.id)
    assert {sitter.user: sitter.name for sitter in table.setup.sitters} == {ann.id: "Anna", bert.id: "Bert"}
    assert (await registry.table_store.entry(setup.id)).setup.sitters == table.setup.sitters  # type: ignore[union-attr]


async def test_what_a_rated_game_changes(registry: TableRegistry) -> None:
    """The winner rises and the loser falls; what is stored is what the log says; early games do not count."""
    ann, bert = await claimed(registry, "Anna"), await claimed(registry, "Bert")
    await finish(registry, ann, bert, decisions=2 * EARLY - 1)
    service = registry.rating_service
    assert await service.store.games() == []
    table = await finish(registry, ann, bert)
    (game,) = await service.store.games()
    assert (game.id, dict(zip(game.players, game.ranks, strict=True))) == (table.setup.id, {ann.id: 1, bert.id: 2})
    ratings = await service.ratings()
    assert ratings.rating(POOL, ann.id).mean > MIDDLE > ratings.rating(POOL, bert.id).mean
    for user in (ann, bert):
        (change,) = await service.store.changes(user.id)
        again = Ratings.after(await service.store.games())
        assert change.after == again.rating(POOL, user.id) == ratings.rating(POOL, user.id)
    assert await service.finish(table) == []  # once is enough


async def test_a_game_that_was_not_rated_before_a_stop(registry: TableRegistry) -> None:
    """It is rated at the next start, once."""
    ann, bert = await claimed(registry, "Anna"), await claimed(registry, "Bert")
    table = await rated_table(registry, ann, bert)
    await play_first(registry, table, 2 * EARLY)
    await table.resign(table.seats_of(bert.id)[0], None)  # stored, but not published
    assert await registry.rating_service.store.unrated() == [table.setup.id]
    registry.live.unload_all()
    for _ in range(2):
        await rate_missing(registry)
        assert len(await registry.rating_service.store.games()) == 1
    assert await registry.rating_service.store.unrated() == []


async def test_who_leaves_is_ranked_last(registry: TableRegistry) -> None:
    """A bot that plays for somebody cannot win their rating, even if they come back."""
    ann, bert = await claimed(registry, "Anna"), await claimed(registry, "Bert")
    table = await rated_table(registry, ann, bert)
    await play_first(registry, table, 2 * EARLY)
    seat = table.seats_of(bert.id)[0]
    await actions.hand_over(registry, table, [seat], WEAK)
    await actions.resume_seats(registry, table, [seat])
    await actions.resign(registry, ann, table.setup.id)
    (game,) = await registry.rating_service.store.games()
    assert game.ranks == (1, 1)  # both have left


async def test_profiles_and_leaderboards(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Whoever has played enough is listed with a margin; the profile has the curve; bots are listed apart."""
    ann, bert = await claimed(registry, "Anna"), await claimed(registry, "Bert & Co")
    for _ in range(LEAST_GAMES):
        assert "Anna" not in (await client.get("/leaderboards")).text
        await finish(registry, ann, bert)
    page = (await client.get("/leaderboards")).text
    assert page.index("Anna") < page.index("Bert &amp; Co")
    assert "provisional" in page
    assert "medium bot 1500" in page
    profile = (await client.get("/players/ANNA")).text
    assert profile.count("<polyline") == 1
    assert profile.count("<td>1</td>") == LEAST_GAMES
    assert (await client.get("/players/Bert%20%26%20Co")).status_code == 200
    assert (await client.get("/players/Nobody")).status_code == 404
    caller = Caller(client)
    told = await caller.ask("GET players/Anna")
    assert [each["games"] for each in told["ratings"]] == [LEAST_GAMES]
    assert len(told["history"]) == LEAST_GAMES
    (board,) = (await caller.ask("GET leaderboards/times_square"))["leaderboards"]
    assert [row["name"] for row in board["players"]] == ["Anna", "Bert & Co"]
    assert "medium" in [row["bot"] for row in board["bots"]]
    for path in ("players/Nobody", "leaderboards/chess"):
        await caller.ask(f"GET {path}", status=404)


async def test_rated_tables_over_page_and_api(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """The account page claims the name and shows a link; then the form and the API set up rated tables."""
    await client.post("/you/name", data={"name": "Anna"})
    assert "/recover/" in (await client.post("/you/claim")).text
    assert (await client.post("/you/claim")).headers["location"] == "/you?done=claimed"
    assert "/players/Anna" in (await client.get("/you")).text
    made = await client.post("/games/times_square/tables", data={"seat-0": "you", "seat-1": "friend", "rated": "yes"})
    setup = await registry.waiting_setup(made.headers["location"].removeprefix("/tables/"))
    assert setup.rated
    page = (await client.get(made.headers["location"])).text
    assert "Rated game" in page
    assert "Add bot" not in page
    bert = await known(client, "Bert")
    wish = {"game": "times_square", "seats": [{"who": "you"}, {"who": "free"}], "rated": True}
    assert "claimed their name" in (await bert.ask("POST tables", wish, status=409))["text"]
    assert not (await bert.ask("POST tables", wish | {"rated": False}, status=201))["rated"]
    assert "/recover/" in (await bert.ask("POST users/me/claim", {"name": "Bert"}))["recovery"]["link"]
    assert (await bert.ask("POST tables", wish, status=201))["rated"]
