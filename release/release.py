"""Build the distributions, check each in an empty environment and, for a release, write the changelog and tag.

    python3 dev.py release            build and check
    python3 dev.py release 0.2.0      the same with that version, then commit and tag it

Nothing is published: what to do with the files in `dist` is said in docs/releasing.md.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Mapping
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
VERSION = ROOT / "src" / "omnibus" / "__init__.py"
CONSTRAINTS = ROOT / "constraints.txt"
CHANGELOG = ROOT / "CHANGELOG.md"
SDIST = "from setuptools import build_meta; build_meta.build_sdist({!r})"


def run(*command: str, at: Path = ROOT, settings: Mapping[str, str] | None = None) -> str:
    """Run a command; whatever it says is shown only if it fails, and then ends the release."""
    done = subprocess.run(
        command,
        cwd=at,
        env={**os.environ, **(settings or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\n{' '.join(command)} failed.")
    return done.stdout


def wheel(source: Path, **settings: str) -> None:
    """Build a wheel from the source distribution, in isolation, with the tools we have pinned."""
    pins = {"PIP_CONSTRAINT": str(CONSTRAINTS), "PIP_BUILD_CONSTRAINT": str(CONSTRAINTS), **settings}
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    run(*pip, "wheel", "--no-deps", "--wheel-dir", str(DIST), str(source), settings=pins)


def build() -> tuple[Path, Path, Path]:
    """Build the source distribution and, from it, a compiled and a pure wheel."""
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    with tempfile.TemporaryDirectory() as folder:  # from a copy of what is committed, and nothing else
        run("git", "checkout-index", "--all", f"--prefix={folder}/")
        for changed in (VERSION, CHANGELOG):
            shutil.copy(changed, Path(folder) / changed.relative_to(ROOT))
        run(sys.executable, "-c", SDIST.format(str(DIST)), at=Path(folder))
    (source,) = DIST.glob("*.tar.gz")
    wheel(source)
    (compiled,) = DIST.glob("*.whl")
    wheel(source, OMNIBUS_PURE="1")
    (pure,) = DIST.glob("*-py3-none-any.whl")
    if pure == compiled:
        sys.exit("The core was not compiled: is there a C compiler?")
    return source, compiled, pure


def check(distribution: Path, core: str, *, compiler: bool = True) -> None:
    """Install a distribution in an empty environment and see that the core and the page are there."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        scripts = Path(folder) / ("Scripts" if os.name == "nt" else "bin")
        settings = {} if compiler else {"PATH": str(scripts)}
        install = ["-m", "pip", "install", "--quiet", "--constraint", str(CONSTRAINTS), str(distribution)]
        run(str(scripts / "python"), *install, settings=settings)
        run(str(scripts / "python"), str(ROOT / "release" / "check_installed.py"), core, at=Path(folder))
    print(f"{distribution.name}: {core}, the page opens, {time.monotonic() - began:.0f} s", flush=True)


def prepare(version: str) -> None:
    """Write the version and the changelog; refuse if something is not committed or the version is not new."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        sys.exit(f"{version} is not a version such as 0.2.0.")
    if run("git", "status", "--porcelain"):
        sys.exit("There are changes that are not committed.")
    if run("git", "tag", "--list", f"v{version}"):
        sys.exit(f"There is a tag v{version} already.")
    text = VERSION.read_text(encoding="utf-8")
    VERSION.write_text(re.sub(r'__version__ = "[^"]+"', f'__version__ = "{version}"', text), encoding="utf-8")
    CHANGELOG.write_text(dated(CHANGELOG.read_text(encoding="utf-8"), version), encoding="utf-8")


def dated(changelog: str, version: str) -> str:
    """Put what was unreleased under the version and today's date."""
    heading = "## Unreleased\n"
    if changelog.count(heading) != 1:
        sys.exit(f"The changelog must have one heading {heading.strip()!r}.")
    return changelog.replace(heading, f"{heading}\n## {version} – {date.today().isoformat()}\n")


def main() -> None:
    """Build and check; with a version, release."""
    version = sys.argv[1] if len(sys.argv) > 1 else ""
    if version:
        prepare(version)
    done = False
    try:
        source, compiled, pure = build()
        check(compiled, "compiled")
        check(pure, "interpreted")
        check(source, "interpreted", compiler=False)
        done = True
    finally:
        if version and not done:
            run("git", "checkout", "--", str(VERSION), str(CHANGELOG))
    if version:
        run("git", "commit", "--all", "--message", f"Release {version}")
        run("git", "tag", "--annotate", f"v{version}", "--message", f"Omnibus {version}")
        print(f"Tagged v{version}. The files are in {DIST}; docs/releasing.md says how to publish them.")


if __name__ == "__main__":
    main()
