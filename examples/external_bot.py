"""An external bot in standard Python, which plays in the arena by lines on standard input and output.

    omnibus arena times_square easy --program "python3 examples/external_bot.py"

The protocol is described in docs/protocol.md. This bot plays a legal line with the most characters. Put your own idea
into `choose`.
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
            send("name Long-winded", "option seed WHOLE_NUMBER", "ready")
        elif word == "set":
            random.seed(rest.removeprefix("seed "))
            send("ready")
        elif word == "game":
            send("ready")
        elif word == "view":
            view = json.loads(rest)
        elif word == "go":
            send(f"play {choose(view)}")
        elif word == "quit":
            return


def choose(view: dict[str, Any]) -> str:
    """Return one of the legal lines; the rest of the view is what the seat can see."""
    legal: list[str] = view["legal"]
    longest = max(len(line) for line in legal)
    return random.choice([line for line in legal if len(line) == longest])


def send(*lines: str) -> None:
    """Send lines at once."""
    print(*lines, sep="\n", flush=True)


if __name__ == "__main__":
    main()
