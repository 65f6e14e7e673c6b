"""Try the nginx and Caddy blocks of docs/hosting.md: real proxies in front of two real servers on one PostgreSQL.

Run it with `python3 dev.py bench --proxies`. The blocks are taken from the document as they are; only addresses, ports
and certificates are replaced by those of this machine. It needs nginx, Caddy and PostgreSQL; what is missing is said,
and counts as a failure.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx
import trustme

from proxy_config import HERE, HOST, caddy_config, free_port, nginx_config

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests"))

from support.postgres import missing, postgres_server  # noqa: E402 — found through the line above
from support.reconnecting import check as check_stored  # noqa: E402
from support.reconnecting import number_of, opened, until_more, visitors  # noqa: E402
from support.server_process import OMNIBUS, Guest, ServerProcess  # noqa: E402

WATCHER = "127.0.0.2"  # may read the metrics, which no proxy may
FLOODING = "127.0.0.77"  # another address of this machine
NEW_USERS = 100  # of one address in an hour
FORGED = "203.0.113.9"
SOCKETS = 12
SOME = 10  # pages
VISITED = re.compile(r'"path": "/(?:tables/nowhere\d)?"')  # in the log of a server
PAUSE_S = 0.5  # between two moves of somebody, who would soon run into the limits otherwise
PATIENCE_S = 60.0


class Failed(Exception):
    """Something does not hold."""


class Proxy:
    """A proxy that runs: where it listens, and whose certificates to trust."""

    def __init__(self, port: int, trust: ssl.SSLContext) -> None:
        self.port, self.trust = port, trust


class ProxiedGuest(Guest):
    """A visitor who comes through a proxy, from an address of this machine."""

    def __init__(self, proxy: Proxy, address: str = HERE) -> None:
        self._proxy, self._address = proxy, address
        self.http = httpx.Client(
            base_url=f"https://{HOST}",
            transport=ThroughProxy(proxy, address),
            headers={"Origin": f"https://{HOST}"},
            timeout=PATIENCE_S,
        )

    def socket_settings(self) -> dict[str, Any]:
        """Connect to the proxy, whatever the name."""
        place = (HERE, self._proxy.port)
        connected = socket.create_connection(place, PATIENCE_S, source_address=(self._address, 0))
        return {"sock": connected, "ssl": self._proxy.trust}


class ThroughProxy(httpx.BaseTransport):
    """Sends requests for the public name to the proxy on this machine."""

    def __init__(self, proxy: Proxy, address: str) -> None:
        self._port = proxy.port
        self._inner = httpx.HTTPTransport(verify=proxy.trust, local_address=address)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request."""
        request.extensions["sni_hostname"] = HOST
        request.url = request.url.copy_with(host=HERE, port=self._port)
        return self._inner.handle_request(request)

    def close(self) -> None:
        """Close the connections."""
        self._inner.close()


@contextmanager
def nginx(folder: Path, servers: list[str], *, sticky: bool) -> Iterator[Proxy]:
    """Run nginx as long as it is needed."""
    port, authority = free_port(), trustme.CA()
    certificate = authority.issue_cert(HOST)
    certificate.private_key_pem.write_to_path(folder / "privkey.pem")
    for number, pem in enumerate(certificate.cert_chain_pems):
        pem.write_to_path(folder / "fullchain.pem", append=number > 0)
    file = folder / "nginx.conf"
    file.write_text(nginx_config(folder, port, servers, sticky=sticky), encoding="utf-8")
    trust = ssl.create_default_context()
    authority.configure_trust(trust)
    with running(["nginx", "-e", "stderr", "-p", str(folder), "-c", str(file)], folder):
        yield answering(Proxy(port, trust))


@contextmanager
def caddy(folder: Path, servers: list[str], *, sticky: bool) -> Iterator[Proxy]:
    """Run Caddy as long as it is needed, with an authority of its own in place of a public one."""
    port, file = free_port(), folder / "Caddyfile"
    file.write_text(caddy_config(folder, port, servers, sticky=sticky), encoding="utf-8")
    root = folder / "storage" / "pki" / "authorities" / "local" / "root.crt"
    with running(["caddy", "run", "--adapter", "caddyfile", "--config", str(file)], folder) as process:
        until(lambda: root.exists() or process.poll() is not None, "Caddy does not start")
        trust = ssl.create_default_context()
        trust.load_verify_locations(root)
        yield answering(Proxy(port, trust))


