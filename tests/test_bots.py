"""Bots choose legal moves from views, and each level is as strong as its name says."""

from __future__ import annotations

import json
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from omnibus import Match, games
from omnibus.bots import THINKERS, Bot, bot, names_for
from omnibus.bots.reasons import opposed_reasons
from omnibus.kernel.i18n import COMMON_TEXTS, LANGUAGES, words
from omnibus.lab.simulate import Series, simulate
from support.winning import winning

pytestmark = pytest.mark.engine

EVERY_BOT = [(game, level) for game in games.names() for level in names_for(games.find(game))]


def quick(level: str, game: str, seed: int = 1) -> Bot:
    """Return a bot that thinks only briefly."""
    return bot(level, games.find(game), seed=seed, simulations=12 if level in THINKERS else None)


def some_way_in(game: str, seed: int, seats: int | None = None, decisions: int = 30) -> Match:
    """Return a match after some random decisions, or halfway through if it is over by then."""
    match, player = Match.new(game, seats=seats, seed=seed), bot("random", games.find(game), seed=seed)
    for _ in range(decisions):
        if isinstance(match.actor, int):
            match.play(player(match.game.view(match.state, match.actor)))
    while match.actor is None and decisions > 0:
        match.undo()
        decisions -= 2
    return match


@pytest.mark.walk
@pytest.mark.parametrize(("game", "level"), EVERY_BOT)
def test_bots_play_legal_moves_to_the_end(game: str, level: str) -> None:
    """A whole game, every choice from the view as JSON; new bots with the same seed repeat their choices."""
    match, again = Match.new(game, seed=2), Match.new(game, seed=2)
    let_bots_play(match, level)
    let_bots_play(again, level, decisions=8 * match.seats)
    assert match.outcome is not None
    assert match.plies[: len(again.plies)] == again.plies


def test_a_game_can_be_named() -> None:
    """A bot is made for a game or for its name."""
    match = Match.new("metromania", seed=1)
    assert isinstance(match.actor, int)
    named, given = (bot("easy", game, seed=1)(match.view(match.actor)) for game in ("metromania", match.game))
    assert named == given
    assert names_for("metromania") == names_for(match.game)


def let_bots_play(match: Match, level: str, decisions: int | None = None) -> None:
    """Let bots of a level play a match, to its end or for some decisions."""
    seated = [quick(level, match.game.name, seat) for seat in range(match.seats)]
    while isinstance(match.actor, int) and decisions != 0:
        match.play(seated[match.actor](json.loads(json.dumps(match.view(match.actor)))))
        decisions = None if decisions is None else decisions - 1


