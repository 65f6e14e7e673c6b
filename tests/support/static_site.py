"""The static site for the tests in a browser, built once for a state of the sources; run alone, it builds it."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
from pathlib import Path

import pytest

import omnibus
from omnibus.static_site.builder import build
from omnibus.static_site.packages import cache_folder

ROOT = Path(__file__).parents[2]
SITES = ROOT / "build" / "sites"


def built_site() -> Path:
    """Return the site of these sources; of several who ask at the same time, one builds it.

    Without npm the test is skipped: it is not for a test to install it.
    """
    if not (shutil.which("npm") and shutil.which("node")):
        pytest.skip("npm and Node.js are not installed")
    site = SITES / _digest()
    SITES.mkdir(parents=True, exist_ok=True)
    with (SITES / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not site.exists():
            for old in SITES.iterdir():
                if old.is_dir():
                    shutil.rmtree(old)
            build(site, cache_folder())
    return site


def _digest() -> str:
    """Name the sources; the compiled core is a copy of them with libraries, which the site leaves out."""
    found = hashlib.sha256((ROOT / "constraints.txt").read_bytes())
    for file in sorted(Path(omnibus.__file__).parent.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts and file.suffix not in (".so", ".pyd"):
            found.update(file.name.encode() + b"\0" + file.read_bytes())
    return found.hexdigest()[:16]


if __name__ == "__main__":
    built_site()
