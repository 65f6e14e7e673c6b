"""The commands of the project, on machines that lack something."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
DEV = ROOT / "dev.py"


def dev(*arguments: str, at: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(at / "dev.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """An empty folder with what dev.py needs to begin."""
    for name in ("dev.py", "setup.py", "pyproject.toml", "constraints.txt", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("*.egg-info", "__pycache__"))
    return tmp_path


def test_bare_call_says_what_it_offers() -> None:
    """Called bare it lists its commands; a wrong one is named, with exit code 2."""
    for command in ("play", "test", "check", "bench", "run", "python"):
        assert f"dev.py {command}" in dev().stdout
    wrong = dev("paly")
    assert (wrong.returncode, wrong.stderr) == (2, "There is no command 'paly'.\n")


def test_an_old_python_can_read_it() -> None:
    """An older Python gets a sentence, not a SyntaxError: nothing newer than 3.6 is written here."""
    ast.parse(DEV.read_text(encoding="utf-8"), feature_version=(3, 6))
    assert "from __future__" not in DEV.read_text(encoding="utf-8")


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


def test_no_addresses_are_committed() -> None:
    """No registry or host address stands in what describes the environment."""
    for name in ("pyproject.toml", "constraints.txt", "dev.py", "setup.py", ".ci/run"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert "://" not in text, name
        assert "index-url" not in text, name
