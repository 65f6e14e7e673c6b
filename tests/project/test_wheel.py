"""The wheel: built, installed in an environment of its own, with the compiled core, opening the page.

It packs the core that `dev.py test` compiles, so that nothing is compiled twice; the dependencies are
those of the tests. `dev.py release` builds everything from nothing and installs it with all dependencies.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("mypyc")  # it takes the extra `compile` to build a wheel without a network
import omnibus
from release.core import core_folder

ROOT = Path(__file__).parents[2]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]


def build(folder: Path, core: Path | None) -> Path:
    """Build the wheel from a copy of the tree with pip, without a network."""
    tree = folder / "tree"
    tree.mkdir()
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree / name)
    shutil.copytree(ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("*.egg-info", "__pycache__"))
    settings = {"OMNIBUS_BUILT": str(core)} if core else {"OMNIBUS_PURE": "1"}
    command = [*PIP, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder), str(tree)]
    run(command, {**os.environ, **settings})
    (built,) = folder.glob("*.whl")
    return built


def install(wheel: Path, folder: Path) -> str:
    """Install the wheel in a new environment, with the dependencies of this one; return the environment's Python."""
    venv.create(folder, with_pip=False, symlinks=os.name == "posix")
    python = str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    run([*PIP, "--python", python, "install", "--no-deps", "--no-index", "--no-compile", str(wheel)])
    packages = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
    (Path(packages) / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def run(command: list[str], environment: dict[str, str] | None = None, at: Path = ROOT) -> str:
    done = subprocess.run(command, env=environment, cwd=at, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def check_contents(wheel: Path, core: Path | None) -> None:
    """The package is in it, all of it, with the libraries of the core; its name says whether there are any."""
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
    assert wheel.name.startswith(f"omnibus_games-{omnibus.__version__}-")
    assert wheel.name.endswith("-py3-none-any.whl") == (core is None)
    libraries = {path.name for path in core.rglob("*") if path.suffix in (".so", ".pyd")} if core else set()
    assert {name.split("/")[-1] for name in names if name.endswith((".so", ".pyd"))} == libraries
    sources = [path for path in (ROOT / "src" / "omnibus").rglob("*") if path.is_file()]
    assert not {path.relative_to(ROOT / "src").as_posix() for path in sources if path.suffix != ".pyc"} - names


def test_a_failed_compile_leaves_a_pure_wheel(tmp_path: Path) -> None:
    """All or nothing: if one library cannot be had, none is in the wheel, and its name says so."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    broken = tmp_path / "core"
    (broken / f"b{suffix}").mkdir(parents=True)
    (broken / f"a{suffix}").touch()
    check_contents(build(tmp_path, broken), None)


def test_the_wheel_opens_the_page(tmp_path: Path) -> None:
    """In an environment of its own it runs the compiled core (if there is one), and `omnibus-games` opens the page."""
    core = folder if ((folder := core_folder()) / "done").exists() else None
    wheel = build(tmp_path, core)
    check_contents(wheel, core)
    python = install(wheel, tmp_path / "environment")
    plain = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "OMNIBUS_CORE")}
    check = [python, str(ROOT / "release" / "check_installed.py"), "compiled" if core else "interpreted"]
    assert "the page opens" in run(check, plain, tmp_path)
