"""What happened, sentence by sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from omnibus.games.times_square.board import CARDS, ENTRANCE, FIGURES
from omnibus.games.times_square.moves import (
    CARD,
    DRAW,
    DROP,
    EFFECT,
    FIGURE,
    FINISH,
    HIDDEN_DRAW,
    LURE,
    SIDE,
    SIDE0,
    parse,
)
from omnibus.games.times_square.telling.labels import effect_of, played
from omnibus.games.times_square.telling.names import card, figure, signed
from omnibus.games.times_square.telling.status import result
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.names import Saying, say

View = Mapping[str, Any]

DRAWS_HIDDEN: Final = Saying(mark("{player} draws a card."), mark("You draw a card."))
BEGINS: Final = Saying(
    mark("Hal begins on the side of {player}, who plays first."), mark("Hal begins on your side, and you play first.")
)
DRAWS: Final = Saying(mark("{player} draws {card}."), mark("You draw {card}."))
DROPS: Final = Saying(mark("{player} drops {card}."), mark("You drop {card}."))
IDLE: Final = Saying(mark("{player} can do nothing."), mark("You can do nothing."))
FINISHES: Final = Saying(mark("{player} is done."), mark("You are done."))
LURES: Final = Saying(mark("{player} lures {figure} to Hal on {space}."), mark("You lure {figure} to Hal on {space}."))
PLAYS: Final = Saying(mark("{player} plays {cards}: {what}."), mark("You play {cards}: {what}."))
WALKS: Final = Saying(
    mark("Charlie walks {distance} toward {player}'s club, to {space}: {sum}."),
    mark("Charlie walks {distance} toward your club, to {space}: {sum}."),
)
CROWD: Final = mark("{number} in the entrance")
TRIO: Final = mark("1 for the trio")
CUT_SHORT: Final = mark("{sum} (the street ends there)")


def tell(before: View, line: str, after: View, names: Sequence[str], words: Words) -> list[str]:
    """Say what happened between two views of one reader: the line itself, then what followed by itself."""
    sentences = [_act(before, line, names, words)]
    if before["exhausted"] != after["exhausted"]:
        sentences.append(_exhaustion(after, words))
    walked = after["figures"]["charlie"] - before["figures"]["charlie"]
    if walked:
        sentences.append(_charlie(walked, after, names, words))
    if after["outcome"]:
        sentences.append(result(after["outcome"], names, words))
    return sentences


def _act(before: View, line: str, names: Sequence[str], words: Words) -> str:
    seat = before["seat"]
    if line == HIDDEN_DRAW:
        return say(DRAWS_HIDDEN, seat, names, words)
    move = parse(line)
    effect = EFFECT[move]
    if effect == SIDE:
        return say(BEGINS, move - SIDE0, names, words)
    if effect in (DRAW, DROP):
        return say(DRAWS if effect == DRAW else DROPS, seat, names, words, card=card(CARDS[CARD[move]], words))
    if effect == FINISH:
        return say(IDLE if before["step"] == "act" else FINISHES, seat, names, words)
    if effect == LURE:
        name, space = figure(FIGURES[FIGURE[move]], words), signed(before["figures"]["hal"])
        return say(LURES, seat, names, words, figure=name, space=space)
    return say(PLAYS, seat, names, words, cards=played(move, words), what=effect_of(before, move, words))


def _exhaustion(after: View, words: Words) -> str:
    if after["supply"]:
        return words.gettext("The supply is exhausted; the discards become the new one.")
    return words.gettext("The supply is exhausted, and nothing more is drawn.")


def _charlie(walked: int, after: View, names: Sequence[str], words: Words) -> str:
    far, seat, at = abs(walked), int(walked > 0), after["figures"]
    distance = words.ngettext("{number} space", "{number} spaces", far).format(number=far)
    told = {"distance": distance, "space": signed(at["charlie"]), "sum": _sum(at, seat, far, words)}
    return say(WALKS, seat, names, words, **told)


def _sum(at: Mapping[str, int], seat: int, far: int, words: Words) -> str:
    """Say what draws Charlie on: the figures in the entrance, and the trio if it is on that side (§9.1)."""
    ahead = {name: space if seat else -space for name, space in at.items() if name != "charlie"}
    crowd = sum(space >= ENTRANCE for space in ahead.values())
    told = [words.gettext(CROWD).format(number=crowd)] if crowd else []
    trio = all(ahead[name] > 0 for name in ("sue", "a", "b"))
    if trio:
        told.append(words.gettext(TRIO))
    summed = " + ".join(told)
    return words.gettext(CUT_SHORT).format(sum=summed) if crowd + trio > far else summed
