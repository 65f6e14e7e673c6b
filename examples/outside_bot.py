"""An outside bot in standard Python: it plays in the arena of Omnibus by lines on standard input and output.

    omnibus arena times_square easy --bot "python3 examples/outside_bot.py"

The protocol is told in docs/protocol.md. This bot likes long lines of play: of the legal lines it takes the longest,
and among equals any. Put your own idea into `choose`.
"""

import json
import random
import sys
from typing import Any


def main() -> None:
    """Answer line by line until told to quit."""
    view: dict[str, Any] = {}
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "omnibus":
            say("name Long-winded", "option seed WHOLE_NUMBER", "ready")
        elif word == "set":
            random.seed(rest.removeprefix("seed "))
            say("ready")
        elif word == "game":
            say("ready")
        elif word == "view":
            view = json.loads(rest)
        elif word == "go":
            say(f"play {choose(view)}")
        elif word == "quit":
            return


def choose(view: dict[str, Any]) -> str:
    """Return one of the legal lines; the rest of the view is what a person in this seat would see."""
    legal: list[str] = view["legal"]
    longest = max(len(line) for line in legal)
    return random.choice([line for line in legal if len(line) == longest])


def say(*lines: str) -> None:
    """Answer, and make sure that it is sent at once."""
    print(*lines, sep="\n", flush=True)


if __name__ == "__main__":
    main()
