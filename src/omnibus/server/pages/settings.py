"""Language and colour scheme, kept in cookies."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse

from omnibus.kernel.i18n import LANGUAGES
from omnibus.server.http.visitor import LANGUAGE, THEME, THEMES, PageVisitor, Registry, own_page, set_cookie

router = APIRouter(dependencies=[Depends(own_page)])


@router.post("/settings")
async def settings(request: Request, registry: Registry, visit: PageVisitor) -> Response:
    """Remember language and light in cookies, and go back; messages are written in the language, too."""
    form = await request.form(max_files=0, max_fields=5)
    back, language, theme = form.get("back"), form.get("language"), form.get("theme")
    inside = isinstance(back, str) and back.startswith("/") and not back.startswith(("//", "/\\"))
    back_there = RedirectResponse(str(back) if inside else "/", 303)
    if isinstance(language, str) and language in LANGUAGES:
        set_cookie(back_there, request, LANGUAGE, language)
        if visit.user:
            await registry.user_store.speak(visit.user.id, language)
    if theme in THEMES:
        set_cookie(back_there, request, THEME, str(theme))
    elif theme == "device":
        back_there.delete_cookie(THEME)
    return back_there
