"""Writes the site: one folder of files for any file server."""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from omnibus import __version__
from omnibus.kernel.i18n import COMMON_TEXTS, LANGUAGES, words
from omnibus.server.app import paths_without_others
from omnibus.static_site import packages
from omnibus.static_site.archives import archive, unarchived
from omnibus.static_site.texts import SHELL

OMNIBUS: Final = Path(__file__).parents[1]
FILES: Final = Path(__file__).parent / "files"
PACKED: Final = (".bin", ".json", ".mjs", ".wasm", ".zip")  # sent compressed, whatever the file server does
LEFT_OUT: Final = ("cli/", "envs/", "lab/arena/", "lab/training/", "static_site/files/", "web/static/")
NOT_NEEDED: Final = (".npz", ".so", ".pyd", ".pyc", ".typed", "/weights/", "/README.md", "__pycache__", "__main__")
UNUSED_LIBRARY: Final = (
    "_pyio", "_pyrepl/", "asyncio/windows", "bdb", "ctypes/macholib/", "curses/", "doctest", "encodings/cp1",
    "encodings/cp7", "encodings/cp8", "encodings/mac_", "ensurepip/", "ftplib", "idlelib/", "imaplib", "lib2to3/",
    "mailbox", "multiprocessing/", "optparse", "pdb", "pickletools", "plistlib", "profile", "pstats", "pydoc",
    "pyodide/console", "site-packages/", "tarfile", "test/", "trace.", "turtle", "unittest/", "venv/", "wsgiref/",
    "xml/", "xmlrpc/",
)  # fmt: skip
"""Parts of the standard library that are left out, unless they are used."""
TYPES: Final = {".mjs": "text/javascript", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json"}

READS_ITSELF: Final = b"install_lazy_importer("
"""In modules of AnyIO that look into their own source; compiled, they would import everything at once."""
MOST_SAID: Final = 300  # characters of an error
SITE_HERE: Final = "/* SITE: the version, the files and what the application answers, written by the builder */"

Files = dict[str, bytes]
Say = Callable[[str], None]


class Built(NamedTuple):
    """What was written: the number of files, and their size in bytes."""

    files: int
    size: int


def build(folder: Path, cache: Path, say: Say = lambda _: None) -> Built:
    """Write the site into a folder that does not exist or is empty; ValueError says why that fails."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"{folder} is not empty; name a new folder for the site")
    say("Pyodide and packages")
    pyodide = packages.pyodide(cache)
    sources = _sources(packages.wheels(cache, pyodide))
    library = _library(pyodide)
    say("A first visit")
    compiled = rehearse(pyodide, sources)
    say("The files of the site")
    site = _own_files() | _runtime(pyodide, _with_compiled(library, compiled), _with_compiled(sources, compiled))
    return _write(folder, site)


# what goes in


def _sources(wheels: Iterable[Path]) -> Files:
    """Return all packages as files, with their paths in the folder of packages."""
    found = dict(packages.pure_files())
    for wheel in wheels:
        found.update(packages.wheel_files(wheel))
    found.update((f"omnibus/{path}", content) for path, content in _omnibus())
    return found


def _omnibus() -> Iterator[tuple[str, bytes]]:
    """Yield the files of this package the server needs; catalogues are compiled."""
    for file in sorted(OMNIBUS.rglob("*")):
        path = file.relative_to(OMNIBUS).as_posix()
        if not file.is_file() or path.startswith(LEFT_OUT) or any(each in f"/{path}" for each in NOT_NEEDED):
            continue
        if file.suffix == ".po":
            yield path.removesuffix(".po") + ".mo", _catalogue(file)
        else:
            yield path, file.read_bytes()


def _catalogue(file: Path) -> bytes:
    compiled = BytesIO()
    with file.open("rb") as source:
        write_mo(compiled, read_po(source, abort_invalid=True))
    return compiled.getvalue()


def _library(pyodide: Path) -> Files:
    """Return the standard library, with the paths in its archive."""
    with zipfile.ZipFile(pyodide / "python_stdlib.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


# compiled code


def rehearse(pyodide: Path, sources: Files) -> Files:
    """Visit the site in Node.js; return the compiled code of all modules that were used, by the files they are from."""
    packages.ensure_npm()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        (place / "packages.bin").write_bytes(archive(sources))
        command = ["node", str(FILES / "rehearse.mjs"), str(pyodide), str(place)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ValueError(f"the site does not work in Pyodide {packages.PYODIDE}: {_last_line(done.stderr)}")
        return unarchived((place / "compiled.bin").read_bytes())


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1][:MOST_SAID] if lines else "no reason was given"


def _with_compiled(files: Files, compiled: Mapping[str, bytes]) -> Files:
    """Replace sources by their compiled code, where there is any; leave out those that nobody will miss."""
    used = {path.partition("/site-packages/")[2] or path.partition(".zip/")[2]: code for path, code in compiled.items()}
    found = {}
    for path, content in files.items():
        if path in used and READS_ITSELF not in content:
            found[f"{path}c"] = used[path]
        elif path in used or not path.startswith(UNUSED_LIBRARY):
            found[path] = content
    return found


def _zipped(files: Mapping[str, bytes]) -> bytes:
    """Pack files as an archive Python can import from; it is compressed as a whole when it is sent."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as zipped:
        for path, content in sorted(files.items()):
            zipped.writestr(zipfile.ZipInfo(path), content)
    return packed.getvalue()


# the site


def _own_files() -> Files:
    """Return our scripts and styles, those of the pages too."""
    found = {path: content for path, content in _folder(FILES) if path != "rehearse.mjs"}
    found.update((f"static/{path}", content) for path, content in _folder(OMNIBUS / "web" / "static"))
    texts = {code: {key: words(code, COMMON_TEXTS).gettext(text) for key, text in SHELL.items()} for code in LANGUAGES}
    shown = json.dumps(texts, ensure_ascii=False).replace("<", "\\u003c")
    found["index.html"] = found["index.html"].decode().replace("{{ texts }}", shown).encode()
    return found


def _folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            yield file.relative_to(folder).as_posix(), file.read_bytes()


def _runtime(pyodide: Path, library: Files, sources: Files) -> Files:
    """Return Python and all its modules."""
    lock = json.loads((pyodide / "pyodide-lock.json").read_text("utf-8"))
    parts = {name: (pyodide / name).read_bytes() for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")}
    parts["pyodide-lock.json"] = json.dumps(lock | {"packages": {}}).encode()
    parts["python_stdlib.zip"] = _zipped(library)
    parts["packages.bin"] = archive(sources)
    return {f"offline/{name}": content for name, content in parts.items()}


def _routes() -> list[str]:
    """Return the first parts of all paths for which the application has something."""
    first = {path.split("/")[1] for path in paths_without_others()}
    return sorted(part for part in first if part and "{" not in part)


def _write(folder: Path, site: Files) -> Built:
    """Write the files, and the service worker that knows them."""
    listed = []
    partial = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    for path, content in sorted(site.items()):
        if path == "service_worker.js":
            continue
        kind = TYPES.get(Path(path).suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
        packed = path.endswith(PACKED)
        stored = gzip.compress(content, 9, mtime=0) if packed else content
        place = partial / (f"{path}.gz" if packed else path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(stored)
        digest = hashlib.sha256(content).hexdigest()[:16]
        listed.append({"path": path, "size": len(stored), "digest": digest, "packed": packed, "type": kind})
    version = hashlib.sha256(json.dumps(listed).encode()).hexdigest()[:16]
    known = {"version": f"{__version__} {version}", "routes": _routes(), "files": listed}
    told = f"const SITE = {json.dumps(known)};"
    worker = site["service_worker.js"].decode().replace(SITE_HERE, told)
    (partial / "service_worker.js").write_text(worker, "utf-8")
    if folder.exists():
        folder.rmdir()
    partial.rename(folder)
    return Built(len(listed) + 1, sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()))
