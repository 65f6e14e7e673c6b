"""A live table as one reader is shown it: the position, the log, and what the reader may do.

Moves, previews and reasons come from a state redealt from the view (`redeal`), so that nothing a seat is shown can
depend on what it may not see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from random import Random
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from omnibus.kernel.game import TURN_PIECES, Document, Game, Tip, Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.names import Names, Saying, is_you, say
from omnibus.kernel.seat_changes import HAS_RESIGNED, TOLD
from omnibus.server.tables.board_view import (
    BoardView,
    Drawn,
    Reader,
    as_sent,
    at_rest,
    board_view,
    drawn,
    for_reader,
    shared_reader,
    words_for,
)
from omnibus.server.tables.steps import Step
from omnibus.server.tables.table import Table
from omnibus.server.tables.table_clock import ClockView

LEVELS: Final = {
    "random": mark("random bot"),
    "easy": mark("easy bot"),
    "medium": mark("medium bot"),
    "hard": mark("hard bot"),
    "master": mark("master bot"),
}

PROPOSE_UNDO: Final = Saying(
    mark("{player} asks to undo their last decision and everything after it."),
    mark("You ask to undo your last decision and everything after it."),
)
PROPOSE_BOT: Final = Saying(
    mark("{player} asks to let a bot play for {other}, who is away."),
    mark("You ask to let a bot play for {other}, who is away."),
)
BOT_FOR_YOU: Final = mark("{player} asks to let a bot play for you, because you were away.")
YET_TO_AGREE: Final = mark("Waiting for: {players}.")
WANTS_REMATCH: Final = mark("{player} wants a rematch.")
FOR_A_WHILE: Final = mark("{bot}, until they are back")


class Move(Struct, frozen=True, gc=False):
    """A legal line: its label, the parts to click for it, and whether it ends the turn."""

    line: str
    label: str
    parts: tuple[str, ...]
    ends: bool


class Proposal(Struct, frozen=True):
    """The open proposal in words, whether the reader is asked about it, and whether it is the reader's own."""

    text: str
    asked: bool
    mine: bool


class Rematch(Struct, frozen=True):
    """A rematch that the reader is asked to join (`POST /api/tables/{table_id}/rematch`): its table, and who asks."""

    table: str
    text: str


class Scene(Struct, frozen=True, tag="scene", gc=False):
    """A table as it stands."""

    event: int
    position: BoardView
    actor: int | None
    live: bool
    moves: list[Move]
    undo: bool
    hint: bool
    own: list[int]
    """The seats the reader decides for."""
    handover: int | None
    """The own seat to decide, when it sees something that the seat the reader looks through does not."""
    decided: int | None
    """How many plies there were after the last decision of an own seat; None before the first."""
    since: int
    """Up to this ply the log is as it was."""
    log: list[tuple[int, str]]
    steps: list[Step] = []
    """What others have decided since the last decision of an own seat, from `since` on; of many only the last."""
    proposal: Proposal | None = None
    ask_undo: bool = field(default=False, name="takeback")
    """Whether the reader may ask the others to undo the reader's last decision."""
    handed_over: bool = field(default=False, name="handed")
    """Whether a bot plays for the reader."""
    rematch: Rematch | None = None
    notice: str = ""
    """What the last event changed about a seat, for a short message: somebody has resigned, left, or is back."""
    targets: list[Drawn] = []
    """Where the moves lead: pieces to be shown only while their parts can be clicked."""
    tip: Tip | None = None
    """The kind of decision the reader has to make, and a sentence for whoever makes it for the first time."""
    clock: ClockView | None = None
    """How much time everybody has left; null at a table without a clock."""
    base: int | None = None
    """The event of the scene before, to which `pieces` and `panels` are differences; null: they are whole."""


