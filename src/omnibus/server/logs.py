"""Logs for machines: a line of JSON for everything worth knowing, on standard error."""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Final

_USUAL: Final = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class Lines(logging.Formatter):
    """Writes a log record as one line of JSON; what was passed as `extra` stands beside the message."""

    def format(self, record: logging.LogRecord) -> str:
        """Write one record."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z"
        line = {"at": at, "level": record.levelname.lower(), "from": record.name, "what": record.getMessage()}
        line |= {key: value for key, value in vars(record).items() if key not in _USUAL}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def begin(level: str = "INFO") -> None:
    """Send all logs to standard error."""
    out = logging.StreamHandler(sys.stderr)
    out.setFormatter(Lines())
    logging.basicConfig(level=level, handlers=[out], force=True)
    logging.getLogger("uvicorn.access").setLevel(logging.WARNING)  # the house writes its own lines about requests
