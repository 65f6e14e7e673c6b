"""Moderation: pages, and the corrections of results and names that a host makes.

Who may report, ban and moderate, and what a banned account may do, is in tests/traces/moderation.
"""

from __future__ import annotations

import httpx
import pytest

from omnibus.kernel.i18n import LANGUAGES
from omnibus.ratings.log import Ratings, pool_of
from omnibus.server.http.visitor import TOKEN
from omnibus.server.people.corrections import correct
from omnibus.server.people.ratings import EARLY, RatingService
from omnibus.server.store.models import Sitter, User
from omnibus.server.store.moderation import ModeratorStore
from omnibus.server.tables import actions
from omnibus.server.tables.periodic import rate_missing
from omnibus.server.tables.registry import TableRegistry
from support.people import claimed, claimed_caller
from support.seats import play_first

pytestmark = pytest.mark.both_databases

POOL = pool_of("times_square", 2)


async def finished(registry: TableRegistry, winner: User, loser: User) -> str:
    """Play a rated game in which somebody resigns, and return its table."""
    sitters = [Sitter(user=winner.id), Sitter()]
    setup = await registry.open(winner.id, "times_square", {}, sitters, listed=True, rated=True)
    await actions.sit(registry, loser, setup.id, 1)
    await play_first(registry, await registry.table(setup.id), 2 * EARLY)
    await actions.resign(registry, loser, setup.id)
    return setup.id


async def consistent(registry: TableRegistry) -> Ratings:
    """Return the ratings, which are the same in memory, in the stored changes, and calculated from the log."""
    service, again = registry.rating_service, RatingService(registry.user_store.database)
    ratings, log = await service.ratings(), Ratings()
    changes = [change for game in await service.store.games() for change in log.add(game)]
    key = lambda change: (change.at, change.id, change.user)  # noqa: E731
    assert sorted(await service.store.all_changes(), key=key) == sorted(changes, key=key)
    for change in changes:
        assert ratings.rating(POOL, change.user) == log.rating(POOL, change.user)
        assert (await again.ratings()).rating(POOL, change.user) == log.rating(POOL, change.user)
    return ratings


async def test_results_are_corrected(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """All ratings that follow are calculated again, also those of a server that runs; the log itself only grows."""
    ann, bert, cleo = [await claimed(registry, name) for name in ("Anna", "Bert", "Cleo")]
    database = registry.user_store.database
    first, second = await finished(registry, ann, bert), await finished(registry, cleo, bert)
    before = await consistent(registry)
    log = await database.read("SELECT * FROM rated_games ORDER BY number")
    winner = (await registry.table(first)).setup.seats_of(ann.id)[0]

    async def results(name: str) -> list[tuple[int, int]]:
        told = (await client.get(f"/api/players/{name}")).json()["results"]
        return [(each["played"], each["won"]) for each in told]

    done = await correct(database, first, [2, 1] if winner == 0 else [1, 2], "it was the other way round")
    assert (done.rated, done.changes) == (True, 4)
    after = await consistent(registry)
    assert after.rating(POOL, ann.id).mean < 1500 < before.rating(POOL, ann.id).mean
    assert after.rating(POOL, cleo.id) != before.rating(POOL, cleo.id), "Bert was stronger when they met"
    assert (await results("Anna"), await results("Bert")) == ([(1, 0)], [(2, 1)])
    await correct(database, second, None, "")
    assert (await consistent(registry)).games(POOL, cleo.id) == 0
    assert await results("Cleo") == []
    await rate_missing(registry)
    assert await results("Cleo") == [], "it stays voided after a restart"
    third = await finished(registry, ann, cleo)
    assert (await consistent(registry)).games(POOL, cleo.id) == 1
    await correct(database, second, [1, 1], "")
    assert (await consistent(registry)).games(POOL, cleo.id) == 2
    assert (await database.read("SELECT * FROM rated_games ORDER BY number"))[:2] == log
    assert third in [game.id for game in await registry.rating_service.store.games()]


async def test_two_services_rate_at_the_same_time(registry: TableRegistry) -> None:
    """What another process has added is taken into account, and no game is rated twice."""
    ann, bert = await claimed(registry, "Anna"), await claimed(registry, "Bert")
    other = RatingService(registry.user_store.database)
    await other.ratings()
    first = await finished(registry, ann, bert)
    assert (await other.ratings()).games(POOL, ann.id) == 1
    assert await other.finish(await registry.table(first)) == []
    await finished(registry, bert, ann)
    await consistent(registry)
    assert (await other.ratings()).games(POOL, ann.id) == 2


async def test_the_page_for_moderators(
    client: httpx.AsyncClient, registry: TableRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has a button for everything, in every language; of many reports those that wait longest; others see none."""
    monkeypatch.setattr("omnibus.server.people.moderation.MOST_LISTED", 2)
    (mia, caller), (_, other) = [await claimed_caller(client, registry, name) for name in ("Mia", "Anna")]
    bert, _ = [await claimed(registry, name) for name in ("Bert", "Cleo")]
    await ModeratorStore(registry.database).add(mia.id)
    for name, reason in (("Bert", "<b>rude</b>"), ("Cleo", "loud"), ("Mia", "late")):
        await other.ask("POST reports", {"name": name, "reason": reason}, status=204)
    rude, loud = (await caller.ask("GET moderation/reports"))["reports"]
    assert (rude["reason"], loud["reason"]) == ("<b>rude</b>", "loud")
    assert "/moderation" not in (await client.get("/you")).text
    assert (await client.get("/moderation")).status_code == 403
    client.cookies.set(TOKEN, caller.headers["authorization"].split(" ")[1])
    assert "/moderation" in (await client.get("/you")).text
    for language in LANGUAGES:
        page = await client.get("/moderation", headers={"accept-language": language})
        assert "&lt;b&gt;rude&lt;/b&gt;" in page.text
    assert (await client.post("/moderation/dismiss", data={"report": rude["id"]})).status_code == 303
    for which in ("", "?closed=true"):
        left = (await caller.ask(f"GET moderation/reports{which}"))["reports"]
        assert [report["reason"] for report in left] == ["loud", "late"]
    key = rude["about"]["key"]
    await client.post("/moderation/ban", data={"key": key, "days": "7", "reason": "rude"})
    assert await registry.ban_store.is_banned(bert.id)
    assert "Lift ban: Bert" in (await client.get("/moderation")).text
    await client.post("/moderation/unban", data={"key": key})
    assert not await registry.ban_store.is_banned(bert.id)
    await client.post("/moderation/ban", data={"name": "bert", "days": "0"})
    (ban,) = (await caller.ask("GET moderation/bans"))["bans"]
    assert (ban["account"]["key"], ban["until"]) == (key, None)
    await client.post("/moderation/remove-name", data={"key": key})
    await caller.ask(f"DELETE moderation/names/{key}", status=404)
    assert (await client.post("/moderation/promote", data={"key": key})).status_code == 404
    assert (await client.post("/moderation/ban", data={"name": "Mia"})).status_code == 403


async def test_the_page_of_a_corrected_game(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """It says that the result was corrected; only players read on it what was said."""
    (ann, caller), bert = await claimed_caller(client, registry, "Anna"), await claimed(registry, "Bert")
    where = await finished(registry, bert, ann)
    await caller.ask(f"POST tables/{where}/chat", {"text": "<b>you fool</b>"}, status=204)
    assert "you fool" not in (await client.get(f"/tables/{where}/players")).text
    assert "has changed the result" not in (await client.get(f"/tables/{where}")).text
    await correct(registry.user_store.database, where, None, "")
    assert "has changed the result" in (await client.get(f"/tables/{where}")).text
