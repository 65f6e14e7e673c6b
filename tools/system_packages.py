"""What the tests need of the operating system: a browser, PostgreSQL, npm."""

import os
import shutil
from pathlib import Path

from tools.project import VENV, UserError
from tools.subprocesses import logged

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> None:
    """Make sure that there is a browser for the browser tests."""
    if any(shutil.which(name) for name in (os.environ.get("CHROMIUM", ""), *CHROMIUMS) if name):
        return
    if apt_installed("chromium", "Installing Chromium for the browser tests"):
        apt_installed("chromium-headless-shell", "Installing its headless shell, which is faster")  # some have none
        return
    raise UserError(
        "The browser tests need Chromium, which could not be installed; "
        "install it, or set the environment variable CHROMIUM to its path."
    )


def postgres() -> bool:
    """Make sure that there is a PostgreSQL for the tests that need one; without it they are skipped."""
    if shutil.which("initdb") or any(Path("/usr/lib/postgresql").glob("*/bin/initdb")):
        return True
    if os.name == "posix" and apt_installed("postgresql", "Installing PostgreSQL for the server tests"):
        return True
    print("PostgreSQL could not be installed: the tests that need it are skipped. Install it to run them.", flush=True)
    return False


def apt_installed(package: str, said: str) -> bool:
    """Install a package of Debian or Ubuntu; False if that is not possible."""
    root = not hasattr(os, "geteuid") or os.geteuid() == 0
    if not shutil.which("apt-get") or not (root or shutil.which("sudo")):
        return False
    apt = [*([] if root else ["sudo", "-n"]), "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    log = VENV / (package + ".log")
    return not logged([*apt, "update"], log, said) and not logged([*apt, "install", "--yes", package], log, said)
