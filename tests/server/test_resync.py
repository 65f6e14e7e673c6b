"""Resync: the socket is cut at every event of a game; one round trip later the client has what the server has."""

from __future__ import annotations

from pathlib import Path

import pytest

from hosting import Guest, house
from omnibus.bots import names as bot_names

WEAK = bot_names()[0]
CUTS = 40


@pytest.mark.parametrize("game", ["bus", "metromania", "times_square"])
def test_cut_at_every_event(tmp_path: Path, game: str) -> None:
    """Played on through a new socket each time; a second client that was never cut sees the same, log and all.

    Before each cut a move is sent whose answer never arrives; said again under its id, it was done once.
    """
    with house(tmp_path / "data") as running, Guest(running.url) as guest:
        bots = {"bus": 2, "metromania": 1, "times_square": 1}[game]
        table = guest.open(game, "you", *[WEAK] * bots)
        steady = guest.sit(table)
        steady.sync()
        log: list[tuple[int, str]] = []
        event = 0
        for cut in range(CUTS):
            with guest.sit(table) as sitting:
                sitting.log = log
                first = sitting.sync(event)
                assert first["type"] == "scene"
                scene = sitting.until_asked()
                if not scene["live"]:
                    break
                message = {"play": scene["moves"][0]["line"], "event": scene["event"], "id": f"move {cut}"}
                sitting.say(**message)
                if cut % 2:
                    sitting.hear()
                log, event = sitting.log, sitting.scene["event"]
            with guest.sit(table) as again:
                again.sync()
                again.say(**message)
                while f"move {cut}" not in again.done:
                    again.hear()
                assert again.done[f"move {cut}"] == scene["event"] + 1
        with guest.sit(table) as sitting:
            sitting.sync()
            last = sitting.until_asked()
            while steady.scene["event"] < last["event"]:
                steady.hear()
            for part in ("pieces", "status", "panels", "ply", "marks"):
                assert steady.scene["position"][part] == last["position"][part]
            assert steady.scene["moves"] == last["moves"]
            assert steady.log == sitting.log
            assert not steady.errors
        steady.close()
