"""What contributors and CI run: `nox --list` names the sessions, `nox --session tests` runs one.

They run in the environment that is active, and install nothing: `python3 dev.py NAME` makes .venv and runs a session in
it, `uv run nox -s NAME` does so in that of uv; with pip it takes `pip install -e ".[dev]"` and `nox -s NAME`.
What follows `--` goes to the program a session runs, for example `nox -s tests -- tests/games/bus -x`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nox

ROOT = Path(__file__).parent
BUILDS = ROOT / "build"
PROCESSORS = os.cpu_count() or 1
PYTEST = ("python", "-m", "pytest", "--dist", "worksteal", "--numprocesses")  # who is done takes over from another
COMPUTING, WAITING = str(PROCESSORS), str(2 * PROCESSORS)  # tests that compute; tests that wait for clocks and sockets
FAST = ("tests", "--ignore=tests/browser")  # tests/conftest.py leaves out what is slow
AGAIN = ("tests", "--ignore=tests/browser", "-m", "(engine or walk) and not nightly")  # on the compiled core
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

nox.options.default_venv_backend = "none"
nox.options.sessions = ["check", "tests"]


@nox.session
def check(session: nox.Session) -> None:
    """Check format, lint, types, import contracts and workflows; --fix repairs what it can."""
    fix = "--fix" in session.posargs
    session.run("ruff", "check", *(["--fix"] if fix else []), ".")
    session.run("ruff", "format", *([] if fix else ["--check"]), ".")
    session.run("mypy")
    session.run("lint-imports")
    session.run("python", "release/texts.py", "--check")
    session.run("zizmor", "--offline", "--quiet", ".github")
    if shutil.which("actionlint"):  # a program written in Go, which CI installs
        session.run("actionlint", external=True)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the fast tests: engines, kernel, API, and the server on SQLite."""
    pytest(session, *(session.posargs or FAST), workers=WAITING, OMNIBUS_TEST_DATABASE="sqlite")


@nox.session
def browser(session: nox.Session) -> None:
    """Run the tests of the pages in Chromium; it may install Chromium and npm, unless --no-system is given."""
    system_packages(session, "chromium", "npm")
    static_site(session)
    pytest(session, *(posargs(session) or ["tests/browser"]), workers=WAITING, **on_core(session))


@nox.session
def compiled(session: nox.Session) -> None:
    """Run the tests of the engines on the compiled core, with the long games and searches among them."""
    pytest(session, *(session.posargs or AGAIN), workers=COMPUTING, **on_core(session))


@nox.session
def nightly(session: nox.Session) -> None:
    """Run the tests that take long: kills, Ray, every shape and language; those of the engines on more examples."""
    system_packages(session, "chromium", "npm", "postgresql")
    static_site(session)
    chosen = posargs(session) or ["tests"]
    more = ("--hypothesis-profile=nightly", "-m", "nightly or engine or walk")
    pytest(session, *chosen, *more, workers=COMPUTING, **on_core(session))


@nox.session
def full(session: nox.Session) -> None:
    """Run all tests but the nightly ones, with coverage: `python3 dev.py test`.

    Tracing takes most of the time. So the tests run traced on the sources, those of the server without tracing the
    engines; beside them, what the browser does, and the engines' tests on the compiled core, run without being traced.
    """
    system_packages(session, "chromium", "npm", "postgresql")
    if posargs(session):
        session.run("python", "-m", "pytest", *posargs(session))
    else:
        run_everything(session)


@nox.session
def docs(session: nox.Session) -> None:
    """Draw the figures and build the documentation site into build/docs."""
    session.run("python", "docs/pictures/figures.py")
    strict = ("--fail-on-warning", "--keep-going", "--quiet")
    session.run("python", "-m", "sphinx", *strict, "--conf-dir", "docs", *session.posargs, ".", "build/docs")
    session.log("The documentation is in build/docs/index.html.")


@nox.session
def bench(session: nox.Session) -> None:
    """Run the benchmarks, or one program of benchmarks/: --load, --kills, --fuzz … with its own options."""
    if "--help" in session.posargs[:1]:
        session.run("python", "benchmarks/bench.py", "--help")
        names = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py") if "argparse" in path.read_text())
        session.log("Instead of the speed of the engines: --fuzz --delay --click --" + " --".join(names))
        return
    environ = on_core(session)
    core = environ.get("PYTHONPATH", "")
    environ["PYTHONPATH"] = os.pathsep.join([core or "src", "tests"])
    fuzz, speed = ["-m", "support.fuzz"], ["benchmarks/bench.py", "--compiled", core]
    name, *rest = session.posargs or ["--all"]
    short = {"--delay": "bot_delay", "--click": "click_reaction"}
    script = ROOT / "benchmarks" / f"{short.get(name, name[2:])}.py"
    programs: list[list[str]] = [[*speed, *session.posargs]]
    if name == "--all":
        programs = [speed, ["benchmarks/load.py"], fuzz, ["benchmarks/kills.py"]]
    elif name == "--fuzz":
        programs = [[*fuzz, *rest]]
    elif script.exists():
        programs = [[str(script), *(["--core", core] if name == "--wheel" else []), *rest]]
    for program in programs:
        session.run("python", *program, env=environ)


