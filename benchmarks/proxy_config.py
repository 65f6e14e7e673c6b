"""Configurations for nginx and Caddy from the blocks of docs/hosting.md, for servers on this machine."""

from __future__ import annotations

import re
import socket
from collections.abc import Mapping
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "hosting.md"
HOST = "games.example.org"
HERE = "127.0.0.1"

NGINX = """daemon off;
pid {folder}/nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{blocks}
}}
"""
CADDY = """{{
    admin off
    local_certs
    skip_install_trust
    auto_https disable_redirects
    http_port {spare}
    https_port {port}
    storage file_system {folder}/storage
}}
{blocks}
"""


def blocks(language: str) -> list[str]:
    """Return the blocks of the hosting guide in a language, first that for one server, then that for several."""
    text = DOCUMENT.read_text(encoding="utf-8")
    found = re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert len(found) == 2, f"docs/hosting.md has {len(found)} blocks for {language}"
    return found


def replaced(text: str, words: Mapping[str, str]) -> str:
    """Replace words, all of which must be there."""
    for old, new in words.items():
        assert old in text, f"docs/hosting.md no longer says {old!r}"
        text = text.replace(old, new)
    return text


def nginx_config(folder: Path, port: int, servers: list[str], *, sticky: bool) -> str:
    """Return a configuration for nginx with the blocks of the document, for one server or two."""
    one, several = blocks("nginx")
    places = {"listen 443 ssl": f"listen {HERE}:{port} ssl", f"/etc/letsencrypt/live/{HOST}": str(folder)}
    if len(servers) == 1:
        text = replaced(one, places | {"127.0.0.1:8787": servers[0]})
    else:
        kept = several if sticky else without(several, "hash")
        text = replaced(one, places | {"http://127.0.0.1:8787": "http://omnibus"})
        text += replaced(kept, {"10.0.0.1:8787": servers[0], "10.0.0.2:8787": servers[1]})
    return NGINX.format(folder=folder, blocks=text)


def caddy_config(folder: Path, port: int, servers: list[str], *, sticky: bool) -> str:
    """Return a configuration for Caddy with the block of the document, for one server or two."""
    one, several = blocks("caddy")
    if len(servers) == 1:
        text = replaced(one, {"127.0.0.1:8787": servers[0]})
    else:
        kept = several if sticky else without(several, "table")
        text = replaced(kept, {"10.0.0.1:8787": servers[0], "10.0.0.2:8787": servers[1]})
    return CADDY.format(folder=folder, port=port, spare=free_port(), blocks=text)


def without(text: str, word: str) -> str:
    """Return a block without the lines with a word, which the document says can be left out."""
    kept = [line for line in text.splitlines(keepends=True) if word not in line.lower()]
    assert len(kept) < len(text.splitlines()), f"docs/hosting.md no longer says {word!r}"
    return "".join(kept)


def free_port() -> int:
    """Return a port that is free now."""
    with socket.socket() as found:
        found.bind((HERE, 0))
        return int(found.getsockname()[1])
