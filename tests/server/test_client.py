"""The example client, against a real server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx

from omnibus import Match
from omnibus.bots import names as bot_names
from support.server_process import SILENCE_S, ServerProcess

CLIENT = Path(__file__).parents[2] / "examples" / "client.py"
WEAK = bot_names()[0]


def run(server: ServerProcess, *arguments: str) -> str:
    command = [sys.executable, "-W", "error", str(CLIENT), server.url, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


def test_it_plays_to_the_end(server: ServerProcess) -> None:
    """At a table of its own, and in a seat it has a token for; the records replay."""
    with httpx.Client(base_url=f"{server.url}/api/", timeout=SILENCE_S) as http:
        said = run(server, "--game", "times_square").splitlines()
        table = said[0].rpartition("/")[2]
        assert Match.read(http.get(f"tables/{table}/record").text).outcome is not None
        assert said[-1] == http.get(f"tables/{table}/scene").json()["position"]["status"]
        http.headers["authorization"] = f"Bearer {http.post('users', json={'name': 'Ann'}).json()['token']}"
        wish = {"game": "times_square", "seats": [{"who": "bot", "bot": WEAK}, {"who": "you"}]}
        table = http.post("tables", json=wish).json()["id"]
        token = http.post(f"tables/{table}/seats/1/token").json()["token"]
        run(server, "--table", table, "--token", token, "--level", "easy")
        assert Match.read(http.get(f"tables/{table}/record").text).outcome is not None
