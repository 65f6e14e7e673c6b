"""Which core runs: the tests of the engines must not pass on the wrong one."""

from __future__ import annotations

import os
from importlib import import_module

import pytest

from omnibus import games

ROOMS = ("board", "moves", "state", "rules.legal", "rules.apply", "rules.refusal", "scoring", "features")


@pytest.mark.engine
@pytest.mark.parametrize("room", ROOMS)
def test_the_core_is_the_one_asked_for(room: str) -> None:
    """`dev.py test` runs the engines on the sources, then on the compiled build; each time on what it says."""
    assert "times_square" in games.names()
    module = import_module(f"omnibus.games.times_square.{room}")
    loops = [import_module(f"omnibus.kernel.{name}") for name in ("batch", "perft")]
    for file in (str(each.__file__) for each in (module, *loops)):
        assert file.endswith(".py") == (os.environ.get("OMNIBUS_CORE") != "compiled")
