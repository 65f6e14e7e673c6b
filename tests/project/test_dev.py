"""The first commands in a checkout, on machines that lack something, and what they hand over to."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

import dev as program
from release import core as building

ROOT = Path(__file__).parents[2]
pytest_plugins = "pytester"

NO_NETWORK = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": os.devnull, "PIP_CONFIG_FILE": os.devnull}


def dev(*arguments: str, at: Path = ROOT, **environ: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(at / "dev.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environ}, check=False)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with what dev.py needs to begin."""
    for name in ("dev.py", "setup.py", "pyproject.toml", "constraints.txt", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / name)
    for name in ("release", "src"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("*.egg-info", "__pycache__"))
    return tmp_path


@pytest.fixture
def builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for compiled cores."""
    monkeypatch.setattr(building, "BUILDS", tmp_path / "build")
    monkeypatch.setattr(program, "BUILDS", tmp_path / "build")
    monkeypatch.setattr(shutil, "which", lambda name: name)
    return tmp_path / "build"


def test_bare_call_says_what_it_offers() -> None:
    """Called bare it lists its commands; those it hands over are sessions of noxfile.py, and each session says what."""
    offered = set(re.findall(r"^  python3 dev.py (\w+)", dev().stdout, re.MULTILINE))
    tree = ast.parse((ROOT / "noxfile.py").read_text(encoding="utf-8"))
    functions = [each for each in tree.body if isinstance(each, ast.FunctionDef)]
    sessions = {each.name: ast.get_docstring(each) for each in functions if each.decorator_list}
    assert offered - sessions.keys() == {"play", "test", "compile", "run", "python"}
    assert {"full", "check", "tests", "browser", "compiled", "nightly", "texts"} <= sessions.keys()
    assert all(sessions.values())


def test_an_old_python_is_told(checkout: Path) -> None:
    """It can read dev.py, and gets a sentence that names both versions."""
    path, here = checkout / "dev.py", f"{sys.version_info[0]}.{sys.version_info[1]}"
    text = path.read_text(encoding="utf-8")
    ast.parse(text, feature_version=(3, 7))
    assert "import tomllib" not in text.partition("sys.version_info")[0]
    path.write_text(text.replace("(3, 11)", "(9, 0)").replace("needs Python 3.11", "needs Python 9.0"), "utf-8")
    answer = dev("play", at=checkout)
    told = f"Omnibus needs Python 9.0 or newer; this is Python {here}.\n"
    assert (answer.returncode, answer.stderr) == (1, told)


def test_what_is_missing_is_told(checkout: Path) -> None:
    """In one sentence: the package without which Debian's python3 makes no environments, the network, a folder."""
    (checkout / "ensurepip.py").write_text("raise ImportError('left out')\n")
    no_venv = dev("play", at=checkout)
    (checkout / "ensurepip.py").unlink()
    no_network = dev("play", at=checkout, **NO_NETWORK)
    shutil.rmtree(checkout / "build")
    (checkout / "build").write_text("a file where the folder should be")
    no_folder = dev("play", at=checkout)
    for answer, said in (
        (no_venv, r".*-venv`\n"),
        (no_network, r".*Is there a network connection\?.*\n"),
        (no_folder, r".*File exists: .*build'\n"),
    ):
        assert (answer.returncode, bool(re.fullmatch(said, answer.stderr))) == (1, True), answer.stderr
    assert (checkout / ".venv" / "install.log").exists()


def test_two_at_once_do_not_disturb_each_other() -> None:
    """One installs or compiles at a time; if it is killed, the other goes on."""
    hold = "import sys; from release.core import alone\nwith alone(): print('in', flush=True); sys.stdin.read()"
    wait = "from release.core import alone\nwith alone(): print('in too')"
    python = [sys.executable, "-c"]
    with subprocess.Popen([*python, hold], cwd=ROOT, stdin=-1, stdout=-1, text=True) as first:
        assert first.stdout
        assert first.stdout.readline() == "in\n"
        with subprocess.Popen([*python, wait], cwd=ROOT, stdout=-1, text=True) as second:
            with pytest.raises(subprocess.TimeoutExpired):
                second.wait(1)
            first.kill()
            assert second.communicate()[0] == "in too\n"


