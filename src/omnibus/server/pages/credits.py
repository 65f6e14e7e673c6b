"""The credits: who designed the games, and what Omnibus is built with."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from omnibus import games
from omnibus.server.http.visitor import PageVisitor
from omnibus.server.pages.templates import render

router = APIRouter()


@router.get("/credits", response_class=HTMLResponse)
async def credits_page(request: Request, visit: PageVisitor) -> Response:
    """Show the credits."""
    return render(request, visit, "credits.html", games=[games.find(name) for name in games.names()])
