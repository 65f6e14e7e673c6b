"""The pages of deals that several people play, each against the same bots with the same dice."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from omnibus import games
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.kernel.svg import seat_name
from omnibus.server.http.forms import name_in, onward
from omnibus.server.http.visitor import PageUser, PageVisitor, Registry, config_of, own_page
from omnibus.server.pages.templates import render, texts
from omnibus.server.people import accounts
from omnibus.server.tables.deals import DealResult, Deals
from omnibus.server.tables.scene import LEVELS

router = APIRouter()


async def deals_of(registry: Registry) -> Deals:
    """Return the deals of this server."""
    return Deals(registry)


TheDeals = Annotated[Deals, Depends(deals_of)]


@router.post("/tables/{table_id}/deal", dependencies=[Depends(own_page)])
async def challenge(table_id: str, user: PageUser, deals: TheDeals) -> Response:
    """Challenge others to play a finished game again."""
    return RedirectResponse(f"/deals/{await deals.challenge(user, table_id)}", 303)


@router.get("/deals/{deal_id}", response_class=HTMLResponse)
async def deal_page(request: Request, deal_id: str, visit: PageVisitor, deals: TheDeals) -> Response:
    """Show a deal: what to beat, the button to play it, and the results side by side."""
    if await deals.store.match(deal_id):
        return RedirectResponse(f"/team-matches/{deal_id}", 303)
    told = words(visit.language, COMMON_TEXTS)
    deal = await deals.standing(deal_id, visit.user, told)
    in_game = words(visit.language, games.find(deal.game).folder, COMMON_TEXTS)
    bots = [told.gettext(LEVELS[bot]) for bot in deal.bots]
    first = next((result for result in deal.results if result.first), None)
    return render(
        request,
        visit,
        "deal.html",
        deal=deal,
        claim=_claim(first, texts(visit.language), ", ".join(bots)) if first else "",
        seat_name=seat_name(deal.seat, in_game),
        link=config_of(request).link(request, f"/deals/{deal_id}"),
    )


def _claim(first: DealResult, t: dict[str, str], bots: str) -> str:
    """Say what there is to beat."""
    key = "deal_shared" if first.won and first.shared else "deal_won" if first.won else "deal_lost"
    score, best = (str(points).replace("-", "−") for points in (first.score, first.best))
    return t[key].format(player=first.name, bots=bots, score=score, best=best)


@router.post("/deals/{deal_id}/play", dependencies=[Depends(own_page)])
async def play(
    request: Request, deal_id: str, user: PageUser, registry: Registry, deals: TheDeals, response: Response
) -> Response:
    """Play a deal, or go on with it."""
    name = name_in(await request.form(max_files=0, max_fields=5))
    await accounts.introduce(registry, user, name)
    return onward(response, f"/tables/{await deals.play(user, deal_id, name)}")


@router.post("/deals/{deal_id}/close", dependencies=[Depends(own_page)])
async def close(deal_id: str, user: PageUser, deals: TheDeals) -> Response:
    """Let nobody else begin to play a deal."""
    await deals.close(user, deal_id)
    return RedirectResponse(f"/deals/{deal_id}", 303)
