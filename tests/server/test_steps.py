"""Steps: what others have decided is told as the reader saw it, one decision at a time."""

from __future__ import annotations

from random import Random

import pytest

from omnibus import Match, games
from omnibus.kernel.game import TURN_PIECES
from omnibus.kernel.i18n import LANGUAGES
from omnibus.server.tables.board_view import Drawn, Reader, pieces_at, words_for
from omnibus.server.tables.steps import MOST, Step, caption, decisions, explained, renamed
from omnibus.server.tables.view_cache import ViewCache

SETUPS = [(name, games.find(name).seats[-1]) for name in games.names()]
every_game = pytest.mark.parametrize(("name", "seats"), SETUPS)


def played(name: str, seats: int, seed: int, decided: int) -> Match:
    random, match = Random(seed), Match.new(name, seats=seats, seed=seed)
    for _ in range(decided):
        if match.actor is None:
            break
        match.play(random.choice(match.lines()))
    return match


def steps(match: Match, reader: Reader) -> list[Step]:
    names = [f"P{seat}" for seat in range(match.seats)]
    return ViewCache(match).steps(reader, names, words_for(match, reader.language), 0)


@every_game
def test_every_decision_is_a_step(name: str, seats: int) -> None:
    """In order, by the seat that decided, each with a caption in every language, up to the next decision.

    A step has the places pieces came from, and only those that lie elsewhere now; the turn leaves no trace.
    """
    match, reader = played(name, seats, 7, 40), Reader(0, "en")
    told = steps(match, reader)
    decided = [ply for ply, (actor, _) in enumerate(match.plies) if actor != "chance"][-MOST:]
    assert decided == list(decisions(match, 0))
    assert [step.seat for step in told] == [match.plies[ply][0] for ply in decided]
    assert [step.ply for step in told] == [*decided[1:], match.length]
    for language in LANGUAGES:
        assert all(step.caption for step in steps(match, Reader(0, language)))
    for ply, step in zip(decided, told, strict=True):
        before, now = ({piece[0]: piece for piece in pieces_at(match, reader, at)} for at in (ply, step.ply))
        for id_, symbol, x, y in step.moved:
            assert before[id_][1:4] == (symbol, x, y) != now[id_][1:4]
        assert set(step.appeared) <= set(now)
        assert not TURN_PIECES.intersection([*step.appeared, *(piece[0] for piece in step.moved)])
    assert sum(bool(step.moved or step.appeared) for step in told) > MOST / 2


def test_from_where_to_where() -> None:
    """A piece whose label names its place says where it came from, if the sentence names where it went.

    Repeated sentences are counted, and a long list is cut off.
    """
    assert caption(["Bo is done.", "Bo draws a card.", "Bo draws a card."]) == "Bo is done. Bo draws a card. ×2"
    assert caption(["A.", "B.", "C.", "D."]) == "A. B. C."
    old: Drawn = ("figure-b", "guard", 0, 0, "Right guard on +4")
    new: Drawn = ("figure-b", "guard", 9, 0, "Right guard on +8")
    words = renamed([(old, new)])
    told = ["Greta plays Guard 2: right guard to +8 (+4 → +8).", "Charlie walks 1 space, to +1."]
    assert explained(["Greta plays Guard 2: right guard to +8.", "Charlie walks 1 space, to +1."], words) == told
    assert explained(["Greta is done."], words) == ["Greta is done."]
    assert renamed([((*old[:4], "11 tunnels left"), (*new[:4], "10 left"))]) == []


def test_a_score_stands_with_no_sentence_that_is_not_about_it() -> None:
    """A score that happens to be the number of a crossing is not told as where somebody went, nor after the rest."""
    old: Drawn = ("track-B", "score", 0, 0, "Pink, score: 11")
    new: Drawn = ("track-B", "score", 9, 0, "Pink, score: 12")
    sentences = ["Greta takes a passenger from 8 to 12.", "Nobody took the start: it passes to Greta."]
    assert explained(sentences, renamed([(old, new)])) == sentences
