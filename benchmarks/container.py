"""Build the container image and run it, with Docker or Podman; without them, execute its steps on this machine.

In that case what the Dockerfile copies is copied into clean folders, what it runs is run, and in the end the server
starts as in the container, answers the health check and stops on SIGTERM. Left out is what would change this machine:
system packages and users.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from container_engine import engine, try_engine

ROOT = Path(__file__).resolve().parent.parent
DOCKERFILE = ROOT / "docs" / "hosting" / "Dockerfile"
CHANGES_THE_MACHINE = ("apt-get", "useradd")
PATIENCE_S = 60


def instructions() -> Iterator[tuple[str, str]]:
    """Yield the instructions of the Dockerfile: name and arguments."""
    for line in DOCKERFILE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, arguments = line.partition(" ")
            yield name, arguments


class Image:
    """The image, with a folder of this machine in place of each folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folders = {name: folder / name.strip("/").replace("/", "-") for name in ("/opt/omnibus", "/src", "/data")}
        self._work = folder
        self.said: dict[str, str] = {}
        """The last instruction of each name."""

    def here(self, text: str) -> str:
        """Return a text of the Dockerfile with folders of this machine."""
        for name, folder in self._folders.items():
            text = re.sub(rf"(?<![\w/]){name}\b", str(folder), text)
        return text

    def build(self) -> None:
        """Execute all instructions; CalledProcessError if one fails."""
        for name, arguments in instructions():
            self.said[name] = self.here(arguments)
            if name == "WORKDIR":
                self._work = Path(self.here(arguments))
                self._work.mkdir()
            elif name == "COPY" and not arguments.startswith("--from"):
                self._copy(arguments.split())
            elif name == "RUN" and not arguments.startswith(CHANGES_THE_MACHINE):
                self._run(arguments)
            elif name == "RUN":
                print(f"left out: {arguments}")

    def _copy(self, paths: list[str]) -> None:
        *sources, target = paths
        for source in map(ROOT.joinpath, sources):
            if source.is_dir():
                shutil.copytree(source, self._work / target, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
            else:
                shutil.copy(source, self._work / target)

    def _run(self, command: str) -> None:
        began = time.perf_counter()
        clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        subprocess.run(
            shlex.split(self.here(command)), cwd=self._work, env=clean, check=True, stdout=subprocess.DEVNULL
        )
        print(f"{time.perf_counter() - began:6.1f} s  {command}")

    def start(self) -> None:
        """Start the server as the container does, except for the port; check its health and stop it."""
        self._folders["/data"].mkdir()
        command = [*json.loads(self.said["ENTRYPOINT"]), *json.loads(self.said["CMD"]), "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            try:
                assert server.stdout
                port = re.search(r":(\d+)/", server.stdout.readline())
                assert port, "the server does not start"
                self._check_health(port[1])
                server.send_signal(signal.SIGTERM)
                code = server.wait(PATIENCE_S)
            finally:
                server.kill()
        assert code in (0, -signal.SIGTERM), code
        print("the server started, was healthy, and stopped when it was told to")

    def _check_health(self, port: str) -> None:
        """Run the health check until it succeeds; the last failure counts."""
        check = json.loads(self.said["HEALTHCHECK"].removeprefix("CMD ").replace(":8787", f":{port}"))
        until = time.monotonic() + PATIENCE_S
        while subprocess.run(check, check=False, stderr=subprocess.DEVNULL).returncode:
            if time.monotonic() > until:
                subprocess.run(check, check=True)
            time.sleep(0.1)

    def core(self) -> str:
        """Return what the program says about its core."""
        command = [*json.loads(self.said["ENTRYPOINT"]), "games"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1]


def main() -> int:
    """Build and start the image."""
    name = engine()
    if name:
        try_engine(name)
        return 0
    print("There is neither Docker nor Podman, so the steps are executed in folders of this machine.")
    with tempfile.TemporaryDirectory() as folder:
        image = Image(Path(folder))
        image.build()
        print(image.core())
        image.start()
    return 0


if __name__ == "__main__":
    sys.exit(main())
