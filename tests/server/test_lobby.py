"""The lobby's pages: whom a listed table is meant for, and what each visitor may do there.

The list as the API and the socket tell it is in tests/traces/lobby.
"""

from __future__ import annotations

import httpx
import pytest
from fastapi import FastAPI

from omnibus.server.pages.lobby_feed import listing_facts
from omnibus.server.store.models import Listing
from support.live import Person, Socket, arrive

LISTED = {"game": "times_square", "seats": [{"who": "you"}, {"who": "free"}], "listed": True}


def test_whom_a_table_is_meant_for() -> None:
    """The range in the reader's language, the language of the table in its own."""
    assert listing_facts(None, "en") == listing_facts(Listing(), "en") == []
    assert listing_facts(Listing("it", 1400, 1600), "en") == ["Rating 1400–1600", "Italiano"]
    assert listing_facts(Listing(lowest=1400), "de") == ["Wertung ab 1400"]
    assert listing_facts(Listing(highest=1600), "it") == ["Valutazione fino a 1600"]


@pytest.mark.both_databases
async def test_what_each_visitor_may_do_there(app: FastAPI, client: httpx.AsyncClient) -> None:
    """Whoever sits at a table cannot join it; whoever has no name yet can give one; each reads their own language."""
    ann, nameless, bo, cy = await arrive(app, client, "Ann", "", "Bo", "Cy")
    await ann.ask("POST tables", LISTED | {"clock": {"pace": "blitz"}}, status=201)
    cy.headers["accept-language"] = "it"
    found = []
    for visitor in (ann, nameless, Person(app, client), bo, cy):
        async with Socket(app, "lobby/socket", visitor.headers) as socket:
            html = (await socket.hear("open_tables"))["html"]
            found.append(("/join" in html, 'name="name"' in html, "2 minuti" in html))
    no, yes = False, True
    assert found == [(no, no, no), (yes, yes, no), (yes, yes, no), (yes, no, no), (yes, no, yes)]
