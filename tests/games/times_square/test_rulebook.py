"""The rules, paragraph by paragraph: what may be done, and what may not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from omnibus import Match
from support.rules import play, refused

pytestmark = pytest.mark.engine

Place = Callable[..., Match]


def figures(match: Match) -> dict[str, Any]:
    return dict(match.position()["figures"])


# §1 Board and figures


def test_street(place: Place) -> None:
    """§1.1 The street has 17 spaces, −8 … +8; left is toward −8 for both seats."""
    for seat in (0, 1):
        match = place(seat=seat, hands=("hal1", "hal1"), hal=0)
        assert figures(play(match, "hal1 left"))["hal"] == -1
    assert refused(place(hands=("hal1", ""), hal=8), "hal1 right") == ("off-the-board", "§4.4")
    assert refused(place(hands=("deb5", ""), deb=-4), "deb5 left") == ("off-the-board", "§4.2")


@pytest.mark.parametrize(("sue", "winner"), [(-7, 0), (7, 1)])
def test_entrances(place: Place, sue: int, winner: int) -> None:
    """§1.2 The spaces 7 and 8 from the manhole are a club's entrance; 6 is not."""
    side = -1 if winner == 0 else 1
    match = place(hands=("sue", ""), sue=sue - side, a=-8, b=8, deb=0)
    assert match.outcome is None
    play(match, "sue left" if side < 0 else "sue right")
    assert match.outcome is not None
    assert match.outcome.winners == (winner,)


def test_manhole_is_nobodys_side(place: Place) -> None:
    """§1.3 A trio with one figure on the manhole is not on a side."""
    on_side = place(dice=True, hands=("hal1", ""), a=-3, sue=-2, b=-1, hal=3, deb=3)
    not_yet = place(dice=True, hands=("hal1", ""), a=-3, sue=-2, b=0, hal=3, deb=3)
    assert figures(play(on_side, "hal1 right", "done"))["charlie"] == -1
    assert figures(play(not_yet, "hal1 right", "done"))["charlie"] == 0


def test_charlie_meets_nobody(place: Place) -> None:
    """§1.4 Charlie's strip is his own: he may stand beside anybody."""
    match = place(dice=True, hands=("deb1", ""), charlie=-1, hal=-7, deb=-3, seat=0)
    assert figures(play(match, "deb1 right", "done"))["charlie"] == -2  # where guard a stands, on the other strip


def test_trio_keeps_its_order(place: Place) -> None:
    """§1.5 Guard a, Sue, guard b: never on one space, never swapped."""
    match = place(hands=("sue guard1 guard2 deb3 deb5", ""), a=-1, sue=0, b=2, deb=-3)
    assert refused(match, "sue left") == ("trio", "§1.5")
    assert refused(match, "guard1 a right") == ("trio", "§1.5")
    assert refused(match, "guard2 b left left") == ("trio", "§1.5")
    assert refused(match, "guard2 a right b right") == ("trio", "§1.5")
    assert refused(match, "deb3 sue right") == ("trio", "§1.5")
    assert refused(match, "deb5 b left") == ("trio", "§1.5")
    assert "sue right" in match.lines()


def test_others_may_share_spaces(place: Place) -> None:
    """§1.5 Hal and Deb stand where they like, also on others, and pass them."""
    match = place(hands=("hal1 hal2", ""), hal=1, sue=0)
    play(match, "hal1 left", "hal2 left")
    assert figures(match)["hal"] == figures(match)["a"] == -2


# §2 Cards


def test_deck() -> None:
    """§2 There are 55 cards, in these numbers."""
    supply: Counter[str] = Counter(Match.new("times_square", dice=False).position()["supply"])
    numbers = {"sue": 12, "hal1": 2, "hal2": 8, "hal3": 2, "guard1": 4, "guard2": 10, "close": 2}
    assert supply == {**numbers, "deb0": 2, "deb1": 1, "deb2": 3, "deb3": 5, "deb4": 3, "deb5": 1}
    assert supply.total() == 55


# §3 Set-up and turn


