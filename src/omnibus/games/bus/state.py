"""What is on the table now."""

from __future__ import annotations

from typing import Final

from omnibus.games.bus.board.city import City
from omnibus.games.bus.board.pieces import (
    ACTION_COUNT,
    CUBES,
    FIRST_BUSES,
    HOUSE,
    KIND_COUNT,
    PASSENGERS_IN_BOX,
    SLOTS,
    UNLIMITED,
    buildings_for,
    sticks_for,
    stones_for,
)
from omnibus.kernel.game import CHANCE

# The steps of a game. The set-up (§3) …
FIRST: Final = 0  # chance names the start player
FOUND: Final = 1  # two buildings each
OPEN: Final = 2  # the first stick
SECOND: Final = 3  # the second stick, in reverse order
# … and a round (§4, §5). `bus` and `start` leave nothing to decide.
CHOOSE: Final = 4
LAY: Final = 5
ARRIVE: Final = 6
BUILD: Final = 7
DECIDE: Final = 8  # the clock
RIDE: Final = 9
ENDED: Final = 10
STEPS: Final = [
    "first", "found", "open", "second", "choose", "line", "passengers", "buildings", "clock", "vrroomm", "over",
]  # fmt: skip

NOBODY: Final = -1
EMPTY: Final = -1  # a plot

Event = tuple[str, int, int]
"""Something the rules carried out by themselves: what, which seat (or crossing), and a number."""


class State:
    """A position of Bus. Made by `setup`, `place` and `clone`, which set every attribute.

    Sets of seats are ints, a bit for each seat. Lists that change seldom are replaced when they do (see `changed`), so
    that clones may share them; the others are changed in place and copied by `clone`.
    """

    __slots__ = (
        "actor",
        "box",
        "built",
        "buses",
        "city",
        "clock",
        "clock_back",
        "cubes",
        "edition",
        "field",
        "fields",
        "full",
        "heads",
        "laid",
        "moves",
        "on",
        "owed",
        "passed",
        "pile",
        "placed",
        "plots",
        "reached",
        "rides",
        "round",
        "seat",
        "seated",
        "seats",
        "start",
        "step",
        "sticks",
        "stones",
        "supply",
        "taken",
        "trace",
        "usage",
        "vacant",
        "waiting",
        "zone",
    )  # fmt: skip

    actor: int
    seats: int
    city: City
    edition: int  # §14
    clock_back: bool  # §14
    step: int
    round: int  # 0 in the set-up
    seat: int  # whose decision it is, or was
    start: int  # the start player, or NOBODY
    field: int  # of the action being resolved
    owed: int  # what is still to be done for it: sticks, passengers, buildings or rides
    clock: int
    pile: int  # time stones left
    box: int  # passengers in it
    zone: int  # the earliest with an empty plot
    passed: int  # seats that have passed in this round
    full: int  # actions whose fields are all taken, a bit each
    # changed in place
    cubes: list[int]  # of each seat
    placed: list[int]  # those of them on the action board
    fields: list[int]  # of the action board, action × SLOTS + field: who took it
    taken: list[int]  # how many fields of each action are
    # replaced, and shared by clones
    sticks: list[int]  # how many each seat has (§2.2)
    usage: list[int]  # seats on each street
    on: list[int]  # seats with a line through each crossing
    waiting: list[int]  # passengers at each crossing
    seated: list[int]  # those in buildings of the clock's kind
    buses: list[int]
    stones: list[int]
    rides: list[int]
    reached: list[int]  # which ride of the whole game was the seat's last (§13.2)
    laid: list[int]  # sticks of each seat
    heads: list[int]  # two a seat, the smaller index first; NOBODY before the first stick
    built: list[int]  # buildings: kind × crossings + crossing
    plots: list[int]  # the kind of building on each, or EMPTY
    vacant: list[int]  # the moves that build on the empty plots of the zone
    supply: list[int]  # buildings left of each kind; beyond counting in the first edition (§2.3)
    moves: list[int]  # while laying or riding: what may be done

    trace: list[Event] | None  # what the rules carry out by themselves is noted here, for those who ask

    def clone(self) -> State:
        """Return an independent copy."""
        other = State()
        other.actor = self.actor
        other.seats = self.seats
        other.city = self.city
        other.edition = self.edition
        other.sticks = self.sticks
        other.clock_back = self.clock_back
        other.step = self.step
        other.round = self.round
        other.seat = self.seat
        other.start = self.start
        other.field = self.field
        other.owed = self.owed
        other.clock = self.clock
        other.pile = self.pile
        other.box = self.box
        other.zone = self.zone
        other.passed = self.passed
        other.full = self.full
        other.cubes = self.cubes[:]
        other.placed = self.placed[:]
        other.fields = self.fields[:]
        other.taken = self.taken[:]
        other.usage = self.usage
        other.on = self.on
        other.waiting = self.waiting
        other.seated = self.seated
        other.buses = self.buses
        other.stones = self.stones
        other.rides = self.rides
        other.reached = self.reached
        other.laid = self.laid
        other.heads = self.heads
        other.built = self.built
        other.plots = self.plots
        other.vacant = self.vacant
        other.supply = self.supply
        other.moves = self.moves
        other.trace = None
        return other


def changed(numbers: list[int], index: int, value: int) -> list[int]:
    """Return a copy with one number changed, for lists that clones share."""
    copy = numbers[:]
    copy[index] = value
    return copy


def setup(city: City, seats: int, *, edition: int, limited: bool, clock_back: bool) -> State:
    """Return the state before anything has happened: a passenger on each central crossing, nothing built (§3.1)."""
    state = State()
    state.actor = CHANCE
    state.seats = seats
    state.city = city
    state.edition = edition
    state.sticks = [sticks_for(edition, seat) if limited else UNLIMITED for seat in range(seats)]
    state.clock_back = clock_back
    state.step = FIRST
    state.round = 0
    state.seat = 0
    state.start = NOBODY
    state.field = 0
    state.owed = 0
    state.clock = HOUSE
    state.pile = stones_for(seats)
    state.box = PASSENGERS_IN_BOX
    state.zone = 0
    state.passed = 0
    state.full = 0
    _hand_out(state)
    _lay_out(state)
    state.fields = [NOBODY] * (ACTION_COUNT * SLOTS)
    state.taken = [0] * ACTION_COUNT
    state.moves = []
    state.trace = None
    return state


def _hand_out(state: State) -> None:
    """What every player has (§2.1)."""
    seats = state.seats
    state.cubes = [CUBES] * seats
    state.placed = [0] * seats
    state.buses = [FIRST_BUSES] * seats
    state.stones = [0] * seats
    state.rides = [0] * seats
    state.reached = [0] * seats
    state.laid = [0] * seats
    state.heads = [NOBODY] * (2 * seats)


def _lay_out(state: State) -> None:
    """The city without lines and buildings."""
    city = state.city
    crossings = city.crossing_count
    state.usage = [0] * city.street_count
    state.on = [0] * crossings
    state.waiting = [int(crossing in city.centre) for crossing in range(crossings)]
    state.seated = [0] * crossings
    state.built = [0] * (KIND_COUNT * crossings)
    state.plots = [EMPTY] * city.plot_count
    state.vacant = city.zone_builds[0]
    state.supply = [buildings_for(state.edition)] * KIND_COUNT
