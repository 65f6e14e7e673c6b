"""Check an installed Omnibus from outside: which core it runs, that its page opens and the terminal plays.

    python release/check_installed.py [compiled|interpreted]

Run it with the Python of the environment to be checked. It needs nothing else, and must not find the sources.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from urllib.request import urlopen

PATIENCE_S = 120


def script(name: str) -> str:
    """Return the path of a command of the environment."""
    return str(Path(sysconfig.get_path("scripts")) / (name + sysconfig.get_config_var("EXE")))


def check_core(wanted: str) -> None:
    """Ask `omnibus games` which core runs."""
    said = subprocess.run([script("omnibus"), "games"], capture_output=True, text=True, check=True, timeout=PATIENCE_S)
    last = said.stdout.strip().splitlines()[-1]
    if last != f"The core runs {wanted}.":
        sys.exit(f"Expected the core to run {wanted}. It says: {last}")


def check_terminal() -> None:
    """Make a move at Times Square in the terminal, and leave."""
    play = [script("omnibus"), "play", "times_square", "--opponent", "none", "--seed", "3", "--lang", "en"]
    utf8 = {**os.environ, "PYTHONUTF8": "1"}  # Windows would not print every sign to a pipe
    said = subprocess.run(
        play, input="1\nq\n", capture_output=True, encoding="utf-8", env=utf8, check=True, timeout=PATIENCE_S
    )
    if said.stdout.count("Your move") != 2:
        sys.exit(f"Expected to be asked for two moves in the terminal. It says: {said.stdout}")


def check_page() -> None:
    """Start `omnibus-games`, which opens the page, and fetch the page with everything it names."""
    with tempfile.TemporaryDirectory() as folder:
        command = [script("omnibus-games"), "--port", "0", "--no-browser", "--data", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                fetch(server)
            finally:
                server.terminate()


def fetch(server: subprocess.Popen[str]) -> None:
    """Fetch the page, its styles and its scripts from a server that has just been started."""
    assert server.stdout
    found = re.search(r"http://[^/]+", server.stdout.readline())
    if not found:
        sys.exit("The server did not start.")
    page = urlopen(found[0] + "/", timeout=PATIENCE_S).read().decode()
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    if "Omnibus" not in page or not files:
        sys.exit("The page is not there, or names no styles and scripts.")
    for file in files:
        urlopen(found[0] + file, timeout=PATIENCE_S).read()


def main() -> None:
    """Check everything."""
    check_core(sys.argv[1] if len(sys.argv) > 1 else "compiled")
    check_terminal()
    check_page()
    print("Installed, the core as wanted, the terminal plays, and the page opens.")


if __name__ == "__main__":
    main()
