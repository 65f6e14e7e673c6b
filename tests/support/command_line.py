"""Runs the command `omnibus` in this process: what a process of its own would take is the start of Python."""

from __future__ import annotations

import os
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from omnibus.cli.main import main

TERMINAL = {"LANG": "C", "LC_ALL": "", "COLUMNS": "100", "TERM": "dumb"}


class Answer(NamedTuple):
    """How a command ended, and what it said."""

    returncode: int
    stdout: str
    stderr: str


def omnibus(*arguments: str | Path, say: str = "", **environment: str) -> Answer:
    """Run the command with arguments, an input and an environment."""
    out, err = BytesIO(), BytesIO()
    typed = ["omnibus", *map(str, arguments)]
    streams = patch.multiple(sys, stdin=_text(BytesIO(say.encode())), stdout=_text(out), stderr=_text(err))
    with patch.dict(os.environ, TERMINAL | environment), patch.object(sys, "argv", typed), streams:
        try:
            main()
        except SystemExit as ended:
            code = ended.code
    assert isinstance(code, int)
    return Answer(code, out.getvalue().decode(), err.getvalue().decode())


def _text(content: BytesIO) -> TextIOWrapper:
    return TextIOWrapper(content, "utf-8", write_through=True)