@pytest.mark.parametrize(("seat", "hal"), [(0, -1), (1, 1)])
def test_setup_places_figures(seat: int, hal: int) -> None:
    """§3.1 Sue and Charlie on 0, guards on −2 and +2; chance puts Hal on −1 or +1, and Deb on the other."""
    match = Match.new("times_square", dice=False)
    assert match.actor == "chance"
    assert match.lines() == ["side 0", "side 1"]
    assert refused(match, "draw sue") == ("side-first", "§3.1")
    match.play(f"side {seat}")
    assert figures(match) == {"sue": 0, "a": -2, "b": 2, "hal": hal, "deb": -hal, "charlie": 0}
    assert refused(match, "side 0") == ("side-known", "§3.1")


def test_deal() -> None:
    """§3.2 Eight cards to seat 0, then eight to seat 1; 39 remain."""
    match = Match.new("times_square", dice=False)
    match.play("side 0")
    for card in ["sue"] * 8:
        assert match.position()["seat"] == 0
        match.play(f"draw {card}")
    for card in ["hal2"] * 8:
        assert match.position()["step"] == "deal"
        assert match.position()["seat"] == 1
        match.play(f"draw {card}")
    position = match.position()
    assert position["hands"] == [["sue"] * 8, ["hal2"] * 8]
    assert len(position["supply"]) == 39
    assert match.view(0)["held"] == [8, 8]


def test_deal_comes_first() -> None:
    """§3.2 Nobody acts before the deal is over, and only cards of the supply are dealt."""
    match = play(Match.new("times_square", dice=False), "side 1", "draw deb1")
    assert refused(match, "sue left") == ("deal-first", "§3.2")
    assert refused(match, "done") == ("deal-first", "§3.2")
    assert refused(match, "draw deb1") == ("not-in-supply", "§3.2")


@pytest.mark.parametrize("seat", [0, 1])
def test_seat_with_hal_begins(seat: int) -> None:
    """§3.3 The seat with Hal on its side begins; then strictly alternating."""
    match = Match.new("times_square", dice=False)
    match.play(f"side {seat}")
    while match.actor == "chance":
        match.play(match.lines()[0])
    assert match.actor == seat


def test_turns_alternate(place: Place) -> None:
    """§3.3 After a turn the other seat has one."""
    match = place(dice=True, hands=("hal1", "hal1"))
    assert play(match, "hal1 left", "done").actor == 1
    assert play(match, "hal1 right", "done").actor == 0


def test_one_thing_a_turn(place: Place) -> None:
    """§3.4 A turn is exactly one of play, lure and drop."""
    match = place(hands=("hal1 hal2 sue", ""), hal=5)
    assert refused(match, "done") == ("nothing-done", "§3.4")
    play(match, "hal1 left")
    assert refused(match, "lure b") == ("playing", "§3.4")
    assert refused(match, "drop hal2") == ("playing", "§3.4")
    other = play(place(hands=("hal1 hal2 sue", ""), hal=5), "drop hal1")
    assert refused(other, "hal2 left") == ("dropping", "§3.4")
    assert refused(other, "hal3 left") == ("dropping", "§3.4")
    assert refused(match, "drop deb5") == ("playing", "§3.4")
    assert refused(other, "lure b") == ("dropping", "§3.4")
    assert refused(other, "draw sue") == ("no-draw", "§8.1")


# §4 Playing cards


def test_one_colour_a_turn(place: Place) -> None:
    """§4.1 One or more cards of one colour, one at a time, until `done`, which is never implied."""
    match = place(hands=("hal1 hal1 sue", ""), hal=0)
    play(match, "hal1 left")
    assert refused(match, "sue right") == ("other-colour", "§4.1")
    assert match.lines() == ["hal1 left", "hal1 right", "done"]
    play(match, "hal1 left")
    assert match.lines() == ["done"]


def test_done_with_empty_hand_is_asked(place: Place) -> None:
    """§4.1 Even with an empty hand `done` must be said."""
    match = play(place(hands=("hal1", "")), "hal1 left")
    assert (match.actor, match.lines()) == (0, ["done"])


def test_only_cards_in_hand(place: Place) -> None:
    """§4.1 Only cards in hand are played; a pair takes two."""
    match = place(hands=("sue", "hal1"))
    assert refused(match, "hal1 left") == ("not-in-hand", "§4.1")
    assert refused(match, "sue+sue left") == ("not-in-hand", "§4.3")


