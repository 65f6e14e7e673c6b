"""Bus, for three to five: a table of contents."""

from pathlib import Path

from omnibus.games.bus import (
    cities,
    drawing,
    features,
    judging,
    moves,
    placing,
    position,
    rules,
    scoring,
    state,
    telling,
    view,
)
from omnibus.games.bus.board.pieces import FEWEST_SEATS, MOST_SEATS, STICKS
from omnibus.kernel.game import Game, Option
from omnibus.kernel.words import mark

GAME: Game[state.State] = Game(
    name="bus",
    title="Bus",
    version=1,
    numbering=0,
    seats=tuple(range(FEWEST_SEATS, MOST_SEATS + 1)),
    options={
        "sticks": Option(
            default=STICKS,
            choices=(STICKS, "unlimited"),
            text=mark("How many line sticks each player has (§2.2)"),
        ),
        "clock_back": Option(
            default=False,
            choices=(False, True),
            text=mark("Whether stopping moves the clock one kind back instead of holding it (§14)"),
        ),
        "city": Option(
            default=cities.DEFAULT,
            choices=cities.names(),
            text=mark("The city: the name of a bundled map, or a map of one's own (§1.4)"),
            accept=cities.is_map,
            allowed="a map document",
        ),
    },
    longest=650,
    folder=str(Path(__file__).parent),
    space=lambda now: (now.city.seat_moves, now.city.seat_moves + now.seats),
    write=lambda now, move: moves.write(now.city, move),
    parse=lambda now, line: moves.parse(now.city, now.seats, line),
    setup=position.begun,
    chosen=position.chosen,
    position=position.position,
    place=placing.place,
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
    pieces=drawing.pieces,
    text=drawing.text,
    parts=drawing.parts,
    label=telling.label,
    tell=telling.tell,
    status=telling.status,
    explain=telling.explain,
    help=telling.help,
    judge=judging.judge,
    terms=judging.terms,
    phrases=judging.PHRASES,
    features=features.features,
    observe=features.observe,
    standing=features.standing,
)
