"""The commands of this project, for people and for CI.

It needs nothing but Python 3.11 or newer. It creates the virtual environment (.venv) and the compiled core (build), and
rebuilds them only after a change. Older versions of Python can parse this file and say that they are too old.
"""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator

ROOT = Path(__file__).resolve().parent
SOURCE = ROOT / "src" / "omnibus"
VENV = ROOT / ".venv"
BUILDS = ROOT / "build"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
OLDEST = (3, 11)
KEPT_BUILDS = 4  # older ones are removed; the last ones may still be in use
ON_POSTGRES = (  # what is not tested without it
    "store/postgres*.py", "store/hint_channel.py", "store/copying.py", "tables/following.py",
    "tables/other_processes.py", "tables/shared_presence.py", "supervisor.py", "http/socket_router.py",
)  # fmt: skip
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

USAGE = """Omnibus: city board games to play, analyse and learn.

  python3 dev.py play        play in the browser; `play GAME` plays in the terminal
  python3 dev.py test        run all tests; arguments are passed to pytest
  python3 dev.py check       check format, lint, types and import contracts; --fix repairs what it can
  python3 dev.py bench       run all benchmarks, send the server a million hostile inputs, and kill it 1,000 times
                             (--fuzz, --kills, --load, --attack, --delay, --click, --wheel, --container, --tournament,
                             --offline: only that one)
  python3 dev.py compile     compile the core now; `play` does it in the background
  python3 dev.py run ...     run the command `omnibus`, for example `run games` or `run simulate GAME --games 1000`
  python3 dev.py docs        build the documentation site into build/docs
  python3 dev.py release     build wheels and source into dist and check them; `release 1.2.3` also tags
  python3 dev.py python ...  run Python with the compiled core and the learning environments, for example
                             `python examples/random_self_play.py`
"""


class UserError(Exception):
    """A problem the user has to solve, in one sentence."""


