"""Language and colour scheme, stored in cookies."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse

from omnibus.kernel.i18n import LANGUAGES
from omnibus.server.http.visitor import LANGUAGE, THEME, THEMES, PageVisitor, Registry, own_page, set_cookie

router = APIRouter(dependencies=[Depends(own_page)])


@router.post("/settings")
async def settings(request: Request, registry: Registry, visit: PageVisitor) -> Response:
    """Store language and theme in cookies and go back; messages to the user use the language too."""
    form = await request.form(max_files=0, max_fields=5)
    back, language, theme = form.get("back"), form.get("language"), form.get("theme")
    is_local = isinstance(back, str) and back.startswith("/") and not back.startswith(("//", "/\\"))
    response = RedirectResponse(str(back) if is_local else "/", 303)
    if isinstance(language, str) and language in LANGUAGES:
        set_cookie(response, request, LANGUAGE, language)
        if visit.user:
            await registry.user_store.speak(visit.user.id, language)
    if theme in THEMES:
        set_cookie(response, request, THEME, str(theme))
    elif theme == "device":
        response.delete_cookie(THEME)
    return response
