"""Pieces, numbers and the fields of the action board (§2)."""

from __future__ import annotations

from typing import Final

FEWEST_SEATS: Final = 3
MOST_SEATS: Final = 5

# §2.3, §2.4: kinds of building, in the order of the clock.
HOUSE: Final = 0
OFFICE: Final = 1
PUB: Final = 2
KINDS: Final = ["house", "office", "pub"]
KIND_COUNT: Final = 3

ZONES: Final = ["A", "B", "C", "D"]  # §9.1, in the order they are built up
ZONE_COUNT: Final = 4

# §2.5, in the order of resolution.
LINE: Final = 0
BUS: Final = 1
PASSENGERS: Final = 2
BUILDINGS: Final = 3
CLOCK: Final = 4
VRROOMM: Final = 5
START: Final = 6
ACTIONS: Final = ["line", "bus", "passengers", "buildings", "clock", "vrroomm", "start"]
ACTION_COUNT: Final = 7
SLOTS: Final = 6  # how far apart the actions' fields begin in `State.fields`
CAPACITY: Final = [6, 1, 6, 6, 1, 6, 1]
LETTERS: Final = "abcdef"
LAST_FIRST: Final = [True, False, False, True, False, False, False]  # §5.1
ALL_FULL: Final = 127  # a bit for each action

# §2.1 – §2.3, §14: the rules of 1999 and those of 2019.
FIRST_EDITION: Final = 0
REPRINT: Final = 1
EDITIONS: Final = ["first", "reprint"]

CUBES: Final = 20  # §2.1
FIRST_BUSES: Final = 1
MOST_ROUNDS: Final = 10
LARGEST_FLEET: Final = FIRST_BUSES + MOST_ROUNDS  # the first edition names no limit, but sells one bus a round
MOST_BUSES: Final[list[int]] = [LARGEST_FLEET, 5]  # by edition
UNLIMITED: Final = 1 << 30
MOST_STICKS: Final = 28  # §2.2
PASSENGERS_IN_ALL: Final = 15  # §2.3
PASSENGERS_IN_BOX: Final = 11
BUILDINGS_OF_A_KIND: Final = 30  # in the reprint; the first edition prints no number
FOUNDED: Final = 2  # buildings a player puts up in the set-up (§3.2)
LEAST_CUBES: Final = 2  # before one may pass (§4.3)


def sticks_for(edition: int, seat: int) -> int:
    """§2.2: the first edition has three large colours and two small ones."""
    if edition == REPRINT:
        return 25
    return MOST_STICKS if seat < 3 else 18


def buildings_for(edition: int) -> int:
    """§2.3: how many buildings of each kind there are."""
    return BUILDINGS_OF_A_KIND if edition == REPRINT else UNLIMITED


def stones_for(seats: int) -> int:
    """§2.4."""
    return 4 if seats == FEWEST_SEATS else 5
