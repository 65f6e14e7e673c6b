"""The positions of a board: its start, and the lines that lead to each node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct

from omnibus.kernel.game import CHANCE, Game, Words
from omnibus.kernel.match import Match
from omnibus.kernel.record import BadRecord
from omnibus.server.errors import Code, Rejected, TableNotFound
from omnibus.server.store.boards import BoardNode
from omnibus.server.tables.board_view import BoardView, Drawn, Reader, words_for
from omnibus.server.tables.scene import Move, legal_moves, move_targets
from omnibus.server.uploads import UNREADABLE, record_view

MOST_CHANCES: Final = 120  # more of them are not listed: then chance can only be left to chance


class NodeInfo(Struct, frozen=True):
    """A line played on a what-if board."""

    number: int
    parent: int
    """The node it follows; 0: the start."""
    seat: int | None
    """Who plays it; null: chance."""
    line: str
    label: str
    """What it does, in the reader's language."""
    bot: str
    """The level of the bot that chose it; empty if a person did, or chance."""


class BoardScene(Struct, frozen=True):
    """A position of a what-if board, with everything that can be played there."""

    node: int
    """0: the start."""
    seat: int | None
    """The seat to decide; null: chance, or the game is over."""
    chance: bool
    """Whether it is chance's turn."""
    supposed: bool
    """Whether what the seat to decide holds was dealt at random, because you did not see it in the game."""
    moves: list[Move]
    """What can be played; of chance nothing where there are too many possibilities to list."""
    targets: list[Drawn]
    """Where the moves lead: pieces to be shown only while their parts can be clicked."""
    position: BoardView


class BoardTree(Struct, frozen=True):
    """A what-if board: what it is about, and the lines that were played on it."""

    id: str
    link: str
    game: str
    title: str
    names: list[str]
    """Of the seats, in the reader's language."""
    mine: bool
    """Whether it is your board: only its owner can change it."""
    live: bool
    """Whether it was made from a game that is still being played."""
    exports: bool
    """Whether its positions can be exported; not while other people play in the game it was made from."""
    seat: int | None
    """The seat that saw that game; what it did not see was dealt at random. Null: all is known."""
    bots: list[str]
    """The levels of the bots that can be asked; none while other people play in the game it was made from."""
    version: int
    """Goes up with every change. Ask again with `since` to learn what is new."""
    nodes: list[NodeInfo]
    """The lines added after `since`, each after the one it follows."""
    kept: list[int]
    """The numbers of all nodes: those that are missing have been removed."""


@lru_cache(maxsize=32)
def started(start: str) -> Match:
    """Return the match a board begins with; nobody plays on in it."""
    return Match.read(start)


def match_at(start: str, nodes: Sequence[BoardNode], number: int) -> Match:
    """Return the match at a node; TableNotFound when there is no such node."""
    try:
        begun = started(start)
        match = begun.at(begun.length)
        for node in _path({node.number: node for node in nodes}, number):
            match.play(node.line)
    except (BadRecord, ValueError) as error:  # it was valid for another version of this program
        raise Rejected(Code.GONE, why=UNREADABLE) from error
    return match


def _path(nodes: Mapping[int, BoardNode], number: int) -> list[BoardNode]:
    """Return the nodes from the start to a node."""
    path: list[BoardNode] = []
    while number:
        if number not in nodes:
            raise TableNotFound
        path.append(nodes[number])
        number = nodes[number].parent
    return path[::-1]


def described(start: str, nodes: Sequence[BoardNode], since: int, language: str) -> list[NodeInfo]:
    """Describe the nodes that were added after a version; what the rules of today do not allow is left out."""
    needed: set[int] = set()
    for node in reversed(nodes):
        if node.number > since or node.number in needed:
            needed.add(node.parent)
    begun = started(start)
    told = words_for(begun, language)
    states = {0: begun.state}
    found: list[NodeInfo] = []
    for node in nodes:
        state = states.get(node.parent)
        if state is None or (node.number <= since and node.number not in needed):
            continue
        move = _legal(begun.game, state, node.line)
        if move is None:
            continue
        if node.number > since:
            found.append(node_info(begun.game, state, node, told))
        if node.number in needed:
            states[node.number] = state.clone()
            begun.game.apply(states[node.number], move)
    return found


def _legal(game: Game[Any], state: Any, line: str) -> int | None:
    """Return the move of a line, if it is legal."""
    try:
        move = game.parse(state, line)
    except ValueError:
        return None
    return move if game.refusal(state, move) is None else None


def node_info(game: Game[Any], state: Any, node: BoardNode, told: Words) -> NodeInfo:
    """Describe a node, given the state before it."""
    seat = None if state.actor == CHANCE else state.actor
    label = game.label(game.view(state, seat), node.line, told)
    return NodeInfo(node.number, node.parent, seat, node.line, label, node.bot)


def board_scene(match: Match, node: int, reader: Reader, own: int | None, ground: str = "") -> BoardScene:
    """Show a position to a reader, without the picture if the reader has it (`ground`).

    `own` is the seat of a game in progress through which the board was made.
    """
    told = words_for(match, reader.language)
    moves = possible(match, told)
    view = match.game.view(match.state, reader.seat)
    return BoardScene(
        node=node,
        seat=match.actor if isinstance(match.actor, int) else None,
        chance=match.actor == "chance",
        supposed=own is not None and {**view, "viewer": own} != match.game.view(match.state, own),
        moves=moves,
        targets=move_targets(match.game, view, moves, told, wide=reader.wide) if moves else [],
        position=record_view(match, reader, ground=ground),
    )


def possible(match: Match, told: Words) -> list[Move]:
    """List what can be played, by whoever is to act."""
    game, state = match.game, match.state
    if match.actor is None:
        return []
    if match.actor != "chance":
        return legal_moves(game, state, game.view(state, state.actor), told)
    chances = game.chances(state)
    if len(chances) > MOST_CHANCES:
        return []
    view = game.view(state, None)
    lines = [game.write(state, move) for move, _ in chances]
    return [Move(line, game.label(view, line, told), (), True) for line in lines]
