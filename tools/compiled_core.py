"""The engines compiled with mypyc, in a copy of the package under build/."""

import shutil
import subprocess
import sys
from pathlib import Path

from tools.environment import alone
from tools.project import BUILDS, PYTHON, ROOT, SOURCE, digest, project
from tools.subprocesses import logged

KEPT_BUILDS = 4  # older ones are removed; the last ones may still be in use


def compiled_core() -> "Path | None":
    """Build the compiled core unless it is up to date; None if it cannot be built.

    The build is a copy of the package with compiled modules, in a folder named after the hash of their sources: an edit
    leads to another folder, so no stale binary ever runs.
    """
    core = core_folder()
    if not (core / "done").exists():
        why = obstacle(core)
        if why:
            return notice(why)
        with alone():
            if not (core / "done").exists() and not compile_core(core):
                return notice("the build failed; see {}".format(core.with_suffix(".failed")))
    copy_package(core)
    return core


def compile_in_background(core: Path) -> "subprocess.Popen[bytes] | None":
    """Begin to compile the core with low priority; None if it cannot be compiled."""
    why = obstacle(core)
    if why:
        notice(why)
        return None
    print("The core is compiled in the background; the bots use it when it is ready.", flush=True)
    BUILDS.mkdir(exist_ok=True)
    with (BUILDS / "background.log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, str(ROOT / "dev.py"), "compile", "--background"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a group of processes, to be stopped together; Ctrl+C is not for them
            creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
        )


def core_folder() -> Path:
    """Name the folder for the compiled core of these sources; it has a file `done` as soon as the core can be used."""
    decisive = [*core_sources(), *sorted((SOURCE / "kernel").glob("*.py")), ROOT / "constraints.txt", ROOT / "setup.py"]
    return BUILDS / digest(decisive, sys.version)[:16]


def obstacle(core: Path) -> "str | None":
    """Say why the core cannot be compiled, if there is a reason."""
    failed = core.with_suffix(".failed")
    if failed.exists():
        return "the last build failed; see {}".format(failed)
    if not any(shutil.which(compiler) for compiler in ("cc", "gcc", "clang", "cl")):
        return "there is no C compiler"
    return None


def compile_core(core: Path) -> bool:
    """Compile a fresh copy of the package, and put it in its place when it is complete; of a failure, keep the log."""
    for old in sorted(BUILDS.glob("*/done"), key=lambda path: path.stat().st_mtime)[:-KEPT_BUILDS]:
        shutil.rmtree(str(old.parent), ignore_errors=True)
    partial = core.with_suffix(".partial")
    for leftover in (partial, core):
        shutil.rmtree(str(leftover), ignore_errors=True)
    copy_package(partial)
    translated = partial / "translated"
    command = [str(PYTHON), "setup.py", "build_ext", "--build-lib", str(partial), "--build-temp", str(translated)]
    log = partial / "compile.log"
    said = "Compiling the core (a minute or two, only after a change)"
    cache = BUILDS / "mypy"  # not that of `dev.py check`, which may run at the same time
    failed = logged(command, log, said, {"OMNIBUS_TRANSLATED": str(translated), "MYPY_CACHE_DIR": str(cache)})
    if not failed:  # it must also run
        log = partial / "check.log"
        command = [str(PYTHON), "-m", "omnibus", "games"]
        failed = logged(command, log, "Checking the core", {"PYTHONPATH": str(partial)})
    if failed:
        log.replace(core.with_suffix(".failed"))
        shutil.rmtree(str(partial), ignore_errors=True)
        return False
    shutil.rmtree(str(translated), ignore_errors=True)
    (partial / "done").touch()
    partial.rename(core)
    return True


def core_sources() -> "list[Path]":
    """List what setup.py compiles."""
    compiled = project()["tool"]["omnibus"]["compiled"]
    sources = [SOURCE / path for path in compiled["loops"]]
    for name in compiled["of_each_game"]:
        sources += sorted(SOURCE.glob("games/*/" + name + ".py")) + sorted(SOURCE.glob("games/*/" + name + "/[!_]*.py"))
    return sources


def copy_package(build: Path) -> None:
    """Copy the rest of the package: modules that are not compiled, texts, templates."""
    kept = set()
    for path in SOURCE.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            copy = build / path.relative_to(SOURCE.parent)
            kept.add(copy)
            if not copy.exists() or copy.read_bytes() != path.read_bytes():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(str(path), str(copy))
    for copy in (build / "omnibus").rglob("*"):
        if copy.is_file() and copy not in kept and copy.suffix not in (".so", ".pyd", ".pyc"):
            copy.unlink()


def notice(why: str) -> "Path | None":
    print("The core runs interpreted: {}.".format(why), file=sys.stderr)
    return None
