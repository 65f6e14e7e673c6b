"""`master`: the tree search of `hard` with a trained network. Needs numpy.

Where the network has a policy, it guides the search (`bots.guided`). A value network judges positions in place of the
judgement of `hard` (`bots.value_search`).

Where no network was trained for the rules, seats and options of a position, it logs a warning and plays like `hard`.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from math import inf
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, Final

from omnibus.bots import value_search
from omnibus.bots.bot import Candidate, Idea, View
from omnibus.bots.guided import Leaf, descend, grow, update
from omnibus.bots.hard import PUNCTUAL, WIDTH, Hard, affordable, lead
from omnibus.bots.network import AnyNetwork, PolicyNetwork, read
from omnibus.bots.reasons import MOST, Reasons
from omnibus.bots.search import LEAST, Node
from omnibus.bots.turn import Plan, plans
from omnibus.bots.value_network import ValueNetwork
from omnibus.bots.weights import fitting
from omnibus.kernel.game import OVER, Game, Words
from omnibus.kernel.i18n import mark

LOG: Final = logging.getLogger("omnibus.bots")
LEAVES: Final = 16
"""The network is asked about so many positions at a time once the tree is large enough."""
TOGETHER: Final = 4
"""A value network is asked about the moves of so many positions at a time once the tree is large enough."""

DIFFERENT: Final = 0.15
"""The network's share and that of the judgement, from which the reasons come, disagree if they differ by so much."""
SEES_MORE: Final = mark("the neural network rates this higher than these reasons explain")
SEES_LESS: Final = mark("the neural network rates this lower than these reasons explain")

_networks: dict[Path, AnyNetwork] = {}
"""Networks that have been read: all masters of a process share them."""


def network_for(game: Game[Any], state: Any) -> AnyNetwork | None:
    """Return the network for a game with the seats and options of a state; None if there is none."""
    card = fitting(game, state)
    if card is None:
        LOG.warning("no network for %s with these rules, seats and options: master plays like hard", game.name)
        return None
    if card.file not in _networks:
        _networks[card.file] = read(game, state, card.file)
    return _networks[card.file]


class Master(Hard):
    """Information-set tree search with a network."""

    def __init__(
        self,
        game: Game[Any],
        random: Random,
        seconds: float | None,
        simulations: int | None,
        network: AnyNetwork | None = None,
    ) -> None:
        """Use this network, or the one that comes with the game."""
        super().__init__(game, random, seconds, simulations)
        self.network = network
        self._given = network is not None

    def _think(self, state: Any, view: View) -> list[Candidate]:
        if not self._given:
            self.network = network_for(self.game, state)
        candidates = super()._think(state, view)
        if not isinstance(self.network, PolicyNetwork):
            return candidates
        return [one for one in candidates if one.visits] or candidates[:1]  # nothing is known of the others

    def _search(self, root: Node, state: Any, view: View) -> None:
        if not isinstance(self.network, PolicyNetwork):
            super()._search(root, state, view)
            return
        began = perf_counter()
        deadline = inf if self.seconds is None else self._began + self.seconds * PUNCTUAL
        states = self._redeals(state, view)
        if not root.children:
            self._evaluate(descend(self.game, root, states, 0, 1, self.random.random))
        if self._wins_now(root, state, deadline):
            return
        left = self.simulations - 1 if self.simulations else 1 << 60
        done = 1
        while left > 0 and (done < LEAST or perf_counter() < deadline):
            number = min(LEAVES, 1 + root.visits // 4, left)
            self._evaluate(descend(self.game, root, states, done, number, self.random.random))
            done += number
            left -= number
            if lead(root) > min(left, affordable(done, began, deadline)):
                break
        self.simulations_made += done
        self.seconds_searched += perf_counter() - began

    def _plans(self, state: Any, deadline: float) -> list[Plan]:
        if not isinstance(self.network, ValueNetwork):
            return super()._plans(state, deadline)
        return value_search.plans(self.game, state, self.network.evaluate, WIDTH, deadline, perf_counter)

    def simulate(self, root: Node, states: list[Any], number: int, deadline: float = inf) -> int:
        """Simulate from the states in turn, so many times or until the deadline; return how often."""
        random = self.random.random
        if isinstance(self.network, ValueNetwork):
            asked = self.network.evaluate
            return value_search.search(self.game, root, states, random, asked, TOGETHER, number, deadline, perf_counter)
        if self.network is None:
            return super().simulate(root, states, number, deadline)
        done = 0
        while done < number and (done < LEAST or perf_counter() < deadline):
            leaves = min(LEAVES, 1 + root.visits // 4, number - done)
            self._evaluate(descend(self.game, root, states, done, leaves, random))
            done += leaves
        return done

    def _idea(self, view: View, line: str, candidate: Candidate, why: Reasons, words: Words) -> Idea:
        """Also say where the network and the judgement disagree: the shares are the network's, the reasons are not."""
        idea = super()._idea(view, line, candidate, why, words)
        if self.network is None:
            return idea
        more = idea.share - self.game.judge(candidate.after())[view["viewer"]]
        if more >= DIFFERENT:
            return replace(idea, reasons=(*idea.reasons[: MOST - 1], words.gettext(SEES_MORE)))
        if more <= -DIFFERENT:
            return replace(idea, doubts=(*idea.doubts[: MOST - 1], words.gettext(SEES_LESS)))
        return idea

    def _evaluate(self, leaves: list[Leaf]) -> None:
        if leaves:
            assert isinstance(self.network, PolicyNetwork)
            for leaf, logits, shares in zip(leaves, *self.network.evaluate(leaves), strict=True):
                grow(leaf, logits, shares)

    def _wins_now(self, root: Node, state: Any, deadline: float) -> bool:
        """Tell whether a move leads to a certain win in this turn; it then counts as the most visited one."""
        seat = state.actor
        for plan in plans(self.game, state, self.random.random, WIDTH, deadline, perf_counter):
            if plan.shares[seat] == 1 and plan.after.actor == OVER and plan.move in root.places:
                child = root.children[root.places[plan.move]]
                for _ in range(1 + max(other.visits for other in root.children) - child.visits):
                    child.visits += 1
                    update([child], plan.shares)
                return True
        return False
