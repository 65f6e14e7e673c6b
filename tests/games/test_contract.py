"""The contract of a game, checked on random walks for all games, all numbers of seats and all options."""

from __future__ import annotations

import itertools
import json
import pickle
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from omnibus import BadNotation, Match, games
from omnibus.kernel.game import CHANCE, OVER, Game
from omnibus.kernel.i18n import ENGLISH, LANGUAGES, words
from omnibus.kernel.names import Names
from omnibus.kernel.perft import perft, playout, split, step
from omnibus.kernel.svg import SEATS
from support.setups import SEEDS, every_setup, somewhere

pytestmark = [pytest.mark.engine, pytest.mark.walk]


@every_setup
@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_actor_and_moves_agree(name: str, seats: int, options: dict[str, Any], seed: int) -> None:
    """Over ⇔ no actor ⇔ nothing legal ⇔ an outcome; moves are of the actor's part of the space, without duplicates."""
    game, state = somewhere(name, seats, options, Random(seed))
    moves = game.legal(state)
    of_seats, all_moves = game.space(state)
    over = state.actor == OVER
    assert over == (not moves) == (game.outcome(state) is not None)
    assert len(set(moves)) == len(moves)
    assert moves == game.legal(state.clone())
    inside = range(of_seats, all_moves) if state.actor == CHANCE else range(of_seats)
    assert all(move in inside for move in moves)
    assert state.actor in (CHANCE, OVER, *range(seats))


@every_setup
@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_chances(name: str, seats: int, options: dict[str, Any], seed: int) -> None:
    """Weights are positive and sum up to the total; `chance_at` counts them in the order of `chances`."""
    game, state = somewhere(name, seats, options, Random(seed))
    chances = game.chances(state)
    assert bool(chances) == (state.actor == CHANCE)
    assert game.chance_total(state) == sum(weight for _, weight in chances)
    if chances:
        assert [move for move, _ in chances] == game.legal(state)
        assert all(weight > 0 for _, weight in chances)
        counted = [move for move, weight in chances for _ in range(weight)]
        assert [game.chance_at(state, number) for number in range(len(counted))] == counted


@every_setup
@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_refusal_exactly_where_not_legal(name: str, seats: int, options: dict[str, Any], seed: int) -> None:
    """Over the whole action space: a move is legal or there is a reason, with a § and a sentence in every language."""
    game, state = somewhere(name, seats, options, Random(seed))
    legal = set(game.legal(state))
    for move in range(game.space(state)[1]):
        refusal = game.refusal(state, move)
        assert (refusal is None) == (move in legal), game.write(state, move)
        if refusal:
            assert refusal.section.startswith("§")
            assert game.explain(refusal, ENGLISH)


@every_setup
def test_every_move_has_one_line(name: str, seats: int, options: dict[str, Any]) -> None:
    """`parse(write(move)) == move` for the whole action space; anything else is BadNotation."""
    game = games.find(name)
    state = game.setup(seats, options)
    for move in range(game.space(state)[1]):
        assert game.parse(state, game.write(state, move)) == move
    for line in ["", " ", "nonsense", game.write(state, 0) + " ", game.write(state, 0).upper() + "!", "\0"]:
        with pytest.raises(BadNotation):
            game.parse(state, line)


@every_setup
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_clone_is_independent(name: str, seats: int, options: dict[str, Any], seed: int) -> None:
    """A clone equals the original and is independent of it; so is a pickled copy."""
    random = Random(seed)
    game, state = somewhere(name, seats, options, random)
    before = game.position(state)
    for copy in (state.clone(), pickle.loads(pickle.dumps(state))):
        assert game.position(copy) == before
        assert (copy.actor, copy.seats) == (state.actor, seats)
        playout(game, copy, random.random, 30)
        assert game.position(state) == before


