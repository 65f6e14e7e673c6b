"""JSON schemas of responses and messages, made from their classes, with a short text for each type."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.inspect import DataclassType, StructType, multi_type_info

from omnibus.server.api.models import (
    account,
    analysis,
    boards,
    common,
    friends,
    games,
    play,
    players,
    records,
    seats,
    tables,
)
from omnibus.server.boards.tree import BoardScene, BoardTree, NodeInfo
from omnibus.server.people.friends import FriendList
from omnibus.server.people.moderation import BanList, ReportList
from omnibus.server.puzzles.scene import PUZZLE_SHAPES
from omnibus.server.tables.board_view import BoardView
from omnibus.server.tables.deals import DealStanding
from omnibus.server.tables.messages import (
    Awaited,
    Changed,
    Chat,
    Done,
    Hint,
    OpenTables,
    People,
    Preview,
    Reason,
    Request,
    Trouble,
)
from omnibus.server.tables.scene import Scene
from omnibus.server.tables.team_matches import TeamStanding
from omnibus.server.tournaments.view import TournamentInfo, Tournaments

REFERENCE: Final = "#/components/schemas/{name}"
TOLD: Final = (Scene, Done, Trouble, Reason, Preview, Hint, People, Chat, Awaited, Changed, OpenTables)
"""What a socket sends."""

_MODELS: Final = (account, analysis, boards, common, friends, games, play, players, records, seats, tables)
_ANSWERED: Final = tuple(
    shape
    for module in _MODELS
    for shape in vars(module).values()
    if isinstance(shape, type) and issubclass(shape, Struct) and shape.__module__ == module.__name__
)
_WORDS: Final = {"integer": "whole number", "string": "text", "boolean": "true or false", "null": "null"}

Schema = dict[str, Any]


@cache
def schemas() -> dict[str, Schema]:
    """Return the schemas of all responses and socket messages; their descriptions are the docstrings."""
    standings: tuple[type[Struct], ...] = (DealStanding, TeamStanding, TournamentInfo, Tournaments)
    of_boards: tuple[type[Struct], ...] = (NodeInfo, BoardScene, BoardTree)
    of_people: tuple[type[Struct], ...] = (FriendList, ReportList, BanList)
    answered: tuple[type[Struct], ...] = (*_ANSWERED, *of_boards, *PUZZLE_SHAPES, *standings, *of_people)
    every: tuple[type[Struct], ...] = (Request, *TOLD, BoardView, *answered)
    components = msgspec.json.schema_components(every, ref_template=REFERENCE)[1]
    for shape, names in _with_parts(every).items():
        schema = components[shape.__name__]
        schema["description"] = text(shape)
        for name, written in _field_texts(shape).items():
            schema["properties"][names[name]]["description"] = written
    return components


def _with_parts(every: tuple[type[Struct], ...]) -> dict[type, dict[str, str]]:
    """Return these shapes and the shapes they contain, each with the names of its fields in JSON."""
    found: dict[type, dict[str, str]] = {}
    waiting: list[Any] = list(multi_type_info(every))
    while waiting:
        info = waiting.pop()
        if isinstance(info, StructType | DataclassType):
            if info.cls in found:
                continue
            found[info.cls] = {field.name: field.encode_name for field in info.fields}
            waiting += [field.type for field in info.fields]
        for attribute in ("item_type", "item_types", "types", "value_type"):
            inner = getattr(info, attribute, ())
            waiting += inner if isinstance(inner, tuple) else [inner]
    return found


def text(shape: type) -> str:
    """Return the docstring of a shape on one line."""
    return " ".join(inspect.cleandoc(shape.__doc__ or "").split())


def _field_texts(shape: type) -> dict[str, str]:
    """Return the docstrings of the fields of a shape."""
    written = ast.parse(textwrap.dedent(inspect.getsource(shape))).body[0]
    assert isinstance(written, ast.ClassDef)
    found = {}
    for field, below in zip(written.body, written.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            assert isinstance(field.target, ast.Name)
            found[field.target.id] = " ".join(str(below.value.value).split())
    return found


def kind(schema: Schema) -> str:
    """Describe the type of a schema in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(kind(choice) for choice in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return " | ".join(json.dumps(choice) for choice in schema.get("enum", [schema.get("const")]))
    if "prefixItems" in schema:
        return "[" + ", ".join(kind(item) for item in schema["prefixItems"]) + "]"
    if schema.get("type") == "array":
        return f"list of {kind(schema.get('items', {}))}"
    return _WORDS.get(schema.get("type", ""), str(schema.get("type", "anything")))


def fields(schema: Schema) -> list[dict[str, Any]]:
    """Return the fields of a shape: name, type, whether it is required, description."""
    required = schema.get("required", [])
    return [
        {"name": name, "kind": kind(field), "required": name in required, "text": field.get("description", "")}
        for name, field in schema.get("properties", {}).items()
    ]


def example(schema: Schema, known: dict[str, Schema]) -> Any:
    """Return an example for a schema: its own, or one made from its required fields."""
    if "$ref" in schema:
        schema = known[kind(schema)]
    for key in ("examples", "enum"):
        if key in schema:
            return schema[key][0]
    for key in ("example", "const", "default"):
        if key in schema:
            return schema[key]
    if schema.get("type") == "object":
        wanted = schema.get("required") or list(schema.get("properties", {}))[:1]
        return {name: example(schema["properties"][name], known) for name in wanted}
    if schema.get("type") == "array":
        return [example(schema["items"], known)]
    return {"integer": 0, "number": 0, "boolean": True, "string": ""}.get(schema.get("type", ""))
