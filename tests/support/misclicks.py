"""Clicks and keys that are not meant: hundreds of them on one page, and a witness that judges what they have led to.

The witness watches the page from outside, by what can be seen of it, and knows nothing of its scripts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Page

from omnibus import games
from omnibus.kernel.clicks import why_not
from omnibus.kernel.game import Game
from omnibus.kernel.i18n import ENGLISH
from support.browser import READY, over, script
from support.playing import open_table

WITNESS = Path(__file__).with_suffix(".js").read_text()

SOON_MS = (0, 0, 30, 80, 150, 250)
"""How long the hand waits between two clicks of which the second is too fast."""
SEEN_MS = 400
"""How long it takes to see what has appeared."""
KEYS = ("Enter", "Enter", "Enter", "Escape", "Escape", " ", "u", "h", "m", "ArrowLeft", "ArrowRight")
AROUND = "#choices button, #pending button, #unpick, #ideas button, #moves button, #hint, #undo, .close, #since"
"""What stands around the board and may be hit instead of it; nothing that leaves the page."""


@dataclass
class Result:
    """What all the clicks have led to."""

    inputs: int = 0
    played: int = 0
    refused: int = 0
    hasty: int = 0
    faults: list[str] = field(default_factory=list)


class Clumsy:
    """A person who clicks and types at random, by mouse or by finger, always the same for the same seed."""

    def __init__(self, page: Page, game: str, seed: int, *, touch: bool) -> None:
        self.page, self.game, self.random, self.touch = page, games.find(game), Random(f"{game} {seed} {touch}"), touch
        self.result = Result()
        page.add_init_script(WITNESS)
        self._begin()

    def _begin(self) -> None:
        open_table(self.page, self.game.name)
        self.table = self.page.url
        self._wait()

    def err(self, ordinary: int, nasty: int) -> Result:
        """Make so many ordinary inputs and so many nasty ones, in a random order."""
        kinds = [False] * ordinary + [True] * nasty
        self.random.shuffle(kinds)
        for at, is_nasty in enumerate(kinds):
            self.page.wait_for_timeout(SEEN_MS if self.random.random() < 0.7 else self.random.choice(SOON_MS))
            if is_nasty:
                self._nasty()
            else:
                self._ordinary()
            self.result.inputs += 1
            if is_nasty or at % 4 == 3:
                self._judge()
        self._judge()
        return self.result

    def _ordinary(self) -> None:
        kind = self.random.choices(
            [".board [data-part]", ".board .glow", "#board", AROUND, "#choices button, #pending button", "key"],
            [20, 40, 8, 8, 16, 8],
        )[0]
        if kind == "key":
            self.page.keyboard.press(self.random.choice(KEYS))
        elif point := self._point(kind):
            self._hit(point)

    def _nasty(self) -> None:
        do = self.random.choice([self._twice, self._twice, self._twice, self._at_what_appears, self._keys, self._leave])
        do()

    def _twice(self) -> None:
        """Click twice or three times at one place."""
        point = self._point(self.random.choice([".board .glow", ".board .glow", ".board [data-part]", AROUND]))
        for _ in range(self.random.choice((2, 2, 3)) if point else 0):
            self._hit(point)
            self.page.wait_for_timeout(self.random.choice(SOON_MS))

    def _at_what_appears(self) -> None:
        """Click what can be clicked, and at once what has appeared with it."""
        for kind in (".board .glow", ".board .targets [data-part], #choices button, #pending button"):
            if point := self._point(kind):
                self._hit(point)
            self.page.wait_for_timeout(self.random.choice((0, 0, 30)))

    def _keys(self) -> None:
        """Press keys one after the other, without looking."""
        for _ in range(self.random.randrange(2, 6)):
            self.page.keyboard.press(self.random.choice(KEYS))

    def _leave(self) -> None:
        """Load the page again, go back and forth, or click in two tabs at once."""
        what = self.random.choice(("reload", "back", "tabs"))
        if what == "reload":
            self.page.reload()
        elif what == "back":
            self.page.go_back()
            self.page.go_forward()
        else:
            self._two_tabs()
        self._wait()

    def _two_tabs(self) -> None:
        """Choose something in one tab, play it in another, and go on in the first."""
        other = self.page.context.new_page()
        other.add_init_script(WITNESS)
        other.goto(self.table)
        other.wait_for_function(READY)
        first, self.page = self.page, other
        for page in (first, other, first):
            self.page = page
            page.wait_for_timeout(SEEN_MS)
            if point := self._point(".board .glow"):
                self._hit(point)
            if point := self._point("#choices button, #pending button"):
                self._hit(point)
            self.page.keyboard.press("Enter")
            self._judge()
        self.page = first
        other.close()

    def _point(self, kind: str) -> list[float] | None:
        """Choose a point in an element of a kind that can be seen."""
        at = [self.random.random() for _ in range(3)]
        found: list[float] | None = self.page.evaluate(script("randomPoint"), [kind, at])
        return found

    def _hit(self, point: list[float] | None) -> None:
        if point and self.touch:
            self.page.touchscreen.tap(*point)
        elif point:
            self.page.mouse.click(*point)

    def _wait(self) -> None:
        """Wait until there is something to choose; where the game is over, begin another."""
        self._return()
        if self.page.locator("#past").is_visible():
            self.page.keyboard.press("Escape")  # back to the current position
        self.page.wait_for_function(READY)
        if over(self.page):
            self._begin()

    def _return(self) -> None:
        """Come back to the table from the board that a click on the time line may have opened."""
        if not self.page.url.startswith(self.table):
            self.page.goto(self.table)

    def _judge(self) -> None:
        """Wait until everything is answered, and judge what the witness has seen."""
        self._return()
        self.page.wait_for_function("() => window.witness && !window.witness.open()")
        seen = self.page.evaluate("window.witness.report()")
        self.result.faults += seen["faults"]
        self.result.played += seen["played"]
        self.result.hasty += seen["hasty"]
        self.result.refused += len(seen["refused"])
        for refused in seen["refused"]:
            self.result.faults += untrue(self.game, refused)
        if not self.page.evaluate("() => window.latest?.moves.length"):
            self._wait()


def untrue(game: Game[Any], refused: dict[str, Any]) -> list[str]:
    """Say what is wrong with the reason for a refused click, by the functions of the game."""
    part, picked, view = refused["part"], refused["picked"], refused["view"]
    about = f"{part} after {picked}: {refused['text']!r}"
    if view is None:
        return []  # the table has moved on before anybody could look
    state = game.redeal(view, Random(1).randrange)
    touched = [set(game.parts(state, move)) for move in game.legal(state)]
    if any({part, *picked} <= parts or part in parts for parts in touched):
        return [f"a legal move was refused: {about}"]
    found = why_not(game, state, part, picked)
    wanted = game.explain(found, ENGLISH) if found else refused["status"]
    return [] if refused["text"] == wanted else [f"not the reason of the game, {wanted!r}: {about}"]