@contextmanager
def running(command: list[str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program as long as it is needed; show what it said when something fails."""
    log = folder / "proxy.log"
    kept = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with log.open("wb") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said, cwd=folder, env=kept)
    try:
        yield process
    except (AssertionError, Failed, httpx.HTTPError, OSError):
        print(log.read_text(encoding="utf-8", errors="replace")[-2000:])
        raise
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def until(holds: Callable[[], bool], otherwise: str) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > deadline:
            raise Failed(otherwise)
        time.sleep(0.05)


def answering(proxy: Proxy) -> Proxy:
    """Wait until a proxy passes pages on."""

    def answers() -> bool:
        try:
            return guest.http.get("/").status_code == 200
        except httpx.HTTPError:
            return False

    with ProxiedGuest(proxy) as guest:
        until(answers, "no page comes through the proxy")
    return proxy


# what is tried


def holds(what: str, so: bool) -> None:
    """Say that something holds; Failed if it does not."""
    if not so:
        raise Failed(what)
    print(f"  {what}", flush=True)


def try_pages(proxy: Proxy) -> None:
    """Open a page, and a socket through which a move reaches everybody."""
    with ProxiedGuest(proxy) as guest:
        page = guest.http.get("/")
        holds("a page, with Strict-Transport-Security", "strict-transport-security" in page.headers)
        table = guest.open("bus", "you", "another", "another")
        secure = [cookie.name for cookie in guest.http.cookies.jar if cookie.secure]
        holds("cookies are marked Secure", "omnibus_user" in secure)
        with guest.sit(table) as one, guest.sit(table) as other:
            one.sync()
            other.sync()
            event = one.until_asked()["event"]
            one.say(play=one.scene["moves"][0]["line"], event=event, id="move")
            while "move" not in one.done:
                one.hear()
            while other.scene["event"] < one.done["move"]:
                other.hear()
            holds("a move through one socket, seen through another", other.scene["event"] > event)


def try_addresses(proxy: Proxy) -> None:
    """Run into a limit of one address with forged headers; another address must not notice."""
    with ProxiedGuest(proxy, FLOODING) as flood, ProxiedGuest(proxy) as guest:
        answers = []
        for _ in range(NEW_USERS + 1):
            flood.http.cookies.clear()
            flood.http.headers["X-Forwarded-For"] = FORGED
            answers.append(flood.ask_for_table("times_square", "you", "another").status_code)
        holds(f"the server counts by the visitor's address: {NEW_USERS} accounts, no more", answers.count(429) == 1)
        answer = guest.ask_for_table("times_square", "you", "another")
        holds("another address is not counted with it", answer.status_code == 303)
        holds("metrics are not passed on", guest.http.get("/metrics").status_code == 404)


def try_stickiness(proxy: Proxy, servers: list[ServerProcess], *, sticky: bool) -> None:
    """Open sockets at one table, and look to which servers they went."""
    with ExitStack() as stack:
        guest = stack.enter_context(ProxiedGuest(proxy))
        table = guest.open("times_square", "you", "another")
        for _ in range(SOCKETS):
            stack.enter_context(guest.sit(table)).sync()
        found = sorted(metric(server, "omnibus_sockets_open") for server in servers)
    if sticky:
        holds("all sockets of a table go to one server", found == [0, SOCKETS])
    else:
        holds("sockets of a table go to both servers", sum(found) == SOCKETS and found[0] > 0)


def metric(server: ServerProcess, name: str) -> float:
    """Read a metric of a server, directly: the sum of all its labels."""
    with httpx.Client(transport=httpx.HTTPTransport(local_address=WATCHER), timeout=PATIENCE_S) as client:
        text = client.get(f"{server.url}/metrics").text
    return sum(float(value) for value in re.findall(rf"^{name}(?:{{.*}})? (\S+)$", text, re.MULTILINE))


def visited(server: ServerProcess) -> int:
    """Return how many pages a server has sent, also before it was restarted, by its log."""
    return len(VISITED.findall((server.data.parent / "server.log").read_text(encoding="utf-8")))


def has_visitors(server: ServerProcess, before: int) -> bool:
    """Tell whether a proxy sends visitors to a server again."""
    return visited(server) > before + SOME


class Pages(threading.Thread):
    """Opens pages again and again, some of tables that do not exist, so that both servers are asked."""

    def __init__(self, proxy: Proxy) -> None:
        super().__init__(daemon=True)
        self._proxy, self._stopping = proxy, threading.Event()
        self.answers: list[int] = []

    def run(self) -> None:
        """Open it until told to stop."""
        with ProxiedGuest(self._proxy) as guest:
            for path in cycle(["/", *(f"/tables/nowhere{number}" for number in range(9))]):
                if self._stopping.wait(0.1):
                    return
                self.answers.append(guest.http.get(path).status_code)

    def stop(self) -> None:
        """Open no more."""
        self._stopping.set()
        self.join(PATIENCE_S)


def try_restarts(proxy: Proxy, servers: list[ServerProcess], database: str) -> None:
    """Restart one server after the other while people play and open pages."""
    with ProxiedGuest(proxy) as guest:
        acknowledged, pages = opened(guest), Pages(proxy)
        pages.start()
        with visitors([guest], acknowledged, PAUSE_S):
            for number in range(len(servers)):
                until_more(acknowledged, 3)
                servers[number].stop()
                until_more(acknowledged, 3)
                servers[number] = server_at(servers[number].data, database, servers[number].port)
                before = visited(servers[number])
                until(partial(has_visitors, servers[number], before), "nothing comes to the new server")
            until_more(acknowledged, 3)
        pages.stop()
    check_stored(database, acknowledged)
    moves = number_of(acknowledged)
    holds(f"both servers restarted in turn: {moves} moves, none lost", moves > 0)
    failed = Counter(answer for answer in pages.answers if answer not in (200, 404))
    holds(f"meanwhile {len(pages.answers)} pages were opened, none failed {dict(failed) or ''}", not failed)


def server_at(data: Path, database: str, port: int = 0) -> ServerProcess:
    """Start a server as the document says, which also shows its metrics."""
    data.parent.mkdir(exist_ok=True)
    options = ["--public-url", f"https://{HOST}", "--proxy", HERE, "--metrics", WATCHER, "--port", str(port)]
    return ServerProcess(data, *options, program=OMNIBUS, database=database)


def try_proxy(name: str, folder: Path, database: str) -> None:
    """Try all blocks of a proxy, each time with new servers, because limits are remembered."""
    start = PROXIES[name]
    for number, sticky in ((1, False), (2, False), (2, True)):
        shown = "one server" if number == 1 else f"two servers, {'by table' if sticky else 'anywhere'}"
        print(f"{name}, {shown}:", flush=True)
        own = folder / f"{name}-{number}-{sticky}"
        own.mkdir()
        servers = [server_at(own / str(each) / "data", database) for each in range(number)]
        try:
            with start(own, [f"{HERE}:{server.port}" for server in servers], sticky=sticky) as proxy:
                try_pages(proxy)
                if number == 1:
                    try_addresses(proxy)
                else:
                    try_stickiness(proxy, servers, sticky=sticky)
                    try_restarts(proxy, servers, database)
        finally:
            for server in servers:
                server.stop()


PROXIES = {"nginx": nginx, "caddy": caddy}


def main() -> int:
    """Try every proxy that is there."""
    parser = argparse.ArgumentParser(prog="python3 dev.py bench --proxies", description=__doc__)
    parser.add_argument("--only", choices=PROXIES, help="try only this one")
    given = parser.parse_args()
    if missing():
        sys.exit(f"This cannot be tried here: {missing()}.")
    failures = 0
    with tempfile.TemporaryDirectory() as folder, postgres_server() as postgres:
        for name in [given.only] if given.only else PROXIES:
            try:
                if not shutil.which(name):
                    raise Failed(f"{name} is not installed, so its blocks were not tried")
                try_proxy(name, Path(folder), postgres.address(postgres.create()))
            except (AssertionError, Failed, httpx.HTTPError, OSError) as error:
                print(f"  does not hold: {error!r}" if not isinstance(error, Failed) else f"  does not hold: {error}")
                failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
