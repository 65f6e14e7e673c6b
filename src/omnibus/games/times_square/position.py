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
    FIRST_RULES,
    PLAYING,
    REFILL,
    RULES,
    SIDING,
    STEPS,
    SUPPLY,
    State,
    cards_in,
    setup,
)
from omnibus.kernel.checks import check_keys, expect, index, whole
from omnibus.kernel.game import CHANCE, OVER, Document


def position(state: State) -> Document:
    """Return the position document of a state. It holds everything, secrets too (§13)."""
    figures: dict[str, int | None] = dict(zip(FIGURES, state.at, strict=True))
    if state.step == SIDING:
        figures["hal"] = figures["deb"] = None
    document: Document = {
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
    if state.rules != RULES:
        document["rules"] = state.rules
    return document


KEYS: Final = ["edition", "figures", "hands", "supply", "discards", "exhausted", "seat", "step", "colour", "joker"]


def place(document: Mapping[str, Any]) -> State:
    """Return the state of a position document; BadPosition names the culprit (§13)."""
    check_keys("the position", document, KEYS, optional=["rules"])
    edition = index("edition", document["edition"], EDITIONS)
    state = setup(edition, whole("rules", document.get("rules", RULES), FIRST_RULES, RULES))
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
            expect(figures[name] is None, f"figures.{name} must be null before `side`")
        else:
            state.at[figure] = whole(f"figures.{name}", figures[name], -END, END)
    at = state.at
    expect(at[A] < at[SUE] < at[B], f"figures break the trio rule: a {at[A]}, sue {at[SUE]}, b {at[B]} (§1.5)")


def _place_cards(state: State, document: Mapping[str, Any]) -> None:
    hands = document["hands"]
    expect(isinstance(hands, list) and len(hands) == SEATS, "hands must be a list of two lists of cards")
    counted = [_cards(f"hands[{seat}]", hands[seat]) for seat in range(SEATS)]
    counted += [_cards(name, document[name]) for name in ("supply", "discards")]
    for kind, exist in enumerate(DECKS[state.edition]):
        there = sum(counts[kind] for counts in counted)
        expect(there <= exist, f"{CARDS[kind]} stands there {there} times, but only {exist} exist")
    state.cards = [number for counts in counted for number in counts]
    state.supplied = len(document["supply"])
    for seat in range(SEATS):
        expect(len(hands[seat]) <= HAND, f"hands[{seat}] holds {len(hands[seat])} cards, more than eight")
        state.held[seat] = len(hands[seat])
        state.has[seat] = sum(1 << kind for kind in range(KINDS) if counted[seat][kind])


def _place_choices(state: State, colour: Any, joker: Any) -> None:
    if state.step == PLAYING:
        state.colour = index("colour", colour, COLOURS)
    else:
        expect(colour is None, "colour is set only while `playing`; it must be null")
    if state.colour == RED:
        state.joker = index("joker", joker, JOKERS[1:]) + 1
    else:
        expect(joker is None, "joker is set exactly when the colour is red; it must be null")


def _check_progress(state: State) -> None:
    """Check that the step fits the figures and the cards."""
    if state.step == ENDED:
        expect(decided(state), "step is `over`, but nothing has decided the game (§10)")
        return
    for figure in (SUE, CHARLIE):
        inside = abs(state.at[figure]) < ENTRANCE
        expect(inside, f"figures.{FIGURES[figure]} is on an entrance, so the game must be `over` (§10)")
    expect(state.supplied > 0, "supply is empty, so the game must be `over` (§8)")
    last = LAST_EXHAUSTION[state.edition]
    expect(state.exhausted < last, f"exhausted is {last}, so the game must be `over`")
    expect(not (state.step == DROPPING and state.edition == ROYAL_VISIT), "step: nobody drops in royal_visit (§11.2)")
    if state.step == REFILL:
        expect(state.held[state.seat] < HAND, f"step is `refill`, but hands[{state.seat}] has nothing to draw")
    if state.step in (SIDING, DEALING):
        _check_deal(state)


def _check_deal(state: State) -> None:
    if state.step == DEALING:
        expect(state.held[state.seat] < HAND, f"step is `deal`, but hands[{state.seat}] is full")
        expect(state.at[HAL] != 0, "figures.hal stands on the manhole, so nobody could begin (§3.3)")
        early = state.seat == 1 and state.held[0] < HAND
        expect(not early, "seat is 1, but hands[0] is dealt eight cards first (§3.2)")
    first = state.seat if state.step == DEALING else 0
    needed = sum(HAND - state.held[seat] for seat in range(first, SEATS))
    expect(state.supplied > needed, f"supply has {state.supplied} cards; dealing takes {needed} and leaves some")


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
    expect(isinstance(listed, list), f"{name} must be a list of cards")
    for card in listed:
        expect(isinstance(card, str) and card in CARDS, f"{name} holds {card!r}, which is no card")
    return [listed.count(card) for card in CARDS]
