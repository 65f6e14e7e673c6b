"""The engines compiled with mypyc, in a copy of the package under build/ (docs/decisions/0003).

    python -m release.core        compile them unless it is done, and print the folder

The folder has the name of a hash of the sources: an edit leads to another folder, so no stale library ever runs. It
needs nothing but Python, and the extra `compile` to compile.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE, BUILDS = ROOT / "src", ROOT / "build"
KEPT = 4  # older cores are removed; the last ones may still be in use


def digest(files: list[Path]) -> str:
    """Name the contents of files, together with this Python and the place of the project."""
    found = hashlib.sha256(f"{sys.version} {ROOT}".encode())
    for file in files:
        found.update(file.name.encode() + b"\0" + file.read_bytes())
    return found.hexdigest()[:16]


def core_folder() -> Path:
    """Name the folder for the compiled core of these sources; it can be used when there is a file `done` in it."""
    compiled = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["omnibus"]["compiled"]
    patterns = ["kernel/*.py", *compiled["loops"]]
    patterns += [f"games/*/{name}{rest}" for name in compiled["of_each_game"] for rest in (".py", "/[!_]*.py")]
    sources = [path for pattern in patterns for path in sorted((SOURCE / "omnibus").glob(pattern))]
    return BUILDS / digest([*sources, ROOT / "constraints.txt", ROOT / "setup.py"])


def compiled_core() -> Path | None:
    """Compile the core unless that is done; None where it cannot be compiled."""
    core, failed = core_folder(), core_folder().with_suffix(".failed")
    if not (core / "done").exists():
        with alone():  # another process may have compiled it meanwhile
            if not any(map(shutil.which, ("cc", "gcc", "clang", "cl"))):
                print("The core runs interpreted: there is no C compiler.", file=sys.stderr)
                return None
            if not (core / "done").exists() and (failed.exists() or not _compile(core, failed)):
                print(f"The core runs interpreted: compiling failed, see {failed}.", file=sys.stderr)
                return None
    _copy_package(core)
    return core


def _compile(core: Path, failed: Path) -> bool:
    """Compile a fresh copy of the package, and put it in its place when it is complete and runs."""
    print("Compiling the core (a minute or two, only after a change) …", file=sys.stderr, flush=True)
    for old in sorted(BUILDS.glob("*/done"), key=lambda path: path.stat().st_mtime)[:-KEPT]:
        shutil.rmtree(old.parent, ignore_errors=True)
    partial = core.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    _copy_package(partial)
    translated = partial / "translated"
    build = [sys.executable, "setup.py", "build_ext", "--build-lib", str(partial), "--build-temp", str(translated)]
    # mypy's cache is not that of `nox -s check`, which may run at the same time.
    building = {**os.environ, "OMNIBUS_TRANSLATED": str(translated), "MYPY_CACHE_DIR": str(BUILDS / "mypy")}
    trying = {**os.environ, "PYTHONPATH": str(partial)}
    with (partial / "compile.log").open("wb") as log:
        for command, environ in ((build, building), ([sys.executable, "-m", "omnibus", "games"], trying)):
            if subprocess.run(command, cwd=ROOT, env=environ, stdout=log, stderr=log, check=False).returncode:
                shutil.copy(log.name, failed)
                shutil.rmtree(partial, ignore_errors=True)
                return False
    shutil.rmtree(translated, ignore_errors=True)
    (partial / "done").touch()
    partial.rename(core)
    return True


def _copy_package(folder: Path) -> None:
    """Bring what is not compiled up to date in a copy of the package: modules, texts, templates."""
    kept = set()
    for path in SOURCE.glob("omnibus/**/*"):
        if path.is_file() and "__pycache__" not in path.parts:
            copy = folder / path.relative_to(SOURCE)
            kept.add(copy)
            if not copy.exists() or copy.read_bytes() != path.read_bytes():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
    for copy in folder.glob("omnibus/**/*"):
        if copy.is_file() and copy not in kept and copy.suffix not in (".so", ".pyd", ".pyc"):
            copy.unlink()


@contextmanager
def alone() -> Iterator[None]:
    """Wait until no other process installs or compiles here, and keep others waiting; even if killed, it ends."""
    BUILDS.mkdir(exist_ok=True)
    with (BUILDS / "lock").open("w") as file:
        while not _locked(file.fileno()):
            pass
        yield


def _locked(file: int) -> bool:
    """Wait for a lock; False when it is time to try again."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_LOCK, 1)  # gives up after ten seconds
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    core = compiled_core()
    if not core:
        sys.exit(1)
    print(core)
