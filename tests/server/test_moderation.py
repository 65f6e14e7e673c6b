"""Reports, bans, and the corrections of results and names that a host makes."""

from __future__ import annotations

import time

import httpx
import pytest

from omnibus.kernel.i18n import LANGUAGES
from omnibus.ratings.log import Ratings, pool_of
from omnibus.server.errors import Forbidden, Rejected, TableNotFound
from omnibus.server.people import accounts, moderation
from omnibus.server.people.bans import BANNED
from omnibus.server.people.blocks import NOT_YOURSELF
from omnibus.server.people.corrections import correct, remove_name
from omnibus.server.people.erasing import erase
from omnibus.server.people.friends import Friends
from omnibus.server.people.invitations import Invitations
from omnibus.server.people.moderation import Moderation
from omnibus.server.people.pairing import QuickPairing, Wish
from omnibus.server.people.ratings import EARLY, RatingService
from omnibus.server.people.reports import NO_REASON, Reports
from omnibus.server.store.erasing import remove_texts
from omnibus.server.store.models import Sitter, User
from omnibus.server.store.moderation import Ban, ModeratorStore
from omnibus.server.tables import actions, chat
from omnibus.server.tables.periodic import rate_missing, reload_names
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.results import statistics
from support.people import claimed, claimed_caller
from support.seats import Seat, bus_with, friends, play_first

pytestmark = pytest.mark.both_databases

POOL = pool_of("times_square", 2)


async def finished(registry: TableRegistry, winner: User, loser: User, *, rated: bool = True) -> str:
    """Play a game in which somebody resigns, and return its table."""
    sitters = [Sitter(user=winner.id), Sitter()]
    setup = await registry.open(winner.id, "times_square", {}, sitters, listed=True, rated=rated)
    await actions.sit(registry, loser, setup.id, 1)
    await play_first(registry, await registry.table(setup.id), 2 * EARLY)
    await actions.resign(registry, loser, setup.id)
    return setup.id


