"""How one visitor sees a table: the seats they decide for, and the seat through which they look."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from omnibus.server.errors import Code, Rejected
from omnibus.server.store.models import User
from omnibus.server.tables import proposals
from omnibus.server.tables.board_view import Panel, Reader
from omnibus.server.tables.presence import Presence
from omnibus.server.tables.scene import Scene, scene
from omnibus.server.tables.table import Change, Table


class Sent(Struct, frozen=True):
    """What the next scene may differ from: the event, the version of the pieces, and the panels of the last one."""

    event: int
    version: int
    panels: list[Panel]


class Viewpoint:
    """A visitor at a table. `only` is the one seat they may decide for, if they have just the token of a seat."""

    def __init__(
        self,
        table: Table,
        presence: Presence,
        user: User | None,
        language: str,
        *,
        only: int | None = None,
        wide: bool = False,
    ) -> None:
        self.table = table
        self.presence = presence
        self.user = user
        self.language = language
        self.wide = wide
        self._only = only
        self.own = self._own_seats()
        self.seat = self._first_seat()

    def _own_seats(self) -> list[int]:
        seats = self.table.seats_of(self.user.id if self.user else None)
        return seats if self._only is None else [seat for seat in seats if seat == self._only]

    def _first_seat(self) -> int | None:
        """Return the visitor's seat; None while they have yet to choose between seats with secrets from each other."""
        if not self.own or (len(self.own) > 1 and self.table.hides(self.own)):
            return None
        return self.table.awaits if self.table.awaits in self.own else self.own[0]

    @property
    def reader(self) -> Reader:
        """For whom positions and texts are made."""
        return Reader(self.seat, self.language, self.wide, self.own[0] if len(self.own) == 1 else None)

    @property
    def may_ask_hint(self) -> bool:
        """Whether the visitor may ask for a hint now."""
        user = self.user.id if self.user else None
        return self.seat is not None and self.seat == self.table.awaits and self.table.may_ask_hint(user)

    def look_through(self, seat: int | None) -> None:
        """Look through one of the visitor's seats, or as a spectator."""
        if seat is not None and seat not in self.own:
            raise Rejected(Code.NOT_YOUR_SEAT)
        self.seat = seat

    def update(self) -> bool:
        """Follow a change of the table; return whether the visitor looks through another seat now."""
        before, self.own = self.seat, self._own_seats()
        if self.seat not in self.own:
            self.seat = None  # whoever has resigned sees what spectators see
        actor = self.table.awaits
        if actor in self.own and actor != self.seat and not self.table.hides(self.own):
            self.seat = actor
        return self.seat != before

    def acting_seat(self) -> int:
        """Return the seat that decisions are made for."""
        if self.seat is None or self.seat not in self.own:
            raise Rejected(Code.NOT_YOUR_SEAT)
        return self.seat

    def speaking_seat(self) -> int:
        """Return the seat that proposals come from: any own one will do."""
        if not self.own:
            raise Rejected(Code.NOT_YOUR_SEAT)
        return self.own[0] if self.seat is None else self.seat

    def request_key(self, id_: str) -> str | None:
        """Return under which name a request is stored, so that it is carried out once; None for one without an id."""
        return f"{self.user.id} {id_}" if self.user and id_ else None

    async def answered(self, id_: str) -> Change | None:
        """Return the first answer to a request that was carried out before; None for a new one.

        It is looked for before the seat: at a shared device the visitor may look through another one by now, and
        whoever asks again after resigning has none any more.
        """
        await self.table.settled()
        return self.table.repeated(self.request_key(id_))

    def scene(self, since: int = 0, grounds: Iterable[str] = ()) -> Scene:
        """Return what the visitor is shown, who knows the log up to a ply and these grounds."""
        actor = self.table.awaits
        return scene(
            self.table,
            self.reader,
            since=since,
            grounds=grounds,
            own=self.own,
            handover=actor if actor in self.own and actor != self.seat else None,
            hint=self.may_ask_hint,
            played=self.table.setup.seats_of(self.user.id if self.user else None),
            asked=proposals.asked(self.table, self.presence.absent()) if self.table.proposed else frozenset(),
        )

    def as_differences(self, scene: Scene, sent: Sent | None) -> tuple[Scene, Sent | None]:
        """Return a scene as differences to what was sent before, if that is known; and what is known from now on."""
        if self.table.standing == "closed":
            return scene, None  # it lacks the pieces that say whose turn it is
        position, version = scene.position, self.table.view_cache.version(self.reader)
        now = Sent(scene.event, version.number, position.panels)
        if sent is None or sent.version != version.before:
            return scene, now
        panels = [panel for panel, known in zip(position.panels, sent.panels, strict=True) if panel != known]
        return replace(scene, base=sent.event, position=replace(position, pieces=version.pieces, panels=panels)), now
