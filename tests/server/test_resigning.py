"""Resigning, leaving and being addressed at a table: panels, log, status, notices, records, rematches."""

from __future__ import annotations

from typing import Any

from omnibus import Match
from omnibus.bots import names as bot_names
from omnibus.kernel.record import parse
from omnibus.kernel.seat_changes import SeatChange
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables import actions, proposals
from omnibus.server.tables.events import Began, HandedOver, History, Played, Resumed, Undone
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.rematches import ask_for_rematch
from omnibus.server.tables.table import Table
from omnibus.server.tables.viewpoint import Viewpoint
from support.seats import bus_with, friends, opened, play_first

WEAK = bot_names()[0]


def seen(registry: TableRegistry, table: Table, user: User | None, language: str = "en") -> Any:
    """Return the scene of a table as a user is shown it."""
    return Viewpoint(table, registry.live.presence_at(table), user, language).scene()


async def loaded_again(registry: TableRegistry, table: Table) -> Table:
    registry.live.unload_all()
    return await registry.table(table.setup.id)


async def test_of_two_the_other_wins(registry: TableRegistry) -> None:
    """At once: everybody is told, the table and its record are over, also when they are loaded again."""
    ann, bo = await friends(registry, 2)
    sitters = [Sitter(user=ann.id, name="Ann"), Sitter(user=bo.id, name="Bo")]
    table = await opened(registry, ann.id, "times_square", {}, sitters)
    await play_first(registry, table, 2)
    await actions.resign(registry, ann, table.setup.id)
    for copy in (table, await loaded_again(registry, table)):
        assert (copy.standing, copy.actor, copy.awaited_user) == ("over", None, None)
        loser, winner, other = (seen(registry, copy, user) for user in (ann, bo, None))
        assert loser.position.status == "You have resigned. Bo wins."
        assert winner.position.status == "Ann has resigned. You win."
        assert other.position.status == "Ann has resigned. Bo wins."
        assert [panel.winner for panel in other.position.panels] == [False, True]
        assert [(panel.name, panel.sitter, panel.resigned) for panel in other.position.panels] == [
            ("Ann", "resigned", True),
            ("Bo", "", False),
        ]
        assert not [panel for panel in other.position.panels if panel.turn]
        assert other.log[-1] == (copy.match.length, "Ann resigns.")
        record = parse(copy.record())
        assert record.resigned == ((0, copy.match.length),)
        assert record.result == {**(record.result or {}), "reason": "resigned", "winners": [1], "tie_break": None}
        assert record.seed is not None
    entry = await registry.table_store.entry(table.setup.id)
    assert entry is not None
    assert entry.standing == "over"


async def test_of_more_a_bot_plays_on(registry: TableRegistry) -> None:
    """Panel, log and a notice say so; whoever resigned is asked for a rematch like the others."""
    people = await friends(registry, 3)
    ann, bo, cy = people
    table = await bus_with(registry, people)
    await play_first(registry, table, 2)
    at = table.match.length
    await actions.resign(registry, cy, table.setup.id)
    shown = seen(registry, table, ann)
    assert table.standing == "live"
    assert shown.notice == "C resigns."
    assert (shown.position.panels[2].name, shown.position.panels[2].sitter) == ("Bot for C", "resigned")
    assert [panel.resigned for panel in shown.position.panels] == [False, False, True]
    copy = await loaded_again(registry, table)
    assert seen(registry, copy, ann).log == shown.log
    assert (at, "C resigns.") in shown.log
    assert seen(registry, copy, ann, "it").position.panels[2].sitter == "ha abbandonato"
    await actions.resign(registry, bo, copy.setup.id)
    assert (copy.standing, copy.match.outcome and copy.match.outcome.winners) == ("over", (0,))
    assert seen(registry, copy, ann).position.status == "B has resigned. You win."
    again = await ask_for_rematch(registry, ann, copy.setup.id)
    asked = seen(registry, copy, cy).rematch
    assert asked is not None
    assert asked.table == again
    assert Match.read(copy.record()).resigned == copy.match.resigned


