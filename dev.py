"""The first command on a machine with nothing but Python 3.11 or newer: it makes .venv and hands over to nox.

  python3 dev.py play        play in the browser; `play GAME` plays in the terminal
  python3 dev.py test        run all tests but the nightly ones; arguments are passed to pytest. It may install
                             Chromium, PostgreSQL and npm with apt, and says so; with --no-system it does without
  python3 dev.py check       check format, lint, types, import contracts and workflows; --fix repairs what it can
  python3 dev.py bench       run all benchmarks; --help lists the parts, such as --load
  python3 dev.py docs        build the documentation site into build/docs
  python3 dev.py release     build wheels and source into dist and check them; `release 1.2.3` also tags
  python3 dev.py compile     compile the core now; `play` does it in the background
  python3 dev.py run ...     run the command `omnibus` on the compiled core: `run simulate GAME --games 1000`
  python3 dev.py python ...  run Python with the compiled core and the learning environments

Any other name is that of a session of noxfile.py: tests, browser, compiled, nightly, texts.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 — an older Python can read this file and comes as far as here
    sys.exit("Omnibus needs Python 3.11 or newer; this is Python {}.{}.".format(*sys.version_info))
import tomllib

from release.core import BUILDS, ROOT, SOURCE, alone, core_folder, digest

VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
PROJECT, PINS = ROOT / "pyproject.toml", ROOT / "constraints.txt"
EXTRAS = {"tests": "test", "release": "compile", "docs": "docs", "bench": "bench", "nightly": "nightly"}  # others: dev


def main(name: str = "help", *arguments: str) -> int:
    """Run a command."""
    if name in ("help", "-h", "--help"):
        print(__doc__)
        return 0
    if name == "play":
        return play(*arguments)
    if name in ("compile", "run", "python"):
        environment("rl" if name == "python" else "compile")
        core = said(PYTHON, "-m", "release.core")
        command = {"run": ["-m", "omnibus"], "python": []}.get(name)
        return int(not core) if command is None else call([PYTHON, *command, *arguments], **settings(core))
    environment(EXTRAS.get(name, "dev"))
    path = os.pathsep.join([str(PYTHON.parent), os.environ.get("PATH", "")])
    return call([PYTHON, "-m", "nox", "--session", "full" if name == "test" else name, "--", *arguments], PATH=path)


def play(*arguments: str) -> int:
    """Play at once; the first time the core is compiled meanwhile, and the bots use it when it is there."""
    environment("play")
    terminal = arguments and not arguments[0].startswith("-")
    command = [PYTHON, "-m", "omnibus", "play" if terminal else "serve", *arguments]
    core = core_folder()
    if (core / "done").exists():
        return call(command, **settings(said(PYTHON, "-m", "release.core")))
    BUILDS.mkdir(exist_ok=True)
    print("The core is compiled in the background; the bots use it when it is ready.", flush=True)
    with (BUILDS / "background.log").open("wb") as log:
        compile_it = [*(["nice", "-n", "19"] if shutil.which("nice") else []), sys.executable, __file__, "compile"]
        compiling = subprocess.Popen(compile_it, stdout=log, stderr=log, start_new_session=True)  # Ctrl+C spares it
    try:
        return call(command, PYTHONPATH=str(SOURCE), OMNIBUS_NEXT_CORE=str(core))
    finally:
        os.killpg(compiling.pid, signal.SIGTERM) if os.name == "posix" else compiling.terminate()
        compiling.wait()


def environment(extra: str) -> None:
    """Make or update .venv with an extra of pyproject.toml; `play` is less: what Omnibus needs, without Omnibus."""
    if installed(extra):
        return
    with alone():
        if installed(extra):  # by another dev.py, just now
            return
        make_venv()
        needed: list[str] = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["dependencies"]
        what = needed if extra == "play" else ["nox", "--editable", f"{ROOT}[{extra}]"]
        print(f"Installing what `{extra}` needs into .venv …", flush=True)
        pip: list[str | Path] = [PYTHON, "-m", "pip", "install", "--no-compile", "--constraint", PINS]
        with (VENV / "install.log").open("wb") as log:
            if subprocess.run([*pip, *what], stdout=log, stderr=log, check=False).returncode:
                sys.exit(f"It could not be installed. Is there a network connection? See {log.name}.")
        there = [str(path.relative_to(VENV)) for path in VENV.rglob("*.dist-info")]
        (VENV / f"installed-{extra}").write_text("\n".join([digest([PINS, PROJECT]), *there]))


def installed(extra: str) -> bool:
    """Tell whether .venv still has what was installed for an extra; each extra has what `play` needs."""
    for stamp in VENV.glob("installed-*" if extra == "play" else f"installed-{extra}"):
        wanted, *there = stamp.read_text().split("\n")
        if wanted == digest([PINS, PROJECT]) and all((VENV / path).exists() for path in there):
            return True
    return False


def make_venv() -> None:
    """Make .venv, unless it is there, of this Python; where uv has made it, add pip."""
    ask = "import sys, importlib.util as u; print(sys.version, bool(u.find_spec('pip')))"
    there = said(PYTHON, "-c", ask) if PYTHON.exists() else ""
    if there == f"{sys.version} True":
        return
    try:
        import ensurepip  # noqa: F401 — Debian and Ubuntu package it separately
        import venv

        venv.create(VENV, with_pip=True, clear=not there.startswith(sys.version))
    except (ImportError, subprocess.CalledProcessError):
        package = "python{}.{}-venv".format(*sys.version_info)
        sys.exit(f"This Python cannot make virtual environments; on Debian and Ubuntu: `sudo apt install {package}`")


def settings(core: str) -> dict[str, str]:
    """Return what a program needs in its environment to run on the compiled core, if there is one."""
    return {"PYTHONPATH": core, "OMNIBUS_CORE": "compiled"} if core else {}


def said(*command: "str | Path") -> str:
    """Return what a command prints."""
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False).stdout.strip()


def call(command: "Sequence[str | Path]", **environ: str) -> int:
    """Run a command; Ctrl+C reaches it too, and it ends in its own time."""
    with subprocess.Popen(command, env={**os.environ, **environ}) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue
            except SystemExit:  # this process is asked to end
                process.terminate()
                raise


if __name__ == "__main__":
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each of many processes would compile all that it imports
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was started is stopped too
    try:
        sys.exit(main(*sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:  # a folder that cannot be written, a full disk
        sys.exit(str(error))
