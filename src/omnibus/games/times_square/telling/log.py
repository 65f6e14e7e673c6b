"""What happened, sentence by sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omnibus.games.times_square.board import CARDS, FIGURES
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

View = Mapping[str, Any]


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
    player = names[before["seat"]]
    if line == HIDDEN_DRAW:
        return words.gettext("{player} draws a card.").format(player=player)
    move = parse(line)
    effect = EFFECT[move]
    if effect == SIDE:
        return words.gettext("Hal begins on the side of {player}, who plays first.").format(player=names[move - SIDE0])
    if effect == DRAW:
        return words.gettext("{player} draws {card}.").format(player=player, card=card(CARDS[CARD[move]], words))
    if effect == DROP:
        return words.gettext("{player} drops {card}.").format(player=player, card=card(CARDS[CARD[move]], words))
    if effect == FINISH:
        idle = before["step"] == "act"
        text = words.gettext("{player} can do nothing.") if idle else words.gettext("{player} is done.")
        return text.format(player=player)
    if effect == LURE:
        text = words.gettext("{player} lures {figure} to Hal on {space}.")
        name = figure(FIGURES[FIGURE[move]], words)
        return text.format(player=player, figure=name, space=signed(before["figures"]["hal"]))
    text = words.gettext("{player} plays {cards}: {what}.")
    return text.format(player=player, cards=played(move, words), what=effect_of(before, move, words))


def _exhaustion(after: View, words: Words) -> str:
    if after["supply"]:
        return words.gettext("The supply is exhausted; the discards become the new one.")
    return words.gettext("The supply is exhausted, and nothing more is drawn.")


def _charlie(walked: int, after: View, names: Sequence[str], words: Words) -> str:
    far = abs(walked)
    text = words.ngettext(
        "Charlie walks {number} space toward the club of {player}, to {space}.",
        "Charlie walks {number} spaces toward the club of {player}, to {space}.",
        far,
    )
    return text.format(number=far, player=names[walked > 0], space=signed(after["figures"]["charlie"]))
