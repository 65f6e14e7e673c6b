"""Reads commands that documents show with the program's own parser, without running them."""

from __future__ import annotations

from functools import cache
from typing import Any

from typer.core import TyperGroup
from typer.main import get_command

from omnibus.cli.main import app


@cache
def program() -> Any:
    """Return the whole command; Typer takes a tenth of a second to put it together."""
    return get_command(app)


def find(words: list[str]) -> tuple[Any, list[str]]:
    """Find a command by its first words; return it with the words that are left. KeyError if there is none."""
    command = program()
    while isinstance(command, TyperGroup) and words:
        command, words = command.commands[words[0]], words[1:]
    return command, words


def parse(words: list[str]) -> dict[str, Any]:
    """Return the parameters of a command; an unknown command or option is an error."""
    command, arguments = find(words)
    parameters: dict[str, Any] = command.make_context("omnibus", arguments).params
    return parameters


def options(command: Any) -> set[str]:
    """Return the names of all options of a command, hidden ones included."""
    return {name for option in command.params for name in (*option.opts, *option.secondary_opts) if name[:2] == "--"}