def test_card_is_carried_out_completely(place: Place) -> None:
    """§4.2 A number card moves exactly that far in one direction, or it may not be played."""
    match = place(hands=("hal3 deb4", ""), hal=6, deb=5)
    assert refused(match, "hal3 right") == ("off-the-board", "§4.4")
    assert refused(match, "deb4 right") == ("off-the-board", "§4.2")
    assert refused(place(hands=("deb3", ""), hal=7, deb=-4), "deb3 hal right") == ("off-the-board", "§4.2")
    assert figures(play(match, "hal3 left"))["hal"] == 3


def test_green_single_and_pair(place: Place) -> None:
    """§4.3 One card: Sue. Two together: Sue and both guards. Mixed in one turn as one likes."""
    match = place(hands=("sue sue sue", ""), a=-2, sue=0, b=2)
    play(match, "sue right", "sue+sue right")
    assert figures(match) | {"a": -1, "sue": 2, "b": 3} == figures(match)


def test_green_pair_needs_room_for_guards(place: Place) -> None:
    """§4.3 A pair moves all three or may not be played; Sue need not have room of her own."""
    match = place(hands=("sue sue", ""), a=-8, sue=0, b=1)
    assert refused(match, "sue+sue left") == ("off-the-board", "§4.2")
    assert refused(match, "sue right") == ("trio", "§1.5")
    assert "sue+sue right" in match.lines()


def test_yellow_is_stopped_by_the_ends_only(place: Place) -> None:
    """§4.4 Hal walks past anybody, up to the ends of the board."""
    match = place(hands=("hal3 hal3 hal2", ""), hal=0, a=-2, sue=-1, b=1)
    play(match, "hal3 left", "hal3 left", "hal2 left")
    assert figures(match)["hal"] == -8


def test_grey_cards(place: Place) -> None:
    """§4.5 `guard1` one guard one space; `guard2` both one space each, in any directions, or one of them two."""
    match = place(hands=("guard1 guard2", ""), a=-4, sue=0, b=4)
    one = [f"guard1 {guard} {way}" for guard in "ab" for way in ("left", "right")]
    both = [f"guard2 a {way} b {other}" for way in ("left", "right") for other in ("left", "right")]
    twice = [f"guard2 {guard} {way} {way}" for guard in "ab" for way in ("left", "right")]
    assert [line for line in match.lines() if line.startswith("guard")] == one + both + twice
    play(match, "guard2 a left b left")
    assert (figures(match)["a"], figures(match)["b"]) == (-5, 3)


def test_neither_half_of_guard2_is_skipped(place: Place) -> None:
    """§4.5 With a guard that cannot step, `guard2` may not be played as two single steps."""
    match = place(hands=("guard2", ""), a=-8, sue=0, b=1)
    assert refused(match, "guard2 a left b right") == ("off-the-board", "§4.5")
    assert refused(match, "guard2 a right b left") == ("trio", "§1.5")
    assert refused(match, "guard2 a left left") == ("off-the-board", "§4.2")


def test_close(place: Place) -> None:
    """§4.6 `close` brings both guards beside Sue from wherever they are."""
    match = play(place(hands=("close", ""), a=-8, sue=3, b=5), "close")
    assert (figures(match)["a"], figures(match)["b"]) == (2, 4)


def test_card_must_change_something(place: Place) -> None:
    """§4.7 `close` with both guards beside Sue, `deb0` on a figure already on 0: refused."""
    match = place(hands=("close deb0", ""), a=-1, sue=0, b=1, deb=0, hal=0)
    assert refused(match, "close") == ("changes-nothing", "§4.7")
    assert refused(match, "deb0") == ("changes-nothing", "§4.7")
    joker = place(hands=("deb0", ""), deb=-3, sue=0, hal=0)
    assert refused(joker, "deb0 sue") == ("changes-nothing", "§4.7")
    assert refused(joker, "deb0 hal") == ("changes-nothing", "§4.7")
    assert "close" in place(hands=("close", ""), a=-2, sue=0, b=1).lines()


# §5 Deb's cards as jokers


def test_jokers_move_as_the_card_says(place: Place) -> None:
    """§5.1 A red card may move Sue, Hal, a or b: exactly its number, or to the manhole for `deb0`."""
    match = place(hands=("deb2 deb0", ""), deb=-6, sue=4, a=1, b=7, hal=-3)
    joker = {
        "deb2 sue left",
        "deb2 sue right",
        "deb2 hal left",
        "deb2 hal right",
        "deb2 a left",
        "deb2 a right",
        "deb2 b left",
    }
    manhole = {"deb0 a", "deb0 hal"}
    assert {line for line in match.lines() if line.startswith("deb") and line.count(" ")} == (
        joker | manhole | {"deb2 left", "deb2 right"}
    )
    assert refused(match, "deb0 sue") == ("trio", "§1.5")
    assert refused(match, "deb0 b") == ("trio", "§1.5")
    assert figures(play(match, "deb0 a"))["a"] == 0


