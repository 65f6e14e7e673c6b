"""The example client, and the socket for programs, against a real server."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

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


def _hear_for_ever(socket: ClientConnection) -> None:
    while True:
        socket.recv(SILENCE_S)


def test_the_socket_for_programs(server: ServerProcess) -> None:
    """The token of a seat tells of this table only; when it is withdrawn the socket is closed."""
    with httpx.Client(base_url=f"{server.url}/api/", timeout=SILENCE_S) as http:
        http.headers["authorization"] = f"Bearer {http.post('users', json={}).json()['token']}"
        wish = {"game": "times_square", "seats": [{"who": "you"}, {"who": "bot", "bot": WEAK}]}
        table = http.post("tables", json=wish).json()["id"]
        token = http.post(f"tables/{table}/seats/0/token").json()["token"]
        sockets = f"{server.url.replace('http', 'ws')}/api"
        headers = {"authorization": f"Bearer {token}"}
        with connect(f"{sockets}/tables/{table}/socket", additional_headers=headers, max_size=None) as socket:
            socket.send(json.dumps({"sync": True}))
            heard = [json.loads(socket.recv(SILENCE_S))]
            while heard[-1]["type"] != "scene":
                heard.append(json.loads(socket.recv(SILENCE_S)))
            assert heard[-1]["own"] == [0]
            assert "awaited" not in [message["type"] for message in heard]
            assert http.delete(f"tables/{table}/seats/0/token").status_code == 204
            with pytest.raises(ConnectionClosed):
                _hear_for_ever(socket)
        with connect(
            f"{sockets}/socket", additional_headers={"authorization": http.headers["authorization"]}
        ) as socket:
            assert json.loads(socket.recv(SILENCE_S))["type"] == "awaited"
        with connect(f"{sockets}/tables/nowhere/socket") as socket, pytest.raises(ConnectionClosed) as closed:
            socket.recv(SILENCE_S)
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 4404
