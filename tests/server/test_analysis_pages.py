"""The pages of an analysis: progress, report, positions, and mistakes to try again."""

from __future__ import annotations

import re
from html import unescape

import httpx
import pytest
from msgspec.structs import replace

from omnibus import Match, games
from omnibus.kernel.i18n import COMMON_TEXTS, LANGUAGES, words
from omnibus.lab.analysis.accounts import moments
from omnibus.lab.analysis.runner import SECONDS, assemble, judge_of
from omnibus.server.analysed import NOT_FINISHED
from omnibus.server.pages.analysis_report import CURVES, lines, report
from omnibus.server.store.models import Sitter
from omnibus.server.tables import actions
from omnibus.server.tables.board_view import words_for
from omnibus.server.tables.registry import TableRegistry
from support.analyses import LOSSES, all_made_up, finished_match, rows
from support.seats import opened

INSERT = "INSERT INTO record_analyses (record_id, ply, basis, decision) VALUES (?, ?, ?, ?)"


async def analysed(registry: TableRegistry, match: Match) -> str:
    """Keep a record with an analysis; return the path of its page."""
    user, _ = await registry.user_store.add_user()
    id_ = await registry.table_store.add_record(match.record(), user.id)
    kept = rows(match, id_)
    await registry.table_store.database.write(lambda transaction: transaction.execute_many(INSERT, kept))
    return f"/records/{id_}/analysis"


@pytest.mark.parametrize("name", games.names())
async def test_the_report(client: httpx.AsyncClient, registry: TableRegistry, name: str) -> None:
    """In every language: moments with pictures first, the curve with its table, marks in words, luck and skill.

    Luck over time has a page of its own: a curve for each player, and a table that ends with the figures of the report.
    """
    match = finished_match(name)
    path = await analysed(registry, match)
    decisions = all_made_up(match)
    page = unescape((await client.get(path)).text)
    bars = re.findall(r"([+−]?\d+) points of luck, ([+−]?\d+) of skill", page)
    assert len(bars) == match.seats
    assert f'href="{path}/luck"' in page
    for language in LANGUAGES:
        spoken = {"accept-language": language}
        shown = (await client.get(path, headers=spoken)).text
        assert f'<html lang="{language}"' in shown
        assert not re.search(r"\son\w+=|\sstyle=|{\w+}", re.sub(r"<script.*?</script>|data-\w+=\"[^\"]*\"", "", shown))
        luck = (await client.get(f"{path}/luck", headers=spoken)).text
        assert luck.count('<svg viewBox="0 0 400 160"') == match.seats
        table = re.findall(r'<tr><th scope="row">(\d+)</th><td>[^<]*</td>(.*)</tr>', luck)
        assert [int(number) for number, _ in table] == list(range(1, len(decisions) + 1))
        assert re.findall(r"<td>([^<]*)</td>", table[-1][1]) == [figure for bar in bars for figure in bar]
    assert page.index("The moments that decided the game") < page.index(">Chances to win<")
    pictures = re.findall(r'<img src="([^"]+)"', page)
    assert [f"/{each.ply}.svg" in drawn for each, drawn in zip(moments(decisions), pictures, strict=True)] == [True] * 3
    for drawn in pictures:
        assert (await client.get(drawn)).headers["content-type"] == "image/svg+xml"
    for sign, word in (("?!", "inaccuracy"), ("??", "blunder"), ("!", "the only good move")):
        assert f'<span aria-hidden="true">{sign}</span> {word}' in page
    assert page.count(">What it gains in the next few moves:<") == len(pictures)
    assert page.count("<tr>") >= len(decisions) + 2
    curves = re.findall(r'<svg[^>]* class="curve .*?</svg>', page)
    assert len(curves) == len(CURVES)
    for curve in curves:
        assert curve.index('class="cursor"') < curve.index(">?!<")  # signs can be read wherever it stands
    assert "of luck," in page
    assert f"{10 / match.seats:.1f} points".replace(".0", "") in page  # with more players less is lost at a time
    accounts = re.findall(r'<tr><th scope="row"><svg.*</th>((?:<td>[+−]?\d+</td>){6})</tr>', page)
    assert len(accounts) == match.seats
    for account in accounts:
        *parts, result = (int(entry.replace("−", "-")) for entry in re.findall(r"<td>(.*?)</td>", account))
        assert sum(parts) == result
    drawn = sum(actor == "chance" for actor, _ in match.plies)
    assert ("Chance decided only one thing" in page) == (drawn == 1)
    assert ("Nothing was left to chance" in page) == (drawn == 0)


