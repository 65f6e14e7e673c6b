"""What the documents tell a host is true: units, recipes, commands and limits are those of the program."""

from __future__ import annotations

import json
import re
import shlex
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from omnibus.cli.main import app
from omnibus.server.app import create_app
from omnibus.server.http.rate_limits import LIMITS, Quota
from omnibus.server.serve import arranged
from omnibus.server.store.database import Database

ROOT = Path(__file__).parent.parent.parent
DOCUMENT = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")
RECIPE = (ROOT / "docs/hosting/Dockerfile").read_text(encoding="utf-8")
UNIT = ROOT / "docs/hosting/omnibus.service"


def read(arguments: list[str]) -> dict[str, Any]:
    """Read a command as `omnibus` itself would, without doing it; what is no command or option is an error."""
    found: Any = get_command(app)
    while isinstance(found, TyperGroup):
        found, arguments = found.commands[arguments[0]], arguments[1:]
    parameters: dict[str, Any] = found.make_context("omnibus", arguments).params
    return parameters


def instructions(name: str) -> list[str]:
    return re.findall(rf"^{name} (.*)$", RECIPE, re.MULTILINE)


def after_omnibus(command: list[str]) -> list[str]:
    """Return what is said to `python -m omnibus`."""
    assert command[1:3] == ["-m", "omnibus"]
    return command[3:]


def test_the_unit_starts_a_house() -> None:
    """Its command can be read, and leads to a house behind a proxy, with its data where the unit lets it write."""
    unit = ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(UNIT, encoding="utf-8")
    service = unit["Service"]
    said = read(after_omnibus(shlex.split(service["ExecStart"])))
    assert said["data"] == Path("%S") / service["StateDirectory"]
    assert said["host"] == "127.0.0.1"
    assert said["browser"] is False
    house = arranged(said["host"], said["public_url"], said["proxy"])
    assert house.secure
    assert house.limits
    assert service["DynamicUser"] == service["NoNewPrivileges"] == "yes"
    assert service["ProtectSystem"] == "strict"


def test_the_recipe_starts_a_house() -> None:
    """Its command can be read; it is not root, copies what is there, and asks for its health."""
    (entry,), (command,), (port,) = instructions("ENTRYPOINT"), instructions("CMD"), instructions("EXPOSE")
    said = read(after_omnibus(json.loads(entry)) + json.loads(command))
    assert str(said["port"]) == port
    assert [str(said["data"])] == instructions("VOLUME")
    assert arranged(said["host"], said["public_url"], said["proxy"] or []).limits
    assert instructions("USER") == ["omnibus"]
    copied = [path for line in instructions("COPY") if "--from" not in line for path in line.split()[:-1]]
    assert copied
    assert all((ROOT / path).exists() for path in copied)
    assert f"http://127.0.0.1:{port}/healthz" in RECIPE


def test_the_health_check_is_there(tmp_path: Path) -> None:
    """The path the recipe asks for is one of the house."""
    store = Database(tmp_path / "omnibus.db")
    try:
        assert create_app(store, workers=1).url_path_for("healthy") == "/healthz"
    finally:
        store.close()


COMMANDS = [
    line.strip()
    for block in re.findall(r"^```\n(.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE)
    for line in re.sub(r"\\\n\s*", "", block).splitlines()
]


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("omnibus ") and "[" not in line])
def test_commands_can_be_typed(line: str) -> None:
    """Every command of the document is one."""
    assert read(shlex.split(line)[1:])


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith(("docker run", "docker exec"))])
def test_containers_get_commands(line: str) -> None:
    """What is passed into a container is a command, too."""
    words = shlex.split(line)
    begin = words.index("-m") + 2 if "-m" in words else len(words) - words[::-1].index("omnibus")
    assert read(words[begin:])


def test_log_messages_are_real() -> None:
    """What the document says to look for in the logs is what the server writes."""
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src/omnibus/server").rglob("*.py"))
    table = DOCUMENT[DOCUMENT.index("| in the logs |") :].split("\n\n")[0]
    messages = [each for row in table.splitlines()[2:] for each in re.findall(r"`([^`]+)`", row.split("|")[1])]
    assert len(messages) > 3
    for message in messages:
        assert re.search(rf'LOG\.\w+\("{re.escape(message)}"', source), message


def test_all_options_of_serve_are_told() -> None:
    """The table of options has exactly those there are, and the commands of the host are all there."""
    group: Any = get_command(app)
    told = set(re.findall(r"^\| `(--[a-z-]+)`", DOCUMENT, re.MULTILINE))
    there = {name for option in group.commands["serve"].params for name in (*option.opts, *option.secondary_opts)}
    assert told == {name for name in there if name.startswith("--")}
    commands = set(re.findall(r"^\| `omnibus admin ([a-z]+)", DOCUMENT, re.MULTILINE))
    assert commands == set(group.commands["admin"].commands)


@pytest.mark.parametrize("deed", [deed for deed in Quota if deed is not Quota.WARNING])
def test_limits_are_told(deed: Quota) -> None:
    """The table of limits has the figures that are counted with."""
    told = [_told(limit) for limit in LIMITS[deed]]
    assert re.search(rf"^\| [^|]+ \| {told[0]}[^|]* \| {told[1]}[^|]* \|$", DOCUMENT, re.MULTILINE)


def _told(limit: str) -> str:
    number, _, times, unit = limit.split()
    return f"{int(number):,} per {unit}" if times == "1" else f"{int(number):,} per {times} {unit}s"