@pytest.mark.parametrize(
    ("seat", "deb", "allowed"), [(0, -1, True), (0, 0, False), (0, 1, False), (1, 1, True), (1, -1, False)]
)
def test_jokers_need_deb_behind_sue(place: Place, seat: int, deb: int, allowed: bool) -> None:
    """§5.2 Only while Deb stands strictly between Sue and the player's own end."""
    match = place(seat=seat, hands=("deb2", "deb2"), deb=deb, sue=0, hal=3)
    assert ("deb2 hal left" in match.lines()) == allowed
    if not allowed:
        assert refused(match, "deb2 hal left") == ("no-joker", "§5.2")
    assert "deb2 left" in match.lines()


def test_deb_in_the_entrance_counts(place: Place) -> None:
    """§5.2 Deb standing in the entrance is still between Sue and the end."""
    assert "deb2 hal left" in place(hands=("deb2", ""), deb=-8).lines()


EDITIONS = ["times_square", "royal_visit"]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("first", "good", "bad"),
    [
        ("deb1 sue right", "deb2 sue left", ["deb2 right", "deb2 hal left", "deb2 a left"]),
        ("deb1 hal left", "deb2 hal left", ["deb2 left", "deb2 sue left", "deb2 a left", "deb2 b right"]),
        ("deb1 a left", "deb2 b right", ["deb2 left", "deb2 sue left", "deb2 hal left"]),
    ],
)
def test_first_joker_locks_the_turn(place: Place, edition: str, first: str, good: str, bad: list[str]) -> None:
    """§5.3 After a joker every further red card is a joker on the same kind; Deb herself moves no more."""
    match = play(place(edition=edition, hands=("deb1 deb2", ""), deb=-5, sue=1, a=-3, b=4, hal=3), first)
    assert good in match.lines()
    for line in bad:
        assert refused(match, line) == ("other-joker", "§5.3")


def test_deb_may_move_before_the_first_joker(place: Place) -> None:
    """§5.3 Red cards may first move Deb behind Sue, and then be jokers from there; after the joker she stays."""
    match = place(hands=("deb4 deb3 deb2 deb1 deb0", ""), deb=6, sue=1, a=-3, b=4, hal=3)
    assert refused(match, "deb3 hal left") == ("no-joker", "§5.2")
    play(match, "deb4 left")
    assert refused(match, "deb3 hal left") == ("no-joker", "§5.2")  # Deb on +2 is not yet behind Sue
    play(match, "deb3 left")
    assert {"deb2 left", "deb2 sue right", "deb2 hal left", "deb2 a left", "deb0 hal"} <= set(match.lines())
    play(match, "deb2 hal left")
    assert match.lines() == ["deb0 hal", "deb1 hal left", "deb1 hal right", "done"]
    assert refused(match, "deb1 left") == ("other-joker", "§5.3")
    assert refused(match, "deb0 a") == ("other-joker", "§5.3")


def test_deb_may_step_away_again(place: Place) -> None:
    """§5.3 What moved Deb only locks nothing: she may go on, and where she stands decides about jokers (§5.2)."""
    match = play(place(hands=("deb4 deb3 deb2", ""), deb=2, sue=1), "deb4 left", "deb3 right")
    assert figures(match)["deb"] == 1
    assert refused(match, "deb2 hal left") == ("no-joker", "§5.2")
    assert "deb2 left" in match.lines()


def test_lock_ends_with_the_turn(place: Place) -> None:
    """§5.3 Ruling: the lock lasts for the turn; in the next one the cards are free again."""
    match = place(dice=True, hands=("deb1 deb2 deb3", "hal1"), deb=-5, hal=3)
    play(match, "deb1 hal left", "done", "hal1 left", "done")
    assert {"deb2 left", "deb2 a left", "deb3 hal left"} <= set(match.lines())