async def test_positions(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Every decision is shown as its seat saw it, with what could be played; chance is passed over."""
    match = finished_match()
    path = await analysed(registry, match)
    decisions = all_made_up(match)
    for decision in (decisions[0], decisions[-1], next(each for each in decisions if each.gap == max(LOSSES))):
        seen = (await client.get(f"{path}/at/{decision.ply}")).json()
        assert seen["position"]["ply"] == decision.ply
        assert seen["position"]["seat"] == decision.seat
        assert [line["line"] for line in seen["lines"] if line["played"]] == [decision.line]
        assert seen["lines"][0]["best"]
        assert seen["lines"][0]["line"] == decision.best
    assert (await client.get(f"{path}/at/{match.length}")).json()["lines"] == []
    chance = next(ply for ply, (actor, _) in enumerate(match.plies) if actor == "chance")
    for wrong in (f"at/{chance}", "at/99999", f"picture/{chance}.svg", f"retry/{chance}", "retry?seat=9"):
        assert (await client.get(f"{path}/{wrong}")).status_code == 404


@pytest.mark.parametrize("name", games.names())
async def test_trying_again(client: httpx.AsyncClient, registry: TableRegistry, name: str) -> None:
    """The worst moment comes first; the solution passes, what was played does not, and nonsense is refused."""
    match = finished_match(name)
    path = await analysed(registry, match)
    worst = max((each for each in all_made_up(match) if each.seat == 0), key=lambda each: (each.loss, -each.ply))
    page = (await client.get(f"{path}/retry?seat=0")).text
    assert f'data-plies="{worst.ply}' in page
    task = (await client.get(f"{path}/retry/{worst.ply}")).json()
    assert task["solution"]["line"] == worst.best
    assert {worst.line, worst.best} <= {move["line"] for move in task["moves"]}
    results = [
        (await client.post(f"{path}/retry/{worst.ply}", json={"line": line})).json()
        for line in (worst.best, worst.line)
    ]
    assert [result["passes"] for result in results] == [True, False]
    assert "a chance to win of 35% instead of 60%" in results[1]["text"]
    assert (await client.get(f"{path}/retry/{worst.ply}/why?part=turn")).json()["section"].startswith("§")
    assert (await client.post(f"{path}/retry/{worst.ply}", content=b"?")).status_code == 400
    assert (await client.post(f"{path}/retry/{worst.ply}", json={"line": "nonsense"})).status_code == 409


async def test_before_it_is_made(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """A page that begins it, with how far it is; nothing else of it is there yet."""
    user, _ = await registry.user_store.add_user()
    match = finished_match()
    id_ = await registry.table_store.add_record(match.record(), user.id)
    record = (await client.get(f"/records/{id_}")).text
    assert f'href="/records/{id_}/analysis"' in record
    path = f"/records/{id_}/analysis"
    assert "Analyse this game" in (await client.get(path)).text
    assert (await client.get(f"{path}/progress")).json()["done"] == 0
    for missing in ("at/0", "retry", "picture/1.svg", "luck"):
        assert (await client.get(f"{path}/{missing}")).status_code == 404
    assert (await client.post(path, headers={"origin": "http://elsewhere"})).status_code == 403
    assert (await client.get("/games/bus/analysis")).status_code == 404


async def test_an_unfinished_game_says_why_it_has_no_analysis(
    client: httpx.AsyncClient, registry: TableRegistry
) -> None:
    """In every language, where the button would be: at a table that was closed, and beside the replay of a record."""
    user, _ = await registry.user_store.add_user()
    table = await opened(registry, user.id, "times_square", {}, [Sitter(user=user.id), Sitter(user=user.id)])
    await actions.abandon(registry, user, table.setup.id)
    record = await registry.table_store.add_record(table.match.record(), user.id)
    for path in (f"/tables/{table.setup.id}", f"/records/{record}"):
        for language in LANGUAGES:
            page = unescape((await client.get(path, headers={"accept-language": language})).text)
            assert words(language, COMMON_TEXTS).gettext(NOT_FINISHED) in page
            assert f'href="{path}/analysis"' not in page
    finished = await registry.table_store.add_record(finished_match().record(), user.id)
    page = (await client.get(f"/records/{finished}")).text
    assert NOT_FINISHED not in page
    assert f'href="/records/{finished}/analysis"' in page


@pytest.mark.parametrize("name", games.names())
async def test_a_game_in_which_nobody_decided_anything(
    client: httpx.AsyncClient, registry: TableRegistry, name: str
) -> None:
    """Everybody but one resigned at once: every page of the analysis opens all the same."""
    match = Match.new(name, seed=1)
    for seat in range(1, match.seats):
        match.resign(seat)
    path = await analysed(registry, match)
    assert "No decision was a clear mistake." in (await client.get(path)).text
    for asked in ("/luck", "/retry", f"/at/{match.length}"):
        assert (await client.get(path + asked)).status_code == 200


def test_chances_agree_with_the_grade() -> None:
    """What the comparison found counts, not what the search first thought; nothing is made up of lines not searched."""
    match = finished_match()
    told, names = words_for(match, "en"), ["Ann", "Bob"]
    only = next(each for each in all_made_up(match) if each.gap == min(LOSSES) and len(each.alternatives) == 4)
    played, second, third, fourth = only.alternatives
    flattered = [replace(each, shares=[0.9, 0.1][:: 1 if only.seat == 0 else -1]) for each in (second, third)]
    praised = replace(only, alternatives=[played, *flattered, replace(fourth, visits=0)])
    shown = lines(match, praised, names, told)
    own = [int(found[1]) for each in shown if (found := re.search(rf"{names[only.seat]} (\d+)%", each.shares))]
    assert own == [60, 40, 40]
    assert [each.best for each in shown] == [True, False, False, False]
    assert shown[3].shares == "Not searched: it looked weaker from the start."


def test_no_line_is_shown_as_better_than_the_best() -> None:
    """The search may have liked another line more, or have hardly seen the one that the comparison found best."""
    match = finished_match()
    told, names = words_for(match, "en"), ["Ann", "Bob"]
    error = next(each for each in all_made_up(match) if each.gap == max(LOSSES) and len(each.alternatives) == 4)
    played, second, third, fourth = error.alternatives
    own = [0.9, 0.1] if error.seat == 0 else [0.1, 0.9]
    flattered = replace(error, alternatives=[played, replace(second, visits=0), replace(third, shares=own), fourth])
    shown = lines(match, flattered, names, told)
    chances = [int(found[1]) for each in shown if (found := re.search(rf"{names[error.seat]} (\d+)%", each.shares))]
    assert [each.line for each in shown][:2] == [second.line, third.line]
    assert chances[:2] == [60, 60]
    assert max(chances[2:]) < 60


def test_the_reader_is_you() -> None:
    """Whoever played in one seat is told which; whoever played in several, or in none, is not."""
    match = finished_match()
    made = assemble(match, all_made_up(match), SECONDS, judge_of(match))
    wanted = {(): ["Ann", "Bob"], (1,): ["Ann", "Bob (you)"], (0, 1): ["Ann", "Bob"]}
    assert {own: report(match, made, ["Ann", "Bob"], "en", own).names for own in wanted} == wanted
