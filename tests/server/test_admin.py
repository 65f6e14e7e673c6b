"""The commands `omnibus admin`: lists, removing texts, backups, whether all is well; also while a server runs."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from omnibus.bots import names as bot_names
from omnibus.cli.main import app
from omnibus.server.store import sqlite
from omnibus.server.store.erasing import remove_texts
from omnibus.server.store.maintenance import open_existing, write_backup
from omnibus.server.store.models import Sitter
from omnibus.server.store.sqlite import FILE_NAME, open_database
from omnibus.server.store.tables import TableStore
from omnibus.server.tables.periodic import reload_names
from omnibus.server.tables.registry import TableRegistry
from support.command_line import Answer, omnibus
from support.live import Socket
from support.server_process import Guest, running_server

from .conftest import app_at, registry_at

WEAK = bot_names()[0]
RECORD = (Path(__file__).parent.parent / "games/bus/records/3-plots.game").read_text(encoding="utf-8")
SAID = "what the fox says"
HOOK = "https://hooks.example.org/fox"
MAIL = "fox@example.org"


def admin(folder: Path, *arguments: str, say: str = "") -> Result:
    return CliRunner().invoke(app, ["admin", *arguments, "--data", str(folder)], input=say)


def command(*arguments: str) -> Answer:
    return omnibus("admin", *arguments)


class Furnished:
    """A server's data: two users, a live table, an open one, a closed one; the server does not run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        asyncio.run(self._furnish())

    async def _furnish(self) -> None:
        async with registry_at(self.folder) as registry:
            await self._fill(registry)

    async def _fill(self, registry: TableRegistry) -> None:
        ann, _ = await registry.user_store.add_user("Ann Fox")
        bob, _ = await registry.user_store.add_user("Bob 100%")
        self.ann, self.bob = ann.id, bob.id
        pair = [Sitter(user=ann.id, name="Foxy"), Sitter(user=bob.id, name="Bob 100%")]
        self.live = (await registry.open(ann.id, "times_square", {}, pair)).id
        self.open = (await registry.open(bob.id, "times_square", {}, [Sitter(), pair[1]])).id
        self.closed = (await registry.open(ann.id, "bus", {}, [pair[0], Sitter(user=ann.id), Sitter(bot=WEAK)])).id
        await (await registry.table(self.closed)).abandon()
        for user, seat, text in ((ann.id, 0, SAID), (bob.id, 1, "hello"), (ann.id, 0, SAID + " again")):
            await registry.table_store.say(self.live, user, seat, text)
        self.record = await registry.table_store.add_record(RECORD, ann.id)
        await registry.user_store.keep_webhook(ann.id, HOOK)
        await registry.user_store.keep_mail(ann.id, MAIL, confirmed=True)

    def break_it(self, *statements: str) -> None:
        """Change the file behind the server's back."""
        with closing(sqlite3.connect(self.folder / FILE_NAME)) as connection, connection:
            for statement in statements:
                connection.execute(statement)


@pytest.fixture
def furnished(tmp_path: Path) -> Furnished:
    return Furnished(tmp_path)


def test_texts_of_a_user_are_removed(furnished: Furnished) -> None:
    """It is asked first, and told afterwards; nobody else's are, and what is said next has a number of its own.

    No file has them any more.
    """
    refused = admin(furnished.folder, "erase-texts", furnished.ann, say="n\n")
    assert refused.exit_code == 1
    assert "(Ann Fox), also at 2 tables, 2 chat lines, 1 record and addresses for notifications?" in refused.output
    answer = admin(furnished.folder, "erase-texts", furnished.ann, say="y\n")
    assert answer.output.endswith("Erased: 1 name, 2 names at tables, 2 chat lines, 1 record, 2 addresses.\n")
    with closing(open_database(furnished.folder)) as store:
        table_store = TableStore(store)
        entry = asyncio.run(table_store.entry(furnished.live))
        assert entry
        assert entry.standing == "live"
        assert entry.setup.sitters == [Sitter(user=furnished.ann), Sitter(user=furnished.bob, name="Bob 100%")]
        asyncio.run(table_store.say(furnished.live, furnished.bob, 1, "who was that?"))
        said = asyncio.run(table_store.said(furnished.live))
        assert [(line.number, line.text) for line in said] == [(2, "hello"), (4, "who was that?")]
        assert asyncio.run(table_store.record(furnished.record)) is None
    assert in_files(furnished.folder, SAID, "Ann Fox", "Foxy", HOOK, MAIL) == []
    assert admin(furnished.folder, "check").exit_code == 0