def test_royal_red_cards_move_one_kind(place: Place) -> None:
    """§5.3 In royal_visit all red cards of a turn move one kind, Deb being one."""
    match = play(place(edition="royal_visit", hands=("deb1 deb2", ""), deb=-5, sue=1, hal=3), "deb1 left")
    assert "deb2 left" in match.lines()
    for line in ("deb2 sue left", "deb2 hal left", "deb2 a left"):
        assert refused(match, line) == ("other-joker", "§5.3")


@pytest.mark.parametrize(
    ("seat", "deb", "sue", "line"),
    [
        (0, -2, 0, "deb3 sue left"),
        (0, -3, 0, "deb3 sue left"),
        (1, 3, 0, "deb3 sue right"),
        (1, 3, 2, "deb3 sue right"),
    ],
)
def test_joker_sue_never_meets_deb(place: Place, seat: int, deb: int, sue: int, line: str) -> None:
    """§5.4 By a joker Sue never lands on Deb's space or passes her."""
    match = place(seat=seat, hands=("deb3", "deb3"), deb=deb, sue=sue, a=-8, b=8)
    assert refused(match, line) == ("sue-meets-deb", "§5.4")


def test_joker_sue_to_manhole_never_passes_deb(place: Place) -> None:
    """§5.4 The manhole is no way around Deb."""
    assert refused(place(hands=("deb0", ""), deb=0, sue=2, a=-3, b=4), "deb0 sue") == ("sue-meets-deb", "§5.4")
    assert "deb0 sue" in place(hands=("deb0", ""), deb=-1, sue=2, a=-3, b=4).lines()


def test_green_sue_may_pass_deb(place: Place) -> None:
    """§5.4 The rule is for jokers: by her own card Sue walks onto Deb and on."""
    match = play(place(hands=("sue sue", ""), deb=-1, sue=0, a=-5), "sue left", "sue left")
    assert figures(match)["sue"] == -2


def test_joker_is_never_half_a_pair(place: Place) -> None:
    """§5.5 A joker moves one figure: a green and a red card make no pair."""
    match = place(hands=("sue deb1", ""), deb=-3)
    assert refused(match, "sue+sue right") == ("not-in-hand", "§4.3")
    assert figures(play(match, "deb1 sue right")) | {"a": -2, "b": 2} == figures(match)


# §6 Luring


@pytest.mark.parametrize("seat", [0, 1])
def test_lure(place: Place, seat: int) -> None:
    """§6.1 Sue or a guard goes straight to Hal, at any distance, wherever he is, if the trio rule then holds."""
    match = place(seat=seat, a=-2, sue=0, b=2, hal=6)
    assert [line for line in match.lines() if line.startswith("lure")] == ["lure b"]
    assert refused(match, "lure sue") == ("lure-breaks-trio", "§6.1")
    assert refused(match, "lure a") == ("lure-breaks-trio", "§6.1")
    assert figures(play(match, "lure b"))["b"] == 6


@pytest.mark.parametrize(
    ("hal", "lured"),
    [
        (-2, []),
        (0, []),
        (2, []),
        (-5, ["lure a"]),
        (5, ["lure b"]),
        (-1, ["lure sue", "lure a"]),
        (1, ["lure sue", "lure b"]),
    ],
)
def test_lured_figure_moves(place: Place, hal: int, lured: list[str]) -> None:
    """§6.2 Hal among the trio's spaces lures nobody, outside the guards one, between them two."""
    match = place(hal=hal)
    assert [line for line in match.lines() if line.startswith("lure")] == lured
    if hal == -2:
        assert refused(match, "lure a") == ("already-with-hal", "§6.2")


def test_lure_draws_nothing(place: Place) -> None:
    """§6.3 No card is played and none is drawn; the turn goes straight to Charlie."""
    match = place(hands=("sue", ""), hal=-8, charlie=2, deb=-3)
    play(match, "lure a")
    assert match.actor == 1
    assert match.position()["hands"] == [["sue"], []]
    assert figures(match)["charlie"] == 0  # guard a and Hal in the entrance


def test_lure_may_win(place: Place) -> None:
    """§10.1 Luring Sue into an entrance wins like any other way."""
    match = play(place(hal=-7, a=-8, seat=1), "lure sue")
    assert match.outcome is not None
    assert (match.outcome.reason, match.outcome.winners) == ("sue", (0,))


# §7 Dropping


