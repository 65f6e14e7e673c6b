"""Measure the server under load: live tables of four, all connected, playing at a steady pace.

Users and tables are written to a data folder, one server process is started on it, and separate processes hold the
sockets and play. Measured is the time from sending a move until everybody at the table has the scene. With --processes
there are several server processes on a PostgreSQL, which is started in a temporary folder unless --database names one.
With --restart all of them are replaced one after the other every so many seconds, as when a new version is deployed;
then it also says how long pages were away, whether any is stuck, and how much memory each process had when.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from math import inf
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from statistics import median, quantiles

from load_clients import Measurements, Pace, Place, allow_files, run_clients
from omnibus.server.store.database import Database
from omnibus.server.store.models import DAY, Sitter, TimeControl
from omnibus.server.store.opening import open_postgres
from omnibus.server.store.sqlite import open_database
from omnibus.server.tables.bot_pool import BotPool
from omnibus.server.tables.registry import TableRegistry

GAME, SEATS = "bus", 4
CLIENT_PROCESSES = 2  # processes that play
DEEPEST = 60  # decisions: tables are at all stages up to this one
AT_ONCE = 50  # tables set up concurrently
GRACE_S = 1.0  # from the order to play until it begins
SWIFT_S = 0.250  # the limit for p99 at the highest rate
STEEP, STEPS = 1.5, 3  # the search for the highest rate: up by this factor, then so many bisections
RESTING_S = 2.0  # between two measurements
CLOCK = TimeControl(bank=DAY, increment=10)  # with --clocks: longer than anything is measured
NOTED_S = 30.0  # between two looks at the memory of each process

Row = tuple[str, ...]
Postgres = Callable[[], tuple[str, int | None]]
"""Returns the address of an empty database in PostgreSQL, and the process of the server, if it is known."""


def say(text: str = "") -> None:
    """Show the progress on the terminal, in one line."""
    if sys.stderr.isatty():
        print(f"\r{text[:100]:<100}" + ("" if text else "\r"), end="", file=sys.stderr, flush=True)


async def prepare(folder: Path, tables: int, seed: int, address: str = "", *, clocks: bool = False) -> list[Place]:
    """Write users and tables into a data folder, or into PostgreSQL: four players each, at all stages of a game."""
    store: Database = open_postgres(address) if address else open_database(folder)
    await store.connect()
    registry, random = TableRegistry(store, BotPool(1)), Random(seed)
    places: list[Place] = []
    try:
        while len(places) < tables:
            say(f"setting up tables: {len(places)} of {tables}")
            several = range(min(AT_ONCE, tables - len(places)))
            control = CLOCK if clocks else None
            places += await asyncio.gather(*(_set_up(registry, Random(random.random()), control) for _ in several))
    finally:
        await registry.close()
        await store.aclose()
    return places


async def _set_up(registry: TableRegistry, random: Random, clock: TimeControl | None) -> Place:
    people = [await registry.user_store.add_user() for _ in range(SEATS)]
    setup = await registry.open(people[0][0].id, GAME, {}, [Sitter(user=user.id) for user, _ in people], clock=clock)
    table = await registry.table(setup.id)
    for _ in range(random.randrange(DEEPEST)):
        assert table.actor is not None
        await table.play(table.actor, random.choice(table.match.lines()), table.event)
    return Place(setup.id, [token for _, token in people])


class ServerProcess:
    """The server process, with those it has started."""

    def __init__(self, folder: Path, *arguments: str, database: str = "") -> None:
        command = [sys.executable, "-m", "omnibus", "serve", "--port", "0", "--no-browser", *arguments]
        command += [] if database else ["--data", str(folder)]
        environment = {**os.environ, "OMNIBUS_DATABASE": database}
        with (folder / "server.log").open("wb") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        assert self._process.stdout
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", self._process.stdout.readline())
        if not found:
            sys.exit(f"the server did not start:\n{(folder / 'server.log').read_text()}")
        self.port = int(found[1])

    def cpu(self) -> float:
        """Return the processor time they have used, or 0 if the system does not say."""
        return processor_time(self._process.pid)

    def memory(self) -> float:
        """Return their memory in MiB, or 0 if the system does not say."""
        return sum(map(resident, family(self._process.pid)))

    def own_memory(self) -> dict[int, float]:
        """Return the memory of each process that serves, in MiB: not of bot workers, nor of what only supervises."""
        pid = self._process.pid
        serving = [each for each in family(pid)[1:] if b"spawn_main" in command_line(each)]
        return {each: resident(each) for each in serving or [pid]}

    def restart(self) -> None:
        """Replace its processes one after the other; it goes on serving."""
        self._process.send_signal(signal.SIGHUP)

    def stop(self) -> None:
        """Stop it, by force if needed."""
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout
        self._process.stdout.close()


def resident(pid: int) -> float:
    """Return the memory of a process in MiB, or 0 if it is gone."""
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return 0.0


def command_line(pid: int) -> bytes:
    """Return the command that a process was started with."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def family(pid: int) -> list[int]:
    """Return a process and all it has started, directly or not; none if the system does not say."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    found = [pid] if pid in parents else []
    for each in found:
        found += [child for child, parent in parents.items() if parent == each]
    return found


def processor_time(pid: int) -> float:
    """Return the seconds a process and all it has started have used."""
    ticks = 0
    for each in family(pid):
        with suppress(OSError):
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))  # with the time of those it has started that have ended
    return ticks / os.sysconf("SC_CLK_TCK")


class Stretch:
    """The measurements of some time at one rate, all clients together."""

    def __init__(
        self, rate: float, seconds: float, parts: list[Measurements], cpu: float, memory: float, database: float = 0.0
    ) -> None:
        self.rate, self.seconds, self.memory = rate, seconds, memory
        self.told = [second for part in parts for second in part.told]
        self.kept = [second for part in parts for second in part.kept]
        self.late = [second for part in parts for second in part.late]
        self.missed = sum(part.missed for part in parts)
        self.lost = sum(part.lost for part in parts)
        self.stuck = sum(part.stuck for part in parts)
        self.back = [second for part in parts for second in part.back]
        self.rejected = sum((part.rejected for part in parts), Counter[str]())
        self.ended = sum(part.ended for part in parts)
        self.server = cpu / seconds
        self.each = 1000 * cpu / max(1, len(self.told))  # ms of processor time per move
        self.database = 1000 * database / max(1, len(self.told))  # the same, of PostgreSQL
        self.clients = sum(part.cpu for part in parts) / seconds
        self.load = os.getloadavg()[0]

    def p(self, percent: int) -> float:
        """Return a percentile of the time until a move arrived everywhere."""
        return percentile(self.told, percent)

    def per_move(self) -> float:
        """Return the processor time of the server per move, in seconds."""
        return self.server * self.seconds / max(len(self.told), 1)

    def swift(self) -> bool:
        """Tell whether the rate was kept up and p99 is within the limit."""
        return self.p(99) < SWIFT_S and not (self.lost or self.stuck) and self.missed < 0.01 * len(self.told)

    def row(self) -> Row:
        """Return it as a row of the report."""
        times = [percentile(self.kept, 99), self.p(50), self.p(90), self.p(99), max(self.told, default=0)]
        own = [f"{100 * self.server:.0f} %", f"{self.memory:,.0f}", f"{100 * self.clients:.0f} %"]
        wrong = f"{self.missed + self.lost + self.stuck}"
        told = [f"{1000 * second:.1f}" for second in times]
        late = f"{1000 * percentile(self.late, 99):.1f}"
        costs = (f"{self.each:.2f}", f"{self.database:.2f}")
        return (f"{self.rate:.1f}", f"{len(self.told):,}", *told, wrong, *own, *costs, late, f"{self.load:.1f}")


HEADS = (
    "moves/s", "moves", "kept p99", "told p50", "p90", "p99", "max", "missed", "server", "MiB", "clients", "ms/move",
    "PostgreSQL", "late p99", "load",
)  # fmt: skip


def percentile(values: list[float], percent: int) -> float:
    """Return a percentile of some values; 0 if there are none."""
    if len(values) < 2:
        return max(values, default=0.0)
    return quantiles(values, n=100, method="inclusive")[percent - 1]


class LoadedServer:
    """A server with all clients connected."""

    def __init__(
        self, server: ServerProcess, clients: list[Connection], tables: int, database: int | None = None
    ) -> None:
        self._server = server
        self._database = database  # the process of PostgreSQL
        self._clients = clients
        self._tables = tables
        self._played = 0
        self.restarts = 0.0  # seconds between two; 0: none
        self.memories: list[tuple[float, dict[int, float]]] = []
        """The memory of each process that serves, every so often: after how many seconds, and MiB by process."""

    @property
    def port(self) -> int:
        """Where the server listens."""
        return self._server.port

    def memory(self) -> float:
        """Return the memory the server holds, in MiB."""
        return self._server.memory()

    def play(self, rate: float, seconds: float) -> Stretch:
        """Let all clients together play so many moves per second."""
        self._played += 1
        start = time.monotonic() + GRACE_S
        for number, client in enumerate(self._clients):
            client.send(Pace(self._tables / rate, start, seconds, seed=100 * self._played + number))
        time.sleep(GRACE_S)
        cpu, stored = self._server.cpu(), self._stored()
        parts: list[Measurements] = []
        restart = start + self.restarts if self.restarts else inf
        while len(parts) < len(self._clients):
            if time.monotonic() >= restart and time.monotonic() < start + seconds:
                self._server.restart()
                restart += self.restarts
            self._note_memory(time.monotonic() - start)
            say(f"{rate:.0f} moves per second: {min(time.monotonic() - start, seconds):.0f} of {seconds:.0f} s")
            if self._clients[len(parts)].poll(1.0):
                parts.append(self._clients[len(parts)].recv())
        took = time.monotonic() - start
        spent = (self._server.cpu() - cpu) * seconds / max(took, seconds)
        stored = (self._stored() - stored) * seconds / max(took, seconds)
        time.sleep(RESTING_S)
        return Stretch(rate, seconds, parts, spent, self._server.memory(), stored)

    def _note_memory(self, now: float) -> None:
        if not self.memories or not 0 <= now - self.memories[-1][0] < NOTED_S:
            self.memories.append((now, self._server.own_memory()))

    def _stored(self) -> float:
        return processor_time(self._database) if self._database else 0.0


@contextmanager
def loaded_server(
    tables: int,
    seed: int,
    *arguments: str,
    postgres: Postgres | None = None,
    clocks: bool = False,
    more: Callable[[Path], None] | None = None,
) -> Iterator[LoadedServer]:
    """Set up tables in a temporary folder or in PostgreSQL, start a server on it, and connect all clients.

    `more` adds what else is to be in the folder.
    """
    allow_files(tables * SEATS)
    context = get_context("spawn")
    address, pid = postgres() if postgres else ("", None)
    with tempfile.TemporaryDirectory(prefix="omnibus-load-") as name:
        places = asyncio.run(prepare(Path(name), tables, seed, address, clocks=clocks))
        if more:
            more(Path(name))
        server = ServerProcess(Path(name), *arguments, database=address)
        clients: list[Connection] = []
        processes: list[BaseProcess] = []
        try:
            for number in range(CLIENT_PROCESSES):
                here, there = context.Pipe()
                first = number * tables // CLIENT_PROCESSES
                mine = places[first : (number + 1) * tables // CLIENT_PROCESSES]
                processes.append(
                    context.Process(target=run_clients, args=(there, mine, server.port, first), daemon=True)
                )
                processes[-1].start()
                there.close()
                clients.append(here)
            _wait_for_all(clients, tables)
            yield LoadedServer(server, clients, tables, pid)
            for client in clients:
                client.send(None)
            for process in processes:
                process.join(60)
        finally:
            for process in processes:
                process.terminate()
            server.stop()


def _wait_for_all(clients: list[Connection], tables: int) -> None:
    """Wait until all clients are connected."""
    there = [0] * len(clients)
    for number, client in enumerate(clients):
        while (heard := client.recv()) != "ready":
            there[number] = heard
            say(f"connecting: {sum(there)} of {tables} tables")


def steady(arguments: argparse.Namespace, server_arguments: list[str], postgres: Postgres | None) -> list[Stretch]:
    """Play one move per table every so many seconds, for several rounds."""
    tables, seed, clocks = arguments.tables, arguments.seed, arguments.clocks
    with loaded_server(tables, seed, *server_arguments, postgres=postgres, clocks=clocks) as server:
        rate = arguments.tables / arguments.every
        server.restarts = arguments.restart
        stretches = [server.play(rate, arguments.seconds) for _ in range(arguments.rounds)]
        if arguments.restart:
            tell_memory(server.memories)
        return stretches


def climb(server: LoadedServer, first: float, seconds: float) -> list[Stretch]:
    """Find the highest rate within the limit: up in large steps, then by bisection."""
    tried = [server.play(first, seconds)]
    while tried[-1].swift():
        tried.append(server.play(tried[-1].rate * STEEP, seconds))
    low, high = max((each.rate for each in tried if each.swift()), default=0.0), tried[-1].rate
    for _ in range(STEPS):
        tried.append(server.play((low + high) / 2, seconds))
        low, high = (tried[-1].rate, high) if tried[-1].swift() else (low, tried[-1].rate)
    return tried


def highest(tried: list[Stretch]) -> float:
    """Return the highest rate within the limit."""
    return max((each.rate for each in tried if each.swift()), default=0.0)


def aligned(rows: list[Row]) -> str:
    """Align the columns."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