@every_setup
@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_position_document_round_trip(name: str, seats: int, options: dict[str, Any], seed: int) -> None:
    """A position survives being written as JSON and read again, and continues the same way."""
    game, state = somewhere(name, seats, options, Random(seed))
    document = json.loads(json.dumps(game.position(state)))
    placed = game.place(document)
    assert game.position(placed) == document == game.position(state)
    assert game.legal(placed) == game.legal(state)
    assert game.chosen(placed) == game.chosen(state) == options
    assert game.outcome(placed) == game.outcome(state)
    for seat in (*range(seats), None):
        assert game.view(placed, seat) == game.view(state, seat)


@every_setup
@settings(max_examples=5, deadline=None)
@given(seed=SEEDS)
def test_record_replays(name: str, seats: int, options: dict[str, Any], seed: int) -> None:
    """A record replays to the same match, and writing it again gives the same text."""
    random = Random(seed)
    match = Match.new(name, seats=seats, options=options, seed=seed)
    for _ in range(random.choice([0, 10, 100, match.game.longest])):
        if match.actor is None:
            break
        match.play(random.choice(match.lines()))
    read = Match.read(match.record())
    assert read.record() == match.record()
    assert read.plies == match.plies
    assert read.position() == match.position()
    assert (read.outcome, read.options, read.seats) == (match.outcome, match.options, match.seats)
    ply = random.randint(0, len(match.plies))
    assert read.at(ply).position() == match.at(ply).position()


@every_setup
def test_games_end_within_their_bound(name: str, seats: int, options: dict[str, Any]) -> None:
    """Random games end within the bound the game gives."""
    game = games.find(name)
    for seed in range(60):
        random = Random(seed)
        state = game.setup(seats, options)
        plies = 0
        while (move := step(game, state, random.random)) != OVER:
            game.apply(state, move)
            plies += 1
        assert plies <= game.longest


@every_setup
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_redeal_looks_the_same(name: str, seats: int, options: dict[str, Any], seed: int) -> None:
    """`view(redeal(view)) == view`, and the seat to act has the same moves and reasons.

    The pictures are compared for one seat: they are drawn from views, which are equal, and drawing is slow.
    """
    random = Random(seed)
    game, state = somewhere(name, seats, options, random)
    drawn = random.choice([*range(seats), None])
    for seat in (*range(seats), None):
        view = json.loads(json.dumps(game.view(state, seat)))
        assert view == game.view(state, seat)
        other = game.redeal(view, random.randrange)
        assert game.view(other, seat) == view
        if seat == drawn:
            assert game.svg(game.view(other, seat), ENGLISH) == game.svg(view, ENGLISH)
        if state.actor == seat:
            assert game.legal(other) == game.legal(state)
            for move in range(game.space(state)[1]):
                assert game.refusal(other, move) == game.refusal(state, move)


def without_pieces(picture: str) -> str:
    """Remove from a picture what a page adds itself: the style, the pieces and the description."""
    picture = re.sub("<style>.*?</style>", "", picture, flags=re.DOTALL)
    picture = re.sub("<desc>.*?</desc>", "<desc/>", picture, flags=re.DOTALL)
    return re.sub('<g class="pieces">.*?</g>', '<g class="pieces"/>', picture, flags=re.DOTALL)


@every_setup
@settings(max_examples=3, deadline=None)
@given(seed=SEEDS)
def test_the_bare_picture_depends_on_its_ground(name: str, seats: int, options: dict[str, Any], seed: int) -> None:
    """It is the picture without pieces, and it is the same as long as `ground` is; shape and names may change it.

    One reader has it drawn in every way, and the others in one each: drawing is slow.
    """
    random = Random(seed)
    drawn: dict[str, str] = {}
    game, state = somewhere(name, seats, options, random)
    ways: list[tuple[list[str], bool]] = [([], False), ([], True), ([f"<{seat}" for seat in range(seats)], True)]
    for _ in range(2):
        in_all_ways = random.choice([*range(seats), None])
        for seat in (*range(seats), None):
            view = game.view(state, seat)
            for names, wide in ways if seat == in_all_ways else [random.choice(ways)]:
                bare = game.bare(view, ENGLISH, names=names, wide=wide)
                assert bare == without_pieces(game.svg(view, ENGLISH, names=names, wide=wide))
                assert bare == drawn.setdefault(game.ground(view, names=names, wide=wide), bare)
        playout(game, state, random.random, 30)


