"""The virtual environment in .venv, made and updated when it is needed."""

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

from tools.project import BUILDS, PYTHON, ROOT, VENV, UserError, digest, project
from tools.subprocesses import logged


def environment(extra: str) -> None:
    """Create or update .venv with one extra of pyproject.toml; does nothing if it is up to date.

    `play` is not an extra but the least there is to install: the dependencies, without the package and what builds it.
    """
    if installed(extra):
        return
    with alone():
        if installed(extra):
            return  # another dev.py has just done it
        if not works(PYTHON):
            print("Creating a virtual environment in .venv …", flush=True)
            make_venv()
        whole = ["--editable", "{}[{}]".format(ROOT, extra)]
        what = project()["project"]["dependencies"] if extra == "play" else whole
        command = [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar", "off", *what]
        command += ["--no-compile", "--constraint", str(ROOT / "constraints.txt")]  # Python compiles what is imported
        log = VENV / "install.log"
        if logged(command, log, "Installing dependencies ({})".format(extra)):
            raise UserError(
                "The dependencies could not be installed. Is there a network connection? See {}.".format(log)
            )
        (VENV / "installed-{}".format(extra)).write_text(wanted())


def installed(extra: str) -> bool:
    """Tell whether .venv is up to date; every extra includes what `play` needs."""
    stamps = VENV.glob("installed-*") if extra == "play" else [VENV / "installed-{}".format(extra)]
    return PYTHON.exists() and any(stamp.exists() and stamp.read_text() == wanted() for stamp in stamps)


def wanted() -> str:
    return digest([ROOT / "pyproject.toml", ROOT / "constraints.txt"], sys.version, str(ROOT))


def works(python: Path) -> bool:
    """Tell whether the environment exists and uses this version of Python."""
    if not python.exists():
        return False
    ask = subprocess.run(
        [str(python), "-c", "import sys, pip; print(sys.version)"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    return ask.returncode == 0 and ask.stdout.decode().strip() == sys.version.strip()


def make_venv() -> None:
    try:
        import ensurepip  # noqa: F401 — Debian and Ubuntu package it separately
        import venv

        venv.create(str(VENV), with_pip=True, clear=True)
    except (ImportError, subprocess.CalledProcessError):
        version = "{}.{}".format(*sys.version_info)
        raise UserError(
            "This Python cannot create virtual environments; on Debian and Ubuntu, "
            "install what is missing with `sudo apt install python{}-venv`.".format(version)
        ) from None
    except OSError as error:
        raise UserError("The folder {} could not be created: {}.".format(VENV, error.strerror or error)) from None


@contextmanager
def alone() -> "Iterator[None]":
    """Wait until no other dev.py installs or compiles here, and keep others waiting."""
    try:
        BUILDS.mkdir(exist_ok=True)
    except OSError as error:
        raise UserError("The folder {} could not be created: {}.".format(BUILDS, error.strerror or error)) from None
    with (BUILDS / "lock").open("w") as file:
        lock(file.fileno())
        yield  # the end of the file's life ends the lock, also if this process is killed


def lock(file: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        while True:
            try:
                return msvcrt.locking(file, msvcrt.LK_LOCK, 1)
            except OSError:
                continue  # it gives up after ten seconds
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("Waiting for another dev.py, which installs or compiles …", flush=True)
        fcntl.flock(file, fcntl.LOCK_EX)
