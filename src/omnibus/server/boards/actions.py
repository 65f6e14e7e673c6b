"""What can be done with what-if boards: make one, copy it, play on it, remove lines from it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from omnibus.bots import check_level, names_for
from omnibus.kernel.i18n import mark
from omnibus.kernel.match import Match
from omnibus.server.background import in_background
from omnibus.server.boards.starts import of_view, start_text
from omnibus.server.boards.tree import BoardScene, BoardTree, NodeInfo, board_scene, described, match_at, node_info
from omnibus.server.errors import Code, Forbidden, Rejected, TableNotFound
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.store.boards import MOST_NODES, BoardNode, BoardRow, BoardsFull, BoardStore
from omnibus.server.store.models import TableSetup, User
from omnibus.server.tables import actions
from omnibus.server.tables.board_view import Reader, words_for
from omnibus.server.tables.bot_pool import NoAnswer
from omnibus.server.tables.bot_worker import Question
from omnibus.server.tables.messages import Reason
from omnibus.server.tables.reasons import reason
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from omnibus.server.uploads import names_in

LONGEST_LINE: Final = MOST_NODES // 2
"""So many moves of a record are put on its board; the other half is for what is tried there."""
TOO_MANY: Final = mark("You have too many boards. Delete some you no longer need.")
TOO_LONG: Final = mark("This board has too many moves. Remove some lines, or start a new board from this position.")
NOT_YOURS: Final = mark("Only its owner can change this board. Make a copy to try something yourself.")
IN_PROGRESS: Final = mark("This board belongs to a game in progress. Only its owner can see it until the game is over.")
NO_BOTS: Final = mark(
    "Other people play this game or the same deal, so bots give no answers on its boards until it is over."
)
NO_EXPORT: Final = mark(
    "Other people play this game or the same deal, so its positions cannot be exported or edited until it is over."
)
RATED: Final = mark("This is a rated game: there are no what-if boards of it until it is over.")
SEVERAL_HANDS: Final = mark(
    "Several players share this device, and a board would show the hand of one of them. "
    "Try again when the game is over."
)
NO_BOT_NOW: Final = mark("No bot is available right now.")


class Boards:
    """The boards of a server, and the tables and bots they need."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry = registry
        self.store = BoardStore(registry.table_store.database)

    # making boards

    async def add(self, user: User, match: Match, ply: int | None = None) -> str:
        """Make a board that begins with a match, or with a position of it; return its id."""
        await spend(Quota.BOARD)
        return await self._add(user, match.game.name, await in_background(start_text, match, ply))

    async def add_line(self, user: User, match: Match) -> tuple[str, int]:
        """Make a board of a whole match, with its moves as the first line; return it and the node of the last one."""
        await spend(Quota.BOARD)
        begin = max(match.length - LONGEST_LINE, 0)
        line = [BoardNode(number, number - 1, played) for number, (_, played) in enumerate(match.plies[begin:], 1)]
        start = await in_background(start_text, match, begin)
        return await self._add(user, match.game.name, start, nodes=line), len(line)

    async def add_of_table(self, user: User, table_id: str, ply: int | None, seat: int | None = None) -> str:
        """Make a board of a position of a table: all of it once the game is over, else what the user's seat sees."""
        table = await actions.live_table(self.registry, table_id)
        await table.settled()
        if ply is not None and not 0 <= ply <= table.match.length:
            raise TableNotFound
        if not table.secret:
            return await self.add(user, table.match, ply)
        await spend(Quota.BOARD)
        seat = _own_seat(table, user, seat)
        if table.setup.rated:
            raise Rejected(Code.REFUSED, why=RATED)
        at = table.match.length if ply is None else ply
        number = len(await self.store.boards_of(user.id))  # another board may suppose another deal
        dealt = of_view(table.match, seat, at, f"{table_id} {at} {seat} {number}")
        return await self._add(user, dealt.game.name, start_text(dealt), table=table_id, seat=seat)

    async def copy(self, user: User, board_id: str) -> str:
        """Make a copy of a board, for a user who may see it."""
        await spend(Quota.BOARD)
        board = await self.visible(board_id, user)
        nodes = await self.store.nodes(board_id)
        return await self._add(user, board.game, board.start, table=board.table, seat=board.seat, nodes=nodes)

    async def _add(
        self,
        user: User,
        game: str,
        start: str,
        *,
        table: str | None = None,
        seat: int | None = None,
        nodes: list[BoardNode] | None = None,
    ) -> str:
        try:
            return await self.store.add(user.id, game, start, table=table, seat=seat, nodes=nodes or [])
        except BoardsFull:
            raise Rejected(Code.REFUSED, why=TOO_MANY) from None

    # who may do what

    async def visible(self, board_id: str, user: User | None) -> BoardRow:
        """Find a board; that of a game in progress only for its owner, and that of a rated one for nobody."""
        board = await self.store.board(board_id)
        if board is None:
            raise TableNotFound
        game = await self._live_game(board)
        if game and (user is None or user.id != board.owner):
            raise Forbidden(IN_PROGRESS)
        if game and game.rated:
            raise Forbidden(RATED)
        return board

    async def changeable(self, board_id: str, user: User) -> BoardRow:
        """Find a board that a user may change."""
        board = await self.visible(board_id, user)
        if board.owner != user.id:
            raise Forbidden(NOT_YOURS)
        return board

    async def exportable(self, board_id: str, user: User | None) -> BoardRow:
        """Find a board whose positions a user may export or edit: on another board of them bots would answer."""
        board = await self.visible(board_id, user)
        if not await self.helps(board):
            raise Forbidden(NO_EXPORT)
        return board

    async def bots(self, board: BoardRow, match: Match) -> tuple[str, ...]:
        """Return the levels of the bots that may be asked."""
        return names_for(match.game, match.states[0]) if await self.helps(board) else ()

    async def helps(self, board: BoardRow) -> bool:
        """Tell whether a board may help its owner: nobody else plays in the game it is made of, or the same deal."""
        game = await self._live_game(board)
        return game is None or not (game.people() - {board.owner} or game.deal)

    async def _live_game(self, board: BoardRow) -> TableSetup | None:
        """Return the setup of the game a board was made of, while it is in progress."""
        entry = await self.registry.table_store.entry(board.table) if board.table else None
        return entry.setup if entry and entry.standing == "live" else None

    # showing

    async def tree(self, board: BoardRow, user: str | None, language: str, link: str, since: int = 0) -> BoardTree:
        """Return a board with the lines that were added after a version, for a user who may see it."""
        nodes = await self.store.nodes(board.id)
        match = await in_background(match_at, board.start, (), 0)
        return BoardTree(
            id=board.id,
            link=link,
            game=board.game,
            title=match.game.title,
            names=list(names_in(match, language)),
            mine=user == board.owner,
            live=await self._live_game(board) is not None,
            exports=await self.helps(board),
            seat=board.seat,
            bots=list(await self.bots(board, match)),
            version=board.version,
            nodes=await in_background(described, board.start, nodes, since, language),
            kept=[node.number for node in nodes],
        )

    async def scene(self, board: BoardRow, node: int, reader: Reader, ground: str = "") -> BoardScene:
        """Return a position of a board; a reader who names no seat looks through the one to decide.

        On a board of a game in progress nobody chooses a seat: while nobody decides, it is the one it was made for.
        """
        match = await self.match(board, node)
        if reader.seat is not None and reader.seat >= match.seats:
            raise TableNotFound
        seat = reader.seat if board.seat is None else None
        if seat is None:
            seat = match.actor if isinstance(match.actor, int) else board.seat
        return await in_background(board_scene, match, node, replace(reader, seat=seat), board.seat, ground)

    async def why(self, board: BoardRow, node: int, part: str, picked: Sequence[str], language: str) -> Reason:
        """Say why nothing can be done with a part of the board at a node."""
        match = await self.match(board, node)
        return await in_background(reason, match.game, match.state, part, picked, words_for(match, language))

    # playing

    async def match(self, board: BoardRow, node: int) -> Match:
        """Return the match at a node."""
        return await in_background(match_at, board.start, await self.store.nodes(board.id), node)

    async def play(self, board: BoardRow, after: int, line: str, language: str, bot: str = "") -> NodeInfo:
        """Play a line after a node; IllegalMove or BadNotation when that is not possible."""
        match = await self.match(board, after)
        if match.actor is None:
            raise Rejected(Code.OVER)
        match.play(line)
        try:
            node = await self.store.add_node(board.id, after, match.plies[-1][1], bot)
        except BoardsFull:
            raise Rejected(Code.REFUSED, why=TOO_LONG) from None
        if node is None:
            raise TableNotFound
        return node_info(match.game, match.states[-2], node, words_for(match, language))

    async def roll(self, board: BoardRow, after: int, language: str) -> NodeInfo:
        """Let chance decide after a node."""
        match = await self.match(board, after)
        if match.actor != "chance":
            raise Rejected(Code.NOT_YOUR_TURN)
        number = secrets.randbelow(match.game.chance_total(match.state))
        line = match.game.write(match.state, match.game.chance_at(match.state, number))
        return await self.play(board, after, line, language)

    async def answer(self, board: BoardRow, after: int, bot: str, language: str) -> NodeInfo:
        """Let a bot play after a node; ValueError when there is no such bot."""
        await spend(Quota.ANSWER)
        match = await self.match(board, after)
        if match.actor is None:
            raise Rejected(Code.OVER)
        if match.actor == "chance":
            return await self.roll(board, after, language)
        if not await self.bots(board, match):
            raise Forbidden(NO_BOTS)
        check_level(bot, match.game, match.states[0])
        view = match.game.view(match.state, match.actor)
        question = Question(match.game.name, bot, view, secrets.randbits(63))
        try:
            line = (await self.registry.bot_pool.ask(question, board.owner)).answer.line
        except NoAnswer:
            raise Rejected(Code.REFUSED, why=NO_BOT_NOW) from None
        return await self.play(board, after, line, language, bot)


def _own_seat(table: Table, user: User, seat: int | None) -> int:
    """Return the seat through which a user sees a game in progress."""
    own = table.seats_of(user.id)
    if not own or seat not in (None, *own):
        raise Rejected(Code.NOT_YOUR_SEAT)
    if seat is not None:
        return seat
    if len(own) > 1 and table.hides(own):
        raise Rejected(Code.REFUSED, why=SEVERAL_HANDS)
    return own[0]