def main(arguments: "list[str]") -> int:
    commands = {"play": play, "test": test, "check": check, "bench": bench, "run": run, "python": python}
    commands.update({"compile": build_core, "docs": docs, "release": release})
    if not arguments or arguments[0] in ("help", "-h", "--help"):
        print(USAGE)
        return 0
    if arguments[0] not in commands:
        print(USAGE)
        print("There is no command {!r}.".format(arguments[0]), file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was started is stopped too
    try:
        if sys.version_info < OLDEST:
            raise UserError(
                "Omnibus needs Python {}.{} or newer; this is Python {}.{}.".format(*OLDEST, *sys.version_info)
            )
        return commands[arguments[0]](arguments[1:])
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def play(arguments: "list[str]") -> int:
    """Play in the browser or, with the name of a game, in the terminal.

    The first time nobody waits for the compiled core: it is built while people play. The bots of the server use it as
    soon as it is there, everything else at the next start (docs/decisions/0025-first-page-wheels-documentation.md).
    """
    environment("play")
    terminal = bool(arguments) and not arguments[0].startswith("-")
    command = [str(PYTHON), "-m", "omnibus", "play" if terminal else "serve", *arguments]
    core = core_folder()
    if (core / "done").exists():
        return call(command, compiled_core())
    compiling = compile_in_background(core)
    try:
        return call(command, settings={"PYTHONPATH": str(SOURCE.parent), "OMNIBUS_NEXT_CORE": str(core)})
    finally:
        stop(compiling)


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


def stop(background: "subprocess.Popen[bytes] | None") -> None:
    if background and background.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(background.pid, signal.SIGTERM)
        else:
            background.terminate()
        background.wait()


def build_core(arguments: "list[str]") -> int:
    """Compile the core; with --background, whatever else runs comes first."""
    if "--background" in arguments and hasattr(os, "nice"):
        os.nice(19)
    environment("compile")
    return 0 if compiled_core() else 1


def run(arguments: "list[str]") -> int:
    environment("compile")
    return call([str(PYTHON), "-m", "omnibus", *arguments], compiled_core())


def python(arguments: "list[str]") -> int:
    environment("compile")
    environment("rl")
    return call([str(PYTHON), *arguments], compiled_core())


def docs(arguments: "list[str]") -> int:
    """Draw the figures and build the documentation site into build/docs."""
    environment("docs")
    site = BUILDS / "docs"
    failed = call([str(PYTHON), str(ROOT / "docs" / "pictures" / "figures.py")])
    sphinx = [str(PYTHON), "-m", "sphinx", "--builder", "html", "--conf-dir", str(ROOT / "docs"), "--quiet"]
    failed = failed or call([*sphinx, "--fail-on-warning", "--keep-going", *arguments, str(ROOT), str(site)])
    if not failed:
        print("The documentation is in {}.".format(site / "index.html"))
    return failed


def release(arguments: "list[str]") -> int:
    """Build wheels and source, and check them; with a version, also write the changelog and tag (docs/releasing.md)."""
    environment("compile")
    return call([str(PYTHON), str(ROOT / "release" / "release.py"), *arguments])


def test(arguments: "list[str]") -> int:
    """Run all tests: those of the engines on the sources and on the compiled core, all others on the compiled core.

    The compiled core is what people run, and faster; where it cannot be built, everything runs on the sources. Tracing
    takes most of the time, so every module is traced by the tests that are about it: what is compiled by those of the
    engines, on the sources, the server by its own. Long games and searches (the mark `walk`) and what the browser does
    are not traced. The first tests run while the core is compiled.
    """
    environment("dev")
    if arguments:
        return call([str(PYTHON), "-m", "pytest", *arguments])
    chromium()
    untested = [] if postgres() else ["--omit=" + ",".join("*/server/" + name for name in ON_POSTGRES)]
    coverage = [str(PYTHON), "-m", "coverage"]
    spread = ["-m", "pytest", "--dist", "worksteal", "--numprocesses"]  # who is done takes over from another
    pytest = [*spread, "auto"]
    waiting = [*spread, str(2 * (os.cpu_count() or 1))]  # for the disk, for other processes
    apart = "--ignore=tests/browser"  # they have event loops of another kind
    engines = [apart, "--ignore=tests/server"]
    traced = [*coverage, "run", *pytest]
    server = [*coverage, "run", "--source=omnibus.server,omnibus.cli", *waiting, "tests/server"]
    failed = call([*coverage, "erase"])
    with ThreadPoolExecutor() as meanwhile:
        compiling, building = meanwhile.submit(compiled_core), meanwhile.submit(static_site)
        failed = failed or call([*traced, *engines, "-m", "engine and not walk"])
    core = compiling.result()
    failed = failed or building.result()
    failed = failed or call([*traced, *engines, "-m", "not engine and not walk"], core)
    failed = failed or call([*server, "-m", "not walk"], core)
    failed = failed or call([*coverage, "combine", "--quiet"])
    failed = failed or call([*coverage, "report", "--skip-covered", "--fail-under=97", *untested])
    failed = failed or call([str(PYTHON), *pytest, "tests/browser"], core)
    return failed or call([str(PYTHON), *pytest, apart, "-m", "engine or walk" if core else "walk"], core)


def chromium() -> None:
    """Make sure that there is a browser for the browser tests."""
    if any(shutil.which(name) for name in (os.environ.get("CHROMIUM", ""), *CHROMIUMS) if name):
        return
    if apt_installed("chromium", "Installing Chromium for the browser tests"):
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


def static_site() -> int:
    """Build the static site for the browser tests, unless these sources have not changed; get npm if it is missing."""
    if not (shutil.which("npm") and shutil.which("node")) and not apt_installed(
        "npm", "Installing npm for the static site"
    ):
        raise UserError(
            "The tests of the static site need npm and Node.js, which could not be installed; install them."
        )
    BUILDS.mkdir(exist_ok=True)
    log = BUILDS / "site.log"
    failed = logged([str(PYTHON), str(ROOT / "tests" / "support" / "static_site.py")], log, "Building the static site")
    if failed:
        print(log.read_text(), flush=True)
    return failed


def apt_installed(package: str, said: str) -> bool:
    """Install a package of Debian or Ubuntu; False if that is not possible."""
    root = not hasattr(os, "geteuid") or os.geteuid() == 0
    if not shutil.which("apt-get") or not (root or shutil.which("sudo")):
        return False
    apt = [*([] if root else ["sudo", "-n"]), "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    log = VENV / (package + ".log")
    return not logged([*apt, "update"], log, said) and not logged([*apt, "install", "--yes", package], log, said)


def check(arguments: "list[str]") -> int:
    environment("dev")
    fix = "--fix" in arguments
    failed = call([str(PYTHON), "-m", "ruff", "check", *(["--fix"] if fix else []), "."])
    failed |= call([str(PYTHON), "-m", "ruff", "format", *([] if fix else ["--check"]), "."])
    failed |= call([str(PYTHON), "-m", "mypy"])
    failed |= call([str(PYTHON), "-c", "from importlinter.cli import lint_imports_command as c; c()"])
    return failed


def bench(arguments: "list[str]") -> int:
    """Run the benchmarks, the fuzz test and the kill test; with arguments only the selected ones."""
    failed = 0
    if arguments[:1] == ["--fuzz"]:
        environment("dev")
        core = compiled_core()
        path = os.pathsep.join([str(core or SOURCE.parent), str(ROOT / "tests")])
        return call([str(PYTHON), "-m", "support.fuzz", *arguments[1:]], core, {"PYTHONPATH": path})
    if "--wheel" in arguments:
        environment("compile")
        command = [str(PYTHON), str(ROOT / "benchmarks" / "wheel.py"), "--core", str(compiled_core() or "")]
        return call([*command, *[each for each in arguments if each != "--wheel"]])
    scripts = (
        ("--attack", "attack.py", "bench"),
        ("--delay", "bot_delay.py", "bench"),
        ("--container", "container.py", "bench"),
        ("--tournament", "tournament.py", "bench"),
        ("--click", "click_reaction.py", "dev"),
        ("--offline", "offline.py", "dev"),
    )
    for flag, script, extra in scripts:
        if flag in arguments:
            environment(extra)
            command = [str(PYTHON), str(ROOT / "benchmarks" / script)]
            return call([*command, *[each for each in arguments if each != flag]], compiled_core())
    if arguments != ["--kills"] and "--load" not in arguments:
        environment("bench")
        measure = [str(PYTHON), str(ROOT / "benchmarks" / "bench.py"), *arguments]
        failed = call([*measure, "--compiled", str(compiled_core() or "")])
    if not failed and (not arguments or "--load" in arguments):
        environment("bench")
        load = [str(PYTHON), str(ROOT / "benchmarks" / "load.py")]
        failed = call([*load, *[each for each in arguments if each != "--load"]], compiled_core())
    if not failed and not arguments:
        failed = bench(["--fuzz"])
    if not failed and arguments in ([], ["--kills"]):
        kills = os.environ.setdefault("OMNIBUS_KILLS", "1000")
        print("Killing the server {} times:".format(kills), flush=True)
        environment("dev")
        postgres()
        tests = ["tests/server/test_kill.py", "tests/server/test_kill_processes.py"]
        failed = call([str(PYTHON), "-m", "pytest", *tests])
    return failed


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


def project() -> "dict[str, Any]":
    """Read pyproject.toml."""
    import tomllib  # here, because an old Python does not have it

    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


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


def digest(paths: "list[Path]", *words: str) -> str:
    sha = hashlib.sha256("\0".join(words).encode())
    for path in paths:
        sha.update(path.name.encode() + b"\0" + path.read_bytes())
    return sha.hexdigest()


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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
