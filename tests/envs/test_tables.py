"""The numbers of actions and features: fixed for each version, and documented."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gymnasium")

from omnibus import games
from omnibus.envs import FeatureLayout, actions
from omnibus.envs.__main__ import main
from omnibus.envs.registry import name as registered
from omnibus.envs.specs import specs
from omnibus.kernel.match import Match
from support.rules import possible

PAGES = Path(__file__).parents[2] / "docs" / "environments"
TABLES: dict[str, Any] = {
    name: json.loads((Path(__file__).parents[1] / "games" / name / "tables.json").read_text("utf-8"))
    for name in games.names()
}
"""For each game the options that change its actions or features, and the hashes of each version."""
every_game = pytest.mark.parametrize("name", games.names())


def setups(name: str) -> list[tuple[int, dict[str, Any]]]:
    """Return every number of seats with the options on which the tables depend."""
    both = itertools.product(TABLES[name]["options"], games.find(name).seats)
    return [(seats, options) for options, seats in both if possible(name, seats, options)]


def fingerprint(name: str) -> dict[str, str]:
    """Hash every action's line and every feature's place, for all setups."""
    lines, places = [], []
    for seats, options in setups(name):
        lines.append([seats, options, actions(name, seats=seats, options=options)])
        state = Match.new(name, seats=seats, options=options, dice=False).state
        features = FeatureLayout(games.find(name).features(state)).features
        places.append([seats, options, [[each.name, each.shape, each.high] for each in features]])
    return {
        kind: hashlib.sha256(json.dumps(table).encode()).hexdigest()
        for kind, table in (("actions", lines), ("observation", places))
    }


@every_game
def test_tables_belong_to_their_version(name: str) -> None:
    """A changed table needs a new version, and no version is left out.

    Before the first release the version stays 1: put the new hashes into the game's `tables.json`. After it, raise
    `numbering`, write it in the page's history and add its hashes; those of old versions stay as they are.
    """
    versions, head = TABLES[name]["versions"], registered(name).rpartition("-v")[0]
    assert registered(name) in versions, f"tables.json has no {registered(name)}: {fingerprint(name)}"
    assert fingerprint(name) == versions[registered(name)]
    assert sorted(versions) == [f"{head}-v{number}" for number in range(1, games.find(name).numbering + 1)]


@every_game
def test_pages_say_what_there_is(name: str) -> None:
    """The specs on a page are those of the environment, and its history begins with the present version."""
    page = (PAGES / f"{name}.md").read_text("utf-8")
    found = re.search(rf"<!-- specs: python -m omnibus.envs {name} -->\n(.*)<!-- end -->", page, re.DOTALL)
    assert found
    assert found[1] == specs(name)
    history = re.findall(r"^- \*\*v(\d+)\*\*: \w", page.partition("## Versions")[2], re.MULTILINE)
    assert [int(version) for version in history] == list(range(games.find(name).numbering, 0, -1))


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    """`python -m omnibus.envs` prints the description or all actions; a mistake is one sentence."""
    assert main(["bus", "--seats", "4"]) == 0
    assert "4 seats" in capsys.readouterr().out
    assert main(["times_square", "--actions"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "0 sue left"
    assert main(["times_square", "--seats", "9"]) == 2
    assert "2 seats" in capsys.readouterr().err
