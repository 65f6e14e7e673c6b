"""Explain why a move is illegal, rule by rule, without the tables of `legal`.

Where several rules forbid a move the first of these answers: wrong step or actor, not in possession, locked by an
earlier choice, not permitted now, geometry.
"""

from __future__ import annotations

from omnibus.games.times_square.board import (
    CARDS,
    CHARLIE,
    COLOUR_OF,
    COLOURS,
    DEB,
    END,
    ENTRANCE,
    FIGURES,
    HAL,
    KINDS,
    ROYAL_VISIT,
    SUE,
    YELLOW,
    A,
    B,
)
from omnibus.games.times_square.moves import (
    BESIDE,
    BOTH,
    CARD,
    DEB_HERSELF,
    DONE,
    DRAW,
    DROP,
    EFFECT,
    FIGURE,
    FINISH,
    JOKER,
    JOKERS,
    LURE,
    MANHOLE,
    NO_JOKER,
    PAIR,
    SEAT_MOVES,
    SIDE,
    STEP,
    STEP_B,
    SUE_JOKER,
    USES,
)
from omnibus.games.times_square.state import ACT, DEALING, DROPPING, PLAYING, SIDING, SUPPLY, State, lock
from omnibus.kernel.game import CHANCE, OVER, Refusal


def refusal(state: State, move: int) -> Refusal | None:
    """Return why the actor may not make this move now; None if it is legal."""
    if state.actor == OVER:
        return _over(state)
    if state.actor == CHANCE:
        return _against_chance(state, move)
    if move >= SEAT_MOVES:
        return _for_chance(move)
    effect = EFFECT[move]
    if effect == FINISH:
        return _against_done(state)
    if effect == LURE:
        return _against_lure(state, FIGURE[move])
    if effect == DROP:
        return _against_drop(state, CARD[move])
    return _against_play(state, move)


def _over(state: State) -> Refusal:
    if abs(state.at[SUE]) >= ENTRANCE:
        return Refusal("over", "§10.1")
    if abs(state.at[CHARLIE]) >= ENTRANCE:
        return Refusal("over", "§10.2")
    return Refusal("over", "§11.4" if state.edition == ROYAL_VISIT else "§10.3")


def _against_chance(state: State, move: int) -> Refusal | None:
    """Chance is to act: a side for Hal, a card of the deal, or one of the refill."""
    effect = EFFECT[move]
    if state.step == SIDING:
        return None if effect == SIDE else Refusal("side-first", "§3.1")
    section = "§3.2" if state.step == DEALING else "§8.1"
    if effect == SIDE:
        return Refusal("side-known", "§3.1")
    if effect != DRAW:
        return Refusal("deal-first" if state.step == DEALING else "refill-first", section)
    if not state.cards[SUPPLY + CARD[move]]:
        return Refusal("not-in-supply", section, {"card": CARDS[CARD[move]]})
    return None


def _for_chance(move: int) -> Refusal:
    if EFFECT[move] == SIDE:
        return Refusal("side-known", "§3.1")
    return Refusal("no-draw", "§8.1")


def _against_done(state: State) -> Refusal | None:
    """`done` ends playing or dropping. As a first decision it is for those who can do nothing else (§11.2)."""
    if state.step != ACT:
        return None
    if all(refusal(state, move) is not None for move in range(DONE)):
        return None
    return Refusal("nothing-done", "§11.2" if state.edition == ROYAL_VISIT else "§3.4")


def _begun(state: State) -> Refusal | None:
    """A turn is one of play, lure and drop (§3.4)."""
    if state.step == PLAYING:
        return Refusal("playing", "§3.4")
    if state.step == DROPPING:
        return Refusal("dropping", "§3.4")
    return None


def _against_lure(state: State, figure: int) -> Refusal | None:
    if state.step != ACT:
        return _begun(state)
    hal = state.at[HAL]
    if state.at[figure] == hal:
        return Refusal("already-with-hal", "§6.2", {"figure": FIGURES[figure]})
    at = state.at[:]
    at[figure] = hal
    if not _trio(at):
        return Refusal("lure-breaks-trio", "§6.1", {"figure": FIGURES[figure], "space": hal})
    return None


