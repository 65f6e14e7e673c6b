"""Times Square for two players: the game's definition."""

from pathlib import Path
from typing import Final

from omnibus.games.times_square import (
    drawing,
    editing,
    features,
    judging,
    lessons,
    moves,
    position,
    rules,
    scoring,
    state,
    telling,
    view,
)
from omnibus.games.times_square.board import EDITIONS, SEATS
from omnibus.kernel.game import Game, Option
from omnibus.kernel.i18n import mark

# The longest edition is royal_visit. Its supplies hold 38 cards and, seven times, at most 45: all but a full hand and
# the card just drawn. So 353 cards are drawn after the deal of 16, and at most 360 leave the hands, one to a turn that
# also says `done`. A lure leaves Hal with a figure of the trio, and before the next one a card has to move one of them:
# at most 361 lures. A full hand always has a card that can be played, so nobody ever says `done` for want of a move.
LONGEST: Final = 1 + 16 + 353 + 360 + 360 + 361


GAME: Game[state.State] = Game(
    name="times_square",
    title="Times Square",
    inventors="Reiner Knizia (2006)",
    version=1,
    numbering=1,
    seats=(SEATS,),
    options={
        "edition": Option(
            default=EDITIONS[0],
            choices=tuple(EDITIONS),
            text=mark("Edition"),
            names=(mark("Times Square"), mark("Royal Visit")),
        ),
    },
    longest=LONGEST,
    open=False,
    folder=str(Path(__file__).parent),
    minutes=(20, 30),
    weight="light",
    styles=drawing.TERMINAL_STYLES,
    space=lambda _: (moves.SEAT_MOVES, moves.MOVES),
    write=lambda _, move: moves.LINES[move],
    parse=lambda _, line: moves.parse(line),
    setup=lambda _, options: state.setup(EDITIONS.index(options["edition"])),
    chosen=state.chosen,
    position=position.position,
    place=position.place,
    legal=rules.legal,
    apply=rules.apply,
    refusal=rules.refusal,
    chances=rules.chances,
    chance_total=rules.chance_total,
    chance_at=rules.chance_at,
    outcome=scoring.outcome,
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
    journeys=drawing.journeys,
    targets=drawing.targets,
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
    mirror=features.mirror,
)
