"""Scenes: what a preview promises, and what readers of several languages are told.

That nothing secret is shown is tested in test_leaks.py, that every line can be clicked in tests/games/test_clicks.py.
"""

from __future__ import annotations

import httpx
import pytest
from fastapi import FastAPI

from omnibus import games
from omnibus.kernel.game import TURN_PIECES
from omnibus.kernel.i18n import LANGUAGES
from support.live import Message, Person, alone, arrive

every_game = pytest.mark.parametrize("name", games.names())


def drawn(pieces: list[list[object]]) -> list[list[object]]:
    """Return pieces without those that show whose turn it is."""
    return [piece for piece in pieces if piece[0] not in TURN_PIECES]


@every_game
async def test_a_preview_shows_the_pieces_after_a_line(app: FastAPI, client: httpx.AsyncClient, name: str) -> None:
    """As they are when it is played, on a board of any shape; but the turn is still the reader's.

    Everybody reads the log in their language: what is sent bit by bit to readers of several languages in turns is what
    is sent at once in the end.
    """
    (ann,), reader = await arrive(app, client, "Ann"), Person(app, client)
    table = await alone(ann, name, games.find(name).seats[0])
    logs: dict[str, list[list[object]]] = {language: [] for language in LANGUAGES}
    since = 0
    for _ in range(12):
        for language, log in logs.items():
            reader.headers["accept-language"] = language
            log += (await reader.scene(table, since=since))["log"]
        seat = (await ann.scene(table))["actor"]
        before: Message = await ann.scene(table, seat=seat)
        since = before["position"]["plies"]
        asked = {"line": before["moves"][0]["line"], "event": before["event"], "seat": seat}
        shown, wide = [
            (await ann.ask(f"GET tables/{table}/preview", **asked, wide=wide))["pieces"] for wide in (False, True)
        ]
        assert [piece[0] for piece in wide] == [piece[0] for piece in shown]
        assert wide != shown
        turn = [piece for piece in before["position"]["pieces"] if piece[0] in TURN_PIECES]
        assert [piece for piece in shown if piece[0] in TURN_PIECES] == turn
        await ann.ask(f"POST tables/{table}/play", asked)
        after = await ann.scene(table, seat=seat)
        if after["position"]["plies"] == since + 1:  # else chance has moved pieces too
            assert drawn(after["position"]["pieces"]) == drawn(shown)
    assert len({str(log) for log in logs.values()}) == len(LANGUAGES)
    for language, log in logs.items():
        reader.headers["accept-language"] = language
        assert [said for said in (await reader.scene(table))["log"] if said[0] < since] == log
