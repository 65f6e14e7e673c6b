"""The commands of the project, on machines that lack something."""

from __future__ import annotations

import ast
import importlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent.parent
PROGRAM = [ROOT / "dev.py", *sorted((ROOT / "tools").glob("*.py"))]


def dev(*arguments: str, at: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(at / "dev.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """An empty folder with what dev.py needs to begin."""
    for name in ("dev.py", "setup.py", "pyproject.toml", "constraints.txt", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / name)
    for name in ("tools", "src"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("*.egg-info", "__pycache__"))
    return tmp_path


def test_bare_call_says_what_it_offers() -> None:
    """Called bare it lists its commands; a wrong one is named, with exit code 2."""
    for command in ("play", "test", "check", "bench", "compile", "run", "python"):
        assert f"dev.py {command}" in dev().stdout
    wrong = dev("paly")
    assert (wrong.returncode, wrong.stderr) == (2, "There is no command 'paly'.\n")


@pytest.mark.parametrize("path", PROGRAM, ids=lambda path: path.name)
def test_an_old_python_can_read_it(path: Path) -> None:
    """An older Python gets a sentence, not a SyntaxError: nothing newer than 3.6 is written here."""
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 6))
    assert "from __future__" not in path.read_text(encoding="utf-8")


def test_old_python_is_told(checkout: Path) -> None:
    """The sentence names both versions."""
    path = checkout / "dev.py"
    path.write_text(path.read_text(encoding="utf-8").replace("OLDEST = (3, 11)", "OLDEST = (9, 0)"), encoding="utf-8")
    answer = dev("play", at=checkout)
    here = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert answer.returncode == 2
    assert answer.stderr == f"Omnibus needs Python 9.0 or newer; this is Python {here}.\n"


def test_missing_venv_is_told(checkout: Path) -> None:
    """Without ensurepip (Debian's python3 without python3-venv) the package to install is named."""
    (checkout / "ensurepip.py").write_text("raise ImportError('left out')\n")
    answer = dev("play", at=checkout)
    assert answer.returncode == 2
    assert "-venv`" in answer.stderr
    assert len(answer.stderr.strip().splitlines()) == 1


def test_no_network_is_told(checkout: Path) -> None:
    """When nothing can be downloaded, one sentence says so and where the details are."""
    cut_off = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(checkout), "PIP_CONFIG_FILE": os.devnull}
    answer = dev("play", at=checkout, **cut_off)
    assert answer.returncode == 2
    assert "Is there a network connection?" in answer.stderr
    assert len(answer.stderr.strip().splitlines()) == 1
    assert (checkout / ".venv" / "install.log").exists()


@pytest.fixture
def program(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """dev.py of the checkout, as a module; its parts are in `tools`."""
    monkeypatch.syspath_prepend(checkout)
    forget_program()
    yield importlib.import_module("dev")
    forget_program()


def forget_program() -> None:
    """Let the next import of dev.py and its parts read the files."""
    for name in [name for name in sys.modules if name == "dev" or name.partition(".")[0] == "tools"]:
        del sys.modules[name]


def part(name: str) -> ModuleType:
    """A part of the program that the test has imported."""
    return sys.modules[f"tools.{name}"]


def test_the_first_page_needs_few_packages(program: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """`play` installs the dependencies of playing alone, and not again where an extra has brought them."""
    commands: list[list[str]] = []

    def install(command: list[str], *_: object) -> int:
        commands.append(command)
        return 0

    monkeypatch.setattr(part("environment"), "works", lambda python: True)
    monkeypatch.setattr(part("environment"), "logged", install)
    program.PYTHON.parent.mkdir(parents=True)
    program.PYTHON.touch()
    program.environment("play")
    (installed,) = commands
    assert "fastapi>=0.139" in installed
    assert not any("mypy" in word or "omnibus-games" in word for word in installed)
    program.environment("play")
    (program.ROOT / ".venv" / "installed-play").unlink()
    program.environment("compile")
    program.environment("play")
    assert [command[command.index("--editable") + 1] for command in commands[1:]] == [f"{program.ROOT}[compile]"]


def test_a_partial_core_is_never_used(program: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """The core is compiled in a folder of its own, and has its place only when all of it is there and runs."""
    core = program.core_folder()
    seen = []

    def stopped(command: list[str], log: Path, *_: object) -> int:
        seen.append(core.exists())
        log.write_text("said")
        return 1 if "games" in command else 0

    monkeypatch.setattr(part("compiled_core"), "logged", stopped)
    monkeypatch.setattr(shutil, "which", lambda name: name)
    assert program.compiled_core() is None
    assert seen == [False, False]
    assert (core.exists(), core.with_suffix(".partial").exists()) == (False, False)
    assert core.with_suffix(".failed").read_text() == "said"
    assert "the last build failed" in part("compiled_core").obstacle(core)
    core.with_suffix(".failed").unlink()
    monkeypatch.setattr(part("compiled_core"), "logged", lambda *_: 0)
    assert program.compiled_core() == core
    assert (core / "done").exists()


def test_people_play_while_the_core_is_compiled(program: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first start runs the sources and names the core to come; it ends what runs in the background."""
    calls: list[tuple[object, ...]] = []
    background = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    core = program.core_folder()

    def call(command: list[str], core: Path | None = None, settings: dict[str, str] | None = None) -> int:
        calls.append((core, settings))
        return 0

    monkeypatch.setattr(program, "environment", lambda extra: calls.append(("install", extra)))
    monkeypatch.setattr(program, "compile_in_background", lambda core: background)
    monkeypatch.setattr(program, "call", call)
    assert program.play(["--no-browser"]) == 0
    settings = {"PYTHONPATH": str(program.ROOT / "src"), "OMNIBUS_NEXT_CORE": str(core)}
    assert calls == [("install", "play"), (None, settings)]
    assert background.poll() is not None
    core.mkdir(parents=True)
    (core / "done").touch()
    assert program.play(["--no-browser"]) == 0
    assert calls[-1] == (core, None)


@pytest.mark.parametrize("core", [Path("core"), None])
def test_every_test_is_run(program: ModuleType, monkeypatch: pytest.MonkeyPatch, core: Path | None) -> None:
    """Whatever its marks are, wherever it is; what is compiled is traced on the sources."""
    runs: list[tuple[list[str], Path | None]] = []

    def call(command: list[str], core: Path | None = None) -> int:
        if "pytest" in command:
            runs.append((command, core))
        return 0

    @contextmanager
    def in_background(command: list[str], _log: Path, core: Path | None, **_: object) -> Iterator[Callable[[], int]]:
        yield lambda: call(command, core)

    for name in ("environment", "chromium", "postgres", "static_site"):
        monkeypatch.setattr(program, name, lambda *_: 0)
    monkeypatch.setattr(program, "compiled_core", lambda: core)
    monkeypatch.setattr(program, "call", call)
    monkeypatch.setattr(program, "in_background", in_background)
    assert program.test([]) == 0
    kinds, folders = product((False, True), repeat=3), ("tests/games", "tests/server", "tests/browser")
    for (engine, uncompiled, walk), folder in product(kinds, folders):
        found = [run for run in runs if selects(run[0], folder, engine=engine, uncompiled=uncompiled, walk=walk)]
        assert found
        on_sources = folder == "tests/games" and uncompiled and not engine and not walk
        assert found[-1][1] == (None if on_sources else core)
        if engine and not walk and folder == "tests/games":
            assert "coverage" in found[0][0]
            assert found[0][1] is None


def selects(command: list[str], folder: str, **marks: bool) -> bool:
    """Tell whether a run of pytest includes tests with these marks in a folder."""
    folders = [word for word in command if word.startswith("tests/")] or ["tests"]
    there = any(f"{folder}/".startswith(f"{each}/") for each in folders) and f"--ignore={folder}" not in command
    options = command[command.index("pytest") :]
    return there and bool(eval(options[options.index("-m") + 1] if "-m" in options else "True", {}, marks))


def test_background(program: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What runs in the background is shown when its end is awaited, with its exit code; otherwise it is stopped."""
    log = tmp_path / "log"
    with program.in_background([sys.executable, "-c", "print('said'); exit(3)"], log, low=True) as finished:
        assert finished() == 3
    assert capsys.readouterr().out == "said\n"
    asleep = "import os, time; print(os.getpid(), flush=True); time.sleep(600)"
    with program.in_background([sys.executable, "-c", asleep], log):
        while not (said := log.read_text()):
            time.sleep(0.01)
    with pytest.raises(ProcessLookupError):
        os.kill(int(said), 0)


def test_fuzzing_finds_its_modules(program: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """`bench --fuzz` starts outside pytest, which has a search path of its own."""
    benchmarks = part("benchmarks")
    monkeypatch.setattr(benchmarks, "ROOT", ROOT)
    monkeypatch.setattr(benchmarks, "SOURCE", ROOT / "src" / "omnibus")
    monkeypatch.setattr(benchmarks, "PYTHON", sys.executable)
    monkeypatch.setattr(benchmarks, "environment", lambda extra: None)
    monkeypatch.setattr(benchmarks, "compiled_core", lambda: None)
    assert program.bench(["--fuzz", "--help"]) == 0


def test_no_addresses_are_committed() -> None:
    """No registry or host address stands in what describes the environment."""
    for path in (*PROGRAM, *(ROOT / name for name in ("pyproject.toml", "constraints.txt", "setup.py", ".ci/run"))):
        text = path.read_text(encoding="utf-8")
        assert "://" not in text, path
        assert "index-url" not in text, path
