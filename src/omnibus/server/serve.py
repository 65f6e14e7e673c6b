"""The command `omnibus serve`: the house on one machine."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import socket
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import uvicorn
from msgspec.structs import replace

from omnibus import games
from omnibus.server import logs
from omnibus.server.app import create_app
from omnibus.server.config import EVERYWHERE, ServerConfig, checked_proxies, checked_url, is_loopback
from omnibus.server.http.protocols import LimitedHttpProtocol, LimitedWebSocketProtocol
from omnibus.server.notices.mailer import mail_server
from omnibus.server.store.database import data_folder, open_database
from omnibus.server.tables.messages import LONGEST

SHUTDOWN_S: Final = 5
COLLECTING: Final = (1_000, 3, 1_500)  # young objects after so many new ones, older ones and all after so many rounds
LOOPBACK: Final = "127.0.0.1"
UNNAMED: Final = "Whoever can reach this machine can come in. Links to send come from --public-url, TLS from a proxy."


def arranged(
    host: str,
    public_url: str | None,
    proxies: Sequence[str],
    *,
    smtp: str = "",
    private_webhooks: bool = False,
) -> ServerConfig:
    """Return the house as its host wants it; ValueError says what of it cannot be.

    Whoever only plays on this machine is never too fast.
    """
    reached = not is_loopback(host) or public_url is not None or bool(proxies)
    url = "" if public_url is None else checked_url(public_url)
    if smtp:
        mail_server(smtp)
    return ServerConfig(
        public_url=url,
        proxies=checked_proxies(proxies),
        smtp=smtp,
        private_webhooks=private_webhooks,
        limits=reached,
        host=host,
    )


def serve(config: ServerConfig, port: int, data: Path | None, *, browser: bool) -> None:
    """Run the house until it is told to stop; ValueError says in one sentence why it cannot."""
    host = config.host or LOOPBACK
    database = open_database(data or data_folder())
    try:
        listening = listen(host, port)
    except ValueError:
        database.close()
        raise
    for name in games.names():
        games.find(name)  # now, so that the first visitor need not wait for it
    calm_collector()
    logs.begin()
    number = listening.getsockname()[1]
    config = replace(config, local_url=_address(LOOPBACK if host in EVERYWHERE else host, number))
    warning = "" if is_loopback(host) or config.public_url else f"\n{UNNAMED}"
    said = f"Omnibus: {_address(host, number)}/ (Ctrl+C ends it){warning}"
    print(said, flush=True)  # noqa: T201 — for the person at the terminal
    app = create_app(database, workers=max(1, min(4, (os.cpu_count() or 2) - 1)), config=config)
    settings = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        http=LimitedHttpProtocol,
        ws=LimitedWebSocketProtocol,
        ws_max_size=LONGEST,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=SHUTDOWN_S,
        server_header=False,
        proxy_headers=bool(config.proxies),  # left alone, uvicorn would believe whoever is on this machine
        forwarded_allow_ips=list(config.proxies),
    )
    with asyncio.Runner(loop_factory=settings.get_loop_factory()) as runner:  # uvloop, where it is installed
        runner.run(_run(uvicorn.Server(settings), listening, config.local_url if browser else None))


def calm_collector() -> None:
    """Let the garbage collector look at everything seldom: with many tables open it would hold all of them up.

    Tables keep every earlier state, plain data that is never garbage; looking at those of 250 tables takes a third of
    a second.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTING)


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


async def _run(server: uvicorn.Server, listening: socket.socket, address: str | None) -> None:
    running = asyncio.create_task(server.serve(sockets=[listening]))
    while address and not server.started and not running.done():
        await asyncio.sleep(0.01)
    if address:
        await asyncio.to_thread(webbrowser.open, address)
    await running


def listen(host: str, port: int) -> socket.socket:
    """Take the port; ValueError when somebody else has it or the host is not this machine's."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)  # as TCP, or asyncio lets small messages wait
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(2048)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise ValueError(f"the port {port} is taken; another one can be named with --port") from None
        raise ValueError(f"{host}:{port} cannot be listened on: {error.strerror}") from None
    listening.set_inheritable(True)
    return listening
