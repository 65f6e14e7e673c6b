"""API: what moderators do."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from pydantic import ConfigDict, Field

from omnibus.server.api.auth import TheUser
from omnibus.server.api.models.common import TYPED, Named
from omnibus.server.api.responses import answers, json_response
from omnibus.server.http.visitor import Registry
from omnibus.server.people.moderation import MOST_DAYS, BanList, Moderation, ReportList

ReportId = Annotated[str, Path(max_length=64, description="The id of a report.")]
Key = Annotated[str, Path(max_length=64, description="The key of an account that was reported or is banned.")]

router = APIRouter(tags=["Moderation"])


class BanRequest(Named):
    """An account to ban: by the key in a report or a ban, or by a claimed name."""

    model_config = ConfigDict(json_schema_extra={"example": {"name": "Bob", "days": 7, "reason": "insults others"}})

    key: Annotated[str, Field(max_length=64, description="The key of an account; empty: `name` says who.")] = ""
    days: Annotated[int | None, Field(ge=1, le=MOST_DAYS, description="For how many days; null: for ever.")] = None
    reason: Annotated[str, Field(max_length=TYPED, description="Why, for other moderators.")] = ""


@router.get("/moderation/reports", responses=answers(ReportList, 401))
async def list_reports(
    user: TheUser, registry: Registry, *, closed: Annotated[bool, Query(description="Also closed ones.")] = False
) -> Response:
    """List the open reports, a hundred at most, which wait longest; or the latest of all. Only for moderators."""
    return json_response(await Moderation(registry).reports(user, closed=closed))


@router.post("/moderation/reports/{report_id}/close", responses=answers(ReportList, 401))
async def close_report(report_id: ReportId, user: TheUser, registry: Registry) -> Response:
    """Close a report that needs nothing else."""
    await Moderation(registry).close(user, report_id)
    return json_response(await Moderation(registry).reports(user))


@router.get("/moderation/bans", responses=answers(BanList, 401))
async def list_bans(user: TheUser, registry: Registry) -> Response:
    """List the accounts that are banned."""
    return json_response(await Moderation(registry).bans(user))


@router.post("/moderation/bans", responses=answers(BanList, 401, 409))
async def ban_account(body: BanRequest, user: TheUser, registry: Registry) -> Response:
    """Ban an account, and close the reports about it. A ban that is in force is replaced."""
    moderation = Moderation(registry)
    other = await moderation.keyed(user, body.key) if body.key else await moderation.named(user, body.name)
    await moderation.ban(user, other, body.days, body.reason)
    return json_response(await moderation.bans(user))


@router.delete("/moderation/bans/{key}", responses=answers(BanList, 401))
async def lift_ban(key: Key, user: TheUser, registry: Registry) -> Response:
    """Lift a ban."""
    moderation = Moderation(registry)
    await moderation.unban(user, await moderation.keyed(user, key))
    return json_response(await moderation.bans(user))


@router.delete("/moderation/names/{key}", status_code=204, responses=answers(None, 401, status=204))
async def remove_name(key: Key, user: TheUser, registry: Registry) -> Response:
    """Remove the name of an account, also at tables. Nobody can take it, or one that looks like it, from then on."""
    moderation = Moderation(registry)
    await moderation.remove_name(user, await moderation.keyed(user, key))
    return Response(status_code=204)