@every_setup
@settings(max_examples=5, deadline=None)
@given(seed=SEEDS)
def test_in_an_open_game_everybody_sees_the_same(name: str, seats: int, options: dict[str, Any], seed: int) -> None:
    """What is drawn and said does not depend on the reader, and a redeal is the state itself."""
    game, state = somewhere(name, seats, options, Random(seed))
    if game.open:
        told = [everything_told(game, state, seat, seats) for seat in (*range(seats), None)]
        assert all(each == told[0] for each in told)
        dealt = game.redeal(game.view(state, 0), Random(seed).randrange)
        assert game.position(dealt) == game.position(state)


def everything_told(game: Game[Any], state: Any, seat: int | None, seats: int) -> list[Any]:
    """Return everything one reader is shown, now and after every legal move."""
    view, names = game.view(state, seat), [f"P{seat}" for seat in range(seats)]
    told: list[Any] = [
        {**view, "viewer": None},
        game.bare(view, ENGLISH),
        game.ground(view),
        game.pieces(view, ENGLISH),
    ]
    told += [game.status(view, names, ENGLISH), game.holdings(view, ENGLISH), game.breakdown(view, ENGLISH)]
    told.append(game.journeys(view, ENGLISH))
    for move in game.legal(state):
        after, line = state.clone(), game.seen(state, move, seat)
        game.apply(after, move)
        told.append((line, game.tell(view, line, game.view(after, seat), names, ENGLISH)))
        if state.actor != CHANCE:
            told.append(game.label(view, line, ENGLISH))
    return told


@every_setup
@settings(max_examples=10, deadline=None)
@given(seed=SEEDS)
def test_every_move_is_described(name: str, seats: int, options: dict[str, Any], seed: int) -> None:
    """Labels, log sentences and status lines exist for every legal move, every reader and every language."""
    random = Random(seed)
    game, state = somewhere(name, seats, options, random)
    names = [f"P{seat}" for seat in range(seats)]
    for language in LANGUAGES:
        told = words(language, game.folder)
        for seat in (*range(seats), None):
            before = game.view(state, seat)
            assert game.status(before, names, told)
            for move in game.legal(state):
                after = state.clone()
                game.apply(after, move)
                assert all(game.tell(before, game.seen(state, move, seat), game.view(after, seat), names, told))
                if state.actor in (seat, CHANCE):
                    assert game.label(before, game.write(state, move), told)


@every_setup
def test_journeys_can_be_shown(name: str, seats: int, options: dict[str, Any]) -> None:
    """At the end of a game they use symbols, parts and rows that are there; before it, there are none."""
    random, match = Random(seats), Match.new(name, seats=seats, options=options, seed=seats)
    while match.actor is not None:
        assert match.game.journeys(match.game.view(match.state, None), ENGLISH) == []
        match.play(random.choice(match.lines()))
    for language, wide in itertools.product(LANGUAGES, (False, True)):
        view, told = match.game.view(match.state, None), words(language, match.game.folder)
        picture, rows = match.game.svg(view, told, wide=wide), len(match.game.breakdown(view, told))
        for journey in match.game.journeys(view, told, wide=wide):
            assert journey.caption
            assert journey.points or journey.parts
            assert len(journey.ticks) in (0, len(journey.points))
            assert not journey.symbol or (journey.points and f'id="{journey.symbol}"' in picture)
            assert all(f'data-part="{part}"' in picture for part in journey.parts)
            assert journey.seat is None or 0 <= journey.seat < seats
            assert journey.row is None or 0 <= journey.row < rows


