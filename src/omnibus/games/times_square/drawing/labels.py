"""What the things in the picture are called, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnibus.games.times_square.board import SEATS
from omnibus.games.times_square.telling.names import figure as told_figure
from omnibus.games.times_square.telling.names import signed
from omnibus.kernel.game import Words
from omnibus.kernel.svg import seat_name


def club_name(seat: int, words: Words) -> str:
    """Name the club of a seat."""
    return words.gettext("Right club") if seat else words.gettext("Left club")


def figure_label(figure: str, space: int, words: Words) -> str:
    """Say where a figure stands."""
    return words.gettext("{figure} on {space}").format(figure=told_figure(figure, words), space=signed(space))


def ghost_label(figure: str, space: int, words: Words) -> str:
    """Say where a figure would go."""
    return words.gettext("{figure} to {space}").format(figure=told_figure(figure, words), space=signed(space))


def trio_ghost_label(step: int, words: Words) -> str:
    """Say where the trio would go."""
    left, right = words.gettext("Sue and both guards to the left"), words.gettext("Sue and both guards to the right")
    return left if step < 0 else right


def space_label(space: int, words: Words) -> str:
    """Name a space of the street, with what is special about it (§1.1, §1.2)."""
    if space == 0:
        return words.gettext("Space 0, the manhole")
    if abs(space) < 7:
        return words.gettext("Space {space}").format(space=signed(space))
    left, right = (
        words.gettext("Space {space}, entrance of the left club"),
        words.gettext("Space {space}, entrance of the right club"),
    )
    return (left if space < 0 else right).format(space=signed(space))


def card_label(card: str, words: Words) -> str:
    """Say what a card does (§2)."""
    far = int(card[-1]) if card[-1].isdigit() else 0
    if card.startswith("hal"):
        return words.ngettext("Hal {number} space", "Hal {number} spaces", far).format(number=far)
    if card.startswith("deb") and far:
        return words.ngettext(
            "Deb {number} space, or a joker", "Deb {number} spaces, or a joker", far
        ).format(number=far)  # fmt: skip
    return {
        "sue": words.gettext("Sue one space; two together move the guards as well"),
        "guard1": words.gettext("One guard one space"),
        "guard2": words.gettext("Both guards one space each, or one guard two spaces"),
        "close": words.gettext("Both guards beside Sue"),
        "deb0": words.gettext("Deb to the manhole, or a joker"),
    }[card]


def hand_label(seat: int, held: int, words: Words) -> str:
    """Say how many cards a seat holds."""
    told = words.ngettext("{name}: {number} card in hand", "{name}: {number} cards in hand", held)
    return told.format(name=seat_name(seat, words), number=held)


def supply_label(left: int, words: Words) -> str:
    """Say how many cards are in the supply."""
    return words.ngettext("Supply: {number} card", "Supply: {number} cards", left).format(number=left)


def exhausted_label(times: int, words: Words) -> str:
    """Say how often the supply has been exhausted (§8.2)."""
    told = words.ngettext("Supply exhausted {number} time", "Supply exhausted {number} times", times)
    return told.format(number=times)


def discards_label(card: str, there: int, words: Words) -> str:
    """Say how many cards of a kind have been discarded."""
    told = words.ngettext("Discards: {number} card “{card}”", "Discards: {number} cards “{card}”", there)
    return told.format(number=there, card=card_label(card, words))


def standings(words: Words) -> dict[str, str]:
    """Return in words how a game stands, by the symbol that says it."""
    said = {"start": words.gettext("Before the game"), "drawn": words.gettext("A draw")}
    for seat in range(SEATS):
        name = seat_name(seat, words)
        said[f"turn-{seat}"] = words.gettext("{name} to play").format(name=name)
        said[f"deal-{seat}"] = words.gettext("{name} is dealt cards").format(name=name)
        said[f"refill-{seat}"] = words.gettext("{name} draws cards").format(name=name)
        said[f"won-{seat}"] = words.gettext("{name} wins").format(name=name)
    return said


def endings(words: Words) -> dict[str, str]:
    """Return those of them that say how the game ended; before, the sign of the club to play is lit."""
    return {key: said for key, said in standings(words).items() if key.startswith(("won", "drawn"))}


def remarks(words: Words) -> dict[str, str]:
    """Return what can stand below that: what the turn is bound to (§4.1, §5.3, §7.1), or why the game ended (§10.4)."""
    return {
        "green": words.gettext("green cards"),
        "yellow": words.gettext("yellow cards"),
        "grey": words.gettext("grey cards"),
        "red": words.gettext("red cards"),
        "red-deb": words.gettext("red cards for Deb"),
        "red-sue": words.gettext("red cards for Sue"),
        "red-hal": words.gettext("red cards for Hal"),
        "red-guards": words.gettext("red cards for the guards"),
        "dropping": words.gettext("dropping cards"),
        "sue": words.gettext("Sue is in the club"),
        "charlie": words.gettext("Charlie is in the club"),
        "supply-sue": words.gettext("Sue's side decides"),
        "supply-charlie": words.gettext("Charlie's side decides"),
        "draw": words.gettext("nobody is ahead"),
    }


def standing(view: Mapping[str, Any]) -> str:
    """Return what the sign says now, as a key of `standings`."""
    if view["outcome"]:
        winners = view["outcome"]["winners"]
        return f"won-{winners[0]}" if winners else "drawn"
    if view["step"] == "side":
        return "start"
    return f"{view['step'] if view['step'] in ('deal', 'refill') else 'turn'}-{view['seat']}"


def remark(view: Mapping[str, Any]) -> str | None:
    """Return what stands below that now, as a key of `remarks`; None for nothing."""
    if view["outcome"]:
        return str(view["outcome"]["reason"])
    if view["step"] == "dropping":
        return "dropping"
    colour: str | None = view["colour"]
    return f"red-{view['lock']}" if view["lock"] else colour
