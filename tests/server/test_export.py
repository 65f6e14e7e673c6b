"""Open data: the archive has only games that everyone shares, without names, and environments start from them."""

from __future__ import annotations

import asyncio
import doctest
import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from typer.testing import CliRunner

from omnibus import Match
from omnibus.cli.main import app as commands
from omnibus.games.bus import cities
from omnibus.kernel import dice_proof
from omnibus.lab.analysis.saved import load
from omnibus.server.store.analyses import AnalysisStore
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables.export import Exported, export_games
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from support.analyses import rows
from support.seats import opened

pytestmark = pytest.mark.one_file

DOCUMENT = Path(__file__).parent.parent.parent / "docs/open-data.md"


async def ended(table: Table) -> str:
    """Play a game to its end, for bots too; return its table."""
    while table.actor is not None:
        await table.play(table.actor, table.match.lines()[0], table.event, by_bot=table.awaits is None)
    return table.setup.id


def seat(user: User) -> Sitter:
    return Sitter(user=user.id, name=user.name)


async def people(registry: TableRegistry, *names: str) -> list[User]:
    """Make users who share their games."""
    found = [(await registry.user_store.add_user(name))[0] for name in names]
    for user in found:
        await registry.user_store.share_games(user.id, shared=True)
    return found


async def begun(
    registry: TableRegistry, *sitters: Sitter, game: str = "times_square", **options: dict[str, Any]
) -> Table:
    """Set up a table."""
    return await opened(registry, sitters[0].user, game, options, list(sitters))


async def exported(registry: TableRegistry, file: Path) -> tuple[Exported, list[dict[str, Any]], dict[str, str]]:
    """Export, and read the archive again: what was done, the index, the records."""
    done = await export_games(registry.database, file, lambda done, total: None)
    with ZipFile(file) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert texts.pop("README.txt")
    return done, [json.loads(line) for line in texts.pop("index.jsonl").splitlines()], texts


async def test_analyses_come_with_their_games(registry: TableRegistry, tmp_path: Path) -> None:
    """Those that are complete; their files are named in the index."""
    (ann,) = await people(registry, "Ann")
    tables = [await begun(registry, seat(ann), Sitter(bot="medium")) for _ in range(3)]
    analysed, partly, _ = [await ended(table) for table in tables]
    kept = AnalysisStore(registry.database)
    for row in [*rows(tables[0].match, analysed), *rows(tables[1].match, partly)[1:]]:
        await kept.add("table", *row)
    _, index, texts = await exported(registry, tmp_path / "games.zip")
    (game,) = [game for game in index if game["analysis"]]
    match = Match.read(texts[game["file"]])
    assert load(texts[game["analysis"]].encode(), match).decisions  # as the command reads it
    assert match.plies == tables[0].match.plies
    assert len(texts) == 4


async def test_names_are_replaced(registry: TableRegistry, tmp_path: Path) -> None:
    """The same number for the same person in all games, no name or id anywhere; records replay, their dice verify.

    What has happened to seats is in the index: here a bot plays in one for a while.
    """
    ann, ben = await people(registry, "Ann the Fox", "Benjamin")
    pairs = (seat(ann), seat(ben)), (seat(ben), seat(ann)), (seat(ann), Sitter(bot="medium"))
    begun_ones = [await begun(registry, *pair) for pair in pairs]
    before = begun_ones[0].match.length
    await begun_ones[0].hand_over(0, "easy")
    await begun_ones[0].resume(0)
    tables = [await ended(table) for table in begun_ones]
    done, index, records = await exported(registry, tmp_path / "games.zip")
    assert done.games == len(records) == 3
    with_bot = next(game for game in index if "bot medium" in game["players"])
    numbers = ("player 1", "player 2")
    assert {tuple(game["players"]) for game in index if game != with_bot} == {numbers, numbers[::-1]}
    assert with_bot["players"][0] in numbers
    changes = [[before, 0, "left"], [before, 0, "returned"]]
    assert sorted(game["changes"] for game in index) == [[], [], changes]
    everything = "".join(records.values()) + json.dumps(index)
    assert not [word for word in (ann.name, ben.name, ann.id, ben.id, *tables) if word in everything]
    for game in index:
        match = Match.read(records[game["file"]])
        assert list(match.names) == game["players"]
        assert match.length == game["plies"]
        assert match.outcome is not None
        assert list(match.outcome.winners) == game["result"]["winners"]
        assert dice_proof.verify(records[game["file"]]).verified


async def test_unsuitable_games_are_left_out(registry: TableRegistry, tmp_path: Path) -> None:
    """A map of one's own may contain texts; a game that does not replay any more helps nobody."""
    (ann,) = await people(registry, "Ann")
    city = {**cities.find("small-town").document, "name": "Annville"}
    await ended(await begun(registry, *[seat(ann)] * 3, game="bus", city=city))
    table = await ended(await begun(registry, seat(ann), seat(ann)))
    assert (await exported(registry, tmp_path / "1.zip"))[0] == Exported(games=1, not_shared=0, unsuitable=1)
    query = "UPDATE events SET body = ? WHERE table_id = ? AND number = 2"
    broken = (b'{"type":"played","plies":["0 nonsense"]}', table)
    await registry.database.execute(query, *broken)
    assert (await exported(registry, tmp_path / "2.zip"))[0] == Exported(games=0, not_shared=0, unsuitable=2)


async def test_the_document(registry: TableRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The session of the document reads an archive that `omnibus export` has written."""
    pytest.importorskip("gymnasium")
    (tmp_path / "archive").mkdir()
    monkeypatch.chdir(tmp_path / "archive")
    (ann,) = await people(registry, "Ann")
    await ended(await begun(registry, seat(ann), seat(ann)))
    line = ["export", "games.zip", "--data", str(tmp_path)]
    answer = await asyncio.to_thread(CliRunner().invoke, commands, line)
    assert answer.exit_code == 0, answer.output
    failed, tried = doctest.testfile(str(DOCUMENT), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried >= 8
    assert failed == 0
