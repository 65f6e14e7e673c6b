"""Run other programs, and show how far they are."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from tools.project import ROOT


def call(command: "list[str]", core: "Path | None" = None, settings: "dict[str, str] | None" = None) -> int:
    """Run a command in the project folder, with the compiled core if it is given."""
    ours = ("PYTHONPATH", "OMNIBUS_CORE", "OMNIBUS_NEXT_CORE")
    environ = {name: value for name, value in os.environ.items() if name not in ours}
    if core:
        environ.update(PYTHONPATH=str(core), OMNIBUS_CORE="compiled")  # tests/project/test_core.py checks it
    environ.update(settings or {})
    process = subprocess.Popen(command, cwd=str(ROOT), env=environ)
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
