"""Build the wheel as a stranger would, install it in an empty environment, and compare its speed with dev.py's build.

The wheel is built in isolation and installed with all its dependencies, so this takes minutes and a network. Speeds are
random moves per second of processor time; the two take turns, and the best of their rounds counts.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent
MEASURE = """
import json, sys, time
from random import Random
from omnibus import games
from omnibus.kernel import perft
assert not perft.__file__.endswith(".py"), "not compiled"
found = {}
for name in games.names():
    game, random, moves = games.find(name), Random(1), 0
    options = {key: option.default for key, option in game.options.items()}
    began = time.process_time()
    while (took := time.process_time() - began) < float(sys.argv[1]):
        state = game.setup(game.seats[0], options)
        moves += perft.playout(game, state, random.random)
    found[name] = moves / took
print(json.dumps(found))
"""


def run(*command: str | Path, **settings: str) -> str:
    """Run a command outside the checkout, so that only what is installed is found."""
    plain = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "OMNIBUS_CORE")}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            list(map(str, command)), cwd=folder, env={**plain, **settings}, capture_output=True, text=True, check=False
        )
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return done.stdout


def timed(what: str, *command: str | Path) -> None:
    """Run a command and print how long it took."""
    began = time.monotonic()
    run(*command)
    print(f"{what}: {time.monotonic() - began:.0f} s", flush=True)


def first_page(scripts: Path) -> float:
    """Return how many seconds pass from starting `omnibus-games` until its page has been sent."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(scripts / "omnibus-games"), "--port", "0", "--no-browser", "--data", folder]
        began = time.monotonic()
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            found = re.search(r"http://[^/]+/", server.stdout.readline())
            assert found
            urlopen(found[0], timeout=60).read()
            took = time.monotonic() - began
            server.terminate()
    return took


def compare(python: Path, core: str, rounds: int, seconds: float) -> None:
    """Measure the wheel and dev.py's build in turns, and print their ratio."""
    best: dict[str, dict[str, float]] = {"wheel": {}, "dev.py": {}}
    for _ in range(rounds):
        told = {
            "wheel": run(python, "-c", MEASURE, str(seconds)),
            "dev.py": run(sys.executable, "-c", MEASURE, str(seconds), PYTHONPATH=core),
        }
        for name, said in told.items():
            for game, speed in json.loads(said).items():
                best[name][game] = max(best[name].get(game, 0), speed)
    print(f"{'moves a second':<16}{'wheel':>12}{'dev.py':>12}{'ratio':>8}")
    for game, speed in best["wheel"].items():
        other = best["dev.py"][game]
        print(f"{game:<16}{speed:>12,.0f}{other:>12,.0f}{speed / other:>8.2f}")


def main() -> None:
    """Build, install, open and compare."""
    parser = argparse.ArgumentParser(prog="python3 dev.py bench --wheel", description=__doc__)
    parser.add_argument("--core", default="", help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=3, help="rounds of each, of which the best counts")
    parser.add_argument("--seconds", type=float, default=2, help="seconds for each game in a round")
    given = parser.parse_args()
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        timed("built in isolation", *pip, "wheel", "--no-deps", "--wheel-dir", folder, ROOT)
        (wheel,) = folder.glob("*.whl")
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB")
        venv.create(folder / "venv", with_pip=True)
        scripts = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        install: list[str | Path] = [
            scripts / "python",
            "-m",
            "pip",
            "install",
            wheel,
            "--constraint",
            ROOT / "constraints.txt",
        ]
        timed("installed with all dependencies", *install)
        print(f"first page: {first_page(scripts):.1f} s, a second start {first_page(scripts):.1f} s")
        compare(scripts / "python", given.core, given.rounds, given.seconds)


if __name__ == "__main__":
    main()