def _against_drop(state: State, card: int) -> Refusal | None:
    if state.edition == ROYAL_VISIT:
        return Refusal("no-dropping", "§11.2")
    if state.step == PLAYING:
        return _begun(state)
    if not state.cards[state.seat * KINDS + card]:
        return Refusal("not-in-hand", "§7.1", {"card": CARDS[card], "number": 1})
    return None


def _against_play(state: State, move: int) -> Refusal | None:
    if state.step == DROPPING:
        return _begun(state)
    card = CARD[move]
    if state.cards[state.seat * KINDS + card] < USES[move]:
        section = "§4.3" if EFFECT[move] == PAIR else "§4.1"
        return Refusal("not-in-hand", section, {"card": CARDS[card], "number": USES[move]})
    locked = _against_lock(state, move)
    if locked:
        return locked
    if JOKER[move] > DEB_HERSELF and not _deb_behind_sue(state.at, state.seat):
        return Refusal("no-joker", "§5.2", {"sue": state.at[SUE], "deb": state.at[DEB], "seat": state.seat})
    return _against_geometry(state, move)


def _against_lock(state: State, move: int) -> Refusal | None:
    """The first card of a turn settles its colour (§4.1), the first joker what further red cards move (§5.3)."""
    if state.step != PLAYING:
        return None
    if COLOUR_OF[CARD[move]] != state.colour:
        return Refusal("other-colour", "§4.1", {"colour": COLOURS[state.colour]})
    locked = lock(state)
    if locked not in (NO_JOKER, JOKER[move]):
        return Refusal("other-joker", "§5.3", {"figure": JOKERS[locked]})
    return None


def _deb_behind_sue(at: list[int], seat: int) -> bool:
    """§5.2: strictly between Sue and the seat's own end."""
    return at[DEB] < at[SUE] if seat == 0 else at[DEB] > at[SUE]


def _trio(at: list[int]) -> bool:
    """§1.5."""
    return at[A] < at[SUE] < at[B]


def _after(at: list[int], move: int) -> list[int]:
    """Where the figures would stand after a card, allowed or not."""
    after = at[:]
    effect = EFFECT[move]
    if effect == PAIR:
        for figure in (SUE, A, B):
            after[figure] += STEP[move]
    elif effect == BOTH:
        after[A] += STEP[move]
        after[B] += STEP_B[move]
    elif effect == BESIDE:
        after[A], after[B] = at[SUE] - 1, at[SUE] + 1
    elif effect == MANHOLE:
        after[FIGURE[move]] = 0
    else:
        after[FIGURE[move]] += STEP[move]
    return after


def _against_geometry(state: State, move: int) -> Refusal | None:
    after = _after(state.at, move)
    if after == state.at:
        return Refusal("changes-nothing", "§4.7", {"card": CARDS[CARD[move]]})
    for figure in range(len(after)):
        if abs(after[figure]) > END:
            return Refusal("off-the-board", _off_section(move), {"figure": FIGURES[figure]})
    if not _trio(after):
        return _broken_trio(after)
    if JOKER[move] == SUE_JOKER and not _deb_behind_sue(after, state.seat):
        return Refusal("sue-meets-deb", "§5.4", {"space": after[SUE], "deb": after[DEB]})
    return None


def _off_section(move: int) -> str:
    """The § that says so: for Hal's own cards, for both halves of `guard2`, for all others."""
    if COLOUR_OF[CARD[move]] == YELLOW:
        return "§4.4"
    return "§4.5" if EFFECT[move] == BOTH else "§4.2"


def _broken_trio(after: list[int]) -> Refusal:
    guard = A if after[A] >= after[SUE] else B
    return Refusal("trio", "§1.5", {"guard": FIGURES[guard], "sue": after[SUE], "space": after[guard]})
