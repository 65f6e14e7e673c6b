"""The tutorials, played through in every language on the real engine: a changed rule that breaks one fails here."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

import pytest

from omnibus import Match, games
from omnibus.games.metromania import scoring
from omnibus.games.metromania.board import LETTERS
from omnibus.kernel.game import LessonStep
from omnibus.kernel.i18n import COMMON_TEXTS, ENGLISH, LANGUAGES, words
from omnibus.kernel.lessons import LEARNER, begins_anew, match_at, play_step
from omnibus.kernel.svg import part_of

MOST_STEPS = 12
MOST_WORDS = 20
FIELDS = ("line", "passengers", "buildings")


def steps() -> Iterator[tuple[str, int]]:
    for name in games.names():
        for number in range(1, len(games.find(name).lessons) + 1):
            yield name, number


every_step = pytest.mark.parametrize(("name", "number"), list(steps()))


def step_of(name: str, number: int) -> LessonStep:
    return games.find(name).lessons[number - 1]


@pytest.mark.parametrize("name", ["bus", "metromania", "times_square"])
def test_length(name: str) -> None:
    """Every game of ours has a tutorial of at most 12 steps, with a goal card at its end."""
    game = games.find(name)
    assert 0 < len(game.lessons) <= MOST_STEPS
    assert game.lessons[0].start is not None
    assert game.goal


@every_step
def test_wanted_moves(name: str, number: int) -> None:
    """Whoever learns decides; every wanted line is legal, and so is what follows it, whichever was chosen."""
    step = step_of(name, number)
    assert step.wanted
    for line in step.wanted:
        match = match_at(games.find(name), number)
        assert match.actor == LEARNER
        assert line in match.lines()
        play_step(match, step, line)
        assert begins_anew(games.find(name), number) or match.actor == LEARNER


@every_step
def test_going_on(name: str, number: int) -> None:
    """A step with several wanted lines is not followed by one that goes on from it; a result is told where it ends."""
    game, step = games.find(name), step_of(name, number)
    assert begins_anew(game, number) or len(step.wanted) == 1
    assert bool(step.result) == begins_anew(game, number)


def test_buildings_stay() -> None:
    """Bus: what stands when the learner's round ends still stands some rounds later."""
    game = games.find("bus")
    for later in [number for number in range(2, len(game.lessons) + 1) if step_of("bus", number).start]:
        match = match_at(game, later - 1)
        play_step(match, step_of("bus", later - 1), step_of("bus", later - 1).wanted[0])
        assert match.position()["buildings"].items() <= match_at(game, later).position()["buildings"].items()


def test_numbers_change_as_told() -> None:
    """Bus: the learner's bus raises what Passengers and Buildings yield by one, and not Line (§5.4)."""
    game = games.find("bus")
    number = next(number for number, step in enumerate(game.lessons, 1) if step.wanted == ("take bus",))
    match = match_at(game, number)
    assert {action: match.view(LEARNER)["yields"][action][0] for action in FIELDS} == dict.fromkeys(FIELDS, 1)
    play_step(match, step_of("bus", number), "take bus")
    yields = match.view(LEARNER)["yields"]
    assert yields["line"][:2] == [1, 0]
    assert yields["passengers"][:2] == yields["buildings"][:2] == [2, 1]


def ride_between_letters(match: Match, letter: str) -> tuple[int, list[int]]:
    """Return the minutes and scores of a test ride of MetroMania if the game ended now."""
    ride = scoring.ride_letter(match.state, scoring.network(match.state), LETTERS.index(letter))
    return ride.minutes, ride.scores


def test_rides_are_as_told() -> None:
    """MetroMania: the station makes the ride possible, the dig takes it from five minutes to two (§11.2 – §11.5)."""
    game = games.find("metromania")
    station = next(number for number, step in enumerate(game.lessons, 1) if step.wanted == ("station solid -1,4",))
    assert ride_between_letters(match_at(game, station), "B") == (scoring.IMPOSSIBLE, [-6, 0])
    match = match_at(game, station + 1)
    assert ride_between_letters(match, "B") == (5, [0, 0])
    play_step(match, game.lessons[station], "dig solid E r")
    assert ride_between_letters(match, "B") == (2, [6, 0])


def test_the_end_is_as_told() -> None:
    """MetroMania: the learner alone rides from A to A, a ride that both share scores nothing (§11.5), and 13 to −3."""
    game = games.find("metromania")
    match = match_at(game, len(game.lessons))
    play_step(match, game.lessons[-1], game.lessons[-1].wanted[0])
    assert match.outcome
    assert match.outcome.scores == (13, -3)
    rides = {test["test"]: test for test in match.outcome.details["tests"]}
    assert rides["A"]["scores"] == [6, 0]
    assert {stretch["seat"] for stretch in rides["C"]["stretches"]} == {0, 1}
    assert rides["C"]["scores"] == [0, 0]


@every_step
@pytest.mark.parametrize("language", LANGUAGES)
def test_texts(name: str, number: int, language: str) -> None:
    """Everything that is said is translated and has at most 20 words."""
    step, told = step_of(name, number), words(language, games.find(name).folder, COMMON_TEXTS)
    for text in (step.text, step.otherwise, step.result):
        said = told.gettext(text) if text else ""
        assert bool(said) == bool(text)
        assert language == "en" or not text or said != text
        assert len([word for word in said.split() if re.search(r"\w", word)]) <= MOST_WORDS, said
    assert step.otherwise


@every_step
@pytest.mark.parametrize("wide", [False, True])
def test_targets(name: str, number: int, *, wide: bool) -> None:
    """What is to be clicked belongs to a wanted line, and is on the picture or drawn where the move leads."""
    game, step = games.find(name), step_of(name, number)
    match = match_at(game, number)
    for line in step.wanted:
        parts = game.parts(match.state, game.parse(match.state, line))
        assert parts
        assert set(parts) <= parts_drawn(match, parts, wide=wide)
        assert not step.target or step.target in parts
        assert not (step.target or parts[0]).startswith("ghost-"), "it is there only after another part was clicked"


def parts_drawn(match: Match, parts: Collection[str], *, wide: bool) -> set[str]:
    """List the parts that can be clicked: those of the background, of the pieces, and of the targets of a move."""
    game, view = match.game, match.game.view(match.state, LEARNER)
    pieces = game.pieces(view, ENGLISH, wide=wide) + game.targets(view, parts, ENGLISH, wide=wide)
    return set(map(part_of, pieces)) | set(re.findall(r'data-part="([^"]+)"', game.bare(view, ENGLISH, wide=wide)))


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("language", LANGUAGES)
def test_tips(name: str, language: str) -> None:
    """In a game from the normal start, every decision belongs to a kind with one tip, which is translated."""
    game = games.find(name)
    told = words(language, game.folder, COMMON_TEXTS)
    seen: dict[str, str] = {}
    for seats in game.seats:
        match = Match.new(name, seats=seats, seed=seats)
        for _ in range(120):
            if not isinstance(match.actor, int):
                break
            view = game.view(match.state, match.actor)
            tip = game.tip(view, told)
            if tip is not None:
                assert seen.setdefault(*tip) == tip[1]
                assert language == "en" or tip != game.tip(view, ENGLISH)
            lines = match.lines()
            match.play(lines[len(match.plies) * 7 % len(lines)])
    assert bool(seen) == bool(game.lessons)
