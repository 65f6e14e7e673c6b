"""Last Stop, a tiny game for the tests: a table of contents."""

from pathlib import Path

from last_stop import drawing, features, judging, moves, position, rules, scoring, state, telling, view
from last_stop.board import LENGTHS
from omnibus.kernel.game import Game, Option
from omnibus.kernel.i18n import mark

GAME: Game[state.State] = Game(
    name="last_stop",
    title="Last Stop",
    inventors="Omnibus (2026)",
    version=1,
    numbering=1,
    seats=(2, 3, 4),
    options={"stops": Option(default=LENGTHS[0], choices=LENGTHS, text=mark("How many stops the line has (§1.1)"))},
    longest=40,
    open=False,
    folder=str(Path(__file__).parent),
    styles={"bus": "bold yellow"},
    space=lambda _: (moves.SEAT_MOVES, moves.MOVES),
    write=lambda _, move: moves.LINES[move],
    parse=lambda _, line: moves.parse(line),
    setup=lambda seats, options: state.setup(seats, options["stops"]),
    chosen=lambda now: {"stops": now.stops},
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
    label=telling.label,
    tell=telling.tell,
    status=telling.status,
    holdings=telling.holdings,
    breakdown=telling.breakdown,
    explain=telling.explain,
    help=telling.help,
    judge=judging.judge,
    terms=judging.terms,
    phrases=judging.PHRASES,
    features=features.features,
    observe=features.observe,
    standing=features.standing,
)