def in_files(folder: Path, *texts: str) -> list[str]:
    """Return which texts are in the files of a folder."""
    kept = b"".join(file.read_bytes() for file in folder.iterdir() if file.is_file())
    return [text for text in texts if text.encode() in kept]


def test_removed_texts_are_in_no_file_while_a_server_runs(furnished: Furnished) -> None:
    """Not in the database and not in its write-ahead log, as soon as the command has ended; the server goes on."""
    texts = [SAID, "Ann Fox", "Foxy", HOOK, MAIL, "said while it runs"]
    with running_server(furnished.folder) as running, Guest(running.url) as guest:
        with closing(open_database(furnished.folder)) as store:
            asyncio.run(TableStore(store).say(furnished.live, furnished.ann, 0, texts[-1]))
        assert in_files(furnished.folder, *texts) == texts
        assert command("erase-texts", furnished.ann, "--yes", "--data", str(furnished.folder)).returncode == 0
        assert in_files(furnished.folder, *texts) == []
        with guest.sit(furnished.live) as sitting:
            assert sitting.sync()["live"] is True


def test_traces_that_cannot_be_removed_yet_are_told(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    """While somebody reads an earlier state, the log has to stay; the command says so, and works when run again."""
    monkeypatch.setattr(sqlite, "WAIT_FOR_OTHERS_MS", 10)
    with closing(sqlite3.connect(furnished.folder / FILE_NAME, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM chat").fetchone()
        answer = admin(furnished.folder, "erase-texts", furnished.ann, "--yes")
        assert answer.exit_code == 1
        assert "Run this command again" in answer.output
        assert in_files(furnished.folder, SAID) == [SAID]
    assert admin(furnished.folder, "erase-texts", furnished.ann, "--yes").exit_code == 0
    assert in_files(furnished.folder, SAID) == []


@pytest.mark.parametrize("user", ["-abc", "--abc"])
def test_ids_that_look_like_options(furnished: Furnished, user: str) -> None:
    """Ids are made by chance, and some begin with a dash."""
    furnished.break_it(f"INSERT INTO users (id, name, created, seen) VALUES ('{user}', 'Dash', 0, 0)")
    assert admin(furnished.folder, "erase-texts", user, "--yes").output.startswith("Erased: 1 name, ")
    assert isinstance(admin(furnished.folder, "erase-texts", "", "--yes").exception, ValueError)


async def test_open_tables_forget_names_too(furnished: Furnished) -> None:
    """A running server looks at the database every now and then, for the tables it holds and the pages at them."""
    async with app_at(furnished.folder) as app, Socket(app, f"tables/{furnished.live}/socket", {}) as socket:
        await socket.synced()
        await reload_names(app.state.registry)
        assert socket.waiting() == []
        with closing(open_database(furnished.folder)) as other:
            await remove_texts(other, furnished.ann)
        await reload_names(app.state.registry)
        panels = (await socket.hear("scene"))["position"]["panels"]
        assert [panel["name"] for panel in panels] == ["Blue", "Bob 100%"]


def test_a_backup_while_people_play(furnished: Furnished, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Page by page, with a commit between any two: it comes to its end, is of one moment and nobody else's to read."""
    monkeypatch.setattr(sqlite, "PAGES", 1)
    copy = tmp_path / "copy" / FILE_NAME
    copy.parent.mkdir()
    with closing(open_database(furnished.folder)) as store:
        table_store, steps = TableStore(store), []

        def commit(done: int, pages: int) -> None:
            steps.append((done, pages))
            asyncio.run(table_store.say(furnished.live, furnished.bob, 1, "still here"))

        write_backup(furnished.folder, copy, commit)
        assert len(asyncio.run(table_store.said(furnished.live))) == 3 + len(steps)
    assert steps == [(done, steps[0][1]) for done in range(1, len(steps) + 1)]
    if os.name == "posix":
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with closing(open_database(copy.parent)) as store:
        assert len(asyncio.run(TableStore(store).said(furnished.live))) == 3
    assert admin(copy.parent, "check").output == "3 tables, 3 events, 0 frozen: all is well.\n"


def test_a_backup_of_something_else(tmp_path: Path) -> None:
    """What is no database is refused in a sentence, and leaves no file behind."""
    (tmp_path / FILE_NAME).write_bytes(b"this is no database at all, but long enough to be looked at" * 50)
    answer = command("backup", str(tmp_path / "copy.db"), "--data", str(tmp_path))
    assert answer.returncode == 2
    assert answer.stderr.startswith(f"omnibus: {tmp_path / FILE_NAME} cannot be backed up: ")
    assert not (tmp_path / "copy.db").exists()
    with pytest.raises(ValueError, match="cannot be used: file is not a database"):
        open_existing(tmp_path)


def test_all_is_well(furnished: Furnished) -> None:
    """Exit code 0, and how much was looked at; frozen tables are named and no fault."""
    answer = admin(furnished.folder, "check")
    assert (answer.exit_code, answer.output) == (0, "3 tables, 3 events, 0 frozen: all is well.\n")
    furnished.break_it(f"UPDATE tables SET rules = 99 WHERE id = '{furnished.closed}'")
    answer = admin(furnished.folder, "check")
    assert answer.exit_code == 0
    assert f"frozen, and kept as it is: {furnished.closed}: " in answer.output
    assert answer.output.endswith("3 tables, 3 events, 1 frozen: all is well.\n")


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ('UPDATE events SET body = CAST(\'{"type":"danced"}\' AS BLOB) WHERE number = 1', "cannot be read: "),
        ("UPDATE events SET number = 3 WHERE number = 2", "lacks events: it has 2, and the last one has the number 3"),
        ("DELETE FROM events", "has 0 events, but is live"),
        ("UPDATE tables SET standing = 'over'", "is live and awaits seat"),
        ("UPDATE tables SET awaits = 7 WHERE standing = 'live'", "but live and 7 are stored"),
        ("UPDATE tables SET sitters = '[]'", "has 2 seats, but 0 are stored"),
        ("UPDATE tables SET options = 'nonsense'", "cannot be read: "),
        ("INSERT INTO sitting VALUES ('nobody', 'nowhere', 0)", "a row of sitting refers to something that is not in"),
    ],
)
def test_faults_are_found(furnished: Furnished, statement: str, fault: str) -> None:
    """Each is named, and the exit code is 1."""
    furnished.break_it(statement)
    answer = admin(furnished.folder, "check")
    assert answer.exit_code == 1
    assert fault in answer.output
    assert answer.output.endswith("something is wrong.\n")


def test_a_damaged_file(furnished: Furnished) -> None:
    """What the disk has lost is said in SQLite's words."""
    path = furnished.folder / FILE_NAME
    content = bytearray(path.read_bytes())
    content[4096 * 4 : 4096 * 9] = os.urandom(4096 * 5)
    path.write_bytes(content)
    answer = admin(furnished.folder, "check")
    assert answer.exit_code == 1
    assert "wrong: " in answer.output


def test_no_database_and_an_empty_one(tmp_path: Path) -> None:
    """Nothing is made where nothing was, and no tables where there are none."""
    answer = command("tables", "--data", str(tmp_path / "nowhere"))
    assert answer.returncode == 2
    assert answer.stderr.startswith(f"omnibus: there is no Omnibus server in {tmp_path / 'nowhere'}")
    assert not (tmp_path / "nowhere").exists()
    (tmp_path / FILE_NAME).touch()
    with pytest.raises(ValueError, match="start `omnibus serve` once"):
        open_existing(tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes() == b""
