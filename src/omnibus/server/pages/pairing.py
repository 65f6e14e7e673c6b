"""The form of quick pairing, which the lobby shows."""

from __future__ import annotations

from fastapi import APIRouter, Depends, HTTPException, Request, Response

from omnibus import games
from omnibus.server.http.forms import name_in, onward
from omnibus.server.http.visitor import PageUser, Registry, own_page
from omnibus.server.pages.table_forms import listing_in
from omnibus.server.people import accounts
from omnibus.server.people.pairing import QuickPairing, Wish
from omnibus.server.tables.clock import PACES

router = APIRouter(dependencies=[Depends(own_page)])


@router.post("/pairing")
async def find_game(request: Request, user: PageUser, registry: Registry, response: Response) -> Response:
    """Join a table that suits the visitor, or open one in the lobby for the next who comes."""
    form = await request.form(max_files=0, max_fields=10)
    game = form.get("game")
    if not isinstance(game, str) or game not in games.names():
        raise HTTPException(404)
    name = name_in(form)
    await accounts.introduce(registry, user, name)
    pace = next((pace for pace in PACES if form.get("pace") == pace), None)
    wish = Wish(game, pace, rated=form.get("rated") == "yes", opponents=listing_in(form))
    table = await QuickPairing(registry).find(await registry.user_store.find(user.id) or user, wish)
    return onward(response, f"/tables/{table}")