def tell(stretches: list[Stretch]) -> None:
    """Print the table of the measurements."""
    say()
    print(aligned([HEADS, *(each.row() for each in stretches)]), flush=True)


def tell_returns(stretches: list[Stretch]) -> None:
    """Print how long it took until those whose sockets were closed had their tables on the screen again."""
    for number, each in enumerate(stretches, 1):
        if each.rejected:
            told = ", ".join(f"{count} × {code}" for code, count in each.rejected.most_common())
            print(f"round {number}: moves that were rejected, after which somebody moved again: {told}")
        if each.back:
            times = ", ".join(f"p{percent} {percentile(each.back, percent):.2f}" for percent in (50, 99))
            print(f"round {number}: {each.lost} moves lost, {each.stuck} tables stuck, {each.ended} games over;")
            print(f"{len(each.back):,} sockets were closed, and came back after {times}, max {max(each.back):.2f} s")


def tell_memory(memories: list[tuple[float, dict[int, float]]]) -> None:
    """Print the memory of the processes that serve as time goes by; a process that is new has a star."""
    say()
    print("MiB of each process that serves, after so many seconds (*: started since the line before):")
    known: set[int] = set()
    for now, each in memories:
        told = [f"{size:.0f}{'' if pid in known else '*'}" for pid, size in sorted(each.items())]
        print(f"{now:6.0f} s  " + "  ".join(told))
        known = set(each)


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(prog="dev.py bench --load", description=__doc__)
    parser.add_argument("--tables", type=int, default=250, help="tables at a steady pace (default: 250; 0: none)")
    parser.add_argument("--every", type=float, default=10.0, help="seconds between two moves of a table (default: 10)")
    parser.add_argument("--seconds", type=float, default=60.0, help="seconds of a round (default: 60)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds (default: 3)")
    parser.add_argument("--many", type=int, default=1000, help="tables for the highest rate (default: 1000; 0: none)")
    parser.add_argument(
        "--first", type=float, default=50.0, help="the first rate tried, in moves per second (default: 50)"
    )
    parser.add_argument("--step", type=float, default=20.0, help="seconds a rate is tried for (default: 20)")
    parser.add_argument("--clocks", action="store_true", help="give every table a clock")
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (default: 1)")
    parser.add_argument(
        "--processes", type=int, default=0, help="server processes on PostgreSQL (default: one on SQLite)"
    )
    parser.add_argument("--restart", type=float, default=0.0, help="seconds between restarts of the processes")
    parser.add_argument("--database", default="", help="an empty database in PostgreSQL (default: a temporary one)")
    arguments = parser.parse_args()
    core = os.environ.get("OMNIBUS_CORE", "interpreted")
    print(f"Python {platform.python_version()} on {platform.machine()}, {os.cpu_count()} cores, {core}; times in ms")
    try:
        with ExitStack() as stack:
            measure(arguments, stack.enter_context(database(arguments.database)) if arguments.processes else None)
    except ValueError as trouble:
        say()
        sys.exit(f"This cannot be measured here: {trouble}.")


