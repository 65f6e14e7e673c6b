"""Schemathesis: every request that the OpenAPI document allows or forbids is answered as it says."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple, cast

import httpx
import pytest

pytest.importorskip("schemathesis")
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import positive_data_acceptance

from omnibus.bots import names as bot_names
from omnibus.server.api.openapi import document
from omnibus.server.app import create_app
from omnibus.server.store.database import Database
from support.server_process import NO_CERTIFICATES, SILENCE_S, running_server

pytestmark = pytest.mark.walk

EXAMPLES = 8
WEAK = bot_names()[0]
EVERY_TIME_THE_SAME = settings(derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))


class Visited(NamedTuple):
    """A server with a user, and the ids of what exists there."""

    url: str
    headers: dict[str, str]
    found: dict[str, list[str]]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_server(tmp_path_factory.mktemp("house") / "data") as running:
        yield running.url


@pytest.fixture
def visited(running: str) -> Visited:
    """Create a user with two tables: a live one, and one with free seats."""
    with httpx.Client(base_url=f"{running}/api/", verify=NO_CERTIFICATES, timeout=SILENCE_S) as http:
        token = http.post("users", json={"name": "Ann"}).json()["token"]
        http.headers["authorization"] = f"Bearer {token}"
        you, bot, free = {"who": "you"}, {"who": "bot", "bot": WEAK}, {"who": "free"}
        tables = [
            http.post("tables", json={"game": "times_square", "seats": seats, "listed": True}).json()["id"]
            for seats in ([you, bot], [you, free])
        ]
    return Visited(running, {"Authorization": f"Bearer {token}"}, {"table_id": tables})


refused = SchemathesisConfig.from_dict({"checks": {"negative_data_rejection": {"expected-statuses": ["4xx"]}}})
described = document(create_app(cast(Database, None), workers=1))  # nothing is stored
api = schemathesis.openapi.from_dict(described, config=refused)


@api.parametrize()
@settings(EVERY_TIME_THE_SAME, max_examples=EXAMPLES)
def test_every_route(case: Any, visited: Visited) -> None:
    """No server errors, and no responses that are not described.

    Where any table would do, it is mostly one that is there.
    """
    random = Random(repr((case.path_parameters, case.query, case.body)))
    path, header = (case.meta.components.get(where) for where in (ParameterLocation.PATH, ParameterLocation.HEADER))
    for name in visited.found.keys() & (case.path_parameters or {}).keys():
        if (path is None or path.mode.is_positive) and random.random() < 0.8:
            case.path_parameters[name] = random.choice(visited.found[name])
    known = header is None or header.mode.is_positive  # otherwise to come without the right token is what is tried
    headers = visited.headers if known else None
    case.call_and_validate(base_url=visited.url, headers=headers, excluded_checks=[positive_data_acceptance])
