"""The tutorial: the two ways to win, what each colour does, luring, Charlie and jokers; and tips for the first game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from omnibus.games.times_square.board import CARDS, DECKS, EDITIONS, TIMES_SQUARE, tokens
from omnibus.games.times_square.telling.status import only_done
from omnibus.kernel.game import Document, LessonStep, Tip, Words
from omnibus.kernel.i18n import mark

GOAL: Final = mark(
    "Bring Sue or Charlie into your entrance before your rival does. "
    "On each turn, play cards of one colour or let Hal lure somebody."
)

RIVAL: Final = ["sue", "hal2", "hal2", "guard2", "guard2", "close", "deb1", "deb3"]


def _position(sue: int, guards: tuple[int, int], hal: int, deb: int, charlie: int, hand: str) -> Document:
    """Return a position at the beginning of the player's turn; the cards nobody holds are in the supply."""
    held = hand.split()
    left = [number - (held + RIVAL).count(card) for card, number in zip(CARDS, DECKS[TIMES_SQUARE], strict=True)]
    return {
        "edition": EDITIONS[TIMES_SQUARE],
        "figures": {"sue": sue, "a": guards[0], "b": guards[1], "hal": hal, "deb": deb, "charlie": charlie},
        "hands": [held, RIVAL],
        "supply": tokens(left),
        "discards": [],
        "exhausted": 0,
        "seat": 0,
        "step": "act",
        "colour": None,
        "joker": None,
    }


LESSONS: Final = (
    LessonStep(
        start=_position(-6, (-8, 1), 4, 2, 0, "sue hal1 hal2 guard1 guard2 deb0 deb2 deb4"),
        text=mark("The club on the left is yours. Bring Sue in, and you win: click her green card."),
        wanted=("sue left",),
        otherwise=mark("Sue has one step to go: click the green card, then the glowing space."),
        result=mark("Sue is in your entrance: you win! Now from the beginning."),
    ),
    LessonStep(
        start=_position(0, (-2, 2), 1, -1, 0, "sue sue sue hal2 guard1 guard2 deb2 deb3"),
        text=mark("Sue starts on the manhole, the grey disc in the middle. Your rival pulls right: move her left."),
        wanted=("sue left",),
        otherwise=mark("Green cards move Sue. Click one, then the space to her left."),
    ),
    LessonStep(
        text=mark("Sue never passes her guards. Two green cards together move all three: play a pair to the left."),
        wanted=("sue+sue left",),
        otherwise=mark("That does not help Sue now. Click a green card, then the three glowing figures on the left."),
    ),
    LessonStep(
        text=mark("Play as many cards of one colour as you like. Then click Done: you draw new ones."),
        wanted=("done",),
        otherwise=mark("First end this turn: click Done."),
        then=("draw guard2", "draw hal3", "draw sue", "guard2 b right right", "done", "draw hal1"),
    ),
    LessonStep(
        text=mark("Your rival has moved a guard. Grey cards do that: send the left guard two spaces ahead."),
        wanted=("guard2 a left left",),
        otherwise=mark("Make room for Sue: click a grey 2, then the glowing space to the left."),
        result=mark("Now Sue has room to follow. Let us see another way to move her."),
    ),
    LessonStep(
        start=_position(1, (-6, 5), -5, 2, 0, "sue hal1 hal2 guard1 guard2 deb0 deb2 deb3"),
        text=mark(
            "Yellow cards move Hal. Instead of playing cards, he can lure Sue, however far. Click her, then Hal."
        ),
        wanted=("lure sue",),
        otherwise=mark("Hal already stands close to your club. Let him lure Sue: click her, then Hal."),
        result=mark("Sue is almost home. Luring takes the whole turn; so does dropping cards to draw new ones."),
        target="figure-sue",
    ),
    LessonStep(
        start=_position(2, (-7, 4), -8, -5, -4, "sue hal1 hal2 guard1 guard2 deb2 deb3 deb5"),
        text=mark("Charlie, on the strip below, wins too. He follows the crowd: bring Deb into your entrance."),
        wanted=("deb3 left",),
        otherwise=mark("Red cards move Deb. Click the red 3, then the glowing space in your entrance."),
    ),
    LessonStep(
        text=mark("At the end of your turn, Charlie comes one space for each figure in your entrance. Click Done!"),
        wanted=("done",),
        otherwise=mark("The crowd is large enough: click Done to end your turn."),
        then=("draw hal1",),
        result=mark(
            "Three figures, three spaces: you win! With Sue and both guards on your side, Charlie comes one space more."
        ),
    ),
    LessonStep(
        start=_position(-4, (-8, 1), 3, -8, 2, "hal1 hal2 guard1 guard2 close deb2 deb3 deb4"),
        text=mark("A ★ means joker: while Deb stands between Sue and your club, red cards move anybody. Bring Sue in!"),
        wanted=("deb3 sue left",),
        otherwise=mark("Sue needs exactly three spaces. Click the red 3, then the glowing space."),
        result=mark("Sue is in! You will meet other cards too: click one, and you see what it can do."),
    ),
)

TIPS: Final = {
    "act": mark("Play cards of one colour or drop some, and draw up to eight; or let Hal lure, and draw none."),
    "act royal_visit": mark("Play cards of one colour, and draw up to eight; or let Hal lure, and draw none."),
    "no act": mark("You can neither play a card nor lure anybody: end your turn. You draw no cards."),
    "green": mark("One green card moves Sue one space; two together move Sue and both guards."),
    "yellow": mark("Yellow cards move Hal. In a later turn he can lure Sue or a guard to his space."),
    "grey": mark("Grey cards move the guards. Sue can only walk where they leave her room."),
    "red": mark("Red cards move Deb (0: manhole). With her between Sue and your club: jokers (★) for one kind."),
    "red royal_visit": mark(
        "Reds move Deb (0: manhole) or, if she is between Sue and your club, others: one kind a turn."
    ),
    "dropping": mark("Drop as many cards as you like, then end your turn to draw new ones."),
}


def tip(view: Mapping[str, Any], words: Words) -> Tip | None:
    """Explain what the player has to decide now; None where there is nothing to decide."""
    kind = view["colour"] or view["step"]
    edition = f"{kind} {view['options']['edition']}"
    told = TIPS.get("no act" if kind == "act" and only_done(view) else edition) or TIPS.get(kind)
    return (kind, words.gettext(told)) if told else None
