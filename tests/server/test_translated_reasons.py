"""Bad records and impossible tables are refused in the reader's language, by page and API alike."""

from __future__ import annotations

import json
from html import unescape
from typing import Any

import httpx
import pytest

from omnibus import Match
from omnibus.kernel.i18n import LANGUAGES
from support.api_client import Caller, known

REASONS = {
    "en": "the header seats is given twice",
    "it": "l’intestazione seats compare due volte",
    "fr": "l’en-tête seats figure deux fois",
    "de": "die Kopfzeile seats steht zweimal da",
}
RECORD = Match.new("times_square", seed=1).record().replace("seats: 2\n", "seats: 2\nseats: 2\n")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_reasons_are_given_in_the_readers_language(client: httpx.AsyncClient, language: str) -> None:
    """The line and the reason, on the page and in the answer of the API."""
    headers = {"accept-language": language}
    page = await client.post("/records", files={"record": ("a.game", RECORD)}, headers=headers)
    assert page.status_code == 400
    assert REASONS[language] in unescape(page.text)
    caller: Caller = await known(client, "Ann")
    answer = await client.post("/api/records", content=RECORD, headers=headers | caller.headers)
    assert answer.status_code == 400
    assert REASONS[language] in answer.json()["text"]
    assert "4" in answer.json()["text"]


def spoiled(game: str, key: str, value: Any) -> str:
    """Write the record of a match that starts from a position with one wrong value."""
    match = Match.new(game, seed=1)
    text = Match.from_position(game, match.position()).record()
    wrong = json.dumps({**match.position(), key: value})
    return "\n".join(f"position: {wrong}" if line.startswith("position: ") else line for line in text.split("\n"))


COMPLAINTS = {
    "en": [
        "this position is not possible: players must be a list of 3",
        "doubles: the three kinds must differ (§3.2)",
        "hands must be a list of two lists of cards",
    ],
    "it": [
        "questa posizione non è possibile: players deve essere un elenco di 3",
        "doubles: i tre tipi devono essere diversi (§3.2)",
        "hands deve essere un elenco di due elenchi di carte",
    ],
    "fr": [
        "cette position n’est pas possible\N{NO-BREAK SPACE}: players doit être une liste de 3",
        "doubles\N{NO-BREAK SPACE}: les trois types doivent être différents (§3.2)",
        "hands doit être une liste de deux listes de cartes",
    ],
    "de": [
        "diese Stellung ist nicht möglich: players muss eine Liste von 3 sein",
        "doubles: die drei Arten müssen verschieden sein (§3.2)",
        "hands muss eine Liste von zwei Kartenlisten sein",
    ],
}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_wrong_positions_are_explained_in_the_readers_language(client: httpx.AsyncClient, language: str) -> None:
    """What a game itself finds wrong with a position is translated, on the page and in the answer of the API."""
    headers = {"accept-language": language}
    caller = await known(client, "Ann")
    wrong = [("bus", "players", 1), ("metromania", "doubles", ["home", "home"]), ("times_square", "hands", 1)]
    for (game, key, value), complaint in zip(wrong, COMPLAINTS[language], strict=True):
        record = spoiled(game, key, value)
        page = await client.post("/records", files={"record": ("a.game", record)}, headers=headers)
        assert page.status_code == 400
        assert complaint in unescape(page.text)
        answer = await client.post("/api/records", content=record, headers=headers | caller.headers)
        assert complaint in answer.json()["text"]


async def test_a_wrong_map_is_explained_in_the_readers_language(client: httpx.AsyncClient) -> None:
    """So is what is wrong with the value of an option."""
    caller = await known(client, "Ann")
    for city, complaint in [
        ({}, "l’opzione city non è possibile: la città: manca name"),
        ("nowhere", "l’opzione city può essere 'bus-city', 'small-town' o un documento con una mappa, non 'nowhere'"),
    ]:
        wish = {"game": "bus", "seats": [{"who": "you"}, {"who": "bot"}, {"who": "bot"}], "options": {"city": city}}
        answer = await client.post("/api/tables", json=wish, headers={"accept-language": "it"} | caller.headers)
        assert complaint in answer.json()["text"]


async def test_impossible_tables_are_explained_in_the_readers_language(client: httpx.AsyncClient) -> None:
    """What the engine says about seats and options is translated, too."""
    headers = {"accept-language": "it"}
    reason = "Times Square si gioca in 2, non in 1"
    page = await client.post("/games/times_square/tables", data={"seat-0": "you"}, headers=headers)
    assert reason in unescape(page.text)
    caller = await known(client, "Ann")
    wish = {"game": "times_square", "seats": [{"who": "you"}]}
    answer = await client.post("/api/tables", json=wish, headers=headers | caller.headers)
    assert reason in answer.json()["text"]