@pytest.mark.parametrize("name", games.names())
def test_every_seat_has_a_look(name: str) -> None:
    """There are letters, colours and patterns for all seats (`kernel/svg.py`)."""
    assert max(games.find(name).seats) <= len(SEATS)


@every_setup
def test_perft_adds_up(name: str, seats: int, options: dict[str, Any]) -> None:
    """The split by move adds up to the count; chance plies count like any other."""
    game = games.find(name)
    _, state = somewhere(name, seats, options, Random(3))
    assert perft(game, state, 0) == 1
    assert sum(count for _, count in split(game, state, 2)) == perft(game, state, 2)


@every_setup
@settings(max_examples=10, deadline=None)
@given(seed=SEEDS)
def test_judgement_is_a_share(name: str, seats: int, options: dict[str, Any], seed: int) -> None:
    """The shares of the win add up to 1; when the game is over, the winners share it."""
    random = Random(seed)
    game, state = somewhere(name, seats, options, random)
    shares = game.judge(state)
    assert len(shares) == seats
    assert all(0 <= share <= 1 for share in shares)
    assert sum(shares) == pytest.approx(1)
    playout(game, state, random.random)
    outcome = game.outcome(state)
    assert outcome is not None
    winners = outcome.winners or range(seats)
    assert game.judge(state) == [1 / len(winners) if seat in winners else 0 for seat in range(seats)]


@every_setup
@settings(max_examples=10, deadline=None)
@given(seed=SEEDS)
def test_every_term_has_its_phrases(name: str, seats: int, options: dict[str, Any], seed: int) -> None:
    """Every term of an evaluation has a phrase for raising and for lowering it."""
    game, state = somewhere(name, seats, options, Random(seed))
    for seat in range(seats):
        assert set(game.terms(state, seat)) == set(game.phrases)


@every_setup
@settings(max_examples=2, deadline=None)
@given(seed=SEEDS)
def test_readers_are_addressed(name: str, seats: int, options: dict[str, Any], seed: int) -> None:
    """In log and status a reader's own name never appears, in no language; the others' names do, and all to others."""
    match = Match.new(name, seats=seats, options=options, seed=seed)
    random, you = Random(seed), seed % seats
    while match.actor is not None and match.length < 150:
        match.play(random.choice(match.lines()))
    names = [f"<{seat}>" for seat in range(seats)]
    view = match.game.view(match.state, you)
    for language in LANGUAGES:
        told = words(language, match.game.folder)
        own = [sentence for _, sentence in match.log(you, Names(names, you), told)]
        own.append(match.game.status(view, Names(names, you), told))
        others = [sentence for _, sentence in match.log(you, names, told)]
        others.append(match.game.status(view, names, told))
        assert not [sentence for sentence in own if names[you] in sentence]
        changed = [pair for pair in zip(own, others, strict=True) if pair[0] != pair[1]]
        assert changed
        assert all(names[you] in other for _, other in changed)


@every_setup
@settings(max_examples=1, deadline=None)
@given(seed=SEEDS)
def test_whoever_resigned_does_not_win(name: str, seats: int, options: dict[str, Any], seed: int) -> None:
    """With more than two seats; without anybody who has resigned, the outcome is the same."""
    game = games.find(name)
    state = game.setup(seats, options)
    playout(game, state, Random(seed).random)
    ended = game.outcome(state)
    assert ended is not None
    if max(game.seats) == 2:
        return
    assert game.outcome_without is not None
    assert game.outcome_without(state, ()) == ended
    if seats > 2:
        for seat in range(seats):
            other = game.outcome_without(state, (seat,))
            assert other is not None
            assert other.winners
            assert seat not in other.winners
            assert (other.scores, other.reason) == (ended.scores, ended.reason)
            if seat not in ended.winners:
                assert other.winners == ended.winners
