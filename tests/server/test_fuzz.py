"""Hostile input: the server answers all of it clearly, and stays up. More of it: `dev.py bench --fuzz`."""

from __future__ import annotations

import asyncio
import json
from random import Random

import pytest

from omnibus.bots import names as bot_names
from omnibus.server.tables.messages import LONGEST
from support import fuzz
from support.mutations import mutated
from support.server_process import Guest, ServerProcess

INPUTS = 1500
SEED = 7
TOO_BIG = 1009  # a close code of the protocol


@pytest.mark.walk
@pytest.mark.parametrize("what", fuzz.KINDS)
def test_hostile_input(what: str) -> None:
    """Messages, records, positions, maps, forms, bodies; a failure names the group it came from."""
    inputs = round(INPUTS * fuzz.KINDS[what][1])
    assert asyncio.run(fuzz.fuzz(what, inputs, SEED)) >= inputs


def test_the_same_seed_makes_the_same_inputs() -> None:
    """So that a failure can be reproduced."""
    made = [mutated({"play": "x", "event": [1, 2, {"id": ""}]}, Random(seed)) for seed in (1, 1, 2)]
    assert repr(made[0]) == repr(made[1]) != repr(made[2])


def test_a_failure_says_where_it_came_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the command that reproduces it."""

    async def fails(_house: fuzz.Fuzzed, random: Random) -> int:
        assert random.random() < 0.5
        return 1

    monkeypatch.setitem(fuzz.KINDS, "forms", (fails, 1.0))
    with pytest.raises(fuzz.Trouble, match=r"--only forms --first \d+ --seed 7"):
        asyncio.run(fuzz.fuzz("forms", 100, SEED))


def test_bytes_on_a_real_socket(server: ServerProcess) -> None:
    """Bytes that are no message are answered with an error, or close the connection; the table goes on."""
    random = Random(SEED)
    with Guest(server.url) as guest:
        table = guest.open("times_square", "you", bot_names()[0])
        for length in (0, 1, 5, 100, 8000, 9000, 100_000):
            with guest.sit(table) as sitting:
                sitting.sync()
                sitting.socket.send(random.randbytes(length))
                if length > LONGEST:
                    assert sitting.closed() == TOO_BIG
                    continue
                sitting.socket.send("\0" * length)
                sitting.say(heard=2**64)
                while len(sitting.errors) < 3:
                    sitting.hear()
        with guest.sit(table) as sitting:
            assert sitting.sync()["live"] is True
        assert json.loads(guest.http.get("/healthz").text)["ok"] is True
