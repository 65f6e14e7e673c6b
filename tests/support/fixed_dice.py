"""Run the command `omnibus` with dice that fall the same way on every run, for tests in a browser.

The first table that somebody sets up has the same seed on every run, and so have the second and the third. Bots draw
from that seed too, so a test that makes the same decisions plays the same game. Bots also have the same names at every
table, and play as soon as they know what, unless they think for long. `OMNIBUS_DICE`, a number, chooses other dice.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Any
from unittest.mock import patch

from omnibus.bots import names as bot_names
from omnibus.bots.nicknames import nickname
from omnibus.cli.main import main
from omnibus.server.store.models import TableSetup
from omnibus.server.tables import bot_driver, names, registry

BEFORE_FIRST = int(os.environ.get("OMNIBUS_DICE", "0"))

tables_of: Counter[str] = Counter()
drawn: dict[int, int] = {}
"""The fixed seed instead of each one that was drawn: tables that are to have the same dice have the same."""
LARGEST = 2**32


def setup_with_fixed_seed(*, owner: str, **more: Any) -> TableSetup:
    """Make the setup of a new table; its seed says how many tables its owner has set up, unless it is another's."""
    tables_of[owner] += 1
    seed = more["seed"] if more["seed"] < LARGEST else drawn.setdefault(more["seed"], BEFORE_FIRST + tables_of[owner])
    return TableSetup(**{**more, "owner": owner, "seed": seed})


def nickname_at_every_table(_table: str, *more: Any) -> str:
    return nickname("table", *more)


if __name__ == "__main__":
    with (
        patch.object(registry, "TableSetup", setup_with_fixed_seed),
        patch.object(names, "nickname", nickname_at_every_table),
        patch.dict(bot_driver.MOVES_AFTER_S, {bot_names()[0]: 0.001}),
        patch.object(bot_driver, "QUICK_S", 0.001),
    ):
        main()
