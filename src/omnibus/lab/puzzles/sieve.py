"""Find positions that may be puzzles, in games `hard` plays against itself and in records.

A short search is all that this costs, and in games the miner plays it is the search that finds the move anyway. Where
nothing is hidden, other endings of each game are played too, quickly, and solved from the end or searched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from omnibus.bots import bot
from omnibus.bots.bot import Bot, Candidate
from omnibus.kernel.game import Game
from omnibus.kernel.match import Match
from omnibus.lab.puzzles.document import Source
from omnibus.lab.puzzles.exact import solve

LEVEL: Final = "hard"
SIMULATIONS: Final = 400
"""So many simulations the bot makes for each move."""
VARIETY: Final = 1 / 6
"""So often it plays one of its next best moves instead: without that, an open game would always go the same way."""
NEXT_BEST: Final = 4
"""One of so many, the best included."""
LEAST_LINES: Final = 5
"""With fewer legal lines a position is no puzzle."""
MOST_SOLUTIONS: Final = 4
"""With more good lines than this a position is no puzzle …"""
MOST_OF_THE_LINES: Final = 1 / 3
"""… nor if they are more than this part of all legal lines."""
GAP: Final = 0.15
"""By so much the solution of a puzzle is better than every other line."""
HINT: Final = 0.15
"""By so much a short search has to tell the best lines from the others."""
OBVIOUS: Final = 0.15
"""So much less a position promises if the line that looks best at once is among the best ones."""
ENDGAME: Final = 16
"""Positions with at most so many plies to come are solved exactly, if nothing is hidden."""
ENDINGS: Final = 16
"""So many other endings are played of each game, from one of its last plies on …"""
BRANCHES: Final = 32
"""… of which there are so many."""
QUICK: Final = 24
"""Simulations for each move of another ending."""
POSITIONS: Final = 3_000
"""So many positions are gone through at most to solve a position in an ending."""
TRIED: Final = 6
"""After so many other endings without a solved position that has a gap, no more are solved."""
KEPT: Final = 3
"""Of all endings of a game, so many solved positions are kept at most: they resemble each other."""
SEARCHED: Final = 6
"""Of endings that are searched, so many positions are kept at most, each of another ending."""
AGAIN: Final = 4
"""So many times as long a promising position is searched again with another seed: most of them only looked so."""


class Position(Struct, frozen=True):
    """A position that may be a puzzle, as a full state; what is hidden from the seat is redealt later."""

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


def too_many(number: int, lines: int) -> bool:
    """Tell whether so many good lines out of all legal ones leave nothing to find."""
    return number > MOST_OF_THE_LINES * lines


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
    """Return how much a position promises to be a puzzle; 0 if a short search does not see a few good lines.

    That is the gap between them and the others, less something if the obvious line is among them.
    """
    if len(game.legal(state)) < LEAST_LINES:
        return 0.0
    seat = state.actor
    found = sorted(candidates, key=lambda each: -each.shares[seat])
    shares: list[float] = [each.shares[seat] for each in found]
    number = solutions(shares, HINT)
    if not number or too_many(number, len(game.legal(state))):
        return 0.0
    is_obvious = obvious(game, state) in [each.move for each in found[:number]]
    return max(0.0, shares[number - 1] - shares[number] - OBVIOUS * is_obvious)


def begins_turn(plies: Sequence[tuple[Any, str]], seat: int) -> bool:
    """Tell whether a seat begins its turn after these plies: the last decision was another's."""
    return next((actor != seat for actor, _ in reversed(plies) if actor != "chance"), True)


def played(game: Game[Any], number: int, *, seats: int, seed: int) -> list[Position]:
    """Let the bot play a game against itself, and return the positions in it and its endings that promise something."""
    match = Match.new(game.name, seats=seats, dice=False)
    chance = Random(f"{seed} {number}")
    player = bot(LEVEL, game, seed=chance.getrandbits(32), simulations=SIMULATIONS)
    longer = bot(LEVEL, game, seed=number, simulations=AGAIN * SIMULATIONS)
    found: list[tuple[int, int, dict[str, Any], float]] = []
    while match.actor is not None:
        state = match.state
        if match.actor == "chance":
            match.play_move(game.chance_at(state, chance.randrange(game.chance_total(state))))
            continue
        view = game.view(state, state.actor)
        supposed, candidates = player.candidates(view)
        if begins_turn(match.plies, state.actor) and (hint := promise(game, supposed, candidates)):
            hint = min(hint, promise(game, *longer.candidates(view)))
            if hint:
                found.append((match.length, state.actor, game.position(state), hint))
        match.play_move(_varied(candidates, chance))
    return [
        *(
            Position(Source(ply, seed=seed, game=number), seat, document, match.length - ply, hint)
            for ply, seat, document, hint in found
        ),
        *endings(match, Source(0, seed=seed, game=number)),
    ]


