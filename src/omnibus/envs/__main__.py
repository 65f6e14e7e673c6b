"""Describe an environment: `python -m omnibus.envs GAME --seats 4`; with `--actions`, list its actions."""

from __future__ import annotations

import argparse
import sys

from omnibus import games
from omnibus.envs.setup import actions
from omnibus.envs.specs import specs


def main(arguments: list[str] | None = None) -> int:
    """Print the description of one environment."""
    parser = argparse.ArgumentParser(prog="python -m omnibus.envs", description=__doc__)
    parser.add_argument("game", choices=games.names())
    parser.add_argument("--seats", type=int, default=None, help="number of seats (default: the fewest)")
    parser.add_argument("--actions", action="store_true", help="print the notation of every action instead")
    given = parser.parse_args(arguments)
    try:
        if given.actions:
            lines = actions(given.game, seats=given.seats)
            sys.stdout.write("".join(f"{move} {line}\n" for move, line in enumerate(lines)))
        else:
            sys.stdout.write(specs(given.game, seats=given.seats))
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
