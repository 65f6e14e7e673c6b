"""The tutorial as the page asks for it, step by step; traces/lessons has what is not there, and how it ends."""

from __future__ import annotations

import httpx
import pytest

from omnibus import games
from omnibus.kernel.i18n import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", games.names())
async def test_every_step_can_be_played(client: httpx.AsyncClient, name: str, language: str) -> None:
    """Each step has its picture and moves; its move is answered with positions that go on from it."""
    headers = {"accept-language": language}
    lessons = games.find(name).lessons
    ground = ""
    for number, step in enumerate(lessons, 1):
        scene = (await client.get(f"/learn/{name}/{number}", params={"ground": ground}, headers=headers)).json()
        assert (scene["position"]["svg"] is None) == (scene["position"]["ground"] == ground)
        assert (scene["step"], scene["steps"]) == (number, len(lessons))
        assert scene["wanted"][0] in [move["line"] for move in scene["moves"]]
        ground = scene["position"]["ground"]
        answer = await client.post(f"/learn/{name}/{number}", json={"line": step.wanted[0], "ground": ground})
        frames = answer.json()["frames"]
        assert frames
        ground = frames[-1]["position"]["ground"]
        assert frames[0]["position"]["pieces"] != scene["position"]["pieces"]


async def test_what_is_not_wanted(client: httpx.AsyncClient) -> None:
    """A line that is not wanted is not played, and beyond the last step there is nothing."""
    for step, body, status in ((1, {"line": "pass"}, 409), (1, {"lines": "pass"}, 400), (99, {"line": "pass"}, 404)):
        assert (await client.post(f"/learn/bus/{step}", json=body)).status_code == status


@pytest.mark.parametrize(("kept", "step"), [("3", 3), ("99", 1), ("x", 1), ("0", 1), ("-1", 1)])
async def test_it_resumes(client: httpx.AsyncClient, kept: str, step: int) -> None:
    """The page begins where the cookie says, unless that is no step; the address goes first."""
    cookie = {"cookie": f"step={kept}"}
    page = (await client.get("/learn/bus", headers=cookie)).text
    assert f'{{"step":{step},' in page
    assert '{"step":5,' in (await client.get("/learn/bus?step=5", headers=cookie)).text