def test_the_first_page_needs_few_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`play` installs the dependencies of playing alone, and nothing where an extra has brought them."""
    pip = Mock(return_value=Mock(returncode=0))
    monkeypatch.setattr(program, "VENV", tmp_path)
    monkeypatch.setattr(program, "make_venv", lambda: None)
    monkeypatch.setattr(subprocess, "run", pip)

    def installed(extra: str) -> list[str]:
        pip.reset_mock()
        program.environment(extra)
        return [str(word) for call in pip.mock_calls for word in call.args[0]]

    few = installed("play")
    assert any(word.startswith("fastapi>=") for word in few)
    assert not any("mypy" in word or "omnibus-games" in word or word == "--editable" for word in few)
    assert installed("play") == []
    (tmp_path / "installed-play").unlink()
    (tmp_path / "one.dist-info").mkdir()
    assert installed("compile")[-1] == f"{ROOT}[compile]"
    assert installed("play") == []
    (tmp_path / "one.dist-info").rmdir()  # as uv does, which removes what it has not installed
    assert installed("play") == few


def test_a_partial_core_is_never_used(builds: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The core is compiled in a folder of its own, and has its place only when all of it is there and runs."""
    core = building.core_folder()
    run = Mock(side_effect=lambda command, **_: Mock(returncode=int("games" in command or core.exists())))
    monkeypatch.setattr(subprocess, "run", run)
    assert building.compiled_core() is None
    assert [path.name for path in builds.iterdir() if path.name != "lock"] == [f"{core.name}.failed"]
    assert building.compiled_core() is None
    assert run.call_count == 2  # it is not tried again
    (builds / f"{core.name}.failed").unlink()
    run.side_effect = lambda *_, **__: Mock(returncode=int(core.exists()))
    assert building.compiled_core() == core
    assert (core / "done").exists()
    left_over = core / "omnibus" / "left_over.py"
    left_over.touch()
    assert building.compiled_core() == core
    assert not left_over.exists()


def test_people_play_while_the_core_is_compiled(builds: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first start runs the sources and names the core to come; it ends what runs in the background."""
    calls: list[dict[str, str]] = []
    started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    monkeypatch.setattr(program, "environment", lambda extra: None)
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: started)
    monkeypatch.setattr(program, "call", lambda _, **environ: calls.append(environ))
    monkeypatch.setattr(program, "said", lambda *_: "the core")
    program.play("--no-browser")
    assert started.poll() is not None
    core = building.core_folder()
    core.mkdir(parents=True)
    (core / "done").touch()
    program.play("--no-browser")
    assert calls == [
        {"PYTHONPATH": str(ROOT / "src"), "OMNIBUS_NEXT_CORE": str(core)},
        {"PYTHONPATH": "the core", "OMNIBUS_CORE": "compiled"},
    ]


def test_slow_tests_are_asked_for(pytester: pytest.Pytester) -> None:
    """Plain pytest leaves out what is nightly or a walk; the mark or the name of the file brings it back."""
    pytester.makeconftest((ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"))
    pytester.makeini("[pytest]\nmarkers =\n  nightly\n  walk\n")
    kill = "import pytest\npytestmark = pytest.mark.nightly\ndef test_kill(): pass\n"
    mixed = "import pytest\ndef test_quick(): pass\n@pytest.mark.walk\ndef test_walk(): pass\n"
    pytester.makepyfile(test_kill=kill, test_mixed=mixed)

    def passed(*arguments: str) -> list[str]:
        found, _, _ = pytester.inline_run(*arguments, "-p", "no:cacheprovider", "-p", "no:schemathesis").listoutcomes()
        return [report.nodeid.split("::")[1] for report in found]

    assert passed() == ["test_quick"]
    assert passed("-m", "nightly") == ["test_kill"]
    assert passed("-m", "walk") == ["test_walk"]
    assert passed("test_kill.py") == ["test_kill"]
    assert passed("test_mixed.py") == ["test_quick", "test_walk"]


def test_what_is_traced_is_saved_in_time(tmp_path: Path) -> None:
    """What a process has recorded is there when its tests are done, also if it is killed at once (pytest-xdist)."""
    pytest.importorskip("coverage")
    script = "import os; from support.tracing import save_traced; save_traced(); os.kill(os.getpid(), 9)"
    settings = {**os.environ, "COVERAGE_FILE": str(tmp_path / "found"), "PYTHONPATH": str(ROOT / "tests")}
    (tmp_path / "script.py").write_text(script)
    command = [sys.executable, "-m", "coverage", "run", "--rcfile=", "script.py"]
    assert subprocess.run(command, cwd=tmp_path, env=settings, check=False).returncode == -9
    assert (tmp_path / "found").stat().st_size
