"""Archives that a script can unpack (files/offline/unpack.mjs): the length of the index, the index, the files."""

from __future__ import annotations

import json
from collections.abc import Mapping


def archive(files: Mapping[str, bytes]) -> bytes:
    """Pack files."""
    inside = sorted(files.items())
    index = json.dumps([[path, len(content)] for path, content in inside]).encode()
    return len(index).to_bytes(4, "little") + index + b"".join(content for _, content in inside)


def unarchived(packed: bytes) -> dict[str, bytes]:
    """Return the files of an archive."""
    at = 4 + int.from_bytes(packed[:4], "little")
    found = {}
    for path, size in json.loads(packed[4:at]):
        found[path] = packed[at : at + size]
        at += size
    return found