def test_drop(place: Place) -> None:
    """§7.1 One or more cards of any colours, one at a time, then `done`."""
    match = place(hands=("sue hal1 deb3", ""))
    assert refused(match, "drop close") == ("not-in-hand", "§7.1")
    play(match, "drop sue", "drop deb3")
    assert match.position()["discards"] == ["sue", "deb3"]
    assert match.lines() == ["drop hal1", "done"]
    assert match.actor == 0


# §8 Refill


def test_refill_to_eight(place: Place) -> None:
    """§8.1 After playing or dropping, one card at a time up to eight in hand."""
    match = play(place(hands=("hal1 hal1 sue sue sue sue sue", "")), "hal1 left", "done")
    assert (match.actor, match.position()["step"]) == ("chance", "refill")
    assert refused(match, "hal1 left") == ("refill-first", "§8.1")
    play(match, "draw deb1", "draw deb5")
    assert match.actor == 1
    assert len(match.position()["hands"][0]) == 8


def test_only_the_supply_is_drawn(place: Place) -> None:
    """§8.1 A kind that is not in the supply cannot be drawn."""
    match = play(place(hands=("hal1", ""), supply="sue sue deb1"), "hal1 left", "done")
    assert match.lines() == ["draw sue", "draw deb1"]
    assert refused(match, "draw hal1") == ("not-in-supply", "§8.1")


def test_first_exhaustion_reshuffles(place: Place) -> None:
    """§8.2 The first time, all discards, those of this turn included, become the supply, and drawing goes on."""
    discards = ["close", "deb1", "deb2", "deb3", "deb4", "deb5", "guard1", "guard1"]
    match = place(hands=("hal1", "hal2"), supply="sue", discards=" ".join(discards))
    play(match, "hal1 left", "done", "draw sue")
    position = match.position()
    assert (position["exhausted"], position["discards"], position["step"]) == (1, [], "refill")
    assert sorted(position["supply"]) == sorted(
        ["close", "deb1", "deb2", "deb3", "deb4", "deb5", "guard1", "guard1", "hal1"]
    )


def test_exhaustion_by_the_eighth_card(place: Place) -> None:
    """§8.2 The supply is exhausted the moment its last card is taken, also when that card is the eighth in hand."""
    match = place(hands=("hal1 sue sue sue sue sue sue sue", "hal2"), supply="deb1", discards="close")
    play(match, "hal1 left", "done", "draw deb1")
    position = match.position()
    assert (match.actor, position["exhausted"], position["supply"]) == (1, 1, ["hal1", "close"])


def test_second_exhaustion_ends_the_game(place: Place) -> None:
    """§8.3 The second time the game is over at once: the hand stays as it is, and §10.3 decides."""
    match = place(hands=("hal1 sue", "hal2"), supply="deb1", exhausted=1, sue=2, a=-2, b=4, hal=-5, deb=-3)
    play(match, "hal1 left", "done", "draw deb1")
    assert match.position()["hands"][0] == ["sue", "deb1"]
    assert match.outcome is not None
    assert (match.outcome.reason, match.outcome.winners) == ("supply-sue", (1,))


def test_charlie_stays_at_the_second_exhaustion(place: Place) -> None:
    """§8.3 Charlie does not move any more, even where he would win."""
    match = place(hands=("hal1 sue", "hal2"), supply="deb1", exhausted=1, charlie=-6, sue=2, a=-2, b=4, hal=-6, deb=-3)
    play(match, "hal1 left", "done", "draw deb1")
    assert figures(match)["charlie"] == -6
    assert match.outcome is not None
    assert (match.outcome.reason, match.outcome.winners) == ("supply-sue", (1,))


def test_eighth_card_may_be_the_last(place: Place) -> None:
    """§8.3 The game is over too when the last card of the second pass is the eighth in hand."""
    match = place(hands=("hal1 sue sue sue sue sue sue sue", "hal2"), supply="deb1", exhausted=1, charlie=-2, hal=-6)
    play(match, "hal1 left", "done", "draw deb1")
    assert figures(match)["charlie"] == -2
    assert match.outcome is not None
    assert match.outcome.reason == "supply-charlie"


def test_luring_goes_on_before_the_last_card(place: Place) -> None:
    """§6.3, §8.3 A lure draws nothing, so Charlie still moves while the second supply has a card left."""
    match = play(place(hands=("sue", "sue"), supply="deb1", exhausted=1, charlie=2, hal=-8), "lure a")
    assert (match.actor, figures(match)["charlie"]) == (1, 0)


