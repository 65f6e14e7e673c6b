"""The commands of this project, for people and for CI.

It needs nothing but Python 3.11 or newer. It creates the virtual environment (.venv) and the compiled core (build), and
rebuilds them only after a change. Older versions of Python can parse it and say that they are too old. The parts are in
tools/.
"""

import os
import shutil
import signal
import sys
from concurrent.futures import ThreadPoolExecutor

from tools.benchmarks import bench
from tools.compiled_core import compile_in_background, compiled_core, core_folder
from tools.environment import environment
from tools.project import BUILDS, PYTHON, ROOT, SOURCE, UserError
from tools.subprocesses import call, in_background, logged, stop
from tools.system_packages import apt_installed, chromium, postgres

OLDEST = (3, 11)
ON_POSTGRES = (  # what is not tested without it
    "store/postgres*.py", "store/hint_channel.py", "store/copying.py", "tables/following.py",
    "tables/other_processes.py", "tables/shared_presence.py", "supervisor.py", "http/socket_router.py",
)  # fmt: skip

USAGE = """Omnibus: city board games to play, analyse and learn.

  python3 dev.py play        play in the browser; `play GAME` plays in the terminal
  python3 dev.py test        run all tests; arguments are passed to pytest
  python3 dev.py check       check format, lint, types and import contracts; --fix repairs what it can
  python3 dev.py bench       run all benchmarks, send the server a million hostile inputs, and kill it 1,000 times
                             (--fuzz, --kills, --load, --memory, --attack, --delay, --click, --wheel, --container,
                             --proxies, --tournament, --offline: only that one)
  python3 dev.py compile     compile the core now; `play` does it in the background
  python3 dev.py run ...     run the command `omnibus`, for example `run games` or `run simulate GAME --games 1000`
  python3 dev.py docs        build the documentation site into build/docs
  python3 dev.py release     build wheels and source into dist and check them; `release 1.2.3` also tags
  python3 dev.py python ...  run Python with the compiled core and the learning environments, for example
                             `python examples/random_self_play.py`
"""


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
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or each of many processes would compile all that it imports
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
    are not traced. While the core is compiled, the tests run that do not need it.

    The tests of the server and of the pages leave the processors idle for half of the time, because they wait for other
    processes and for clocks. So the browser tests run beside all others, and the tests that only compute, on the
    compiled core, with a low priority beside both. What these two write is shown at the end.
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
    browsing = [*spread, str((3 * (os.cpu_count() or 1) + 1) // 2)]  # for pages and clocks
    apart = "--ignore=tests/browser"  # they have event loops of another kind
    engines = [apart, "--ignore=tests/server"]
    traced = [*coverage, "run", *pytest]
    schema = "--ignore=tests/server/test_api_schema.py"  # slow to collect, and none of its tests is traced
    server = [*coverage, "run", "--source=omnibus.server,omnibus.cli", *waiting, "tests/server", schema]
    failed = call([*coverage, "erase"])
    with ThreadPoolExecutor() as meanwhile:
        compiling, building = meanwhile.submit(compiled_core), meanwhile.submit(static_site)
        failed = failed or call([*traced, *engines, "-m", "(engine or uncompiled) and not walk"])
    core = compiling.result()
    failed = failed or building.result()
    if failed:
        return failed
    pages = in_background([str(PYTHON), *browsing, "tests/browser"], BUILDS / "browser.log", core)
    again = [str(PYTHON), *pytest, apart, "-m", "engine or walk" if core else "walk"]
    with pages as browser_tests, in_background(again, BUILDS / "engines.log", core, low=True) as engines_again:
        failed = call([*traced, *engines, "-m", "not (engine or uncompiled) and not walk"], core)
        failed = failed or call([*server, "-m", "not walk"], core)
        failed = failed or call([*coverage, "combine", "--quiet"])
        failed = failed or call([*coverage, "report", "--skip-covered", "--fail-under=97", *untested])
        return failed or browser_tests() or engines_again()


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


def check(arguments: "list[str]") -> int:
    environment("dev")
    fix = "--fix" in arguments
    failed = call([str(PYTHON), "-m", "ruff", "check", *(["--fix"] if fix else []), "."])
    failed |= call([str(PYTHON), "-m", "ruff", "format", *([] if fix else ["--check"]), "."])
    failed |= call([str(PYTHON), "-m", "mypy"])
    failed |= call([str(PYTHON), "-c", "from importlinter.cli import lint_imports_command as c; c()"])
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