async def test_undoing_after_somebody_resigned(registry: TableRegistry) -> None:
    """The others may go back, even to before that; who has resigned stays out."""
    people = await friends(registry, 4)
    table = await bus_with(registry, people)
    await play_first(registry, table, 3)
    seat = table.match.plies[-1][0]
    assert isinstance(seat, int)
    quitter = next(other for other in range(4) if other not in (seat, table.actor))
    await actions.resign(registry, people[quitter], table.setup.id)
    await proposals.propose_undo(registry, table, seat, table.event)
    for other in sorted(set(range(4)) - {seat, quitter}):
        await proposals.agree(registry, table, other, table.event)
    keep = table.match.length
    assert table.match.changes == [SeatChange(keep, quitter, "resigned")]
    copy = await loaded_again(registry, table)
    assert (copy.match.changes, copy.match.length, copy.standing) == (table.match.changes, keep, "live")


async def test_a_bot_for_a_while(registry: TableRegistry) -> None:
    """What the bot does is told as the bot's, also to whom it plays for; then the name is back."""
    people = await friends(registry, 3)
    table = await bus_with(registry, people)
    seat = table.actor
    assert seat is not None
    owner, other = people[seat], people[seat - 1]
    await actions.hand_over(registry, table, [seat], WEAK)
    assert seen(registry, table, other).position.status.startswith(f"Bot for {owner.name}: ")
    assert seen(registry, table, owner).position.status.startswith("Your bot: ")
    assert seen(registry, table, owner).notice == "A bot plays for you until you are back."
    panel = seen(registry, table, other).position.panels[seat]
    assert (panel.name, panel.sitter, panel.resigned) == (owner.name, "random bot, until they are back", False)
    await actions.play(registry, table, seat, table.match.lines()[0], table.event, by_bot=True)
    await actions.resume_seats(registry, table, [seat])
    for copy in (table, await loaded_again(registry, table)):
        log = [line for _, line in seen(registry, copy, other).log]
        assert f"A bot plays for {owner.name} until they are back." in log
        assert f"{owner.name} is back." in log
        assert [line for line in log if line.startswith(f"Bot for {owner.name} ")]
        assert [line for _, line in seen(registry, copy, owner).log if line.startswith("Your bot ")]


async def test_readers_are_addressed(registry: TableRegistry) -> None:
    """Each player reads “you” for the own seat, spectators and several on one device read names."""
    ann, bo, cy = await friends(registry, 3)
    table = await bus_with(registry, [ann, bo, cy])
    seat = table.actor
    assert seat is not None
    await play_first(registry, table)
    actor, other = [ann, bo, cy][seat], [ann, bo, cy][seat - 1]
    assert seen(registry, table, actor).log[-1][1].startswith("You build ")
    assert seen(registry, table, other).log[-1][1].startswith(f"{actor.name} builds ")
    assert seen(registry, table, None).log[-1][1].startswith(f"{actor.name} builds ")
    assert seen(registry, table, actor, "fr").log[-1][1].startswith("Vous construisez ")
    awaited = [ann, bo, cy][table.actor or 0]
    assert seen(registry, table, awaited).position.status.startswith("Your turn: ")
    assert [panel.you for panel in seen(registry, table, awaited).position.panels].count(True) == 1
    shared = await opened(registry, ann.id, "bus", {}, [Sitter(user=ann.id)] * 3)
    scene = seen(registry, shared, ann)
    assert scene.position.status.split(":")[0] in ("Blue", "Pink", "Orange")
    assert not [panel for panel in scene.position.panels if panel.you]
    alone = await opened(registry, ann.id, "times_square", {}, [Sitter(user=ann.id), Sitter(bot=WEAK)])
    assert seen(registry, alone, ann).position.panels[0].name == "You"


def test_seat_changes_follow_what_is_undone() -> None:
    """They stay, as early as the record is long then; handing over twice is one change."""
    history = History.of(
        [Began(["- first 0 #1"]), Played(["0 take bus"]), HandedOver(1, "easy"), HandedOver(1, "hard")]
    )
    for event in (HandedOver(1, "hard"), Undone(1), Resumed(1), Resumed(1)):
        history.add(event)
    assert history.changes == [SeatChange(1, 1, "left"), SeatChange(1, 1, "returned")]