async def test_a_flood_of_reports_is_read_in_parts(registry: TableRegistry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that wait longest are listed; when one is closed, the next follows."""
    monkeypatch.setattr(moderation, "MOST_LISTED", 2)
    ann, *others = await friends(registry, 4)
    await ModeratorStore(registry.database).add(ann.id)
    for other in others:
        await Reports(registry).report_player(other, others[0].id if other is not others[0] else others[1].id, "rude")
    reports = (await Moderation(registry).reports(ann)).reports
    assert len(reports) == 2
    await Moderation(registry).close(ann, reports[0].id)
    left = (await Moderation(registry).reports(ann)).reports
    assert left[0].id == reports[1].id
    assert len(left) == 2
    assert [each.id for each in (await Moderation(registry).reports(ann, closed=True)).reports] == [e.id for e in left]


async def test_reporting(registry: TableRegistry) -> None:
    """A player is reported with a reason, a chat line by those who could read it; each once, with what was written."""
    ann, bo, cy = await friends(registry, 3)
    table = await bus_with(registry, [ann, bo], Sitter(bot="easy"))
    await chat.say(registry, registry.live.presence_at(table), bo, "you fool")
    reports, where = Reports(registry), table.setup.id
    for _ in range(2):
        await reports.report_line(ann, where, 1)
        await reports.report_player(ann, bo.id, " leaves\nevery game ")
    for attempt, error in (
        (reports.report_line(cy, where, 1), Forbidden),
        (reports.report_line(ann, where, 2), TableNotFound),
        (reports.report_line(ann, "nowhere", 1), TableNotFound),
    ):
        with pytest.raises(error):
            await attempt
    for refused, why in (
        (reports.report_line(bo, where, 1), NOT_YOURSELF),
        (reports.report_player(ann, ann.id, "me"), NOT_YOURSELF),
        (reports.report_player(ann, bo.id, " "), NO_REASON),
    ):
        with pytest.raises(Rejected) as rejected:
            await refused
        assert rejected.value.why == why
    line, player = await reports.store.listed()
    assert (line.reporter, line.reported, line.table, line.line, line.said) == (ann.id, bo.id, where, 1, "you fool")
    assert (player.table, player.line, player.reason) == ("", 0, "leaves every game")
    assert await reports.store.close(line.id)
    assert not await reports.store.close(line.id)
    assert [report.id for report in await reports.store.listed()] == [player.id]
    await remove_texts(registry.database, bo.id)
    assert [report.said for report in await reports.store.listed(closed=True)] == ["", ""]


async def test_what_a_banned_account_may_not_do(registry: TableRegistry) -> None:
    """Neither sit down nor talk, in any way; games that have begun go on; when the ban is over, all is as before."""
    ann, bert = await claimed(registry, "Anna"), await claimed(registry, "Bert")
    table = await bus_with(registry, [ann, bert], Sitter(bot="easy"))
    free = [Sitter(user=bert.id), Sitter()]
    setup = await registry.open(bert.id, "times_square", {}, free, listed=True)
    await Invitations(registry).invite(bert, setup.id, "Anna")
    own = await registry.open(ann.id, "times_square", {}, [Sitter(user=ann.id), Sitter()])
    await registry.ban_store.ban(Ban(ann.id, "", time.time(), None))
    for attempt in (
        actions.sit(registry, ann, setup.id, 1),
        actions.join(registry, ann, setup.id),
        Invitations(registry).accept(ann, setup.id),
        Invitations(registry).invite(ann, own.id, "Bert"),
        Friends(registry).ask(ann, bert.id),
        QuickPairing(registry).find(ann, Wish("times_square", "normal")),
        registry.open(ann.id, "times_square", {}, [Sitter(user=ann.id), Sitter(bot="easy")]),
        chat.say(registry, registry.live.presence_at(table), ann, "hello"),
    ):
        with pytest.raises(Forbidden) as forbidden:
            await attempt
        assert forbidden.value.why == BANNED
    seat = Seat(registry, table, ann)
    await seat.say(chat="hello", id="1")
    assert (await seat.hear())["code"] == "forbidden"
    await actions.resign(registry, ann, table.setup.id)
    await registry.ban_store.ban(Ban(ann.id, "", time.time(), time.time() - 1))
    assert await registry.ban_store.listed() == []
    await actions.sit(registry, ann, setup.id, 1)
    assert await registry.ban_store.unban(ann.id)
    assert not await registry.ban_store.unban(ann.id)


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


async def test_results_are_corrected(registry: TableRegistry) -> None:
    """All ratings that follow are calculated again, also those of a server that runs; the log itself only grows."""
    ann, bert, cleo = [await claimed(registry, name) for name in ("Anna", "Bert", "Cleo")]
    database = registry.user_store.database
    first, second = await finished(registry, ann, bert), await finished(registry, cleo, bert)
    before = await consistent(registry)
    log = await database.read("SELECT * FROM rated_games ORDER BY number")
    winner = (await registry.table(first)).setup.seats_of(ann.id)[0]
    swapped = [2, 1] if winner == 0 else [1, 2]
    done = await correct(database, first, swapped, "it was the other way round")
    assert (done.rated, done.changes) == (True, 4)
    after = await consistent(registry)
    assert after.rating(POOL, ann.id).mean < 1500 < before.rating(POOL, ann.id).mean
    assert after.rating(POOL, cleo.id) != before.rating(POOL, cleo.id), "Bert was stronger when they met"
    for user, won in ((ann, 0), (bert, 1)):
        (row,) = statistics(await registry.table_store.finished(user.id), user.id)[:1]
        assert row.won == won
    await correct(database, second, None, "")
    voided = await consistent(registry)
    assert voided.games(POOL, cleo.id) == 0
    assert await registry.table_store.finished(cleo.id) == []
    await rate_missing(registry)
    assert await registry.table_store.finished(cleo.id) == [], "it stays voided after a restart"
    third = await finished(registry, ann, cleo)
    assert (await consistent(registry)).games(POOL, cleo.id) == 1
    await correct(database, second, [1, 1], "")
    assert (await consistent(registry)).games(POOL, cleo.id) == 2
    assert (await database.read("SELECT * FROM rated_games ORDER BY number"))[:2] == log
    assert third in [game.id for game in await registry.rating_service.store.games()]


async def test_what_cannot_be_corrected(registry: TableRegistry) -> None:
    """Games that go on, tables that do not exist, and ranks that fit no seats; an unrated game changes no rating."""
    ann, bert = await claimed(registry, "Anna"), await claimed(registry, "Bert")
    database = registry.user_store.database
    live = await bus_with(registry, [ann, bert], Sitter(bot="easy"))
    for table, ranks in ((live.setup.id, [1, 2, 3]), ("nowhere", None)):
        with pytest.raises(ValueError, match=r"not ended yet|no table"):
            await correct(database, table, ranks, "")
    played = await finished(registry, ann, bert, rated=False)
    for wrong in ([1], [1, 2, 3], [2, 2], [0, 1]):
        with pytest.raises(ValueError, match="rank of each of the 2 seats"):
            await correct(database, played, wrong, "")
    assert not (await correct(database, played, [1, 1], "")).rated
    entry = await registry.table_store.entry(played)
    assert entry is not None
    assert entry.winners == [0, 1]


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


async def test_a_removed_name(registry: TableRegistry) -> None:
    """It is gone from the account and from tables, and nobody can take it again, or one that looks like it."""
    ann, bert = await claimed(registry, "Anna"), await claimed(registry, "Bert")
    table = await bus_with(registry, [ann, bert], Sitter(bot="easy"))
    database = registry.user_store.database
    assert await remove_name(database, ann.id) == ("Anna", 1)
    with pytest.raises(ValueError, match="with a name"):
        await remove_name(database, ann.id)
    await reload_names(registry)
    assert "Anna" not in table.match.names
    for user, attempt in ((ann, accounts.claim), (bert, accounts.rename)):
        with pytest.raises(Rejected) as refused:
            await attempt(registry, user, "ÀNNA")
        assert refused.value.why == accounts.NAME_REMOVED
    await accounts.claim(registry, ann, "Annette")


async def test_moderators(registry: TableRegistry) -> None:
    """They see what was reported, close reports, ban, unban and remove names; nobody else does, nor they each other."""
    mia, max_, ann, bert = [await claimed(registry, name) for name in ("Mia", "Max", "Anna", "Bert")]
    moderation, moderators = Moderation(registry), ModeratorStore(registry.database)
    for user in (mia, max_):
        await moderators.add(user.id)
    for user in (ann, bert):
        await Reports(registry).report_player(user, (bert if user is ann else ann).id, "rude")
    first, second = (await moderation.reports(mia)).reports
    assert (first.about.name, first.by.name, first.reason, first.about.claimed) == ("Bert", "Anna", "rude", True)
    for refused in (
        moderation.reports(ann), moderation.reports(None), moderation.bans(ann), moderation.close(ann, first.id),
        moderation.ban(ann, bert.id, 1, ""), moderation.unban(ann, bert.id), moderation.remove_name(ann, bert.id),
        moderation.keyed(ann, first.about.key), moderation.named(ann, "Bert"),
        moderation.ban(mia, max_.id, 1, ""), moderation.remove_name(mia, mia.id),
    ):  # fmt: skip
        with pytest.raises(Forbidden):
            await refused
    assert (await moderation.open_reports(mia), await moderation.open_reports(ann)) == (2, None)
    await moderation.close(mia, second.id)
    await moderation.ban(mia, await moderation.keyed(mia, first.about.key), 3, " very\nrude ")
    assert (await moderation.reports(mia)).reports == []
    assert len((await moderation.reports(mia, closed=True)).reports) == 2
    (ban,) = (await moderation.bans(mia)).bans
    assert (ban.account.name, ban.account.banned, ban.reason) == ("Bert", True, "very rude")
    await moderation.remove_name(mia, bert.id)
    assert [each.account.name for each in (await moderation.bans(mia)).bans] == [""]
    await moderation.unban(max_, await moderation.keyed(max_, ban.account.key))
    assert (await moderation.bans(mia)).bans == []
    for missing in (
        moderation.close(mia, "x"), moderation.keyed(mia, "x"), moderation.remove_name(mia, bert.id),
    ):  # fmt: skip
        with pytest.raises(TableNotFound):
            await missing
    await erase(registry, mia)
    assert await moderators.listed() == [max_.id]


async def test_the_page_for_moderators(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """It has a button for everything, in every language, and the API does the same; others are sent away."""
    (mia, caller), (_, other) = [await claimed_caller(client, registry, name) for name in ("Mia", "Anna")]
    bert = await claimed(registry, "Bert")
    await ModeratorStore(registry.database).add(mia.id)
    for _ in range(2):
        await other.ask("POST reports", {"name": "Bert", "reason": "<b>rude</b>"}, status=204)
    await other.ask("GET moderation/reports", status=403)
    await other.ask("POST moderation/bans", {"name": "Bert"}, status=403)
    (report,) = (await caller.ask("GET moderation/reports"))["reports"]
    assert "/moderation" not in (await client.get("/you")).text
    assert (await client.get("/moderation")).status_code == 403
    client.cookies.set("omnibus_user", caller.headers["authorization"].split(" ")[1])
    assert "/moderation" in (await client.get("/you")).text
    for language in LANGUAGES:
        page = await client.get("/moderation", headers={"accept-language": language})
        assert "&lt;b&gt;rude&lt;/b&gt;" in page.text
    key = report["about"]["key"]
    await client.post("/moderation/ban", data={"key": key, "days": "7", "reason": "rude"})
    assert await registry.ban_store.is_banned(bert.id)
    assert "Lift ban: Bert" in (await client.get("/moderation")).text
    await client.post("/moderation/unban", data={"key": key})
    await client.post("/moderation/ban", data={"name": "bert", "days": "0"})
    (ban,) = (await caller.ask("GET moderation/bans"))["bans"]
    assert (ban["account"]["key"], ban["until"]) == (key, None)
    assert (await caller.ask(f"DELETE moderation/bans/{key}"))["bans"] == []
    assert len((await caller.ask("POST moderation/bans", {"key": key, "days": 1}))["bans"]) == 1
    assert (await caller.ask(f"POST moderation/reports/{report['id']}/close"))["reports"] == []
    assert (await client.post("/moderation/dismiss", data={"report": report["id"]})).status_code == 303
    await client.post("/moderation/remove-name", data={"key": key})
    await caller.ask(f"DELETE moderation/names/{key}", status=404)
    assert (await client.post("/moderation/promote", data={"key": key})).status_code == 404
    assert (await client.post("/moderation/ban", data={"name": "Mia"})).status_code == 403


async def test_pages_and_api(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """The page of the players at a table reports; the page of a table says that its result was corrected."""
    (ann, caller), bert = await claimed_caller(client, registry, "Anna"), await claimed(registry, "Bert")
    where = await finished(registry, bert, ann)
    await chat.say(registry, registry.live.presence_at(await registry.table(where)), bert, "<b>you fool</b>")
    client.cookies.set("omnibus_user", caller.headers["authorization"].split(" ")[1])
    page = (await client.get(f"/tables/{where}/players")).text
    assert "&lt;b&gt;you fool" in page
    seat = str((await registry.table(where)).setup.seats_of(bert.id)[0])
    for form in ({"table": where, "line": "1"}, {"table": where, "seat": seat, "reason": "rude"}):
        answer = await client.post("/reports", data=form)
        assert "Thank you" in (await client.get(answer.headers["location"])).text
    answer = await client.post("/reports", data={"name": "Bert", "reason": "rude"})
    assert "Thank you" in (await client.get(answer.headers["location"])).text
    assert (await client.post("/reports", data={"name": "Bert"})).status_code == 409
    client.cookies.clear()
    assert "you fool" not in (await client.get(f"/tables/{where}/players")).text, "only players read the chat"
    await caller.ask("POST reports", {"table": where, "line": 1}, status=204)
    await caller.ask("POST reports", {"name": "Bert", "reason": "rude"}, status=204)
    assert len(await Reports(registry).store.listed()) == 3
    await caller.ask("POST reports", {"name": "Bert"}, status=400)
    await caller.ask("POST reports", {"table": where, "line": 7}, status=404)
    assert "has changed the result" not in (await client.get(f"/tables/{where}")).text
    await correct(registry.user_store.database, where, None, "")
    assert "has changed the result" in (await client.get(f"/tables/{where}")).text
    await registry.ban_store.ban(Ban(ann.id, "", time.time(), None))
    told = await caller.ask("POST pairing", {"game": "times_square"}, status=403)
    assert told["text"] == BANNED
