"""Refusals and hints are told in the reader's language, by page and API alike."""

from __future__ import annotations

import json
from html import unescape
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from omnibus import Match, games
from omnibus.bots import bot
from omnibus.kernel.i18n import LANGUAGES
from omnibus.server.tables.bot_pool import Reply
from omnibus.server.tables.bot_worker import Question, answered
from support.api_client import known
from support.live import alone, arrive

TWICE = Match.new("times_square", seed=1).record().replace("seats: 2\n", "seats: 2\nseats: 2\n")


def spoiled(game: str, key: str, value: Any) -> str:
    """Write the record of a match that starts from a position with one wrong value."""
    match = Match.new(game, seed=1)
    text = Match.from_position(game, match.position()).record()
    wrong = json.dumps({**match.position(), key: value})
    return "\n".join(f"position: {wrong}" if line.startswith("position: ") else line for line in text.split("\n"))


RECORDS = (
    TWICE,
    spoiled("bus", "players", 1),
    spoiled("metromania", "doubles", ["home", "home"]),
    spoiled("times_square", "hands", 1),
)
COMPLAINTS = {
    "en": (
        "the header seats is given twice",
        "this position is not possible: players must be a list of 3",
        "doubles: the three kinds must differ (§3.2)",
        "hands must be a list of two lists of cards",
    ),
    "it": (
        "l’intestazione seats compare due volte",
        "questa posizione non è possibile: players deve essere un elenco di 3",
        "doubles: i tre tipi devono essere diversi (§3.2)",
        "hands deve essere un elenco di due elenchi di carte",
    ),
    "fr": (
        "l’en-tête seats figure deux fois",
        "cette position n’est pas possible\N{NO-BREAK SPACE}: players doit être une liste de 3",
        "doubles\N{NO-BREAK SPACE}: les trois types doivent être différents (§3.2)",
        "hands doit être une liste de deux listes de cartes",
    ),
    "de": (
        "die Kopfzeile seats steht zweimal da",
        "diese Stellung ist nicht möglich: players muss eine Liste von 3 sein",
        "doubles: die drei Arten müssen verschieden sein (§3.2)",
        "hands muss eine Liste von zwei Kartenlisten sein",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_bad_records(client: httpx.AsyncClient, language: str) -> None:
    """The line and the reason, also what a game itself finds wrong, on the page and in the answer of the API."""
    headers = {"accept-language": language}
    caller = await known(client, "Ann")
    for record, complaint in zip(RECORDS, COMPLAINTS[language], strict=True):
        page = await client.post("/records", files={"record": ("a.game", record)}, headers=headers)
        answer = await client.post("/api/records", content=record, headers=headers | caller.headers)
        assert (page.status_code, answer.status_code) == (400, 400)
        assert complaint in unescape(page.text)
        assert complaint in answer.json()["text"]
        assert record != TWICE or "4" in answer.json()["text"], "the number of the line"


@pytest.mark.parametrize(
    ("game", "seats", "options", "complaint"),
    [
        ("bus", 3, {"city": {}}, "l’opzione city non è possibile: la città: manca name"),
        (
            "bus",
            3,
            {"city": "nowhere"},
            "l’opzione city può essere 'bus-city', 'small-town' o un documento con una mappa, non 'nowhere'",
        ),
        ("times_square", 1, {}, "Times Square si gioca in 2, non in 1"),
    ],
)
async def test_impossible_tables(
    client: httpx.AsyncClient, game: str, seats: int, options: dict[str, Any], complaint: str
) -> None:
    """What the engine says about seats and the values of options is translated, too."""
    headers = {"accept-language": "it"}
    caller = await known(client, "Ann")
    wish = {"game": game, "seats": [{"who": "you"}, *[{"who": "bot"}] * (seats - 1)], "options": options}
    answer = await client.post("/api/tables", json=wish, headers=headers | caller.headers)
    assert complaint in answer.json()["text"]
    if not options:
        page = await client.post(f"/games/{game}/tables", data={"seat-0": "you"}, headers=headers)
        assert complaint in unescape(page.text)


async def test_at_a_table(app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Why a line is refused, by request and on the socket, with its §; and hints, with the labels of the moves."""

    async def ask(question: Question, _user: str) -> Reply:
        return Reply(answered(bot("easy", games.find("bus"), seed=1), question), 0.0)

    monkeypatch.setattr(app.state.registry.bot_pool, "ask", ask)
    (ann,) = await arrive(app, client, "Ann")
    table, told = await alone(ann, "bus", 3), set()
    for language in LANGUAGES:
        ann.headers["accept-language"] = language
        labels = {move["line"]: move["label"] for move in (await ann.scene(table))["moves"]}
        ideas = (await ann.ask(f"GET tables/{table}/hint"))["ideas"]
        assert {idea["line"]: idea["label"] for idea in ideas}.items() <= labels.items()
        refused = await ann.play(table, line="pass", status=409)
        async with ann.open(table) as socket:
            await socket.synced()
            socket.say(play="pass", event=1)
            assert (await socket.hear("error"))["text"] == refused["text"]
        assert refused["section"].startswith("§")
        told.add((refused["text"], ideas[0]["label"], *ideas[0]["reasons"]))
    assert [len(set(each)) for each in list(zip(*told, strict=False))[:2]] == [len(LANGUAGES)] * 2
