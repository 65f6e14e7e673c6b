"""Bots think in processes of their own, so that a long thought never holds up the house.

A worker that ends or does not answer in time is replaced, and the question is put again to another one.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import msgspec

from omnibus.server.tables.bot_worker import Answer, Question

LOG: Final = logging.getLogger("omnibus.workers")
COMMAND: Final = (sys.executable, "-m", "omnibus.server.tables.bot_worker")
LONGEST_THOUGHT: Final = 30.0  # seconds
LONGEST_START: Final = 60.0
TRIES: Final = 3
PATIENCE: Final = 2.0  # seconds, for a process to end that was killed
LONGEST_ANSWER: Final = 1 << 20  # bytes


class NoAnswer(Exception):
    """No worker could answer a question."""


class BotPool:
    """A few worker processes and the questions waiting for them."""

    def __init__(self, number: int, command: Sequence[str] = COMMAND, longest_thought: float = LONGEST_THOUGHT) -> None:
        self._command = tuple(command)
        self._longest_thought = longest_thought
        self._places = asyncio.Semaphore(number)
        self._idle: list[Process] = []
        self._busy: set[Process] = set()
        self._starting: set[Process] = set()
        self._closed = False
        self.replaced = 0

    async def warm(self, number: int) -> None:
        """Start workers before they are needed."""
        self._idle += [await self._start() for _ in range(number)]

    async def ask(self, question: Question) -> Answer:
        """Put a question to a worker; Lost when several in a row could not answer it."""
        async with self._places:
            for _ in range(0 if self._closed else TRIES):
                answer = await self._ask_once(question)
                if answer is not None:
                    return answer
                if self._closed:
                    break
                self.replaced += 1
                LOG.warning("worker replaced", extra={"game": question.game, "bot": question.bot})
        raise NoAnswer(f"{question.bot} could not be asked for a move of {question.game}")

    async def close(self) -> None:
        """End all workers; nobody is asked any more."""
        self._closed = True
        for process in [*self._idle, *self._busy]:
            await _end(process)
        self._idle.clear()

    async def _ask_once(self, question: Question) -> Answer | None:
        process = self._idle.pop() if self._idle else await self._start()
        self._busy.add(process)
        try:
            await self._started(process)
            answer = await asyncio.wait_for(_put(process, question), self._longest_thought)
        except (TimeoutError, OSError, ValueError, msgspec.DecodeError):
            await _end(process)
            return None
        except asyncio.CancelledError:
            await _end(process)
            raise
        finally:
            self._busy.discard(process)
        self._idle.append(process)
        return answer

    async def _start(self) -> Process:
        process = await asyncio.create_subprocess_exec(
            *self._command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=LONGEST_ANSWER
        )
        self._starting.add(process)
        return process

    async def _started(self, process: Process) -> None:
        """Wait until a new worker is ready: what it takes to start is not thinking."""
        if process in self._starting:
            self._starting.discard(process)
            assert process.stdout
            await asyncio.wait_for(process.stdout.readline(), LONGEST_START)


async def _put(process: Process, question: Question) -> Answer:
    assert process.stdin
    assert process.stdout
    process.stdin.write(msgspec.json.encode(question) + b"\n")
    await process.stdin.drain()
    return msgspec.json.decode(await process.stdout.readline(), type=Answer)


async def _end(process: Process) -> None:
    """Kill a process, and wait a little for it to be gone; waiting for ever would leave us hanging on its pipes."""
    assert process.stdin
    with suppress(ProcessLookupError):
        process.kill()
    process.stdin.close()
    with suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), PATIENCE)
