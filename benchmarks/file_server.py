"""A file server for the static site, as simple as one can be."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class SilentFiles(SimpleHTTPRequestHandler):
    """A file server that writes no log."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def file_server(folder: Path) -> Iterator[str]:
    """Serve the files of a folder, as long as it is needed; the address ends without a slash."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SilentFiles, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