@contextmanager
def database(address: str) -> Iterator[Postgres]:
    """Find databases in PostgreSQL: the one at an address, or new ones in a server of our own, with durable commits."""
    if address:
        yield lambda: (address, None)
        return
    sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
    from support.postgres import missing, postgres_server

    if missing():
        raise ValueError(missing())
    with postgres_server(durable=True) as server:
        yield lambda: (server.address(server.create()), server.pid())


def measure(arguments: argparse.Namespace, postgres: Postgres | None) -> None:
    """Measure a steady pace and the highest rate."""
    several = ["--processes", str(arguments.processes)] if arguments.processes else []
    if arguments.tables:
        sockets = arguments.tables * SEATS
        print(f"{arguments.tables} tables, {sockets} sockets, a move per table every {arguments.every} s")
        stretches = steady(arguments, several, postgres)
        tell(stretches)
        print(f"median of {len(stretches)} rounds: p99 {1000 * median(each.p(99) for each in stretches):.1f} ms")
        tell_returns(stretches)
        print(f"processor time of the server per move: {1000 * median(each.per_move() for each in stretches):.2f} ms")
    if not arguments.many:
        return
    found = []
    for number in range(arguments.rounds):
        print(f"{arguments.many} tables, {arguments.many * SEATS} sockets, as fast as p99 < {SWIFT_S} s allows")
        seed, clocks = arguments.seed + number, arguments.clocks
        with loaded_server(arguments.many, seed, *several, postgres=postgres, clocks=clocks) as server:
            tried = climb(server, arguments.first, arguments.step)
        tell(tried)
        found.append(highest(tried))
    print(f"median of {len(found)} rounds: {median(found):.0f} moves per second")


if __name__ == "__main__":
    main()
