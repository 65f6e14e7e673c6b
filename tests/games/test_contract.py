"""The contract of a game, checked in drawn positions of all games, with all numbers of seats and all options."""

from __future__ import annotations

import itertools
import json
import pickle
import re
from typing import Any

import pytest

from omnibus import BadNotation, BadPosition, Match, games
from omnibus.kernel.game import CHANCE, OVER, Game
from omnibus.kernel.i18n import ENGLISH, LANGUAGES, words
from omnibus.kernel.names import Names
from omnibus.kernel.perft import perft, playout, split
from omnibus.kernel.svg import SEATS
from support.games_played import (
    EVERYWHERE,
    WHOLE,
    GamePlayed,
    Setup,
    after,
    every_game,
    every_setup,
    in_positions,
    random_match,
)

pytestmark = [pytest.mark.engine, pytest.mark.walk]


@in_positions(8)
def test_actor_and_moves_agree(played: GamePlayed) -> None:
    """Over ⇔ no actor ⇔ nothing legal ⇔ an outcome; moves are of the actor's part of the space, without duplicates."""
    game, state = played.game, played.state
    moves = game.legal(state)
    of_seats, all_moves = game.space(state)
    over = state.actor == OVER
    assert over == (not moves) == (game.outcome(state) is not None)
    assert len(set(moves)) == len(moves)
    assert moves == game.legal(state.clone())
    inside = range(of_seats, all_moves) if state.actor == CHANCE else range(of_seats)
    assert all(move in inside for move in moves)
    assert state.actor in (CHANCE, OVER, *range(played.seats))


@in_positions(8)
def test_chances(played: GamePlayed) -> None:
    """Weights are positive and sum up to the total; `chance_at` counts them in the order of `chances`."""
    game, state = played.game, played.state
    chances = game.chances(state)
    assert bool(chances) == (state.actor == CHANCE)
    assert game.chance_total(state) == sum(weight for _, weight in chances)
    if chances:
        assert [move for move, _ in chances] == game.legal(state)
        assert all(weight > 0 for _, weight in chances)
        counted = [move for move, weight in chances for _ in range(weight)]
        assert [game.chance_at(state, number) for number in range(len(counted))] == counted


@in_positions(8)
def test_refusal_exactly_where_not_legal(played: GamePlayed) -> None:
    """Over the whole action space: a move is legal or there is a reason, with a § and a sentence in every language."""
    game, state = played.game, played.state
    legal = set(game.legal(state))
    for move in range(game.space(state)[1]):
        refusal = game.refusal(state, move)
        assert (refusal is None) == (move in legal), game.write(state, move)
        if refusal:
            assert refusal.section.startswith("§")
            assert game.explain(refusal, ENGLISH)


@every_setup
def test_every_move_has_one_line(setup: Setup) -> None:
    """`parse(write(move)) == move` for the whole action space; anything else is BadNotation."""
    game, state = setup.game, setup.game.setup(setup.seats, setup.options)
    for move in range(game.space(state)[1]):
        assert game.parse(state, game.write(state, move)) == move
    for line in ["", " ", "nonsense", game.write(state, 0) + " ", game.write(state, 0).upper() + "!", "\0"]:
        with pytest.raises(BadNotation):
            game.parse(state, line)


@in_positions(6)
def test_clone_is_independent(played: GamePlayed) -> None:
    """A clone equals the original and is independent of it; so is a pickled copy."""
    game, state = played.game, played.state
    before = game.position(state)
    for copy in (state.clone(), pickle.loads(pickle.dumps(state))):
        assert game.position(copy) == before
        assert (copy.actor, copy.seats) == (state.actor, played.seats)
        playout(game, copy, played.random.random, 30)
        assert game.position(state) == before


