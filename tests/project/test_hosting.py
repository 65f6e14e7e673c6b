"""The hosting guide is true: its unit, container recipe, commands, log messages and limits are those of the program."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from container import Image
from container import instructions as instructions_of_image
from omnibus.server.config import ServerConfig
from omnibus.server.http import protocols
from omnibus.server.http.rate_limits import LIMITS, Quota
from omnibus.server.serve import server_config
from proxy_config import caddy_config, nginx_config
from support.commands import find, options, parse

ROOT = Path(__file__).parent.parent.parent
DOCUMENT = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")
RECIPE = (ROOT / "docs/hosting/Dockerfile").read_text(encoding="utf-8")
UNIT = ROOT / "docs/hosting/omnibus.service"
COMPOSE = ROOT / "docs/hosting/compose.yaml"
COMPOSE_POSTGRES = ROOT / "docs/hosting/compose.postgres.yaml"


def instructions(name: str) -> list[str]:
    return re.findall(rf"^{name} (.*)$", RECIPE, re.MULTILINE)


def served(command: list[str]) -> tuple[dict[str, Any], ServerConfig]:
    """Return what `omnibus serve` is told by a command, however it is started, and the server that makes."""
    words = [Path(word).name for word in command]
    said = parse(command[words.index("serve") :])
    return said, server_config(said["host"], said["public_url"], said["proxy"] or [])


def test_the_unit_starts_a_server() -> None:
    """The systemd unit starts a server behind a proxy, with its data where the unit may write."""
    unit = ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(UNIT, encoding="utf-8")
    service = unit["Service"]
    said, config = served(shlex.split(service["ExecStart"]))
    assert (said["data"], said["host"]) == (Path("%S") / service["StateDirectory"], "127.0.0.1")
    assert said["no_browser"]
    assert config.secure
    assert config.limits
    assert service["DynamicUser"] == service["NoNewPrivileges"] == "yes"
    assert service["ProtectSystem"] == "strict"


def test_the_recipe_starts_a_server() -> None:
    """The Dockerfile starts a server that is not root, copies files that exist, and has a health check."""
    (entry,), (command,), (port,) = instructions("ENTRYPOINT"), instructions("CMD"), instructions("EXPOSE")
    said, config = served(json.loads(entry) + json.loads(command))
    assert [str(said["data"])] == instructions("VOLUME")
    assert str(said["port"]) == port
    assert config.limits
    assert instructions("USER") == ["omnibus"]
    copied = [path for line in instructions("COPY") if "--from" not in line for path in line.split()[:-1]]
    assert {"pyproject.toml", "setup.py", "constraints.txt", "src"} <= set(copied)
    assert all((ROOT / path).exists() for path in copied)
    (extras,) = re.findall(r"\.\[([a-z,]+)\]", RECIPE)
    assert set(extras.split(",")) == {"postgres", "push"}  # what a server may need
    assert f"http://127.0.0.1:{port}/healthz" in RECIPE


def test_the_container_starts(tmp_path: Path) -> None:
    """The container's command starts a server that its health check finds healthy; it stops when it is told to.

    `dev.py bench --container` also builds what is in it.
    """
    image = Image(tmp_path)
    image.said = {name: image.here(arguments) for name, arguments in instructions_of_image()}
    for name in ("ENTRYPOINT", "HEALTHCHECK"):
        python = f'"{sys.executable}"'
        image.said[name] = re.sub(r'"[^"]*/bin/omnibus"', f'{python}, "-m", "omnibus"', image.said[name])
        image.said[name] = re.sub(r'"[^"]*/bin/python"', python, image.said[name])
    image.start()


def test_compose_runs_the_container() -> None:
    """The compose files build the image and pass the server options it has, behind a proxy, with its data kept.

    With the second one the same server runs in several processes on a database beside it.
    """
    compose, both = (yaml.safe_load(file.read_text(encoding="utf-8")) for file in (COMPOSE, COMPOSE_POSTGRES))
    service, added = (each["services"]["omnibus"] for each in (compose, both))
    built = COMPOSE.parent / service["build"]["context"]
    assert (built / service["build"]["dockerfile"]).samefile(ROOT / "docs/hosting/Dockerfile")
    said, config = served(service["command"])
    assert [f"{name}:{said['data']}" for name in compose["volumes"]] == service["volumes"]
    assert service["ports"] == [f"127.0.0.1:{said['port']}:{said['port']}"]
    (network,) = compose["networks"]["default"]["ipam"]["config"]
    assert said["proxy"] == [network["gateway"]]
    assert config.secure
    more, database = served(added["command"])[0], both["services"]["database"]
    assert {name for name in said if said[name] != more[name]} == {"data", "processes"}
    assert more["data"] is None
    password, user = (database["environment"][f"POSTGRES_{name}"] for name in ("PASSWORD", "USER"))
    assert added["environment"] == {"OMNIBUS_DATABASE": f"postgresql://{user}:{password}@database/{user}"}
    assert password.startswith("${POSTGRES_PASSWORD:?")  # without it nothing starts
    assert added["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert [volume.split(":")[0] for volume in database["volumes"]] == list(both["volumes"])


@pytest.mark.parametrize("config", [nginx_config, caddy_config])
def test_proxies_get_the_blocks_of_the_document(config: Callable[..., str], tmp_path: Path) -> None:
    """What `dev.py bench --proxies` runs is in the document, with addresses of this machine and nothing left out."""
    for servers, sticky in ((["127.0.0.1:1"], False), (["127.0.0.1:1", "127.0.0.1:2"], True)):
        text = config(tmp_path, 443, servers, sticky=sticky)
        assert all(server in text for server in servers)
        assert "10.0.0." not in text
        assert "8787" not in text
        assert "games.example.org" in text


def test_log_messages_are_real() -> None:
    """What the document says to look for in the logs is what the server writes."""
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src/omnibus/server").rglob("*.py"))
    table = DOCUMENT[DOCUMENT.index("| in the logs |") :].split("\n\n")[0]
    messages = [each for row in table.splitlines()[2:] for each in re.findall(r"`([^`]+)`", row.split("|")[1])]
    assert len(messages) > 3
    for message in messages:
        assert re.search(rf'LOG\.\w+\("{re.escape(message)}[":]', source), message


def test_all_options_are_documented() -> None:
    """The tables list exactly the options of `serve` and the commands of `admin`."""
    listed = set(re.findall(r"^\| `(--[a-z-]+)`", DOCUMENT, re.MULTILINE))
    assert listed == options(find(["serve"])[0])
    commands = set(re.findall(r"^\| `omnibus admin ([a-z-]+)", DOCUMENT, re.MULTILINE))
    assert commands == {name for name, command in find(["admin"])[0].commands.items() if not command.hidden}


@pytest.mark.parametrize("quota", [quota for quota in Quota if quota is not Quota.WARNING])
def test_limits_are_documented(quota: Quota) -> None:
    """The table of limits has the figures of the program."""
    parts = [limit.split() for limit in LIMITS[quota]]
    shown = [f"{int(n):,} per {unit if times == '1' else f'{int(times):,} {unit}s'}" for n, _, times, unit in parts]
    assert re.search(rf"^\| [^|]+ \| {shown[0]}[^|]* \| {shown[1]}[^|]* \|$", DOCUMENT, re.MULTILINE)


def test_connection_limits_are_documented() -> None:
    """The limits of one connection are those of its protocols."""
    for limit in (
        f"{protocols.LARGEST_HEAD // 1024} KiB, {protocols.MOST_HEADERS} headers",
        f"{protocols.HEAD_TIMEOUT_S:.0f} seconds",
        f"{protocols.FRAMES_PER_S:.0f} per second, {protocols.FRAMES_AT_ONCE} at once",
        f"{protocols.BYTES_PER_S / 1024:.0f} KiB per second, {protocols.BYTES_AT_ONCE // 1024} KiB at once",
        f"{protocols.MOST_FRAGMENTS}",
    ):
        assert f" | {limit} | " in DOCUMENT