@nox.session
def release(session: nox.Session) -> None:
    """Build wheels and source into dist and check them; with a version, also tag it."""
    session.run("python", "release/texts.py", "--complete")
    session.run("python", "release/release.py", *session.posargs)


@nox.session
def texts(session: nox.Session) -> None:
    """Extract the messages for translation and bring the catalogues up to date."""
    session.run("python", "release/texts.py", *session.posargs)


@nox.session
def pins(session: nox.Session) -> None:
    """Renew constraints.txt with uv; --copy only copies it to where uv reads it, pyproject.toml."""
    if "--copy" not in session.posargs:
        resolve = ["uv", "pip", "compile", "--no-config", "--universal", "--python-version", "3.11", "--all-extras"]
        session.run(*resolve, "--upgrade", "--no-header", "--no-annotate", "-o", "constraints.txt", "pyproject.toml")
    project = ROOT / "pyproject.toml"
    lines = [f'    "{pin}",\n' for pin in (ROOT / "constraints.txt").read_text().splitlines()]
    copied = f"constraint-dependencies = [\n{''.join(lines)}]"
    project.write_text(re.sub(r"(?ms)^constraint-dependencies = \[.*?^\]", lambda _: copied, project.read_text()))


@nox.session(venv_backend="uv", reuse_venv=True)
def lowest(session: nox.Session) -> None:
    """Run the fast tests in an environment of their own, with the lowest versions that pyproject.toml allows."""
    session.install("--no-config", "--resolution", "lowest-direct", "--editable", ".[test]")
    pytest(session, *(session.posargs or FAST), workers=WAITING, OMNIBUS_TEST_DATABASE="sqlite")


def run_everything(session: nox.Session) -> None:
    """Run the traced tests, with the others beside them."""
    BUILDS.mkdir(exist_ok=True)
    session.run("coverage", "erase")
    with ThreadPoolExecutor() as beside:
        core = beside.submit(on_core, session)
        site = beside.submit(static_site, session)

        def browser_tests() -> tuple[bool, str]:
            site.result()
            return logged("browser", "tests/browser", workers=WAITING, **core.result())

        pages = beside.submit(browser_tests)
        engines = beside.submit(lambda: logged("compiled", *AGAIN, workers=COMPUTING, **core.result()))
        traced(session, *FAST, "--ignore=tests/server", workers=COMPUTING)
        traced(session, "tests/server", workers=WAITING, source="omnibus.server,omnibus.cli")
    session.run("coverage", "combine", "--quiet")
    session.run("coverage", "report", "--skip-covered")
    for passed, output in (pages.result(), engines.result()):
        print(output, end="")
        if not passed:
            session.error("tests have failed")


def pytest(session: nox.Session, *arguments: str, workers: str, **environ: str) -> None:
    """Run tests in several processes."""
    session.run(*PYTEST, workers, *arguments, env=environ)


def traced(session: nox.Session, *arguments: str, workers: str, source: str = "omnibus") -> None:
    """Run tests in several processes and record which lines they run."""
    session.run("coverage", "run", f"--source={source}", *PYTEST[1:], workers, *arguments)


def logged(name: str, *arguments: str, workers: str, **environ: str) -> tuple[bool, str]:
    """Run tests beside others: return whether they passed, and what they printed."""
    log = BUILDS / f"{name}.log"
    with log.open("w") as file:
        done = subprocess.run([*PYTEST, workers, *arguments], env={**os.environ, **environ}, stdout=file, stderr=file)
    return done.returncode == 0, log.read_text()


def on_core(session: nox.Session) -> dict[str, str]:
    """Compile the core unless it is done; return the variables with which programs run on it, if it is there."""
    core = session.run("python", "-m", "release.core", silent=True, stderr=None, success_codes=(0, 1))
    return {"PYTHONPATH": core.strip(), "OMNIBUS_CORE": "compiled"} if isinstance(core, str) and core else {}


def static_site(session: nox.Session) -> None:
    """Build the site without a server, for which several browser tests would wait."""
    if shutil.which("npm"):
        session.run("python", "tests/support/static_site.py", silent=True)


def posargs(session: nox.Session) -> list[str]:
    """Return the arguments for pytest."""
    return [each for each in session.posargs if each != "--no-system"]


def system_packages(session: nox.Session, *wanted: str) -> None:
    """Install what tests need of the operating system, on Debian and Ubuntu; --no-system does without.

    Whatever is missing afterwards, the tests that need it are skipped and say so.
    """
    there = {
        "chromium": any(shutil.which(name) for name in (os.environ.get("CHROMIUM", ""), *BROWSERS) if name),
        "npm": shutil.which("npm") and shutil.which("node"),
        "postgresql": shutil.which("initdb") or any(Path("/usr/lib/postgresql").glob("*/bin/initdb")),
    }
    missing = [name for name in wanted if not there[name]]
    if not missing or "--no-system" in session.posargs or not shutil.which("apt-get"):
        return
    if "chromium" in missing:
        missing.append("chromium-headless-shell")  # the same without windows, faster
    sudo = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    session.warn(
        f"Installing {', '.join(missing)} with apt-get for the tests that need it; --no-system would skip them."
    )
    session.run(*sudo, "apt-get", "update", "--quiet", success_codes=range(256), external=True)
    for package in missing:
        install = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "--quiet", "--yes", package]
        session.run(*install, success_codes=range(256), external=True)
