"""The release recipe: the changelog it writes, and the workflows, which name only what is there."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from datetime import date
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_the_changelog_is_dated() -> None:
    """What was unreleased gets the version and the date; the heading stays, for what comes next."""
    spec = importlib.util.spec_from_file_location("release", ROOT / "release" / "release.py")
    assert spec
    assert spec.loader
    release = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(release)
    dated = release.dated("# Changelog\n\n## Unreleased\n\n### Added\n\n- All.\n", "1.2.3")
    today = date.today().isoformat()
    assert dated == f"# Changelog\n\n## Unreleased\n\n## 1.2.3 – {today}\n\n### Added\n\n- All.\n"
    with pytest.raises(SystemExit, match="one heading"):
        release.dated(dated.replace("Unreleased", "Nothing"), "1.2.4")
    assert release.CHANGELOG.read_text(encoding="utf-8").count("## Unreleased\n") == 1


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_name_what_is_there(workflow: Path) -> None:
    """The sessions and programs that the workflows run are in the repository, and nothing is published."""
    text = workflow.read_text(encoding="utf-8")
    sessions = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    for command in re.findall(r"- run: ([^#\n]+)", text):
        program, *words = command.split()
        if program == "nox" or words[:1] == ["dev.py"]:
            assert f"def {words[1]}(" in sessions, command
        elif program != "pip":
            assert (ROOT / (words[0] if program == "python" else program)).exists(), command
    assert "publish" not in re.sub(r"#.*", "", text)
    assert "contents: read" in text


def test_wheels_are_checked_on_every_platform() -> None:
    """Cibuildwheel runs the check that is in the repository, for the oldest Python we support and those after it."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheels, oldest = settings["tool"]["cibuildwheel"], settings["project"]["requires-python"].removeprefix(">=")
    _, script, core = wheels["test-command"].split()
    assert (ROOT / script.removeprefix("{project}/")).exists()
    assert core == "compiled"
    assert wheels["build"][0] == f"cp{oldest.replace('.', '')}-*"
