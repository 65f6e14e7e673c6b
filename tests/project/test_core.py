"""The engine tests run on the core they claim to run on."""

from __future__ import annotations

import os
from importlib import import_module

import pytest

from omnibus import games

MODULES = ("board", "moves", "state", "rules.legal", "rules.apply", "rules.refusal", "scoring", "features")


@pytest.mark.engine
@pytest.mark.parametrize("name", MODULES)
def test_the_core_is_the_one_asked_for(name: str) -> None:
    """`dev.py test` runs the engine tests on the sources and again on the compiled build."""
    assert "times_square" in games.names()
    module = import_module(f"omnibus.games.times_square.{name}")
    loops = [import_module(f"omnibus.kernel.{name}") for name in ("batch", "perft")]
    for file in (str(each.__file__) for each in (module, *loops)):
        assert file.endswith(".py") == (os.environ.get("OMNIBUS_CORE") != "compiled")
