"""MetroMania, for two to four: a table of contents."""

from pathlib import Path

from omnibus.games.metromania import (
    drawing,
    editing,
    features,
    judging,
    lessons,
    moves,
    position,
    rules,
    scoring,
    telling,
    view,
)
from omnibus.games.metromania.board import TOWN_HALLS
from omnibus.games.metromania.state import State, has_deal, setup
from omnibus.kernel.game import Game, Option, Summary
from omnibus.kernel.i18n import mark


def _lines(now: State) -> list[str]:
    """All lines of a game: with those of the deal, if there is one."""
    return moves.LINES_OF[now.seats] if has_deal(now) else moves.COMMON


GAME: Game[State] = Game(
    name="metromania",
    title="MetroMania",
    inventors="Jean-Michel Maman (2006)",
    version=1,
    numbering=1,
    seats=(2, 3, 4),
    options={
        "town_hall": Option(
            default=TOWN_HALLS[0],
            choices=tuple(TOWN_HALLS),
            text=mark("Destinations in hand"),
            names=(mark("hidden"), mark("open"), mark("open and fixed (four players)")),
        ),
    },
    # With four seats at most 201: 6 pieces, a deal, 8 lines of 18 tunnels and a bonus, 12 destinations, 30 stations;
    # with three there are 3 doubles, but two lines less. What is beyond that keeps the length of OpenSpiel's tensors.
    longest=220,
    open=False,
    folder=str(Path(__file__).parent),
    minutes=(45, 60),
    weight="medium",
    space=lambda now: (moves.SEAT_MOVES, len(_lines(now))),
    write=lambda now, move: _lines(now)[move],
    parse=lambda now, line: moves.parse(line, now.seats if has_deal(now) else 2),
    setup=lambda seats, options: setup(seats, TOWN_HALLS.index(options["town_hall"])),
    chosen=position.chosen,
    position=position.position,
    place=position.place,
    legal=rules.legal,
    apply=rules.apply,
    refusal=rules.refusal,
    chances=rules.chances,
    chance_total=rules.chance_total,
    chance_at=rules.chance_at,
    outcome=scoring.outcome,
    outcome_without=scoring.outcome_without,
    view=view.view,
    seen=view.seen,
    redeal=view.redeal,
    svg=drawing.svg,
    bare=drawing.bare,
    ground=drawing.ground,
    pieces=drawing.pieces,
    text=drawing.text,
    parts=drawing.parts,
    part_refusal=drawing.part_refusal,
    targets=drawing.targets,
    journeys=drawing.journeys,
    label=telling.label,
    tell=telling.tell,
    status=telling.status,
    holdings=telling.holdings,
    breakdown=telling.breakdown,
    explain=telling.explain,
    help=telling.help,
    lessons=lessons.LESSONS,
    goal=lessons.GOAL,
    tip=lessons.tip,
    editing=editing.editing,
    settled=editing.settled,
    judge=judging.judge,
    terms=judging.terms,
    phrases=judging.PHRASES,
    features=features.features,
    observe=features.observe,
    standing=features.standing,
    summary=Summary(judging.summary, judging.EACH, judging.COMMON),
)
