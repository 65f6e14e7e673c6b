"""What the site needs from elsewhere: Pyodide from npm, two wheels for browsers from PyPI, the rest from this Python.

Downloads are kept in a cache folder, so that only the first build needs a network.
"""

from __future__ import annotations

import importlib.metadata as metadata
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from omnibus.kernel.i18n import LANGUAGES
from omnibus.server.store.sqlite import data_folder

PYODIDE: Final = "314.0.7"
IN_WASM: Final = ("msgspec", "pydantic-core")
"""Packages that are not pure Python, and would not work or be slow without their compiled part."""
IMPORTED: Final = """
import json, sys
before = set(sys.modules)
import omnibus.static_site.runtime.rehearsal, babel.units, python_multipart
print(json.dumps(sorted({name.partition(".")[0] for name in set(sys.modules) - before})))
"""
"""Prints the names of all packages the server imports, also those it imports only when it needs them."""
UNUSED: Final = (".so", ".pyd", ".pyc", ".pyi", ".typed")
NO_NPM: Final = (
    "the site contains Pyodide, which is downloaded with npm and tried out with Node.js; install both, for example "
    "with `apt install npm`, and run the command again"
)
NO_WHEEL: Final = (
    "there is no {name} {version} for browsers, or no network; see docs/offline.md for the versions that fit together"
)


def cache_folder() -> Path:
    """Return the folder for downloads."""
    named = os.environ.get("OMNIBUS_CACHE")
    return Path(named) if named else data_folder() / "downloads"


def ensure_npm() -> None:
    """Make sure that npm and Node.js are there, with the system's packages if that is possible; ValueError if not."""
    if shutil.which("npm") and shutil.which("node"):
        return
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    apt = [*([] if root else ["sudo", "-n"]), "apt-get"]
    if not shutil.which("apt-get") or not (root or shutil.which("sudo")):
        raise ValueError(NO_NPM)
    for step in (["update"], ["install", "--yes", "--no-install-recommends", "npm"]):
        if subprocess.run([*apt, *step], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode:
            raise ValueError(NO_NPM)


def pyodide(cache: Path) -> Path:
    """Return the folder with Pyodide, downloaded unless it is in the cache; ValueError says why that fails."""
    folder = cache / f"pyodide-{PYODIDE}"
    if not folder.exists():
        ensure_npm()
        cache.mkdir(parents=True, exist_ok=True)
        pack = ["npm", "pack", f"pyodide@{PYODIDE}", "--silent", "--pack-destination", str(cache)]
        _run(pack, f"Pyodide {PYODIDE} could not be downloaded with npm; is there a network?")
        packed, partial = cache / f"pyodide-{PYODIDE}.tgz", cache / "partial"
        shutil.rmtree(partial, ignore_errors=True)
        with tarfile.open(packed) as archive:
            archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)  # new in 3.11.4
            archive.extractall(partial)
        (partial / "package").rename(folder)
        partial.rmdir()
        packed.unlink()
    return folder


def wheels(cache: Path, pyodide: Path) -> list[Path]:
    """Return the wheels for WebAssembly, of the versions installed here; ValueError when there is none."""
    lock = json.loads((pyodide / "pyodide-lock.json").read_text("utf-8"))["info"]
    python = "".join(lock["python"].split(".")[:2])
    platform = f"pyemscripten_{lock['abi_version']}_wasm32"
    found = []
    for name in IN_WASM:
        version = metadata.version(name)
        wheel = cache / f"{name.replace('-', '_')}-{version}-cp{python}-cp{python}-{platform}.whl"
        if not wheel.exists():
            fit = ["--platform", platform, "--implementation", "cp", "--python-version", python, "--abi", f"cp{python}"]
            download = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", *fit]
            wrong = NO_WHEEL.format(name=name, version=version)
            _run([*download, "--dest", str(cache), f"{name}=={version}"], wrong)
        found.append(wheel)
    return found


def _run(command: Sequence[str], wrong: str) -> None:
    if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode:
        raise ValueError(wrong)


def wheel_files(wheel: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a wheel that a program needs, with their paths."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.endswith((".py", ".so")):
                yield name, archive.read(name)


def pure_files() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the pure packages the server imports, with their paths, from where they are installed."""
    for name in sorted(imported() - set(IN_WASM)):
        for file in metadata.files(name) or ():
            if file.suffix not in UNUSED and ".dist-info" not in file.parts[0] and _is_wanted(file.as_posix()):
                yield file.as_posix(), Path(str(file.locate())).read_bytes()


def _is_wanted(path: str) -> bool:
    """Tell whether a file belongs into the site: no scripts, and of Babel no other languages and no catalogues."""
    if path.startswith("babel/locale-data/"):
        return Path(path).stem in ("root", *LANGUAGES)
    return not path.startswith(("../", "babel/messages/"))


def imported() -> set[str]:
    """Return the distributions of which the server imports something, by their normalized names."""
    told = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=True).stdout
    known = metadata.packages_distributions()
    found = {name for package in json.loads(told) for name in known.get(package, ())}
    return {re.sub(r"[-_.]+", "-", name).lower() for name in found} - {"omnibus-games"}
