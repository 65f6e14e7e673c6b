"""Bad records and impossible tables are refused in the reader's language, by page and API alike."""

from __future__ import annotations

from html import unescape

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
