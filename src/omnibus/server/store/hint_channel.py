"""What the processes on one PostgreSQL database tell each other, with LISTEN and NOTIFY: only where to look.

Whatever is waiting goes into one NOTIFY, because PostgreSQL commits those one after the other. Nothing depends on a
hint: whoever misses one reads on at the next occasion.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final

import asyncpg

from omnibus.server.store.database import Hear

LOG: Final = logging.getLogger("omnibus.store")
CHANNEL: Final = "omnibus"
MOST_BYTES: Final = 7900  # of one NOTIFY
PROBE_S: Final = 5.0  # without anything to send, before the connection is tried
ANSWER_S: Final = 5.0  # for a statement; then the connection is given up
RENEW_S: Final = 0.5
KEEPALIVE: Final = {"tcp_keepalives_idle": "30", "tcp_keepalives_interval": "10", "tcp_keepalives_count": "3"}
"""Settings with which PostgreSQL notices that a process is gone with its machine, and gives its locks free."""
SERVER_LOCK: Final = 0x6F6D6E6975  # a number of ours, for the lock that servers share


class HintChannel:
    """A connection that sends hints and receives those of others; a lost one is renewed."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._own = secrets.token_hex(4)
        self._waiting: dict[str, None] = {}
        self._wake = asyncio.Event()
        self._hear: Hear | None = None
        self._task: asyncio.Task[None] | None = None

    def listen(self, hear: Hear) -> None:
        """Begin to listen."""
        self._hear = hear
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    def send(self, subject: str) -> None:
        """Send a hint soon, together with others."""
        if self._task is not None:
            self._waiting[subject] = None
            self._wake.set()

    async def close(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            connection = None
            try:
                settings = {"synchronous_commit": "off", "application_name": "omnibus hints", **KEEPALIVE}
                connection = await asyncpg.connect(
                    self._address, timeout=ANSWER_S, command_timeout=ANSWER_S, server_settings=settings
                )
                await connection.execute("SELECT pg_try_advisory_lock_shared($1)", SERVER_LOCK)
                connection.add_termination_listener(lambda _: self._wake.set())
                await connection.add_listener(CHANNEL, self._received)
                self._heard(())  # much may have happened meanwhile
                await self._send_all(connection)
            except Exception as error:  # whatever it is, the next connection may do better
                LOG.warning("hints of other processes were lost: %r", error)
            finally:
                if connection is not None:
                    connection.terminate()
            await asyncio.sleep(RENEW_S)

    async def _send_all(self, connection: Any) -> None:
        """Send hints as they come in, until the connection is lost; when there are none, find out whether it is."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(PROBE_S):  # `wait_for` may lose a cancellation
                    await self._wake.wait()
            self._wake.clear()
            if not self._waiting:
                await connection.execute("SELECT 1")
            while self._waiting:
                await self._send(connection)

    async def _send(self, connection: Any) -> None:
        """Send as many hints as fit into one message; if that fails, they wait for the next connection."""
        text, sent = self._own, []
        for subject in self._waiting:
            if len(text) + 1 + len(subject) > MOST_BYTES:
                break
            sent.append(subject)
            text += f" {subject}"
        for subject in sent:
            del self._waiting[subject]
        try:
            await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, text)
        except BaseException:
            self._waiting |= dict.fromkeys(sent)
            raise

    def _received(self, connection: Any, pid: int, channel: str, text: str) -> None:
        sender, *subjects = text.split(" ")
        if sender != self._own:
            self._heard(subjects)

    def _heard(self, subjects: Iterable[str]) -> None:
        if self._hear is not None:
            self._hear(subjects)