@pytest.mark.walk
@pytest.mark.parametrize(("game", "level"), [pair for pair in EVERY_BOT if not games.find(pair[0]).open])
def test_bots_do_not_peek(game: str, level: str) -> None:
    """States with the same view are played alike, whatever is hidden in them."""
    seats = games.find(game).seats
    match = some_way_in(game, seed=11, seats=seats[len(seats) // 2], decisions=8)  # while hands are full
    assert isinstance(match.actor, int)
    view = match.game.view(match.state, match.actor)
    others = [match.game.redeal(view, Random(seed).randrange) for seed in range(9)]
    assert any(match.game.position(other) != match.position() for other in others)
    choices = {quick(level, game)(match.game.view(state, match.actor)) for state in (match.state, *others)}
    assert len(choices) == 1


@pytest.mark.parametrize(("game", "level"), EVERY_BOT)
def test_bots_explain_what_they_would_play(game: str, level: str) -> None:
    """The line played comes first; shares add up; labels and reasons are there in every language."""
    match = some_way_in(game, seed=3)
    assert isinstance(match.actor, int)
    view, german = match.view(match.actor), words("de", match.game.folder, COMMON_TEXTS)
    ideas, translated = (quick(level, game).explain(view, *given) for given in ((), (german,)))
    assert ideas[0].line == quick(level, game)(view)
    assert {idea.line for idea in ideas} <= set(match.lines())
    for idea, other in zip(ideas, translated, strict=True):
        assert (idea.label, other.label) == tuple(match.game.label(view, idea.line, w) for w in (words("en"), german))
        assert (other.line, other.reasons) == (idea.line, tuple(map(german.gettext, idea.reasons)))
        assert other.doubts == tuple(map(german.gettext, idea.doubts))
        assert sum(idea.shares) == pytest.approx(1)
        assert idea.share == idea.shares[match.actor]
        assert len(idea.reasons) <= 2
        assert len(idea.doubts) <= 2
    for reason in {reason for idea in ideas for reason in idea.reasons + idea.doubts}:
        told = {words(language, match.game.folder, COMMON_TEXTS).gettext(reason) for language in LANGUAGES}
        assert len(told) == len(LANGUAGES)


def test_reasons_say_what_sets_a_move_apart() -> None:
    """§9.1 Bringing Hal into the entrance is praised for the way Charlie will go."""
    match = Match.from_position("times_square", winning("times_square")["hal draws charlie on (§9.1)"], seed=1)
    assert isinstance(match.actor, int)
    ideas = bot("hard", match.game, seed=1, simulations=100).explain(match.view(match.actor))
    (reasons,) = [idea.reasons for idea in ideas if idea.line == "hal2 left"]
    assert "Charlie comes nearer to your club" in reasons


def test_two_moves_are_told_apart_by_what_they_lead_to() -> None:
    """Each has the terms in which it is better in the mean, and what it leaves to the other seats as a whole."""
    game: Any = SimpleNamespace(
        terms=lambda state, seat: state.own if seat == 1 else {"line": state.theirs},
        phrases={"line": ("more lines", "fewer lines"), "bus": ("more buses", "fewer buses")},
    )
    rich = SimpleNamespace(seats=3, own={"line": 0.5, "bus": 0.1}, theirs=0.2)
    poor = SimpleNamespace(seats=3, own={"line": 0.1, "bus": 0.1}, theirs=0.0)
    other = SimpleNamespace(seats=3, own={"line": 0.1, "bus": 0.3}, theirs=0.5)
    lines, buses = ("leaves less to the others", "more lines"), ("more buses",)
    assert opposed_reasons(game, 1, [rich, poor], [other]) == (lines, buses)
    assert opposed_reasons(game, 1, [other], [rich, poor]) == (buses, lines)
    assert opposed_reasons(game, 1, [rich, poor], [rich, poor]) == ((), ())


def test_hard_forgets_another_game() -> None:
    """A bot that plays several matches does not mix them up; the view of a seat that is not to act is refused."""
    player = bot("hard", games.find("times_square"), seed=1, simulations=40)
    for seed in (1, 2, 1):
        match = Match.new("times_square", seed=seed)
        assert isinstance(match.actor, int)
        assert player(match.view(match.actor)) in match.lines()
        with pytest.raises(ValueError, match="own seat"):
            player(match.view(1 - match.actor))


def test_hard_keeps_its_tree_while_chance_is_out_of_it() -> None:
    """The second decision of a turn begins with what was seen while thinking about the first."""
    match = Match.from_position("times_square", winning("times_square")["a pair, then a single step (§4.3)"], seed=1)
    assert isinstance(match.actor, int)
    kept, fresh = (bot("hard", match.game, seed=1, simulations=60) for _ in range(2))
    match.play(kept(match.view(match.actor)))
    visits = [sum(idea.visits for idea in each.explain(match.view(match.actor))) for each in (kept, fresh)]
    assert visits[0] > visits[1] == 60


def test_hard_keeps_to_its_simulations_and_seconds() -> None:
    """It makes no more simulations than allowed, and at least a few however short the time."""
    match = Match.new("times_square", seed=4)
    assert isinstance(match.actor, int)
    for limits, most in (({"simulations": 30}, 30), ({"seconds": 0.001}, 1000)):
        ideas = bot("hard", match.game, seed=1, **limits).explain(match.view(match.actor))
        assert 0 < sum(idea.visits for idea in ideas) <= most


@pytest.mark.walk
@pytest.mark.parametrize("game", games.names())
def test_easy_beats_random(game: str) -> None:
    """A few games show the direction; the arena measures how far."""
    seats, options, won = games.find(game).seats[0], Match.new(game, dice=False).options, 0.0
    for seat in range(seats):
        seated = ["easy" if other == seat else "random" for other in range(seats)]
        won += simulate(Series(game, seats, options, seated, seat), 3).wins[seat]
    assert won >= 0.8 * 3 * seats


@pytest.mark.parametrize(
    ("name", "limits", "sentence"),
    [
        ("oracle", {}, "random, easy, medium, hard, master"),
        ("hard", {"seconds": 0}, "seconds"),
        ("hard", {"simulations": 0}, "at least one"),
        ("easy", {"game": "metro"}, "there is no game 'metro'; there are: bus"),
    ],
)
def test_impossible_bots_are_refused(name: str, limits: dict[str, Any], sentence: str) -> None:
    """An unknown name is refused with the names there are; so are impossible limits and unknown games."""
    with pytest.raises(ValueError, match=sentence):
        bot(name, **{"game": "times_square", **limits})


def regret(game: str, level: str, *, errors: bool) -> float:
    """Return how much worse than its best candidates a bot has played, in shares of the win."""
    match, total, decided = Match.new(game, seed=3), 0.0, 0
    player = bot(level, match.game, seed=3, errors=errors)
    while isinstance(match.actor, int) and (decided := decided + 1) <= 40:
        ideas = player.explain(match.view(match.actor))
        total += max(idea.share for idea in ideas) - ideas[0].share
        match.play(ideas[0].line)
    return total


@pytest.mark.walk
@pytest.mark.parametrize("level", ["easy", "medium"])
@pytest.mark.parametrize("game", games.names())
def test_without_errors_the_best_is_played(game: str, level: str) -> None:
    """Every choice is one of the moves the bot judges best."""
    assert regret(game, level, errors=False) == 0


@pytest.mark.walk
@pytest.mark.parametrize("level", ["easy", "medium"])
def test_levels_err_on_purpose(level: str) -> None:
    """Some choices are not, otherwise."""
    assert sum(regret(game, level, errors=True) for game in games.names()) > 0
