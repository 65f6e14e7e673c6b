"""No game is special: a fourth one, in a folder of its own, is played everywhere without any other edit.

`tests/fourth_game/last_stop` is installed the way another distribution would install it, by an entry point in the group
`omnibus.games`. Everything here runs in processes of its own, so that the other tests do not see it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from omnibus.bots import names
from support.server_process import Guest, running_server

ROOT = Path(__file__).parents[2]
GAME = ROOT / "tests" / "fourth_game"


LEVELS = [level for level in names() if level != "master"]  # which needs a trained network


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the game for all processes that a test starts."""
    metadata = tmp_path / "site" / "last_stop-1.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: last-stop\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[omnibus.games]\nlast_stop = last_stop:GAME\n")
    paths = [str(metadata.parent), str(GAME), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


def run(*command: str | Path, say: str = "") -> str:
    typed = [sys.executable, *map(str, command)]
    answer = subprocess.run(typed, cwd=ROOT, input=say, capture_output=True, text=True, timeout=300, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout


def omnibus(*arguments: str | Path, say: str = "") -> str:
    return run("-m", "omnibus", *arguments, say=say)


def test_contract_bots_environments_and_catalogues() -> None:
    """The tests that run for every game include it and pass: contract, bots, environments, translations, rules."""
    tests = ["games/test_contract.py", "games/test_clicks.py", "test_bots.py", "lab", "kernel"]
    tests += [f"envs/test_{each}.py" for each in ("gymnasium", "vector", "pettingzoo", "openspiel")]
    left_out = "not playthrough and not easy_beats_random"  # nothing is stored of it, and six games prove little
    options = ["-p", "no:cacheprovider", "-k", f"last_stop and {left_out}", "-rN"]
    said = run("-m", "pytest", *options, *(f"tests/{each}" for each in (*tests, "project/test_rulebook.py")))
    assert int(said.split(" passed")[0].split()[-1]) > 100


def test_terminal(tmp_path: Path) -> None:
    """It is listed, its rules are printed, it is played to the end, replayed, drawn and its dice are verified.

    Every level plays it in the arena, in worker processes and beside an external program; nothing is forfeited.
    """
    assert "Last Stop" in omnibus("games")
    assert "Whoever brings the bus to the last stop" in " ".join(omnibus("rules", "last_stop").split())
    record = tmp_path / "played.game"
    arguments = ["last_stop", "--seats", "3", "--option", "stops=20", "--opponent", LEVELS[1], "--seed", "1"]
    said = omnibus("play", *arguments, "--record", record, say="?\nhint\n" + "1\n" * 30)
    for expected in ("Your turn: walk or ride.", "§2.2", "Your share of the win", "walks: the bus is at stop"):
        assert expected in said
    assert "You win." in said or " wins." in said
    assert "riceve un biglietto." in omnibus("replay", record, "--lang", "it")
    assert omnibus("draw", record).startswith("<svg")
    assert "The dice are verified" in omnibus("verify", record)
    external = f"{sys.executable} {ROOT / 'examples' / 'external_bot.py'}"
    limits = ["--games", "12", "--simulations", "20", "--jobs", "2", "--keep", str(tmp_path / "kept")]
    said = omnibus("arena", "last_stop", *LEVELS, "--program", external, *limits)
    assert "Last Stop, 2 seats: 20 games" in said
    assert "forfeited" not in said
    assert "ended by arrived" in omnibus("simulate", "last_stop", "--games", "20", "--seats", "4")
    assert "9 nodes at depth 2" in omnibus("perft", "last_stop", "2")
    pytest.importorskip("gymnasium")
    assert "| Omnibus/LastStop-v1 | 2 seats, stops 12 |" in run("-m", "omnibus.envs", "last_stop")


def test_server_page_and_socket(tmp_path: Path) -> None:
    """The lobby offers it, its rules and pictures are shown, and people play it against bots of every level."""
    with running_server(tmp_path / "data") as server, Guest(server.url) as guest:
        lobby = guest.http.get("/").text
        assert "How many stops the line has" in lobby
        assert "at the start" in guest.http.get("/rules/last_stop").text
        assert "/learn/last_stop" not in lobby
        assert guest.http.get("/learn/last_stop").status_code == 404
        table = guest.open("last_stop", "you", *LEVELS[1:], stops="1")
        assert "last-stop-bus" in guest.http.get(f"/tables/{table}").text
        with guest.sit(table) as seat:
            seat.sync()
            while seat.until_asked()["live"]:
                decided = seat.scene["event"]
                seat.say(play=seat.scene["moves"][-1]["line"], event=decided)
                while seat.scene["event"] == decided:
                    seat.hear()
            assert not seat.errors
            assert seat.scene["position"]["status"].endswith((" wins.", "You win."))
            assert any("gets a ticket." in sentence for _, sentence in seat.log)
        assert "The dice are verified" in guest.http.get(f"/tables/{table}/dice").text


def test_api(tmp_path: Path) -> None:
    """A program creates a table, plays it with its view and lines, and reads the record."""
    with running_server(tmp_path / "data") as server, httpx.Client(base_url=f"{server.url}/api/", timeout=60) as client:
        client.headers["authorization"] = f"Bearer {client.post('users', json={'name': 'Ann'}).json()['token']}"
        (offer,) = [each for each in client.get("games").json()["games"] if each["name"] == "last_stop"]
        assert offer["seats"] == [2, 3, 4]
        seats = [{"who": "you"}, {"who": "bot", "bot": LEVELS[0]}]
        wish = {"game": "last_stop", "seats": seats, "options": {"stops": 20}}
        table = client.post("tables", json=wish).json()["id"]
        while (scene := client.get(f"tables/{table}/scene").json())["live"]:
            if scene["moves"]:
                move = {"line": scene["moves"][0]["line"], "event": scene["event"]}
                assert client.post(f"tables/{table}/play", json=move).status_code in (200, 409)
        assert '"reason": "arrived"' in client.get(f"tables/{table}/record").text
