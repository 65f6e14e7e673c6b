"""A PostgreSQL server of our own for tests: started once, and a database for each test, copied from a template."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path

from support.processes import children_of, run_if_killed

USER, TEMPLATE = "omnibus", "template"
SETTINGS = ("listen_addresses=", "shared_buffers=16MB", "max_connections=120")
VOLATILE = ("fsync=off", "full_page_writes=off")  # a loss of power is no concern of tests
WAIT_S = 60

# What a shell does to a server whose tests were killed: stop it at once, and remove its folder.
REMOVE = 'read -r pid < "$0/data/postmaster.pid"; kill -QUIT "$pid"; kill -CONT "$pid"; rm -rf "$0"'


def programs() -> Path | None:
    """Return the folder of `initdb` and `pg_ctl`; Debian keeps them outside the path."""
    found = [Path(path).resolve().parent for path in [shutil.which("initdb")] if path]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in found if (folder / "pg_ctl").is_file() and (folder / "createdb").is_file()), None)


def missing() -> str:
    """Return what tests with PostgreSQL lack; empty when there is all they need."""
    if os.name != "posix":
        return "tests with PostgreSQL run on Linux and macOS"
    if os.environ.get("OMNIBUS_TEST_DATABASE") == "sqlite":
        return "OMNIBUS_TEST_DATABASE=sqlite leaves PostgreSQL out"
    if find_spec("asyncpg") is None:
        return "asyncpg is not installed"
    return "" if programs() else "PostgreSQL is not installed"


class PostgresServer:
    """A server in a temporary folder, reached over a socket there."""

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        self.folder = folder
        self._settings = (*SETTINGS, *(() if durable else VOLATILE))
        found = programs()
        assert found
        self._programs = found
        self._numbers = count(1)
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            self._account = next(name for name in ("postgres", "nobody") if _exists(name))
            shutil.chown(folder, self._account)
        else:
            self._account = pwd.getpwuid(os.geteuid()).pw_name
        options = ["--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
        self.run("initdb", f"--pgdata={folder / 'data'}", f"--username={USER}", *options)

    def run(self, program: str, *arguments: str) -> None:
        """Run a program of PostgreSQL, as an ordinary user."""
        command = [str(self._programs / program), *arguments]
        account = self._account if os.geteuid() == 0 else None
        with (self.folder / "log").open("ab") as log:
            subprocess.run(
                command,
                check=True,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                timeout=WAIT_S,
                user=account,
                env={**os.environ, "LC_ALL": "C"},
            )

    def start(self) -> None:
        """Start the server, and wait until it can be used."""
        options = " ".join(f"-c {setting}" for setting in (*self._settings, f"unix_socket_directories={self.folder}"))
        self.run("pg_ctl", "start", "--wait", f"--pgdata={self.folder / 'data'}", f"--options={options}")

    def stop(self, how: str = "fast") -> None:
        """Stop the server; `immediate` is how a crash looks to its clients."""
        self.run("pg_ctl", "stop", "--wait", f"--pgdata={self.folder / 'data'}", f"--mode={how}")

    def pid(self) -> int:
        """Return the id of the server process, which has started all others."""
        return int((self.folder / "data" / "postmaster.pid").read_text().splitlines()[0])

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Halt all processes of the server in the midst of what they do, and let them go on: nothing is closed."""
        first = self.pid()
        os.kill(first, signal.SIGSTOP)  # before the others, so that it starts no more of them
        others = children_of(first)
        for each in others:
            os.kill(each, signal.SIGSTOP)
        try:
            yield
        finally:
            for each in (*others, first):
                os.kill(each, signal.SIGCONT)

    def address(self, name: str) -> str:
        """Return the address of a database."""
        return f"postgresql://{USER}@/{name}?host={self.folder}"

    def create(self, *, empty: bool = False) -> str:
        """Create a database, with the latest schema unless it is to be empty; return its name."""
        name = f"test{next(self._numbers)}"
        self._create(name, "template0" if empty else TEMPLATE)
        return name

    def _create(self, name: str, template: str) -> None:
        self.run("createdb", f"--host={self.folder}", f"--username={USER}", f"--template={template}", name)

    def prepare(self) -> None:
        """Create the database the others are copied from."""
        from omnibus.server.store.postgres import PostgresDatabase

        self._create(TEMPLATE, "template0")
        database = PostgresDatabase(self.address(TEMPLATE))

        async def migrate() -> None:
            await database.connect()
            await database.aclose()

        asyncio.run(migrate())

    def drop(self, name: str) -> None:
        """Drop a database, whoever uses it."""
        self.run("dropdb", f"--host={self.folder}", f"--username={USER}", "--force", name)


def _exists(account: str) -> bool:
    try:
        pwd.getpwnam(account)
    except KeyError:
        return False
    return True


@contextmanager
def postgres_server(*, durable: bool = False) -> Iterator[PostgresServer]:
    """Run a server with a template for databases, and remove everything afterwards."""
    with (
        tempfile.TemporaryDirectory(prefix="omnibus-postgres-", ignore_cleanup_errors=True) as folder,
        run_if_killed("sh", "-c", REMOVE, folder),
    ):
        server = PostgresServer(Path(folder), durable=durable)
        server.start()
        try:
            server.prepare()
            yield server
        finally:
            server.stop("immediate")
