"""What `omnibus static` writes, without a network: Pyodide, its packages and the visit in Node.js are made up here."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import zipfile
from importlib import metadata
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from omnibus.cli.main import app
from omnibus.kernel.i18n import LANGUAGES
from omnibus.static_site import builder, packages
from omnibus.static_site.archives import unarchived

LOCK = {"info": {"python": "3.14.2", "abi_version": "2026_0"}, "packages": {"numpy": {}}}
PARTS = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A cache with everything in it."""
    folder = tmp_path / "cache" / f"pyodide-{packages.PYODIDE}"
    folder.mkdir(parents=True)
    for name in PARTS:
        (folder / name).write_bytes(name.encode())
    (folder / "pyodide-lock.json").write_text(json.dumps(LOCK))
    with zipfile.ZipFile(folder / "python_stdlib.zip", "w") as library:
        for path in ("json/__init__.py", "wsgiref/util.py", "this.py"):
            library.writestr(path, "x = 1")
    for name in packages.IN_WASM:
        version = metadata.version(name)
        wheel = f"{name.replace('-', '_')}-{version}-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
        with zipfile.ZipFile(folder.parent / wheel, "w") as packed:
            packed.writestr(f"{name}/__init__.py", "")
            packed.writestr(f"{name}/core.so", b"\0asm")
            packed.writestr(f"{name}.dist-info/METADATA", "")
    return folder.parent


@pytest.fixture
def site(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site, built without a network."""
    visited = {
        "/lib/python314.zip/json/__init__.py": b"code",
        "/lib/python3.14/site-packages/omnibus/__init__.py": b"ours",
    }
    monkeypatch.setattr(builder, "rehearse", lambda *_: visited)
    monkeypatch.setattr(packages, "imported", lambda: {"babel", "fastapi", "markupsafe"})
    monkeypatch.setattr(subprocess, "run", None)
    folder = tmp_path / "site"
    built = builder.build(folder, cache)
    assert built.files == len([file for file in folder.rglob("*") if file.is_file()])
    return folder


def listed(site: Path) -> dict[str, Any]:
    found = re.search(r"const SITE = (.*);", (site / "service_worker.js").read_text("utf-8"))
    assert found
    return {file["path"]: file for file in json.loads(found[1])["files"]}


def unpacked(site: Path, path: str) -> bytes:
    return gzip.decompress((site / f"{path}.gz").read_bytes())


def test_the_service_worker_knows_all_files(site: Path) -> None:
    """Each with the size of what is downloaded; the total is what the progress counts to."""
    for path, file in listed(site).items():
        place = site / (f"{path}.gz" if file["packed"] else path)
        assert place.stat().st_size == file["size"], path
    assert {"index.html", "offline/shell.js", "offline/pyodide.asm.wasm", "static/table.js"} <= set(listed(site))
    assert listed(site)["offline/pyodide.asm.wasm"]["type"] == "application/wasm"
    assert listed(site)["offline/pyodide.mjs"]["type"] == "text/javascript"


def test_modules_are_compiled_where_they_were_used(site: Path) -> None:
    """The others stay sources; what no server uses is left out."""
    with zipfile.ZipFile(BytesIO(unpacked(site, "offline/python_stdlib.zip"))) as inside:
        assert set(inside.namelist()) == {"json/__init__.pyc", "this.py"}
    found = unarchived(unpacked(site, "offline/packages.bin"))
    assert found["omnibus/__init__.pyc"] == b"ours"
    assert "omnibus/__init__.py" not in found
    assert {"omnibus/server/app.py", "msgspec/core.so", "fastapi/__init__.py", "omnibus/locale/it.mo"} <= set(found)
    assert not [
        path for path in found if path.endswith((".npz", ".po")) or path.startswith(("babel/messages", "omnibus/cli"))
    ]
    assert {Path(path).stem for path in found if path.startswith("babel/locale-data")} == {"root", *LANGUAGES}


def test_the_first_page_speaks_every_language(site: Path) -> None:
    page = (site / "index.html").read_text("utf-8")
    found = re.search(r'id="texts">(.*?)</script>', page)
    assert found
    texts = json.loads(found[1])
    assert set(texts) == set(LANGUAGES)
    assert len({each["starting"] for each in texts.values()}) == len(LANGUAGES)


def test_the_site_can_be_installed(site: Path) -> None:
    """The manifest names icons that are there, and everything is relative to the folder of the site."""
    manifest = json.loads((site / "manifest.webmanifest").read_text("utf-8"))
    assert manifest["start_url"] == manifest["scope"] == "."
    addresses = re.findall(r'(?:href|src)="([^"]+)"', (site / "index.html").read_text("utf-8"))
    assert addresses
    for address in [*addresses, *(icon["src"] for icon in manifest["icons"])]:
        assert (site / address).is_file()


def test_the_packages_of_the_server_are_found() -> None:
    """Those it imports, and not what other commands need."""
    found = packages.imported()
    assert {"fastapi", "jinja2", "markdown-it-py", "msgspec", "pydantic", "pydantic-core", "python-multipart"} <= found
    assert not {"numpy", "rich", "typer", "uvicorn", "omnibus-games"} & found


def test_the_command_writes_the_site(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says how much it has written, and leaves a folder with files alone."""
    monkeypatch.setenv("OMNIBUS_CACHE", str(cache))
    monkeypatch.setattr(builder, "rehearse", lambda *_: {})
    for again in (False, True):
        done = CliRunner().invoke(app, ["static", str(tmp_path / "site")])
        assert ("is not empty" in str(done.exception)) is again
        assert bool(re.search(r"Site written to .*: \d+ files", done.output)) is not again


def test_a_sentence_says_what_to_do(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without npm, without a network, and if the site does not work: then it is not written."""
    said = "Traceback\nRuntimeError: GET / is answered with 500\n\n"
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "which", lambda _: None)
        with pytest.raises(ValueError, match="apt install npm"):
            packages.pyodide(tmp_path)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 1, "", said))
    monkeypatch.setattr(packages, "ensure_npm", lambda: None)
    monkeypatch.setattr(packages, "imported", lambda: set())
    with pytest.raises(ValueError, match="could not be downloaded with npm"):
        packages.pyodide(cache / "empty")
    with pytest.raises(ValueError, match="GET / is answered with 500"):
        builder.build(tmp_path / "broken", cache)
    assert not list(tmp_path.glob("broken/*"))
    next(cache.glob("msgspec*")).unlink()
    with pytest.raises(ValueError, match="there is no msgspec"):
        packages.wheels(cache, packages.pyodide(cache))
