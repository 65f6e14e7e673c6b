"""Hostile input: the server answers all of it clearly, and stays up. More of it: `nox -s bench -- --fuzz`."""

from __future__ import annotations

import asyncio

import pytest

from support import fuzz

INPUTS = 1500
SEED = 7


@pytest.mark.walk
@pytest.mark.parametrize("what", fuzz.KINDS)
def test_hostile_input(what: str) -> None:
    """Messages, frames, records, positions, maps, forms; a failure names the group it came from."""
    inputs = round(INPUTS * fuzz.KINDS[what][1])
    assert asyncio.run(fuzz.fuzz(what, inputs, SEED)) >= inputs