@in_positions(8)
def test_position_document_round_trip(played: GamePlayed) -> None:
    """A position survives being written as JSON and read again, and continues the same way."""
    game, state = played.game, played.state
    document = json.loads(json.dumps(game.position(state)))
    placed = game.place(document)
    assert game.position(placed) == document == game.position(state)
    assert game.legal(placed) == game.legal(state)
    assert game.chosen(placed) == game.chosen(state) == played.setup.options
    assert game.outcome(placed) == game.outcome(state)
    for seat in played.readers():
        assert game.view(placed, seat) == game.view(state, seat)


@every_game
@pytest.mark.parametrize("document", [[], None, 3, "act"])
def test_a_position_is_an_object(name: str, document: Any) -> None:
    """Anything else is refused by name."""
    with pytest.raises(BadPosition, match="the position must be an object"):
        Match.from_position(name, document)


@in_positions(3)
def test_record_replays(played: GamePlayed) -> None:
    """A record replays to the same match, and writing it again gives the same text."""
    match = played.match()
    read = Match.read(match.record())
    assert read.record() == match.record()
    assert read.plies == match.plies
    assert read.position() == match.position() == played.game.position(played.state)
    assert (read.outcome, read.options, read.seats) == (match.outcome, match.options, match.seats)
    ply = played.random.randint(0, len(match.plies))
    assert read.at(ply).position() == match.at(ply).position()


@in_positions(20, ways=WHOLE)
def test_games_end_within_their_bound(played: GamePlayed) -> None:
    """Games end within the bound the game gives."""
    assert played.state.actor == OVER
    assert len(played.moves) <= played.game.longest


@in_positions(6)
def test_redeal_looks_the_same(played: GamePlayed) -> None:
    """`view(redeal(view)) == view`, and the seat to act has the same moves and reasons.

    The pictures are compared for one seat: they are drawn from views, which are equal, and drawing is slow.
    """
    game, state, random = played.game, played.state, played.random
    drawn = random.choice(played.readers())
    for seat in played.readers():
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


@in_positions(2)
def test_the_bare_picture_depends_on_its_ground(played: GamePlayed) -> None:
    """It is the picture without pieces, and it is the same as long as `ground` is; shape and names may change it.

    One reader has it drawn in every way, and the others in one each: drawing is slow.
    """
    drawn: dict[str, str] = {}
    game, state, random = played.game, played.state, played.random
    names = [f"<{seat}" for seat in range(played.seats)]
    ways: list[tuple[list[str], bool]] = [([], False), ([], True), (names, True)]
    for _ in range(2):
        in_all_ways = random.choice(played.readers())
        for seat in played.readers():
            view = game.view(state, seat)
            for names, wide in ways if seat == in_all_ways else [random.choice(ways)]:
                bare = game.bare(view, ENGLISH, names=names, wide=wide)
                assert bare == without_pieces(game.svg(view, ENGLISH, names=names, wide=wide))
                assert bare == drawn.setdefault(game.ground(view, names=names, wide=wide), bare)
        played.play_on(30)


@in_positions(3)
def test_in_an_open_game_everybody_sees_the_same(played: GamePlayed) -> None:
    """What is drawn and said does not depend on the reader, and a redeal is the state itself."""
    game, state = played.game, played.state
    if game.open:
        told = [everything_told(game, state, seat, played.seats) for seat in played.readers()]
        assert all(each == told[0] for each in told)
        dealt = game.redeal(game.view(state, 0), played.random.randrange)
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


@in_positions(2)
def test_every_move_is_described(played: GamePlayed) -> None:
    """Every legal move has a label of its own and a sentence in the log, every position a status, in every language."""
    game, state = played.game, played.state
    names = [f"P{seat}" for seat in range(played.seats)]
    for language in LANGUAGES:
        told = words(language, game.folder)
        for seat in played.readers():
            before = game.view(state, seat)
            assert game.status(before, names, told)
            labels: set[str] = set()
            for move in game.legal(state):
                after = state.clone()
                game.apply(after, move)
                assert all(game.tell(before, game.seen(state, move, seat), game.view(after, seat), names, told))
                if state.actor in (seat, CHANCE):
                    labels.add(game.label(before, game.write(state, move), told))
            assert state.actor not in (seat, CHANCE) or len(labels - {""}) == len(game.legal(state))


