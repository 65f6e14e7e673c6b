"""The parts of a board that were clicked, in the query of a request."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

Part = Annotated[str, Query(max_length=200, description="A part of the board, as in `parts` of a move.")]
Picked = Annotated[tuple[str, ...], Query(max_length=20, description="The parts chosen before it.")]
