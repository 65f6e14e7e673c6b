"""Scenes put together from what is sent over a socket, as the page's script does."""

from __future__ import annotations

from typing import Any

Scene = dict[str, Any]


def whole(scene: Scene, before: Scene) -> Scene:
    """Return a scene with all that is as it was in the scene received before it."""
    if scene["base"] is None:
        return scene
    assert scene["base"] == before["event"]
    position, known = scene["position"], before["position"]
    pieces: list[Any] = []
    for piece in position["pieces"]:
        pieces += known["pieces"][piece["start"] : piece["stop"]] if isinstance(piece, dict) else [piece]
    panels = {panel["seat"]: panel for panel in [*known["panels"], *position["panels"]]}
    return {**scene, "base": None, "position": {**position, "pieces": pieces, "panels": list(panels.values())}}
