"""Build and run the container image with Docker or Podman, alone and with the compose files of the hosting guide."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

ROOT = Path(__file__).resolve().parent.parent
HOSTING = ROOT / "docs" / "hosting"
IMAGE = "omnibus"
PORT = "8787"
PUBLIC = "games.example.org"  # in the compose files
PATIENCE_S = 120.0


def engine() -> str | None:
    """Return the container engine that works here, if there is one: Docker, or Podman."""
    for name in ("docker", "podman"):
        if shutil.which(name) and succeeds(name, "info"):
            return name
    return None


def compose(name: str) -> list[str] | None:
    """Return the command that reads compose files, if there is one."""
    if succeeds(name, "compose", "version"):
        return [name, "compose"]
    return next(([other] for other in (f"{name}-compose",) if shutil.which(other)), None)


def succeeds(*command: str) -> bool:
    """Tell whether a command succeeds."""
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return done.returncode == 0


def run(*command: str) -> str:
    """Run a command in the checkout, and return what it says; CalledProcessError with its errors if it fails."""
    done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=False)
    if done.returncode:
        print(done.stdout[-2000:] + done.stderr[-4000:])
        done.check_returncode()
    return done.stdout


class Browser:
    """A visitor who keeps cookies, as the proxy passes their requests on."""

    def __init__(self, address: str, host: str = "") -> None:
        self._address, self._opener = address, build_opener(HTTPCookieProcessor(CookieJar()))
        forwarded = {"Host": host, "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"}
        self._headers = forwarded if host else {}

    def open(self, path: str, form: dict[str, str] | None = None) -> tuple[str, str]:
        """Ask for a page, or send a form; return the path of the page that comes, and the page."""
        data = urlencode(form).encode() if form else None
        with self._opener.open(Request(self._address + path, data, self._headers), timeout=PATIENCE_S) as answer:
            return answer.url.removeprefix(self._address), answer.read().decode()

    def wait_for(self, path: str) -> None:
        """Wait until a page comes."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                self.open(path)
                return
            except (URLError, OSError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)


def said(what: str, began: float) -> None:
    """Say what was done, and how long it took."""
    print(f"{time.perf_counter() - began:6.1f} s  {what}", flush=True)


def build(name: str) -> None:
    """Build the image as the guide says; its core must be compiled."""
    began = time.perf_counter()
    run(name, "build", "--file", str(HOSTING / "Dockerfile"), "--tag", IMAGE, ".")
    said(f"{name} build", began)
    core = run(name, "run", "--rm", IMAGE, "games").splitlines()[-1]
    assert core.endswith("compiled."), core
    print(core)


def try_alone(name: str) -> None:
    """Run the image with its own command: it is not root, healthy, and keeps a table when it is stopped and started."""
    began, own = time.perf_counter(), f"omnibus-{secrets.token_hex(4)}"
    options = ["--detach", "--name", own, "--publish", f"127.0.0.1::{PORT}", "--volume", f"{own}:/data"]
    try:
        run(name, "run", *options, IMAGE)
        visitor = Browser("http://" + run(name, "port", own, PORT).splitlines()[0].strip())
        table = visit(visitor)
        health = json.loads(run(name, "inspect", "--format", "{{json .Config.Healthcheck}}", own))["Test"][1:]
        run(name, "exec", own, *health)
        assert run(name, "exec", own, "id", "--user").strip() != "0"
        run(name, "exec", own, "omnibus", "admin", "check", "--data", "/data")
        run(name, "stop", own)
        code = run(name, "inspect", "--format", "{{.State.ExitCode}}", own).strip()
        assert code in ("0", "143"), code
        run(name, "start", own)
        again = Browser("http://" + run(name, "port", own, PORT).splitlines()[0].strip())
        again.wait_for(table)
    finally:
        subprocess.run([name, "rm", "--force", own], stdout=subprocess.DEVNULL, check=False)
        subprocess.run([name, "volume", "rm", "--force", own], stdout=subprocess.DEVNULL, check=False)
    said(f"{name} run: healthy, not root, checked, stopped, started again with its table", began)


def visit(visitor: Browser) -> str:
    """Wait until the server is healthy, open its page, set up a table, and return its path."""
    visitor.wait_for("/healthz")
    visitor.open("/")
    table, page = visitor.open("/games/times_square/tables", {"seat-0": "you", "seat-1": "medium"})
    assert table.startswith("/tables/"), table
    assert "<svg" in page
    return table


@contextmanager
def composed(command: Sequence[str], *files: str) -> Iterator[Callable[..., str]]:
    """Start what compose files describe, under a name of its own; everything is removed in the end."""
    named = [*command, "--project-name", f"omnibus-{secrets.token_hex(4)}"]
    named += [part for file in files for part in ("--file", str(HOSTING / file))]

    def call(*arguments: str) -> str:
        return run(*named, *arguments)

    os.environ["POSTGRES_PASSWORD"] = secrets.token_hex(16)
    try:
        call("up", "--build", "--detach")
        yield call
    finally:
        subprocess.run([*named, "down", "--volumes"], capture_output=True, cwd=ROOT, check=False)


def try_compose(command: Sequence[str]) -> None:
    """Start the server of the compose file on SQLite, then with PostgreSQL; restart its processes there."""
    visitor = Browser(f"http://127.0.0.1:{PORT}", PUBLIC)
    began = time.perf_counter()
    with composed(command, "compose.yaml") as call:
        visit(visitor)
        call("exec", "-T", "omnibus", "omnibus", "admin", "check", "--data", "/data")
    said(f"{' '.join(command)} up, on SQLite: healthy, and checked", began)
    began = time.perf_counter()
    with composed(command, "compose.yaml", "compose.postgres.yaml") as call:
        table = visit(visitor)
        call("exec", "-T", "omnibus", "omnibus", "admin", "check")
        call("kill", "-s", "SIGHUP", "omnibus")
        visitor.wait_for(table)
        call("restart", "omnibus")
        visitor.wait_for(table)
        call("exec", "-T", "omnibus", "omnibus", "admin", "check")
    said(f"{' '.join(command)} up, with PostgreSQL: healthy, checked, and restarted", began)


def try_engine(name: str) -> None:
    """Build the image, and run it in all the ways of the guide."""
    build(name)
    try_alone(name)
    command = compose(name)
    if command:
        try_compose(command)
    else:
        print(f"The compose files were not tried: there is no {name} compose.")