def scene(
    table: Table,
    reader: Reader,
    *,
    since: int = 0,
    grounds: Iterable[str] = (),
    own: list[int],
    handover: int | None = None,
    hint: bool = False,
    asked: AbstractSet[str] = frozenset(),
    played: list[int] | None = None,
) -> Scene:
    """Show a table to a reader who knows the log up to a ply and these grounds; `asked` have to answer the proposal.

    `played` are the seats in which the reader began, if others than the `own`: somebody who has resigned has none.
    """
    told = words_for(table.match, reader.language)
    names, decided = table.names(told), _decided(table, own)
    offered = moves(table, reader, told)
    return Scene(
        event=table.event,
        position=shown(table, reader, grounds=grounds),
        actor=table.actor,
        live=table.standing == "live",
        moves=offered,
        undo=table.can_undo(reader.seat),
        hint=hint,
        own=own,
        handover=handover,
        decided=decided,
        since=since,
        log=table.view_cache.log(reader, names, told, since),
        steps=table.view_cache.steps(reader, names, told, max(since, decided or 0)),
        proposal=_proposal(table, own, asked, Names(names, reader.you), told),
        ask_undo=_may_propose_undo(table, reader.seat, own),
        handed_over=any(map(table.handed_over, own)),
        rematch=_rematch(table, own if played is None else played, told),
        notice=_notice(table, Names(names, reader.you), told),
        targets=targets(table, reader, offered, told),
        tip=table.game.tip(_view(table, reader.seat), told) if offered else None,
        clock=table.clock.view(table.setup.sitters, table.times(since)) if table.clock else None,
    )


def _notice(table: Table, names: Names, told: Words) -> str:
    """Say what the last event changed about a seat."""
    number, change = table.last_change or (0, None)
    return say(TOLD[change.what], change.seat, names, told) if change and number == table.event else ""


def _rematch(table: Table, own: list[int], told: Words) -> Rematch | None:
    """Say who wants a rematch, if the reader has yet to answer and their seat there is still free."""
    new = table.rematch if own else None
    if new is None or table.setup.sitters[own[0]].user in new.people() or not new.sitters[own[0] - 1].free:
        return None
    users = [sitter.user for sitter in table.setup.sitters]
    name = table.names(told)[users.index(new.owner)]
    return Rematch(new.id, told.gettext(WANTS_REMATCH).format(player=name))


def _proposal(table: Table, own: list[int], asked: AbstractSet[str], names: Names, told: Words) -> Proposal | None:
    """Say what is proposed, and who has yet to agree."""
    proposed = table.proposed
    if proposed is None:
        return None
    if proposed.away is None:
        what = say(PROPOSE_UNDO, proposed.seat, names, told)
    elif is_you(proposed.away, names):
        what = told.gettext(BOT_FOR_YOU).format(player=names[proposed.seat])
    else:
        what = say(PROPOSE_BOT, proposed.seat, names, told, other=names[proposed.away])
    awaited = [seat for seat in range(len(names)) if table.owner(seat) in asked]
    waiting = ", ".join(told.gettext("you") if is_you(seat, names) else names[seat] for seat in awaited)
    text = f"{what} {told.gettext(YET_TO_AGREE).format(players=waiting)}"
    return Proposal(text, any(table.owner(seat) in asked for seat in own), proposed.seat in own)


def _may_propose_undo(table: Table, seat: int | None, own: list[int]) -> bool:
    live = table.standing == "live" and table.proposed is None and not table.setup.deal
    return live and seat in own and not table.can_undo(seat) and table.last_decision(seat) is not None


def _decided(table: Table, own: list[int]) -> int | None:
    plies = table.match.plies
    return next((ply for ply in range(len(plies), 0, -1) if plies[ply - 1][0] in own), None)


def shown(table: Table, reader: Reader, *, ply: int | None = None, grounds: Iterable[str] = ()) -> BoardView:
    """Show the position of a table, now or after so many plies."""
    told = words_for(table.match, reader.language)
    names, sat = table.names(told), sitters(table, told)
    if ply is not None:
        seen = board_view(table.match, shared_reader(table.match, reader), Names(names, reader.you), sat, ply=ply)
    else:
        seen = table.view_cache.position(reader, names, sat)
    own = for_reader(table.match, reader, seen, *grounds)
    return own if ply is not None or table.standing != "closed" else _closed(table, reader, own, told)


