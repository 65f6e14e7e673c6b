"""The commands of this project, for people and for CI.

It needs nothing but Python 3.11 or newer. It creates the virtual environment (.venv) and the compiled core (build), and
rebuilds them only after a change. Older versions of Python can parse this file and say that they are too old.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
SOURCE = ROOT / "src" / "omnibus"
VENV = ROOT / ".venv"
BUILDS = ROOT / "build"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
OLDEST = (3, 11)
KEPT_BUILDS = 4  # older ones are removed; the last ones may still be in use
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

USAGE = """Omnibus: city board games to play, analyse and learn.

  python3 dev.py play        play in the browser; `play GAME` plays in the terminal
  python3 dev.py test        run all tests; arguments are passed to pytest
  python3 dev.py check       check format, lint, types and import contracts; --fix repairs what it can
  python3 dev.py bench       run all benchmarks, send the server a million hostile inputs, and kill it 1,000 times
                             (--fuzz, --kills, --load, --attack, --delay: only that one; add --help for choices)
  python3 dev.py run ...     run the command `omnibus`, for example `run games` or `run simulate GAME --games 1000`
  python3 dev.py python ...  run Python with the compiled core and the learning environments, for example
                             `python examples/random_self_play.py`
"""


class UserError(Exception):
    """A problem the user has to solve, in one sentence."""


def main(arguments: "list[str]") -> int:
    commands = {"play": play, "test": test, "check": check, "bench": bench, "run": run, "python": python}
    if not arguments or arguments[0] in ("help", "-h", "--help"):
        print(USAGE)
        return 0
    if arguments[0] not in commands:
        print(USAGE)
        print("There is no command {!r}.".format(arguments[0]), file=sys.stderr)
        return 2
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
    """Play in the browser or, with the name of a game, in the terminal."""
    environment("compile")
    terminal = bool(arguments) and not arguments[0].startswith("-")
    return call([str(PYTHON), "-m", "omnibus", "play" if terminal else "serve", *arguments], compiled_core())


def run(arguments: "list[str]") -> int:
    environment("compile")
    return call([str(PYTHON), "-m", "omnibus", *arguments], compiled_core())


def python(arguments: "list[str]") -> int:
    environment("compile")
    environment("rl")
    return call([str(PYTHON), *arguments], compiled_core())


def test(arguments: "list[str]") -> int:
    """Run the tests on the source tree, then those of the engines on the compiled core.

    Long walks through games (the mark `walk`) run on the compiled core alone, where there is one.
    """
    environment("dev")
    if arguments:
        return call([str(PYTHON), "-m", "pytest", *arguments])
    chromium()
    coverage = [str(PYTHON), "-m", "coverage"]
    pytest = [*coverage, "run", "-m", "pytest", "--numprocesses", "auto"]
    core = compiled_core()
    walks = ["-m", "not walk"] if core else []
    failed = call([*coverage, "erase"]) or call([*pytest, "--ignore=tests/browser", *walks])
    failed = failed or call([*pytest, "tests/browser"])
    failed = failed or call([*coverage, "combine", "--quiet"])
    failed = failed or call([*coverage, "report", "--skip-covered", "--fail-under=97"])
    if failed or core is None:
        return failed
    print("Engine tests on the compiled core:", flush=True)
    return call([str(PYTHON), "-m", "pytest", "-m", "engine", "--numprocesses", "auto", "-p", "no:cacheprovider"], core)


def chromium() -> None:
    """Make sure that there is a browser for the browser tests."""
    if any(shutil.which(name) for name in (os.environ.get("CHROMIUM", ""), *CHROMIUMS) if name):
        return
    root = not hasattr(os, "geteuid") or os.geteuid() == 0
    apt = [*([] if root else ["sudo", "-n"]), "apt-get"]
    if shutil.which("apt-get") and (root or shutil.which("sudo")):
        print("Installing Chromium for the browser tests …", flush=True)
        log = VENV / "chromium.log"
        if not logged([*apt, "update"], log) and not logged([*apt, "install", "--yes", "chromium"], log):
            return
    raise UserError(
        "The browser tests need Chromium, which could not be installed; "
        "install it, or set the environment variable CHROMIUM to its path."
    )


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
        return call([str(PYTHON), str(ROOT / "tests" / "support" / "fuzz.py"), *arguments[1:]], compiled_core())
    for flag, script in (("--attack", "attack.py"), ("--delay", "bot_delay.py")):
        if flag in arguments:
            environment("bench")
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
        failed = call([str(PYTHON), "-m", "pytest", "tests/server/test_kill.py"])
    return failed


def environment(extra: str) -> None:
    """Create or update .venv with one extra of pyproject.toml; does nothing if it is up to date."""
    stamp = VENV / "installed-{}".format(extra)
    wanted = digest([ROOT / "pyproject.toml", ROOT / "constraints.txt"], sys.version, str(ROOT))
    if stamp.exists() and stamp.read_text() == wanted and PYTHON.exists():
        return
    if not works(PYTHON):
        make_venv()
    print("Installing dependencies ({}) …".format(extra), flush=True)
    target = ["--editable", "{}[{}]".format(ROOT, extra), "--constraint", str(ROOT / "constraints.txt")]
    command = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *target]
    log = VENV / "install.log"
    if logged(command, log):
        raise UserError("The dependencies could not be installed. Is there a network connection? See {}.".format(log))
    stamp.write_text(wanted)


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
    decisive = [*core_sources(), *sorted((SOURCE / "kernel").glob("*.py")), ROOT / "constraints.txt", ROOT / "setup.py"]
    build = BUILDS / digest(decisive, sys.version)[:16]
    failed = build.with_suffix(".failed")
    if not (build / "done").exists():
        if failed.exists():
            return notice("the last build failed; see {}".format(failed))
        if not any(shutil.which(compiler) for compiler in ("cc", "gcc", "clang", "cl")):
            return notice("there is no C compiler")
        print("Compiling the core (about a minute, only after a change) …", flush=True)
        if not compile_core(build, failed):
            return notice("the build failed; see {}".format(failed))
    copy_package(build)
    return build


def compile_core(build: Path, failed: Path) -> bool:
    """Compile a fresh copy of the package; on failure the log is kept."""
    for old in sorted(BUILDS.glob("*/done"), key=lambda path: path.stat().st_mtime)[:-KEPT_BUILDS]:
        shutil.rmtree(str(old.parent), ignore_errors=True)
    shutil.rmtree(str(build), ignore_errors=True)
    copy_package(build)
    translated = build / "translated"
    command = [str(PYTHON), "setup.py", "--quiet", "build_ext", "--parallel", str(os.cpu_count() or 1)]
    command += ["--build-lib", str(build), "--build-temp", str(translated)]
    log = build / "compile.log"
    if logged(command, log, settings={"OMNIBUS_TRANSLATED": str(translated)}):
        log.replace(failed)
        return False
    shutil.rmtree(str(translated), ignore_errors=True)
    (build / "done").touch()
    return True


def core_sources() -> "list[Path]":
    """List what setup.py compiles."""
    import tomllib  # here, because an old Python does not have it

    compiled = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["omnibus"]["compiled"]
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


def call(command: "list[str]", path: "Path | None" = None) -> int:
    """Run a command in the project folder; modules are first looked for in `path`."""
    environ = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "OMNIBUS_CORE")}
    if path:
        environ.update(PYTHONPATH=str(path), OMNIBUS_CORE="compiled")  # tests/project/test_core.py checks it
    process = subprocess.Popen(command, cwd=str(ROOT), env=environ)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue  # the command got it too; let it finish its output


def logged(command: "list[str]", log: Path, settings: "dict[str, str] | None" = None) -> int:
    """Run a command quietly; what it says goes to a file."""
    environ = dict(os.environ, **(settings or {}))
    with log.open("wb") as file:
        return subprocess.call(command, cwd=str(ROOT), env=environ, stdout=file, stderr=subprocess.STDOUT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
