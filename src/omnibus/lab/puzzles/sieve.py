"""Find positions that may be puzzles, in games `hard` plays against itself and in records.

A short search is all that this costs, and in games the miner plays it is the search that finds the move anyway.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import Any, Final

from msgspec import Struct

from omnibus.bots import bot
from omnibus.bots.bot import Candidate
from omnibus.kernel.game import Game
from omnibus.kernel.match import Match
from omnibus.lab.puzzles.document import Source

LEVEL: Final = "hard"
SIMULATIONS: Final = 400
"""So many simulations the bot makes for each move."""
LEAST_LINES: Final = 5
"""With fewer legal lines a position is no puzzle."""
MOST_SOLUTIONS: Final = 4
"""With more good lines than this a position is no puzzle."""
GAP: Final = 0.15
"""By so much the solution of a puzzle is better than every other line."""
HINT: Final = 0.10
"""By so much a short search has to tell the best lines from the others, and from the line that looks best at once."""


class Position(Struct, frozen=True):
    """A position that may be a puzzle, as a full state; what is hidden from the seat is dealt anew later."""

    source: Source
    seat: int
    document: dict[str, Any]
    left: int
    """So many plies the game went on after it."""
    hint: float
    """By how much a short search told the best lines from the others."""


def solutions(shares: Sequence[float], gap: float = GAP) -> int:
    """Return how many of the best lines are better than all others by a gap; 0 if there is no such gap."""
    for number in range(1, min(MOST_SOLUTIONS, len(shares) - 1) + 1):
        if shares[number - 1] - shares[number] >= gap:
            return number
    return 0


def obvious(game: Game[Any], state: Any) -> int:
    """Return the move that looks best right after it: the choice of a player who looks one move ahead."""
    seat = state.actor
    best, most = -1, -1.0
    for move in game.legal(state):
        after = state.clone()
        game.apply(after, move)
        share = game.judge(after)[seat]
        if share > most:
            best, most = move, share
    return best


def promise(game: Game[Any], state: Any, candidates: Sequence[Candidate]) -> float:
    """Return by how much a few good lines, not the obvious one, are better in a short search; 0 if there are none."""
    if len(game.legal(state)) < LEAST_LINES:
        return 0.0
    seat = state.actor
    found = sorted(candidates, key=lambda each: -each.shares[seat])
    shares: list[float] = [each.shares[seat] for each in found]
    number = solutions(shares, HINT)
    if not number or obvious(game, state) in [each.move for each in found[:number]]:
        return 0.0
    return shares[number - 1] - shares[number]


def begins_turn(plies: Sequence[tuple[Any, str]], seat: int) -> bool:
    """Tell whether a seat begins its turn after these plies: the last decision was another's."""
    return next((actor != seat for actor, _ in reversed(plies) if actor != "chance"), True)


def played(game: Game[Any], number: int, *, seats: int, seed: int) -> list[Position]:
    """Let the bot play a game against itself, and return the positions that promise to be puzzles."""
    match = Match.new(game.name, seats=seats, dice=False)
    chance = Random(f"{seed} {number}")
    player = bot(LEVEL, game, seed=chance.getrandbits(32), simulations=SIMULATIONS)
    found: list[tuple[int, int, dict[str, Any], float]] = []
    while match.actor is not None:
        state = match.state
        if match.actor == "chance":
            match.play_move(game.chance_at(state, chance.randrange(game.chance_total(state))))
            continue
        supposed, candidates = player.candidates(game.view(state, state.actor))
        if begins_turn(match.plies, state.actor) and (hint := promise(game, supposed, candidates)):
            found.append((match.length, state.actor, game.position(state), hint))
        match.play_move(candidates[0].move)
    return [
        Position(Source(ply, seed=seed, game=number), seat, document, match.length - ply, hint)
        for ply, seat, document, hint in found
    ]


def recorded(text: str, *, seed: int) -> list[Position]:
    """Return the positions of a record that promise to be puzzles."""
    match = Match.read(text)
    game = match.game
    digest = sha256(text.encode()).hexdigest()[:16]
    player = bot(LEVEL, game, seed=seed, simulations=SIMULATIONS)
    found = []
    for ply, state in _turns(match):
        if hint := promise(game, *player.candidates(game.view(state, state.actor))):
            source = Source(ply, seed=seed, record=digest)
            found.append(Position(source, state.actor, game.position(state), match.length - ply, hint))
    return found


def _turns(match: Match) -> Iterator[tuple[int, Any]]:
    """Yield the positions in which a turn begins."""
    for ply, (actor, _) in enumerate(match.plies):
        if actor != "chance" and begins_turn(match.plies[:ply], int(actor)):
            yield ply, match.states[ply]
