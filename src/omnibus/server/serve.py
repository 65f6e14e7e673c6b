"""The command `omnibus serve`: run the server."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import signal
import socket
import tempfile
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import aclosing, suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from random import shuffle
from types import FrameType
from typing import Final, cast

import uvicorn
from fastapi import FastAPI
from msgspec.structs import replace

from omnibus import games
from omnibus.server import logs
from omnibus.server.app import create_app
from omnibus.server.config import ALL_ADDRESSES, ServerConfig, checked_networks, checked_url, is_loopback
from omnibus.server.http.protocols import LimitedHttpProtocol, LimitedWebSocketProtocol, OpenConnections
from omnibus.server.http.socket_router import RoutedHttpProtocol, SocketRouter
from omnibus.server.metrics_folder import MetricsFolder
from omnibus.server.notices.mailer import mail_server
from omnibus.server.store.database import Database
from omnibus.server.store.folder_lock import lock_folder
from omnibus.server.store.opening import ONE_DATABASE, open_postgres
from omnibus.server.store.sqlite import FILE_NAME, damage_found, data_folder, open_database
from omnibus.server.supervisor import supervise
from omnibus.server.tables.messages import LONGEST

SHUTDOWN_S: Final = 5
LOOK_S: Final = 0.1  # between two looks at signals
PING_S: Final = 40.0  # proxies cut off connections that are silent for a minute; who is gone is noticed 20 s later
UNREADY_S: Final = 3.0  # in which a process says that it is not ready, and still serves, before it stops
DRAIN_S: Final = 1.0  # in which a process closes its sockets before it stops, where others take them over
GC_THRESHOLDS: Final = (1_000, 3, 1_500)
LOOPBACK: Final = "127.0.0.1"
METRICS: Final = "metrics"  # a folder of the processes that listen at one address
DAMAGED: Final = (
    "the database {path} is damaged ({damage}); put back a backup, or look at it with `omnibus admin check` "
    "(see docs/hosting.md)"
)
SEVERAL: Final = "several processes need PostgreSQL: name a database with --database, or leave --processes out"
NO_READER: Final = (
    "--metrics {address} is also given as --proxy, so nobody there could read them: a proxy asks for others; "
    "let it connect from another address (see docs/hosting.md)"
)
OPEN_TO_ALL: Final = (
    "Anyone who can reach this machine can use the server. "
    "Set its address with --public-url, and use a proxy for HTTPS (see docs/hosting.md)."
)


def server_config(
    host: str,
    public_url: str | None,
    proxies: Sequence[str],
    *,
    smtp: str = "",
    private_webhooks: bool = False,
    metrics: Sequence[str] = (),
    tournament_hosts: Sequence[str] | None = None,
) -> ServerConfig:
    """Return the configuration for command line options; ValueError says which one is wrong.

    A server that only this machine can reach has no rate limits.
    """
    reachable = not is_loopback(host) or public_url is not None or bool(proxies)
    url = "" if public_url is None else checked_url(public_url)
    if smtp:
        mail_server(smtp)
    behind, readers = checked_networks(proxies, "--proxy"), checked_networks(metrics, "--metrics")
    if set(behind) & set(readers):
        raise ValueError(NO_READER.format(address=next(each for each in readers if each in behind)))
    return ServerConfig(
        public_url=url,
        proxies=behind,
        smtp=smtp,
        private_webhooks=private_webhooks,
        limits=reachable,
        host=host,
        metrics=readers,
        tournament_hosts=None if tournament_hosts is None else tuple(tournament_hosts),
    )


def serve(
    config: ServerConfig, port: int, data: Path | None, address: str = "", *, browser: bool, processes: int = 1
) -> None:
    """Run the server on a data folder, or on the database at an address, until it is stopped.

    ValueError says in one sentence why it cannot start.
    """
    if address:
        if data is not None:
            raise ValueError(ONE_DATABASE)
        database = open_postgres(address)
        asyncio.run(_try(database))
        if processes > 1:
            _serve_together(config, port, address, processes)
        else:
            _serve(config, port, database, browser=browser)
        return
    if processes > 1:
        raise ValueError(SEVERAL)
    folder = data or data_folder()
    with lock_folder(folder):
        damage = damage_found(folder / FILE_NAME)
        if damage:
            raise ValueError(DAMAGED.format(path=folder / FILE_NAME, damage=damage))
        _serve(config, port, open_database(folder), browser=browser)


def _serve(config: ServerConfig, port: int, database: Database, *, browser: bool) -> None:
    try:
        listening = listen(config.host or LOOPBACK, port)
    except ValueError:
        asyncio.run(database.aclose())
        raise
    load_games()
    config = with_address(config, listening)
    print(_greeting(config, listening), flush=True)  # noqa: T201 — for the person at the terminal
    run(config, listening, database, browser=browser)


def _serve_together(config: ServerConfig, port: int, address: str, processes: int) -> None:
    """Run several processes behind one listening socket."""
    with listen(config.host or LOOPBACK, port) as listening, tempfile.TemporaryDirectory(prefix="omnibus-") as folder:
        config = with_address(config, listening)
        target = partial(work, config, listening, address, processes, folder)
        (Path(folder) / METRICS).mkdir()
        supervise(target, processes, _greeting(config, listening), MetricsFolder(Path(folder) / METRICS).end)


def work(
    config: ServerConfig,
    listening: socket.socket,
    address: str,
    processes: int,
    folder: str,
    number: int,
    pipe: Connection,
) -> None:
    """Run one of several processes on a database; say who has started it as soon as it serves."""
    with suppress(KeyboardInterrupt):  # it was asked to leave
        load_games()
        router = SocketRouter(Path(folder), number, processes) if hasattr(socket, "send_fds") else None
        run(
            config,
            listening,
            open_postgres(address),
            processes=processes,
            router=router,
            metrics_folder=MetricsFolder(Path(folder) / METRICS),
            ready=lambda: pipe.send(os.getppid()),
        )


def load_games() -> None:
    """Load all games now, so that the first visitor does not wait."""
    for name in games.names():
        games.find(name)


def with_address(config: ServerConfig, listening: socket.socket) -> ServerConfig:
    """Return the configuration with the address at which this machine reaches the server."""
    host = config.host or LOOPBACK
    number = listening.getsockname()[1]
    return replace(config, local_url=_address(LOOPBACK if host in ALL_ADDRESSES else host, number))


def _greeting(config: ServerConfig, listening: socket.socket) -> str:
    """Say where the server listens, and warn if everybody can reach it."""
    host = config.host or LOOPBACK
    warning = "" if is_loopback(host) or config.public_url else f"\n{OPEN_TO_ALL}"
    return f"Omnibus: {_address(host, listening.getsockname()[1])}/ (press Ctrl+C to stop){warning}"


def run(
    config: ServerConfig,
    listening: socket.socket,
    database: Database,
    *,
    browser: bool = False,
    processes: int = 1,
    router: SocketRouter | None = None,
    metrics_folder: MetricsFolder | None = None,
    ready: Callable[[], None] | None = None,
) -> None:
    """Serve what arrives at a listening socket until a signal says to stop; call `ready` when it begins."""
    tune_garbage_collector()
    logs.configure()
    app = create_app(database, workers=max(1, min(4, (os.cpu_count() or 2) - 1) // processes), config=config)
    app.state.metrics_folder = metrics_folder
    connections = OpenConnections(config.proxies) if config.limits else None
    protocol = LimitedHttpProtocol if router is None else partial(RoutedHttpProtocol, router=router)
    settings = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        http=cast(type[asyncio.Protocol], partial(protocol, connections=connections)),
        ws=LimitedWebSocketProtocol,
        ws_max_size=LONGEST,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_S,
        timeout_graceful_shutdown=SHUTDOWN_S,
        server_header=False,
        proxy_headers=bool(config.proxies),  # by default uvicorn trusts every program on this machine
        forwarded_allow_ips=list(config.proxies),
    )
    server = DrainingServer(settings, router, app) if database.shared else uvicorn.Server(settings)
    with asyncio.Runner(loop_factory=settings.get_loop_factory()) as runner:  # uvloop, where it is installed
        runner.run(_run(server, listening, config.local_url if browser else None, router, ready))


class DrainingServer(uvicorn.Server):
    """Stops slowly, where other processes take over.

    It says that it is not ready before it takes no more connections, so that whoever chooses between servers chooses
    another; and it closes its sockets one after the other, so that not all pages come to another process at once.
    """

    def __init__(self, config: uvicorn.Config, router: SocketRouter | None, app: FastAPI) -> None:
        super().__init__(config)
        self._router = router
        self._app = app
        self._announces = False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop; SIGINT does not wait: somebody at a terminal does, or another process at the same address."""
        if not self.should_exit:
            self._announces = sig != signal.SIGINT
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Say so, take no new connections, close the sockets in the course of a second, and stop."""
        self._app.state.stopping = True
        waited = 0.0
        while self._announces and waited < UNREADY_S and not self.force_exit:
            await asyncio.sleep(LOOK_S)
            waited += LOOK_S
        for server in self.servers:
            server.close()
        if self._router:
            self._router.close()
        open_sockets = [each for each in self.server_state.connections if isinstance(each, LimitedWebSocketProtocol)]
        shuffle(open_sockets)
        for each in open_sockets:
            if each in self.server_state.connections:
                each.shutdown()
            if not self.force_exit:
                await asyncio.sleep(DRAIN_S / len(open_sockets))
        await super().shutdown(sockets)


async def _try(database: Database) -> None:
    """Connect to a database once, so that whoever starts the server is told at once why that fails."""
    async with aclosing(database):
        await database.connect()


def tune_garbage_collector() -> None:
    """Make full garbage collections rare: with many live tables each one would hold up everybody.

    Tables keep all earlier states, plain data that is never garbage; going through those of 250 tables takes a third
    of a second.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