def _closed(table: Table, reader: Reader, seen: BoardView, told: Words) -> BoardView:
    """Say why the table was closed before the end of its game."""
    given_up = [seat for seat, bot in table.resigned.items() if bot is None]
    if given_up:
        status = say(HAS_RESIGNED, given_up[0], Names(table.names(told), reader.you), told)
    else:
        status = told.gettext("This table was closed before the game ended.")
    return at_rest(replace(seen, status=status))


def sitters(table: Table, told: Words) -> list[str]:
    """Say which bot sits in each seat, and whether only for a while; nothing for a person."""
    return [_sitter(table, seat, told) for seat in range(table.match.seats)]


def _sitter(table: Table, seat: int, told: Words) -> str:
    bot = table.sitter(seat).bot
    level = "" if bot is None else told.gettext(LEVELS[bot])
    return told.gettext(FOR_A_WHILE).format(bot=level) if table.handed_over(seat) else level


def moves(table: Table, reader: Reader, told: Words) -> list[Move]:
    """List what a reader may do now."""
    if reader.seat is None or reader.seat != table.awaits:
        return []
    return legal_moves(table.game, redealt(table, reader.seat), _view(table, reader.seat), told)


def legal_moves(game: Game[Any], state: Any, view: Mapping[str, Any], told: Words) -> list[Move]:
    """List the legal moves of a state, with labels that tell no more than a view."""
    found = []
    for move in game.legal(state):
        line = game.write(state, move)
        after = _after(game, state, move)
        found.append(Move(line, game.label(view, line, told), game.parts(state, move), game.ends_turn(state, after)))
    return found


def targets(table: Table, reader: Reader, offered: Sequence[Move], told: Words) -> list[Drawn]:
    """Draw where the moves of a reader lead."""
    if not offered:
        return []
    return move_targets(table.game, _view(table, reader.seat), offered, told, wide=reader.wide)


def move_targets(
    game: Game[Any], view: Mapping[str, Any], offered: Sequence[Move], told: Words, *, wide: bool
) -> list[Drawn]:
    """Draw where moves lead."""
    parts = {part for move in offered for part in move.parts}
    return as_sent(game.targets(view, parts, told, wide=wide))


def redealt(table: Table, seat: int) -> Any:
    """Return a state that looks the same to a seat; until the next event always the same one."""
    if table.game.open:
        return table.match.state.clone()
    return table.game.redeal(_view(table, seat), Random(table.event).randrange)


def _view(table: Table, seat: int | None) -> Document:
    return table.match.view_at(table.match.length, seat)


def _after(game: Game[Any], state: Any, move: int) -> Any:
    after = state.clone()
    game.apply(after, move)
    return after


def pieces_after(table: Table, reader: Reader, line: str) -> list[Drawn]:
    """Return the pieces as they would lie after a legal line, before anything is drawn by chance.

    What says whose turn it is stays as it is: nothing has been decided yet.
    """
    assert reader.seat is not None
    told = words_for(table.match, reader.language)
    state = redealt(table, reader.seat)
    now = {piece[0]: piece for piece in drawn(table.match, table.game.view(state, reader.seat), told, wide=reader.wide)}
    after = _after(table.game, state, table.game.parse(state, line))
    pieces = drawn(table.match, table.game.view(after, reader.seat), told, wide=reader.wide)
    kept = [now.get(piece[0]) if piece[0] in TURN_PIECES else piece for piece in pieces]
    gone = set(now) - {piece[0] for piece in pieces}
    return [piece for piece in kept if piece] + [now[id_] for id_ in now if id_ in gone & TURN_PIECES]
