"""Run other programs, and show how far they are."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Callable, Iterator

from tools.project import ROOT

LOW_PRIORITY = "10"  # of 19


def call(command: "list[str]", core: "Path | None" = None, settings: "dict[str, str] | None" = None) -> int:
    """Run a command in the project folder, with the compiled core if it is given."""
    process = subprocess.Popen(command, cwd=str(ROOT), env=dict(environ_for(core), **(settings or {})))
    try:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue  # the command got it too; let it finish its output
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()


def environ_for(core: "Path | None") -> "dict[str, str]":
    """Return the environment for a command that runs on the compiled core, or on the sources."""
    ours = ("PYTHONPATH", "OMNIBUS_CORE", "OMNIBUS_NEXT_CORE")
    environ = {name: value for name, value in os.environ.items() if name not in ours}
    if core:
        environ.update(PYTHONPATH=str(core), OMNIBUS_CORE="compiled")  # tests/project/test_core.py checks it
    return environ


@contextmanager
def in_background(
    command: "list[str]", log: Path, core: "Path | None" = None, *, low: bool = False
) -> "Iterator[Callable[[], int]]":
    """Run a command while others run, with a low priority perhaps; yields what shows its output and waits for its end.

    If nobody has waited for its end, it is stopped.
    """
    with log.open("wb") as file:
        process = subprocess.Popen(
            [*(["nice", "-n", LOW_PRIORITY] if low and shutil.which("nice") else []), *command],
            cwd=str(ROOT),
            env=environ_for(core),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a group of processes, to be stopped together; Ctrl+C is not for them
        )
    if low:
        with suppress(OSError):  # where Linux divides the processors among sessions first
            Path("/proc/{}/autogroup".format(process.pid)).write_text(LOW_PRIORITY)
    try:
        yield lambda: follow(process, log)
    finally:
        stop(process)


def follow(process: "subprocess.Popen[bytes]", log: Path) -> int:
    """Show what a process has written and writes to a file, until it ends; return its exit code."""
    with log.open(errors="replace") as file:
        while True:
            ended = process.poll() is not None  # asked first, so that nothing written before its end is missed
            print(file.read(), end="", flush=True)
            if ended:
                return process.returncode
            time.sleep(0.5)


def logged(command: "list[str]", log: Path, doing: str, settings: "dict[str, str] | None" = None) -> int:
    """Run a command: what it says goes to a file, and on a terminal one line shows how far it is."""
    began = time.monotonic()
    print("{} …".format(doing), end="" if on_terminal() else "\n", flush=True)
    environ = dict(os.environ, **(settings or {}))
    with log.open("wb") as file:
        process = subprocess.Popen(
            command, cwd=str(ROOT), env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        with process:
            for line in process.stdout or ():
                file.write(line)
                show(doing, line.decode(errors="replace").split())
    if on_terminal():
        print("\r\033[K{}: {:.0f} s".format(doing, time.monotonic() - began), flush=True)
    return process.returncode


def on_terminal() -> bool:
    """Tell whether lines may be written over: on a terminal to which nothing else writes meanwhile."""
    return sys.stdout.isatty() and threading.current_thread() is threading.main_thread()


def show(doing: str, words: "list[str]") -> None:
    """Show what pip or the compiler is busy with."""
    if on_terminal() and words[:1] in (["Collecting"], ["building"]):
        print("\r\033[K{}: {} …".format(doing, words[1].strip("'").split(">")[0]), end="", flush=True)
    elif on_terminal() and words[:2] == ["Installing", "collected"]:
        print("\r\033[K{}: unpacking {} packages …".format(doing, len(words) - 3), end="", flush=True)


def stop(background: "subprocess.Popen[bytes] | None") -> None:
    if background and background.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(background.pid, signal.SIGTERM)
        else:
            background.terminate()
        background.wait()
