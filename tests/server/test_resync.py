"""Resync: after a lost connection, one round trip gives a client everything it missed."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from omnibus.bots import names as bot_names
from support.server_process import Guest, ServerProcess, Sitting

WEAK = bot_names()[0]
CUTS_AMONG_BOTS, MOST_CUTS = 12, 2000
SEATS = {"bus": 3, "metromania": 2, "times_square": 2}
SEEN = ("event", "actor", "live", "moves", "undo", "hint", "own", "handover", "decided")
SHOWN = ("ply", "plies", "seat", "ground", "pieces", "marks", "status", "panels", "breakdown")


class Page:
    """What a page remembers while it is disconnected: the last scene, the log, the unanswered move."""

    def __init__(self, guest: Guest, table: str) -> None:
        self.guest = guest
        self.table = table
        self.scene: dict[str, Any] = {"event": 0, "position": {"ground": "", "seat": None}}
        self.log: list[tuple[int, str]] = []
        self.unanswered: dict[str, Any] | None = None

    def back(self) -> Sitting:
        """Reconnect and sync, as the page's script does; the first answer about the game is the scene."""
        sitting = self.guest.sit(self.table)
        sitting.log = self.log
        known = self.scene["position"]
        asked = {"event": self.scene["event"], "ground": known["ground"], "seat": known["seat"]}
        sitting.say(sync=True, differences=True, **asked)
        while (first := sitting.hear()["type"]) in ("people", "awaited"):
            pass
        assert first == "scene"
        self.take(sitting)
        if self.scene["handover"] is not None and known["seat"] is not None:
            assert self.scene["position"]["seat"] == known["seat"]  # not covered again in front of who sits there
        return sitting

    def take(self, sitting: Sitting) -> None:
        """Remember what was received."""
        self.scene, self.log = sitting.scene, sitting.log

    def look(self, sitting: Sitting) -> None:
        """Look through the seat whose turn it is, if hands are hidden."""
        if (seat := sitting.scene["handover"]) is None:
            return
        sitting.say(look=seat, event=sitting.scene["event"])
        while sitting.scene["handover"] is not None:
            sitting.hear()
        self.take(sitting)

    def say_again(self, sitting: Sitting) -> None:
        """Repeat the unanswered move: it was carried out once, and is answered with its event."""
        if self.unanswered is None:
            return
        sitting.say(**self.unanswered)
        while (name := self.unanswered["id"]) not in sitting.done or sitting.scene["event"] < sitting.done[name]:
            sitting.hear()
        assert sitting.done[name] == self.unanswered["event"] + 1
        self.unanswered = None
        self.take(sitting)


def seen(sitting: Sitting) -> dict[str, Any]:
    """Everything a client shows, without the picture, which is sent when the ground changes."""
    shown = {name: sitting.scene["position"][name] for name in SHOWN}
    return {name: sitting.scene[name] for name in SEEN} | shown | {"log": sitting.log}


def follow(steady: Sitting, event: int, seat: int | None) -> None:
    """Let the client that stays connected catch up with an event, and look through the same seat."""
    while steady.scene["event"] < event:
        steady.hear()
    if steady.scene["position"]["seat"] != seat:
        steady.say(look=-1 if seat is None else seat, event=event)
        while steady.scene["position"]["seat"] != seat:
            steady.hear()


def decide(page: Page, sitting: Sitting, random: Random) -> None:
    """Play or undo, and disconnect before or after the answer."""
    scene = page.scene
    if not scene["live"]:
        return
    back = scene["undo"] and random.random() < 0.1
    request = {"undo": True} if back else {"play": random.choice(scene["moves"])["line"]}
    page.unanswered = {**request, "event": scene["event"], "id": f"request {scene['event']}"}
    sitting.say(**page.unanswered)
    if scene["event"] % 2:
        while page.unanswered["id"] not in sitting.done:
            sitting.hear()
        page.unanswered = None


@pytest.mark.parametrize("others", ["another", WEAK], ids=["people", "bots"])
@pytest.mark.parametrize("game", SEATS)
def test_cut_at_every_event(server: ServerProcess, game: str, others: str) -> None:
    """With a new socket for every event a page sees what a client does that stays connected, log included.

    Of two moves one is cut off before its answer: said again under its id, it was done once. Now and then a decision is
    taken back, so that the log the page remembers is longer than the true one. With people it is a whole game; with
    bots, the one answer includes all that they have done meanwhile.
    """
    random, cuts = Random(7), CUTS_AMONG_BOTS if others == WEAK else MOST_CUTS
    with Guest(server.url) as guest:
        table = guest.open(game, "you", *[others] * (SEATS[game] - 1))
        page = Page(guest, table)
        with guest.sit(table) as steady:
            steady.sync()
            for _ in range(cuts):
                before = page.scene["event"]
                with page.back() as sitting:
                    assert others == WEAK or page.scene["event"] in (before, before + 1)
                    if others == WEAK:
                        page.say_again(sitting)
                        sitting.until_asked()
                        page.take(sitting)
                    follow(steady, page.scene["event"], page.scene["position"]["seat"])
                    assert seen(sitting) == seen(steady)
                    page.say_again(sitting)
                    page.look(sitting)
                    decide(page, sitting, random)
                if not page.scene["live"]:
                    break
            assert not steady.errors
        assert others == WEAK or page.scene["actor"] is None
