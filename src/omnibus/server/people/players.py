"""Players who have claimed a name, as everybody may see them."""

from __future__ import annotations

import time
from typing import Final

from msgspec import Struct

from omnibus.ratings.log import Pool, RatingChange
from omnibus.server.people.name_folding import folded
from omnibus.server.people.ratings import RatingService
from omnibus.server.store.models import DAY

REMEMBERED_S: Final = 30 * DAY  # for so long a profile tells the name before a change


class RatedPlayer(Struct, frozen=True):
    """A player with all rated games."""

    user: str
    name: str
    former: str
    """The name before, if it was changed lately."""
    changes: list[RatingChange]
    """What the rated games have changed, the earliest first."""

    @property
    def latest(self) -> list[RatingChange]:
        """The last change in each pool."""
        last: dict[Pool, RatingChange] = {change.pool: change for change in self.changes}
        return [last[pool] for pool in sorted(last)]


async def find_player(service: RatingService, name: str) -> RatedPlayer | None:
    """Return the player who has claimed a name, or one that looks like it."""
    claim = await service.claims.find(folded(name))
    if claim is None:
        return None
    former = claim.former if time.time() - claim.changed < REMEMBERED_S else ""
    return RatedPlayer(claim.user, claim.name, former, await service.store.changes(claim.user))