def _varied(candidates: Sequence[Candidate], random: Random) -> int:
    """Return the best move, or now and then one of the next best."""
    return (random.choice(candidates[:NEXT_BEST]) if random.random() < VARIETY else candidates[0]).move


def endings(match: Match, source: Source) -> list[Position]:
    """Return positions with a gap in the end of a game without secrets, and in other endings of it.

    They are solved. Where that finds nothing, because the ends are too large, the other endings are searched instead.
    """
    if not _is_open(match):
        return []
    known: dict[bytes, list[float]] = {}
    found = solved_in(match, source, known)
    others: list[tuple[Match, int, Source]] = []
    for ending in range(1, ENDINGS + 1):
        others.append(_other_ending(match, replace(source, ending=ending)))
        if found or ending <= TRIED:
            found += solved_in(others[-1][0], others[-1][2], known)
    if found:
        return sorted(found, key=lambda each: -each.hint)[:KEPT]
    searched = [position for other in others if (position := searched_in(*other))]
    return sorted(searched, key=lambda each: -each.hint)[:SEARCHED]


def _other_ending(match: Match, source: Source) -> tuple[Match, int, Source]:
    """Play another ending of a game; return it, the ply from which on it is another one, and where it comes from."""
    random = Random(f"{source.seed} {source.game} {source.ending}")
    other = match.at(random.randrange(max(0, match.length - BRANCHES), match.length))
    since = other.length
    player = bot(LEVEL, match.game, seed=random.getrandbits(32), simulations=QUICK)
    _play_on(other, player, random)
    return other, since, source


def searched_in(match: Match, since: int, source: Source) -> Position | None:
    """Search the turns that begin after a ply; return the most promising position, if any."""
    game = match.game
    best: Position | None = None
    player, longer = (bot(LEVEL, game, seed=source.ending, simulations=times * SIMULATIONS) for times in (1, AGAIN))
    for ply, state in _turns(match):
        if ply <= since or len(game.legal(state)) < LEAST_LINES:
            continue
        view, least = game.view(state, state.actor), best.hint if best else 0.0
        hint = promise(game, *player.candidates(view))
        if hint > least and (hint := min(hint, promise(game, *longer.candidates(view)))) > least:
            place = replace(source, ply=ply)
            best = Position(place, state.actor, game.position(state), match.length - ply, hint)
    return best


def _is_open(match: Match) -> bool:
    """Tell whether everybody saw everything near the end of a game."""
    state = match.states[max(0, match.length - ENDGAME)]
    views = [match.game.view(state, seat) | {"viewer": None} for seat in range(match.seats)]
    return all(view == views[0] for view in views)


def _play_on(match: Match, player: Bot, random: Random) -> None:
    """Play a game to its end: a move at random, then what the bot likes, with some variety."""
    game = match.game
    if isinstance(match.actor, int):
        match.play_move(random.choice(game.legal(match.state)))
    while match.actor is not None:
        state = match.state
        if match.actor == "chance":
            match.play_move(game.chance_at(state, random.randrange(game.chance_total(state))))
        else:
            match.play_move(_varied(player.candidates(game.view(state, state.actor))[1], random))


def solved_in(match: Match, source: Source, known: dict[bytes, list[float]]) -> list[Position]:
    """Solve a finished game from its end as far back as possible; return the earliest position with a gap, if any.

    `known` is what has been found out about other endings of the same game.
    """
    game, found = match.game, []
    for ply, state in reversed([each for each in _turns(match) if match.length - each[0] <= ENDGAME]):
        if len(game.legal(state)) < LEAST_LINES:
            continue
        answer = solve(game, state, POSITIONS, known)
        if answer is None:
            break
        shares = sorted((each[state.actor] for each in answer.shares.values()), reverse=True)
        if (number := solutions(shares)) and not too_many(number, len(shares)):
            good = [move for move, each in answer.shares.items() if each[state.actor] >= shares[number - 1]]
            hint = 1 - OBVIOUS * (obvious(game, state) in good)
            place = replace(source, ply=ply)
            found = [Position(place, state.actor, game.position(state), match.length - ply, hint)]
    return found


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
    if match.actor is None and _is_open(match):
        found += solved_in(match, Source(0, seed=seed, record=digest), {})
    return found


def _turns(match: Match) -> Iterator[tuple[int, Any]]:
    """Yield the positions in which a turn begins."""
    for ply, (actor, _) in enumerate(match.plies):
        if actor != "chance" and begins_turn(match.plies[:ply], int(actor)):
            yield ply, match.states[ply]