@in_positions(1, ways=WHOLE)
def test_journeys_can_be_shown(played: GamePlayed) -> None:
    """At the end of a game they use symbols, parts and rows that are there; before it, there are none."""
    game = played.game
    for state, _ in played.states():
        view = game.view(state, None)
        assert state.actor == OVER or game.journeys(view, ENGLISH) == []
    for language, wide in itertools.product(LANGUAGES, (False, True)):
        told = words(language, game.folder)
        picture, rows = game.svg(view, told, wide=wide), len(game.breakdown(view, told))
        for journey in game.journeys(view, told, wide=wide):
            assert journey.caption
            assert journey.points or journey.parts
            assert len(journey.ticks) in (0, len(journey.points))
            assert not journey.symbol or (journey.points and f'id="{journey.symbol}"' in picture)
            assert all(f'data-part="{part}"' in picture for part in journey.parts)
            assert journey.seat is None or 0 <= journey.seat < played.seats
            assert journey.row is None or 0 <= journey.row < rows


@every_game
def test_every_seat_has_a_look(name: str) -> None:
    """There are letters, colours and patterns for all seats (`kernel/svg.py`)."""
    assert max(games.find(name).seats) <= len(SEATS)


@in_positions(3)
def test_perft_adds_up(played: GamePlayed) -> None:
    """The split by move adds up to the count; chance plies count like any other."""
    game, state = played.game, played.state
    assert perft(game, state, 0) == 1
    assert sum(count for _, count in split(game, state, 2)) == perft(game, state, 2)


@in_positions(2, ways=after(130))
def test_readers_are_addressed(played: GamePlayed) -> None:
    """In log and status a reader's own name never appears, in no language; the others' names do, and all to others."""
    match, you = played.match(), played.random.randrange(played.seats)
    names = [f"<{seat}>" for seat in range(played.seats)]
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


@in_positions(2, ways=WHOLE)
def test_whoever_resigned_does_not_win(played: GamePlayed) -> None:
    """With more than two seats; without anybody who has resigned, the outcome is the same."""
    game, state = played.game, played.state
    ended = game.outcome(state)
    assert ended is not None
    if max(game.seats) == 2:
        return
    assert game.outcome_without is not None
    assert game.outcome_without(state, ()) == ended
    if played.seats > 2:
        for seat in range(played.seats):
            other = game.outcome_without(state, (seat,))
            assert other is not None
            assert other.winners
            assert seat not in other.winners
            assert (other.scores, other.reason) == (ended.scores, ended.reason)
            if seat not in ended.winners:
                assert other.winners == ended.winners


@in_positions(3, ways=EVERYWHERE)
def test_shares_add_up(played: GamePlayed) -> None:
    """From the first move to the last, every seat has a share, and together they have the win."""
    shares = played.game.judge(played.state)
    assert len(shares) == played.seats
    assert all(0 <= share <= 1 for share in shares)
    assert sum(shares) == pytest.approx(1)


@in_positions(2, ways=WHOLE)
def test_an_ended_game_is_judged_by_its_winners(played: GamePlayed) -> None:
    """A winner has all, who shares a win has a part, the others nothing; what nobody wins is shared by all."""
    outcome = played.game.outcome(played.state)
    assert outcome is not None
    winners = outcome.winners or tuple(range(played.seats))
    shares = [1 / len(winners) if seat in winners else 0 for seat in range(played.seats)]
    assert played.game.judge(played.state) == pytest.approx(shares)


@every_game
def test_every_term_has_two_phrases(name: str) -> None:
    """A different one for the better and for the worse, no phrase twice, in every language."""
    game = games.find(name)
    said = [phrase for pair in game.phrases.values() for phrase in pair]
    terms = game.terms(random_match(name, 1, plies=40).state, 0)
    assert list(terms) == list(game.phrases)
    for language in LANGUAGES:
        assert len({words(language, game.folder).gettext(phrase) for phrase in said}) == len(said) == 2 * len(terms)
