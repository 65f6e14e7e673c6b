"""API: analyses of finished tables and uploaded records."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from omnibus.lab.analysis.accounts import accounts, moments
from omnibus.lab.analysis.grades import accuracies, grade
from omnibus.server.analysed import Analysed, finished_record, finished_table
from omnibus.server.api.auth import ANYBODY, Anybody, TheUser
from omnibus.server.api.models.analysis import AnalysisInfo, LineToTry, TryResult
from omnibus.server.api.play import Ply
from omnibus.server.api.records import RecordId
from omnibus.server.api.responses import answers, json_response
from omnibus.server.api.tables import TableId
from omnibus.server.errors import TableNotFound
from omnibus.server.http.visitor import Registry
from omnibus.server.store.models import User
from omnibus.server.tables.analyses import PASSES
from omnibus.server.tables.registry import TableRegistry

router = APIRouter(tags=["Analysis"])


@router.post("/tables/{table_id}/analysis", responses=answers(AnalysisInfo, 401, 409))
async def analyse_table(table_id: TableId, user: TheUser, registry: Registry) -> Response:
    """Analyse a table whose game is over, or go on with an analysis that was interrupted.

    It is made in the background; `GET` says how far it is.
    """
    return await _start(registry, await finished_table(registry, user, table_id), user)


@router.get("/tables/{table_id}/analysis", responses=answers(AnalysisInfo, 409), openapi_extra=ANYBODY)
async def get_table_analysis(table_id: TableId, visit: Anybody, registry: Registry) -> Response:
    """Return the analysis of a table whose game is over, or how far it is."""
    return json_response(await _info(registry, await finished_table(registry, None, table_id)))


@router.post("/tables/{table_id}/analysis/{ply}/try", responses=answers(TryResult, 401, 409))
async def try_at_table(table_id: TableId, ply: Ply, body: LineToTry, user: TheUser, registry: Registry) -> Response:
    """Say what another line would have been worth than the one that was played after so many plies."""
    return await _try(registry, await finished_table(registry, user, table_id), ply, body.line, user)


@router.post("/records/{record_id}/analysis", responses=answers(AnalysisInfo, 401, 409))
async def analyse_record(record_id: RecordId, user: TheUser, registry: Registry) -> Response:
    """Analyse an uploaded record of a finished game, or go on with an analysis that was interrupted."""
    return await _start(registry, await finished_record(registry, user, record_id), user)


@router.get("/records/{record_id}/analysis", responses=answers(AnalysisInfo, 409), openapi_extra=ANYBODY)
async def get_record_analysis(record_id: RecordId, visit: Anybody, registry: Registry) -> Response:
    """Return the analysis of an uploaded record, or how far it is."""
    return json_response(await _info(registry, await finished_record(registry, None, record_id)))


@router.post("/records/{record_id}/analysis/{ply}/try", responses=answers(TryResult, 401, 409))
async def try_in_record(record_id: RecordId, ply: Ply, body: LineToTry, user: TheUser, registry: Registry) -> Response:
    """Say what another line would have been worth than the one that was played after so many plies."""
    return await _try(registry, await finished_record(registry, user, record_id), ply, body.line, user)


async def _start(registry: TableRegistry, game: Analysed, user: User) -> Response:
    await registry.analyses.start(game.subject, game.match, user.id)
    return json_response(await _info(registry, game))


async def _info(registry: TableRegistry, game: Analysed) -> AnalysisInfo:
    progress = await registry.analyses.progress(game.subject, game.match)
    found = await registry.analyses.finished(game.subject, game.match)
    if found is None:
        return AnalysisInfo(progress.state, progress.done, progress.total)
    return AnalysisInfo(
        state=progress.state,
        done=progress.done,
        total=progress.total,
        analysis=found,
        grades=[grade(decision) for decision in found.decisions],
        accuracies=accuracies(found.decisions, found.seats),
        accounts=accounts(found),
        moments=[decision.ply for decision in moments(found.decisions)],
    )


async def _try(registry: TableRegistry, game: Analysed, ply: int, line: str, user: User) -> Response:
    found = await registry.analyses.finished(game.subject, game.match)
    decision = next((each for each in found.decisions if each.ply == ply), None) if found else None
    if decision is None:
        raise TableNotFound
    loss = await registry.analyses.points_lost(game.match, decision, line, user.id)
    return json_response(TryResult(loss, loss < PASSES))