async def _run(
    server: uvicorn.Server,
    listening: socket.socket,
    address: str | None,
    router: SocketRouter | None,
    ready: Callable[[], None] | None,
) -> None:
    running = asyncio.create_task(server.serve(sockets=[listening]))
    while (address or ready) and not server.started and not running.done():
        await asyncio.sleep(0.01)
    if router and server.started:
        router.open(partial(_routed, server))
    if ready and server.started:
        ready()
    if address:
        await asyncio.to_thread(webbrowser.open, address)
    await running


def _routed(server: uvicorn.Server, read: bytes) -> asyncio.Protocol:
    """Return the protocol of a connection that another process has passed on."""
    make = cast(Callable[..., asyncio.Protocol], server.config.http_protocol_class)
    return make(server.config, server.server_state, server.lifespan.state, read=read)


def listen(host: str, port: int) -> socket.socket:
    """Listen on a port; ValueError when it is taken, or the host is not an address of this machine."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)  # with the protocol, or asyncio would not set TCP_NODELAY
        try:
            if os.name == "posix":
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen(2048)
        except OSError:
            listening.close()
            raise
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise ValueError(f"port {port} is already in use; choose another one with --port") from None
        raise ValueError(f"cannot listen on {host}:{port}: {error.strerror}") from None
    listening.set_inheritable(True)
    return listening
