"""The position document (§13): write, read, validate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from omnibus.games.times_square.board import (
    CARDS,
    CHARLIE,
    COLOURS,
    DEB,
    DECKS,
    EDITIONS,
    END,
    ENTRANCE,
    FIGURES,
    HAL,
    HAND,
    KINDS,
    LAST_EXHAUSTION,
    RED,
    ROYAL_VISIT,
    SEATS,
    SUE,
    A,
    B,
)
from omnibus.games.times_square.moves import JOKERS, NOTHING
from omnibus.games.times_square.state import (
    ACT,
    DEALING,
    DISCARDS,
    DROPPING,
    ENDED,
    HAS,
    PLAYING,
    REFILL,
    SIDING,
    STEPS,
    SUPPLY,
    State,
    cards_in,
    setup,
)
from omnibus.kernel.checks import POSITION, check_keys, expect, index, whole
from omnibus.kernel.game import CHANCE, OVER, Document


def position(state: State) -> Document:
    """Return the position document of a state. It holds everything, secrets too (§13)."""
    figures: dict[str, int | None] = dict(zip(FIGURES, state.at, strict=True))
    if state.step == SIDING:
        figures["hal"] = figures["deb"] = None
    return {
        "edition": EDITIONS[state.edition],
        "figures": figures,
        "hands": [cards_in(state, seat * KINDS) for seat in range(SEATS)],
        "supply": cards_in(state, SUPPLY),
        "discards": cards_in(state, DISCARDS),
        "exhausted": state.exhausted,
        "seat": state.seat,
        "step": STEPS[state.step],
        "colour": None if state.colour == NOTHING else COLOURS[state.colour],
        "joker": JOKERS[state.joker] or None,
    }


KEYS: Final = ["edition", "figures", "hands", "supply", "discards", "exhausted", "seat", "step", "colour", "joker"]


def place(document: Mapping[str, Any]) -> State:
    """Return the state of a position document; BadPosition names the culprit (§13)."""
    check_keys(POSITION, document, KEYS)
    state = setup(index("edition", document["edition"], EDITIONS))
    state.step = index("step", document["step"], STEPS)
    state.seat = whole("seat", document["seat"], 0, SEATS - 1)
    state.exhausted = whole("exhausted", document["exhausted"], 0, LAST_EXHAUSTION[state.edition])
    _place_figures(state, document["figures"])
    _place_cards(state, document)
    _place_choices(state, document["colour"], document["joker"])
    _check_progress(state)
    state.actor = _actor(state)
    return state


def _actor(state: State) -> int:
    if state.step == ENDED:
        return OVER
    return state.seat if state.step in (ACT, PLAYING, DROPPING) else CHANCE


def _place_figures(state: State, figures: Any) -> None:
    check_keys("figures", figures, FIGURES)
    for figure, name in enumerate(FIGURES):
        if state.step == SIDING and figure in (HAL, DEB):
            expect(figures[name] is None, "figures.{figure} must be null before `side`", figure=name)
        else:
            state.at[figure] = whole(f"figures.{name}", figures[name], -END, END)
    at = state.at
    a, sue, b = at[A], at[SUE], at[B]
    expect(
        a < sue < b,
        "Sue must stand between the guards: figures.a {a}, figures.sue {sue}, figures.b {b} (§1.5)",
        a=a,
        sue=sue,
        b=b,
    )


def _place_cards(state: State, document: Mapping[str, Any]) -> None:
    hands = document["hands"]
    expect(isinstance(hands, list) and len(hands) == SEATS, "hands must be a list of two lists of cards")
    counted = [_cards(f"hands[{seat}]", hands[seat]) for seat in range(SEATS)]
    counted += [_cards(name, document[name]) for name in ("supply", "discards")]
    for kind, exist in enumerate(DECKS[state.edition]):
        there = sum(counts[kind] for counts in counted)
        card = CARDS[kind]
        many = there > exist
        expect(not many, "{card} appears {there} times, but only {exist} exist", card=card, there=there, exist=exist)
    state.cards = [number for counts in counted for number in counts]
    state.supplied = len(document["supply"])
    for seat in range(SEATS):
        held = len(hands[seat])
        expect(held <= HAND, "hands[{seat}] holds {number} cards, more than eight", seat=seat, number=held)
        state.hands[seat] = held
        state.hands[HAS + seat] = sum(1 << kind for kind in range(KINDS) if counted[seat][kind])


def _place_choices(state: State, colour: Any, joker: Any) -> None:
    if state.step == PLAYING:
        state.colour = index("colour", colour, COLOURS)
    else:
        expect(colour is None, "colour must be null unless the step is `playing`")
    if state.colour == RED:
        state.joker = index("joker", joker, JOKERS[1:]) + 1
    else:
        expect(joker is None, "joker must be null unless the colour is red")


def _check_progress(state: State) -> None:
    """Check that the step fits the figures and the cards."""
    if state.step == ENDED:
        expect(decided(state), "step is `over`, but nothing has decided the game (§10)")
        return
    for figure in (SUE, CHARLIE):
        inside = abs(state.at[figure]) < ENTRANCE
        name = FIGURES[figure]
        expect(inside, "figures.{figure} is on an entrance, so the game must be `over` (§10)", figure=name)
    expect(state.supplied > 0, "supply is empty, so the game must be `over` (§8)")
    last = LAST_EXHAUSTION[state.edition]
    expect(state.exhausted < last, "exhausted is {number}, so the game must be `over`", number=last)
    expect(
        not (state.step == DROPPING and state.edition == ROYAL_VISIT),
        "step: no cards are dropped in royal_visit (§11.2)",
    )
    if state.step == REFILL:
        room = state.hands[state.seat] < HAND
        expect(room, "step is `refill`, but hands[{seat}] is full", seat=state.seat)
    if state.step in (SIDING, DEALING):
        _check_deal(state)


def _check_deal(state: State) -> None:
    if state.step == DEALING:
        expect(state.hands[state.seat] < HAND, "step is `deal`, but hands[{seat}] is full", seat=state.seat)
        expect(state.at[HAL] != 0, "figures.hal is on the manhole, so nobody could begin (§3.3)")
        early = state.seat == 1 and state.hands[0] < HAND
        expect(not early, "seat is 1, but hands[0] must be dealt eight cards first (§3.2)")
    first = state.seat if state.step == DEALING else 0
    needed = sum(HAND - state.hands[seat] for seat in range(first, SEATS))
    there = state.supplied
    expect(
        there > needed,
        "supply has {there} cards, but needs more than the {needed} still to be dealt",
        there=there,
        needed=needed,
    )


def decided(state: State) -> bool:
    """Tell whether something has decided the game: an entrance, or a supply exhausted for good (§10)."""
    at = state.at
    if abs(at[SUE]) >= ENTRANCE or abs(at[CHARLIE]) >= ENTRANCE:
        return True
    if state.supplied > 0 or state.exhausted < 2:
        return False
    final = state.exhausted == LAST_EXHAUSTION[state.edition] or sum(state.cards[DISCARDS:]) == 0
    return final or at[SUE] != 0  # §11.4: else the discards would have been shuffled again


def _cards(name: str, listed: Any) -> list[int]:
    expect(isinstance(listed, list), "{what} must be a list of cards", what=name)
    for card in listed:
        known = isinstance(card, str) and card in CARDS
        expect(known, "{what} holds {card!r}, which is not a card", what=name, card=card)
    return [listed.count(card) for card in CARDS]
