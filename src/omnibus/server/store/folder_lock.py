"""One server per data folder: two would each think that they alone know what happens at the tables."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

LOCK_NAME: Final = "omnibus.lock"
IN_USE: Final = "another Omnibus server is using the data folder {folder}; stop it, or name another folder with --data"


@contextmanager
def lock_folder(folder: Path, in_use: str = IN_USE) -> Iterator[None]:
    """Keep other servers off a data folder; ValueError, in a sentence of one's own perhaps, when there is one.

    The system holds the lock for this process and releases it however the process ends; the file itself means nothing.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = os.open(folder / LOCK_NAME, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise ValueError(f"the data folder {folder} cannot be written: {error.strerror}") from None
    try:
        if not _locked(file):
            raise ValueError(in_use.format(folder=folder))
        yield
    finally:
        os.close(file)


if sys.platform == "win32":
    import msvcrt

    def _locked(file: int) -> bool:
        with suppress(OSError):
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            return True
        return False

else:
    import fcntl

    def _locked(file: int) -> bool:
        """Lock a file for this process alone: unlike `flock`, a forked child does not keep such a lock."""
        with suppress(OSError):
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        return False