def test_nothing_to_reshuffle_is_the_second_exhaustion(place: Place) -> None:
    """§8.2 Ruling: with no discards, the new supply of no cards is exhausted at once, for the second time."""
    match = place(step="refill", hands=("sue", ""), supply="deb1")
    play(match, "draw deb1")
    assert match.outcome is not None
    assert match.outcome.reason == "draw"
    assert match.position()["exhausted"] == 2


# §9 Charlie


@pytest.mark.parametrize(
    ("stand", "walked"),
    [
        ({"a": -7, "sue": 0, "b": 1, "hal": 3, "deb": 3}, 1),
        ({"a": -8, "sue": 0, "b": 1, "hal": -7, "deb": -8}, 3),
        ({"a": -3, "sue": -2, "b": -1, "hal": 3, "deb": 3}, 1),
        ({"a": -8, "sue": -2, "b": -1, "hal": -8, "deb": 8}, 3),
        ({"a": 1, "sue": 2, "b": 8, "hal": 7, "deb": 8}, 0),
    ],
)
def test_charlie_walks(place: Place, stand: dict[str, int], walked: int) -> None:
    """§9.1 One space for each figure in the active player's entrance, one more for a trio on that side."""
    match = place(dice=True, hands=("sue", "sue"), **stand)
    assert figures(play(match, "drop sue", "done"))["charlie"] == -walked
    mirrored = {"a": -stand["b"], "sue": -stand["sue"], "b": -stand["a"], "hal": -stand["hal"], "deb": -stand["deb"]}
    match = place(dice=True, seat=1, hands=("sue", "sue"), **mirrored)
    assert figures(play(match, "drop sue", "done"))["charlie"] == walked


def test_charlie_stops_at_the_end(place: Place) -> None:
    """§9.1 He stops at ±8; the whole walk is made before §10.2 is checked."""
    match = place(dice=True, hands=("sue", "sue"), charlie=-6, a=-8, sue=-2, b=-1, hal=-7, deb=-7)
    assert figures(play(match, "drop sue", "done"))["charlie"] == -8


# §10 End


def test_sue_wins_at_once(place: Place) -> None:
    """§10.1 Sue on an entrance: at once, even in mid-turn, the owner of that club wins, whoever moved her."""
    match = play(place(seat=1, hands=("", "sue sue"), a=-8, sue=-6), "sue left")
    assert match.actor is None
    assert match.lines() == []
    assert match.outcome is not None
    assert (match.outcome.reason, match.outcome.scores, match.outcome.winners) == ("sue", (1, 0), (0,))
    assert refused(match, "done") == ("over", "§10.1")


def test_charlie_wins(place: Place) -> None:
    """§10.2 Charlie on an entrance: the owner of that club wins."""
    match = play(place(dice=True, seat=1, hands=("", "sue"), charlie=6, hal=7), "drop sue", "done")
    assert match.outcome is not None
    assert (match.outcome.reason, match.outcome.scores, match.outcome.winners) == ("charlie", (0, 1), (1,))
    assert refused(match, "sue left") == ("over", "§10.2")


@pytest.mark.parametrize(
    ("sue", "charlie", "reason", "winners"),
    [
        (-3, 4, "supply-sue", (0,)),
        (1, -4, "supply-sue", (1,)),
        (0, -4, "supply-charlie", (0,)),
        (0, 2, "supply-charlie", (1,)),
        (0, 0, "draw", ()),
    ],
)
def test_supply_decides(place: Place, sue: int, charlie: int, reason: str, winners: tuple[int, ...]) -> None:
    """§10.3 Sue's side; on the manhole Charlie's side, where he stands now; else a draw."""
    match = place(hands=("hal1", ""), supply="deb1", exhausted=1, sue=sue, charlie=charlie, a=-7, b=3)
    play(match, "hal1 left", "done", "draw deb1")
    assert match.outcome is not None
    assert (match.outcome.reason, match.outcome.winners) == (reason, winners)
    assert refused(match, "done") == ("over", "§10.3")


def test_draw_scores_nothing(place: Place) -> None:
    """§10.4 Scores are 1 and 0; a draw has 0, 0 and no winner; nothing ever breaks a tie."""
    match = place(step="over", exhausted=2, supply="")
    assert match.outcome is not None
    assert (match.outcome.scores, match.outcome.winners, match.outcome.tie_break) == ((0, 0), (), None)


