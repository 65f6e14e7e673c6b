"""One's own data: download all of it, or erase the account."""

from __future__ import annotations

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse

from omnibus.server.http.visitor import TOKEN, PageUser, PageVisitor, Registry, own_page
from omnibus.server.pages.templates import render
from omnibus.server.people import erasing, own_data
from omnibus.server.store.models import User

router = APIRouter(dependencies=[Depends(own_page)])


def _known(visit: PageVisitor) -> User:
    if visit.user is None:
        raise HTTPException(404)
    return visit.user


@router.get("/you/data")
async def download(visit: PageVisitor, registry: Registry) -> Response:
    """Send the visitor's own data as a zip archive, to be saved and nowhere kept on the way."""
    pieces = await own_data.archive(registry, _known(visit))
    headers = {"content-disposition": 'attachment; filename="omnibus-data.zip"', "cache-control": "no-store"}
    return StreamingResponse(pieces, media_type="application/zip", headers=headers)


@router.get("/you/erase", response_class=HTMLResponse)
async def ask_to_erase(request: Request, visit: PageVisitor) -> Response:
    """Ask whether to erase the account, and say what that means."""
    _known(visit)
    return render(request, visit, "erase.html", missing=False)


@router.post("/you/erase")
async def erase(request: Request, user: PageUser, visit: PageVisitor, registry: Registry) -> Response:
    """Erase the account, if the form says that this is meant."""
    form = await request.form(max_files=0, max_fields=5)
    if form.get("sure") != "yes":
        return render(request, visit, "erase.html", status=400, missing=True)
    await erasing.erase(registry, user)
    response = RedirectResponse("/", 303)
    response.delete_cookie(TOKEN)
    return response
