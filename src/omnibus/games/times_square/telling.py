"""How it is told: log sentences, move labels, the status line, reasons and help, in the reader's language.

Everything is told from views, so nothing can be told that the reader may not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from omnibus.games.times_square.board import CARDS, FIGURES, A, B
from omnibus.games.times_square.moves import (
    BESIDE,
    BOTH,
    CARD,
    DRAW,
    DROP,
    EFFECT,
    FIGURE,
    FINISH,
    HIDDEN_DRAW,
    LURE,
    MANHOLE,
    PAIR,
    SIDE,
    SIDE0,
    STEP,
    STEP_B,
    parse,
)
from omnibus.kernel.game import Refusal, Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.svg import SEATS

View = Mapping[str, Any]

CARD_NAMES: Final = {
    "sue": mark("Sue 1"),
    "hal1": mark("Hal 1"),
    "hal2": mark("Hal 2"),
    "hal3": mark("Hal 3"),
    "guard1": mark("Guard 1"),
    "guard2": mark("Guard 2"),
    "close": mark("Close in"),
    "deb0": mark("Deb 0"),
    "deb1": mark("Deb 1"),
    "deb2": mark("Deb 2"),
    "deb3": mark("Deb 3"),
    "deb4": mark("Deb 4"),
    "deb5": mark("Deb 5"),
}

FIGURE_NAMES: Final = {
    "sue": mark("Sue"),
    "a": mark("guard a"),
    "b": mark("guard b"),
    "hal": mark("Hal"),
    "deb": mark("Deb"),
    "charlie": mark("Charlie"),
    "guards": mark("the guards"),
}

REASONS: Final = {
    "over": mark("The game is over"),
    "side-first": mark("Chance first decides on whose side Hal begins"),
    "side-known": mark("Hal's side has been decided already"),
    "deal-first": mark("The cards are still being dealt"),
    "refill-first": mark("The hand is being refilled first"),
    "not-in-supply": mark("The supply holds no card {card}"),
    "no-draw": mark("Cards are drawn by chance, after playing or dropping"),
    "nothing-done": mark("Something has to be done first"),
    "playing": mark("This turn is for playing cards: play on in the same colour, or say done"),
    "dropping": mark("This turn is for dropping cards: drop another one, or say done"),
    "already-with-hal": mark("Hal can only lure a figure that is not with him already"),
    "lure-breaks-trio": mark("On Hal's space {space}, the order guard a, Sue, guard b would be broken"),
    "not-in-hand": mark("There is no card {card} in this hand"),
    "not-in-hand 2": mark("There are no two cards {card} in this hand"),
    "no-dropping": mark("In this edition no cards are dropped"),
    "no-joker": mark("Deb does not stand between Sue (on {sue}) and this seat's own club: she is on {deb}"),
    "other-colour green": mark("This turn goes on with green cards only"),
    "other-colour yellow": mark("This turn goes on with yellow cards only"),
    "other-colour grey": mark("This turn goes on with grey cards only"),
    "other-colour red": mark("This turn goes on with red cards only"),
    "other-joker": mark("The red cards of this turn move {figure}"),
    "changes-nothing": mark("This would change nothing"),
    "off-the-board": mark("{figure} would leave the board"),
    "sue-meets-deb": mark("A red card may not take Sue to {space}: Deb, on {deb}, would be met or passed"),
    "trio": mark("Sue on {sue} and {guard} on {space} would meet or change sides"),
}

OUTCOMES: Final = {
    "sue": mark("Sue has entered the club of {player}, who wins."),
    "charlie": mark("Charlie has reached the club of {player}, who wins."),
    "supply-sue": mark("The supply is exhausted and Sue stands on the side of {player}, who wins."),
    "supply-charlie": mark(
        "The supply is exhausted, Sue is on the manhole, Charlie on the side of {player}, who wins."
    ),
    "draw": mark("The supply is exhausted with Sue and Charlie on the manhole: a draw."),
}

STATUS: Final = {
    "side": mark("Chance decides on whose side Hal begins."),
    "deal": mark("{player} is dealt cards."),
    "refill": mark("{player} draws."),
    "act": mark("{player}: play cards of one colour, lure, or drop cards."),
    "act royal_visit": mark("{player}: play cards of one colour, or lure."),
    "dropping": mark("{player}: drop another card, or say done."),
    "green": mark("{player}: play another green card, or say done."),
    "yellow": mark("{player}: play another yellow card, or say done."),
    "grey": mark("{player}: play another grey card, or say done."),
    "red": mark("{player}: play another red card on {figure}, or say done."),
}

HELP: Final = (
    (
        "§1",
        mark("Two clubs face each other at the ends of one street of 17 spaces. Lure Sue to your door, and you win."),
    ),
    (
        "§1.5",
        mark("Sue always walks between her guards: guard a to her left, guard b to her right, never on one space."),
    ),
    (
        "§3.4",
        mark("In your turn do one thing: play cards, drop cards (then your hand is refilled to eight), or lure."),
    ),
    ("§4.1", mark("Play as many cards as you like, one after the other, but all of one colour. Then say done.")),
    ("§4.3", mark("Green: one card moves Sue one space; two together move Sue and both guards one space.")),
    ("§4.4", mark("Yellow: Hal moves as far as the card says.")),
    ("§4.5", mark("Grey: the guards move, one or both as the card says; Close in puts them beside Sue.")),
    (
        "§5",
        mark("Red: Deb moves. While she stands between Sue and your club, red cards may move another figure instead."),
    ),
    ("§5.4", mark("Moved by a red card, Sue may not meet or pass Deb.")),
    ("§6", mark("Lure: instead of cards, Sue or a guard goes straight to Hal, if the order of the trio stays right.")),
    ("§7", mark("Drop: instead of playing, put cards away and draw new ones.")),
    (
        "§9.1",
        mark(
            "After your turn Charlie comes toward your club: one space for each figure in your entrance, "
            "and one more if Sue and both guards are on your side."
        ),
    ),
    ("§10.1", mark("Sue in an entrance, or Charlie in one, wins at once for that club.")),
    ("§10.3", mark("When the supply is exhausted for the second time, Sue's side decides; on the manhole, Charlie's.")),
    (
        "§11",
        mark("Royal Visit: no dropping, Charlie moves before the refill, the supply may be reshuffled more often."),
    ),
)


def signed(space: int) -> str:
    """Write a space with its sign: −3, 0, +3."""
    return f"{space:+d}".replace("-", "−") if space else "0"


def card(token: str, words: Words) -> str:
    """Name a card."""
    return words.gettext(CARD_NAMES[token])


def figure(name: str, words: Words) -> str:
    """Name a figure, or the guards together."""
    return words.gettext(FIGURE_NAMES[name])


def label(view: View, line: str, words: Words) -> str:
    """Say what a legal line does, for a button."""
    move = parse(line)
    effect = EFFECT[move]
    if effect == LURE:
        text = words.gettext("Lure {figure} to Hal on {space}")
        return text.format(figure=figure(FIGURES[FIGURE[move]], words), space=signed(view["figures"]["hal"]))
    if effect == DROP:
        return words.gettext("Drop {card}").format(card=card(CARDS[CARD[move]], words))
    if effect == FINISH:
        return words.gettext("Done")
    if effect == SIDE:
        return words.gettext("Hal begins on the side of seat {seat}").format(seat=SEATS[move - SIDE0].letter)
    if effect == DRAW:
        return words.gettext("Draw {card}").format(card=card(CARDS[CARD[move]], words))
    return words.gettext("{cards}: {what}").format(cards=_played(move, words), what=_what(view, move, words))


def _played(move: int, words: Words) -> str:
    """Name the card or the pair of cards a move plays."""
    name = card(CARDS[CARD[move]], words)
    return f"{name} + {name}" if EFFECT[move] == PAIR else name


def _what(view: View, move: int, words: Words) -> str:
    """Say what the cards of a move do."""
    effect = EFFECT[move]
    if effect == PAIR:
        if STEP[move] < 0:
            return words.gettext("Sue and both guards one space left")
        return words.gettext("Sue and both guards one space right")
    if effect == BOTH:
        return f"{_walk(view, A, STEP[move], words)}, {_walk(view, B, STEP_B[move], words)}"
    if effect == BESIDE:
        return words.gettext("both guards beside Sue")
    if effect == MANHOLE:
        return words.gettext("{figure} to the manhole").format(figure=figure(FIGURES[FIGURE[move]], words))
    return _walk(view, FIGURE[move], STEP[move], words)


def _walk(view: View, who: int, step: int, words: Words) -> str:
    text = words.gettext("{figure} left to {space}") if step < 0 else words.gettext("{figure} right to {space}")
    name = FIGURES[who]
    return text.format(figure=figure(name, words), space=signed(view["figures"][name] + step))


def tell(before: View, line: str, after: View, names: Sequence[str], words: Words) -> list[str]:
    """Say what happened between two views of one reader: the line itself, then what followed by itself."""
    sentences = [_act(before, line, names, words)]
    if before["exhausted"] != after["exhausted"]:
        sentences.append(_exhaustion(after, words))
    walked = after["figures"]["charlie"] - before["figures"]["charlie"]
    if walked:
        sentences.append(_charlie(walked, after, names, words))
    if after["outcome"]:
        sentences.append(_outcome(after["outcome"], names, words))
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
    return text.format(player=player, cards=_played(move, words), what=_what(before, move, words))


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


def _outcome(outcome: Mapping[str, Any], names: Sequence[str], words: Words) -> str:
    player = names[outcome["winners"][0]] if outcome["winners"] else ""
    message = OUTCOMES[outcome["reason"]]
    return words.gettext(message).format(player=player)


def status(view: View, names: Sequence[str], words: Words) -> str:
    """Say whose turn it is and what to do, or how it ended."""
    if view["outcome"]:
        return _outcome(view["outcome"], names, words)
    key = view["colour"] or view["step"]
    if f"{key} {view['options']['edition']}" in STATUS:
        key = f"{key} {view['options']['edition']}"
    moved = figure(view["joker"], words) if view["joker"] else ""
    return words.gettext(STATUS[key]).format(player=names[view["seat"]], figure=moved)


def holdings(view: View, words: Words) -> list[list[tuple[str, str]]]:
    """Name what each seat has for all to see: how many cards (§3.2)."""
    return [[(words.gettext("Cards in hand"), str(held))] for held in view["held"]]


def breakdown(view: View, words: Words) -> list[tuple[str, list[str]]]:
    """Nothing: there are no points, the one outcome says it all (§10)."""
    return []


def explain(refusal: Refusal, words: Words) -> str:
    """Put a refusal in a sentence."""
    codes = [f"{refusal.code} {value}" for value in refusal.args.values()]  # some sentences depend on what it is about
    code = next((code for code in codes if code in REASONS), refusal.code)
    told = {name: _told(name, value, words) for name, value in refusal.args.items()}
    reason = words.gettext(REASONS[code]).format(**told)
    return reason[0].upper() + reason[1:]  # a figure's name may come first


def _told(name: str, value: Any, words: Words) -> str:
    if name == "card":
        return card(value, words)
    if name in ("figure", "guard"):
        return figure(value, words)
    return signed(value) if isinstance(value, int) else str(value)


def help(words: Words) -> list[tuple[str, str]]:  # noqa: A001 — the contract's word
    """Tell how to play, in paragraphs with their §."""
    return [(section, words.gettext(paragraph)) for section, paragraph in HELP]
