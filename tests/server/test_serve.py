"""The command `omnibus serve`: what it says when it cannot."""

from __future__ import annotations

import json
import logging
import os
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import httpx
import pytest

from omnibus.server.logs import JsonFormatter
from omnibus.server.store import sqlite
from omnibus.server.store.sqlite import FILE_NAME, damage_found, data_folder, open_database
from support.command_line import Answer, omnibus
from support.server_process import OMNIBUS, SILENCE_S, Guest, running_server


def serve(*arguments: str) -> Answer:
    """Try to start a server, which must not succeed."""
    with patch("uvicorn.Server.serve", side_effect=AssertionError("it has started")):
        return omnibus("serve", "--no-browser", *arguments)


def test_where_data_belongs(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the user's own folder, wherever the system has it."""
    monkeypatch.setenv("XDG_DATA_HOME", "/there")
    monkeypatch.setattr(sys, "platform", "linux")
    assert data_folder() == Path("/there/omnibus")
    monkeypatch.delenv("XDG_DATA_HOME")
    assert data_folder() == Path.home() / ".local" / "share" / "omnibus"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert data_folder() == Path.home() / "Library" / "Application Support" / "Omnibus"


def test_logs_are_lines_of_json() -> None:
    """With what was said beside the message, and the trace of a fault."""
    try:
        raise ValueError("wrong")
    except ValueError:
        record = logging.LogRecord("omnibus", logging.ERROR, "", 1, "it %s", ("broke",), sys.exc_info())
    record.table = "t1"
    line = json.loads(JsonFormatter().format(record))
    assert (line["what"], line["level"], line["from"], line["table"]) == ("it broke", "error", "omnibus", "t1")
    assert "ValueError: wrong" in line["trace"]


PUBLIC_URL = "--public-url must look like https://games.example.org, without a path, not "
REFUSED = {
    "--port {taken}": "port {taken} is already in use; choose another one with --port",
    "--data {file}": "the data folder {file} cannot be written",
    "--data {nothing} --host 192.0.2.1": "cannot listen on 192.0.2.1:0",
    "--data {nothing} --public-url games.example.org": PUBLIC_URL,
    "--data {nothing} --proxy 127.0.0.1 --metrics 127.0.0.1": "--metrics 127.0.0.1 is also given as --proxy, ",
    "--data {nothing} --proxy all": "--proxy must be an address or a network, like 10.0.0.2 or 10.0.0.0/8: ",
    "--data {nothing} --smtp user:geheim@mail.example.org:25": "--smtp must look like",
    "--data {nothing} --smtp smtp://user:geheim@mail.example.org": "--smtp must name the sender",
    "--data {nothing} --processes 2": "several processes need PostgreSQL",
}
"""Arguments, and what the server says to them before it begins anything."""


@pytest.mark.parametrize("arguments", REFUSED)
def test_arguments_that_cannot_be(tmp_path: Path, arguments: str) -> None:
    """One sentence, without any password, and exit code 2; what is given as a folder is not created."""
    (tmp_path / "file").write_text("")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        names = {"taken": taken.getsockname()[1], "file": tmp_path / "file", "nothing": tmp_path / "nothing"}
        port = () if "--port" in arguments else ("--port", "0")
        answer = serve(*port, *arguments.format(**names).split())
    assert_refused(answer, REFUSED[arguments].format(**names))
    assert "geheim" not in answer.stderr
    assert "--host" in arguments or not (tmp_path / "nothing").exists()


def assert_refused(answer: Answer, why: str) -> None:
    """Check that a command says one sentence, and ends."""
    assert answer.returncode == 2
    assert answer.stderr.startswith(f"omnibus: {why}")
    assert len(answer.stderr.splitlines()) == 1


def test_a_mail_server_from_the_environment_that_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused like an argument."""
    monkeypatch.setenv("OMNIBUS_SMTP", "smtp://user:geheim@mail.example.org")
    answer = serve("--port", "0", "--data", str(tmp_path))
    assert_refused(answer, "--smtp must name the sender")
    assert "geheim" not in answer.stderr


def test_nobody_else_reads_what_is_kept(tmp_path: Path) -> None:
    """The file holds the secret seeds of games that go on: on a shared machine only its owner may read it."""
    before = os.umask(0o022)
    try:
        with closing(open_database(tmp_path / "data")):
            found = {path.name: path.stat().st_mode & 0o077 for path in (tmp_path / "data").iterdir()}
    finally:
        os.umask(before)
    assert found
    assert not any(found.values()), found


def test_others_are_let_in_only_when_asked(tmp_path: Path) -> None:
    """A server that other machines can reach warns in a line, unless it has a public address."""
    for arguments, warned in (([], True), (["--public-url", "https://games.example.org"], False)):
        command = [sys.executable, "-m", "omnibus", "serve", "--no-browser", "--port", "0", "--host", "0.0.0.0"]
        with subprocess.Popen(
            [*command, "--data", str(tmp_path), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as running:
            assert running.stdout
            assert running.stdout.readline().startswith("Omnibus: http://0.0.0.0:")
            running.terminate()
            said = running.stdout.read()
        assert said.startswith("Anyone who can reach this machine can use the server.") is warned


def test_a_running_server(tmp_path: Path) -> None:
    """Health, logs a machine can read, sockets of other origins and of no table refused, large messages too."""
    with running_server(tmp_path / "data", program=OMNIBUS, traced=True) as running:
        assert httpx.get(f"{running.url}/healthz", timeout=SILENCE_S).json()["ok"] is True
        with Guest(running.url) as guest:
            table = guest.open("bus", "you", "another", "another")
            for path, origin, code in ((table, "", 1009), ("nowhere", "", 4404), (table, "http://elsewhere", 4403)):
                if origin:
                    guest.http.headers["origin"] = origin
                with guest.sit(path) as sitting:
                    if code == 1009:
                        sitting.say(play="x" * 20_000)
                    assert sitting.closed() == code
    lines = (tmp_path / "server.log").read_text(encoding="utf-8").splitlines()
    assert any('"path": "/healthz", "status": 200' in line for line in lines)
    assert all(line.startswith('{"at": "') for line in lines)


def test_heads(tmp_path: Path) -> None:
    """What can be read answers HEAD as it answers GET, without the content; what cannot be does not."""
    with running_server(tmp_path / "data") as running, httpx.Client(base_url=running.url, timeout=SILENCE_S) as client:
        for path in ("/", "/rules/bus", "/static/style.css", "/healthz", "/api/games", "/nowhere"):
            whole, head = client.get(path), client.head(path)
            assert head.status_code == whole.status_code
            assert head.headers["content-type"] == whole.headers["content-type"]
            assert head.headers.get("content-length") == whole.headers.get("content-length")
            assert not head.content
            assert client.get(path).content == whole.content  # over the same connection
        assert client.head("/play/bus").status_code == 405
    lines = (tmp_path / "server.log").read_text(encoding="utf-8").splitlines()
    assert any('"method": "HEAD", "path": "/", "status": 200' in line for line in lines)


def test_a_folder_in_use(tmp_path: Path) -> None:
    """A second server on the same folder says so and does not start; one after a kill does."""
    with running_server(tmp_path) as running:
        answer = serve("--port", "0", "--data", str(tmp_path))
        assert_refused(answer, f"another Omnibus server is using the data folder {tmp_path}")
        assert omnibus("admin", "tables", "--data", tmp_path).returncode == 0
        running.kill()
        with running_server(tmp_path) as again:
            assert httpx.get(f"{again.url}/healthz", timeout=SILENCE_S).json()["ok"] is True


def damaged(path: Path) -> None:
    """Overwrite the middle of a database file."""
    with closing(sqlite3.connect(path)) as file, file:
        file.executemany(
            "INSERT INTO users (id, name, created, seen) VALUES (?, ?, 0, 0)",
            [(str(n), "x" * 100) for n in range(2000)],
        )
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 20_000] = b"\xff" * 20_000
    path.write_bytes(content)


def test_a_damaged_file(tmp_path: Path) -> None:
    """One sentence, exit code 2, and the file is left as it is."""
    open_database(tmp_path).close()
    assert damage_found(tmp_path / FILE_NAME) == ""
    damaged(tmp_path / FILE_NAME)
    before = (tmp_path / FILE_NAME).read_bytes()
    answer = serve("--port", "0", "--data", str(tmp_path))
    assert_refused(answer, f"the database {tmp_path / FILE_NAME} is damaged (")
    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_looking_for_damage_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that takes too long to look through is opened all the same."""
    open_database(tmp_path).close()
    damaged(tmp_path / FILE_NAME)
    monkeypatch.setattr(sqlite, "CHECK_STEPS", 1)
    assert damage_found(tmp_path / FILE_NAME, seconds=-1) == ""
    assert damage_found(tmp_path / FILE_NAME) != ""


@pytest.mark.one_file
async def test_hardly_any_space(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server says so before a commit fails."""
    assert (await client.get("/healthz")).status_code == 200
    monkeypatch.setattr(sqlite, "LEAST_FREE", 1 << 62)
    answer = await client.get("/healthz")
    assert (answer.status_code, "hardly any space" in answer.json()["why"]) == (503, True)
