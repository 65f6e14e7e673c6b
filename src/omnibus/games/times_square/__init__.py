"""Times Square for two players: the game's definition."""

from pathlib import Path

from omnibus.games.times_square import drawing, features, judging, moves, position, rules, scoring, state, telling, view
from omnibus.games.times_square.board import EDITIONS, SEATS
from omnibus.kernel.game import Game, Option
from omnibus.kernel.i18n import mark

GAME: Game[state.State] = Game(
    name="times_square",
    title="Times Square",
    inventors="Reiner Knizia (2006)",
    version=1,
    numbering=0,
    seats=(SEATS,),
    options={
        "edition": Option(
            default=EDITIONS[0],
            choices=tuple(EDITIONS),
            text=mark("Times Square, or the later edition Royal Visit (§11)"),
            names=(mark("Times Square"), mark("Royal Visit")),
        ),
    },
    longest=2000,
    open=False,
    folder=str(Path(__file__).parent),
    space=lambda _: (moves.SEAT_MOVES, moves.MOVES),
    write=lambda _, move: moves.LINES[move],
    parse=lambda _, line: moves.parse(line),
    setup=lambda _, options: state.setup(EDITIONS.index(options["edition"])),
    chosen=lambda now: {"edition": EDITIONS[now.edition]},
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