# §11 Royal Visit


def test_royal_deck() -> None:
    """§11.1 54 cards: `deb3` four times; 38 remain after the deal (§3.2)."""
    match = Match.new("times_square", options={"edition": "royal_visit"}, seed=1)
    position = match.position()
    cards = [*position["supply"], *position["hands"][0], *position["hands"][1]]
    assert (len(cards), cards.count("deb3"), len(position["supply"])) == (54, 4, 38)


def test_royal_has_no_dropping(place: Place) -> None:
    """§11.2 No dropping; while something can be played or lured, `done` may not be said."""
    match = place(edition="royal_visit", hands=("sue", ""))
    assert refused(match, "drop sue") == ("no-dropping", "§11.2")
    assert refused(match, "drop deb5") == ("no-dropping", "§11.2")
    assert refused(match, "done") == ("nothing-done", "§11.2")


@pytest.mark.parametrize("edition", ["royal_visit", "times_square"])
def test_done_when_nothing_can_be_done(place: Place, edition: str) -> None:
    """§11.2 Who can neither play, lure nor drop says `done`; it draws nothing."""
    hand = "close" if edition == "royal_visit" else ""
    match = place(edition=edition, hands=(hand, ""), a=-1, sue=0, b=1, hal=0, charlie=3, deb=-7)
    assert match.lines() == ["done"]
    play(match, "done")
    assert (match.actor, match.position()["hands"][0], figures(match)["charlie"]) == (1, hand.split(), 2)


def test_royal_charlie_moves_before_the_refill(place: Place) -> None:
    """§11.3 Charlie first; if he wins, nothing is drawn."""
    match = play(place(edition="royal_visit", hands=("hal1", ""), hal=-6, deb=3), "hal1 left", "done")
    assert (match.position()["step"], figures(match)["charlie"]) == ("refill", -1)
    won = play(place(edition="royal_visit", hands=("hal1", ""), hal=-6, charlie=-6), "hal1 left", "done")
    assert won.outcome is not None
    assert (won.outcome.reason, won.position()["hands"][0]) == ("charlie", [])


def test_royal_second_exhaustion_with_sue_away(place: Place) -> None:
    """§11.4 At the second and every later exhaustion, Sue off the manhole decides at once, in mid-refill."""
    for exhausted in (1, 4):
        match = place(
            edition="royal_visit", hands=("hal1", ""), supply="deb1", exhausted=exhausted, discards="close", sue=1
        )
        play(match, "hal1 left", "done", "draw deb1")
        assert match.outcome is not None
        assert (match.outcome.reason, match.outcome.winners) == ("supply-sue", (1,))
        assert refused(match, "done") == ("over", "§11.4")


def test_royal_reshuffles_while_sue_is_on_the_manhole(place: Place) -> None:
    """§11.4 Sue on the manhole: reshuffle, go on drawing — up to the seventh exhaustion."""
    for exhausted in range(7):
        match = place(edition="royal_visit", hands=("hal1", ""), supply="deb1", exhausted=exhausted, discards="close")
        play(match, "hal1 left", "done", "draw deb1")
        assert (match.position()["exhausted"], match.position()["step"]) == (exhausted + 1, "refill")


@pytest.mark.parametrize(("charlie", "reason"), [(-2, "supply-charlie"), (3, "supply-charlie"), (0, "draw")])
def test_royal_eighth_exhaustion(place: Place, charlie: int, reason: str) -> None:
    """§11.4 Ruling: at the eighth, with Sue on the manhole, Charlie's side decides, else a draw."""
    facts = {"edition": "royal_visit", "hands": ("hal1", ""), "supply": "deb1", "charlie": charlie}
    eighth = play(place(exhausted=7, discards="close", **facts), "hal1 left", "done", "draw deb1")
    assert eighth.outcome is not None
    assert eighth.outcome.reason == reason


def test_royal_nothing_to_reshuffle(place: Place) -> None:
    """§11.4 With no discards to reshuffle it is decided as at the eighth."""
    match = place(edition="royal_visit", step="refill", hands=("sue", ""), supply="deb1", exhausted=3, charlie=-2)
    play(match, "draw deb1")
    assert match.outcome is not None
    assert (match.outcome.reason, match.position()["exhausted"]) == ("supply-charlie", 4)
