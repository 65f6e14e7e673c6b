"""The tutorials, played through in every language on the real engine: a changed rule that breaks one fails here."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

import pytest

from omnibus import Match, games
from omnibus.kernel.game import LessonStep
from omnibus.kernel.i18n import COMMON_TEXTS, ENGLISH, LANGUAGES, words
from omnibus.kernel.lessons import LEARNER, begins_anew, match_at, play_step
from omnibus.kernel.svg import part_of

MOST_STEPS = 12
MOST_WORDS = 20
LONGEST_TIP = 95


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
                assert len(tip[1]) <= LONGEST_TIP  # two lines of a phone
                assert language == "en" or tip != game.tip(view, ENGLISH)
            lines = match.lines()
            match.play(lines[len(match.plies) * 7 % len(lines)])
    assert bool(seen) == bool(game.lessons)
