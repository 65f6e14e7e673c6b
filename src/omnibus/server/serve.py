"""The command `omnibus serve`: the house on one machine."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import socket
import sqlite3
import sys
import webbrowser
from pathlib import Path
from typing import Final

import uvicorn

from omnibus import games
from omnibus.server import journal
from omnibus.server.app import create_app
from omnibus.server.messages import LONGEST
from omnibus.server.store import Store

DATABASE: Final = "omnibus.db"
SHUTDOWN_S: Final = 5
COLLECTING: Final = (1_000, 3, 1_500)  # young objects after so many new ones, older ones and all after so many rounds


def data_folder() -> Path:
    """Return where a user's data belongs on this system."""
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "Omnibus"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Omnibus"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "omnibus"


def serve(host: str, port: int, data: Path | None, *, browser: bool) -> None:
    """Run the house until it is told to stop; ValueError says in one sentence why it cannot."""
    store = open_store(data or data_folder())
    try:
        listening = listen(host, port)
    except ValueError:
        store.close()
        raise
    for name in games.names():
        games.find(name)  # now, so that the first visitor need not wait for it
    calm_collector()
    journal.begin()
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listening.getsockname()[1]}/"
    print(f"Omnibus: {address} (Ctrl+C ends it)", flush=True)  # noqa: T201 — for the person at the terminal
    app = create_app(store, workers=max(1, min(4, (os.cpu_count() or 2) - 1)))
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=LONGEST,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=SHUTDOWN_S,
        server_header=False,
    )
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:  # uvloop, where it is installed
        runner.run(_run(uvicorn.Server(config), listening, address if browser else None))


def calm_collector() -> None:
    """Let the garbage collector look at everything seldom: with many tables open it would hold all of them up.

    Tables keep every earlier state, plain data that is never garbage; looking at those of 250 tables takes a third of
    a second.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTING)


async def _run(server: uvicorn.Server, listening: socket.socket, address: str | None) -> None:
    running = asyncio.create_task(server.serve(sockets=[listening]))
    while address and not server.started and not running.done():
        await asyncio.sleep(0.01)
    if address:
        await asyncio.to_thread(webbrowser.open, address)
    await running


def open_store(folder: Path) -> Store:
    """Open the store in a folder; ValueError says why it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return Store(folder / DATABASE)
    except OSError as error:
        raise ValueError(f"the data folder {folder} cannot be written: {error.strerror}") from None
    except sqlite3.Error as error:
        raise ValueError(f"the data folder {folder} cannot be used: {error}") from None


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
