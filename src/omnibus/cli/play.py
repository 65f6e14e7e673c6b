"""`omnibus play`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnibus import games
from omnibus.bots import bot, check_level
from omnibus.bots import names as bot_names
from omnibus.cli.console import console, language
from omnibus.cli.parameters import GameName, Language, Options, Seats, Seed, read_options
from omnibus.cli.terminal_game import TerminalGame
from omnibus.kernel.match import Match


def play(
    game: GameName,
    opponent: Annotated[
        str,
        typer.Option(
            metavar="LEVEL", help=f"Bots for the other seats: {', '.join(bot_names())}, or none to share the keyboard."
        ),
    ] = "medium",
    seat: Annotated[int, typer.Option(help="Your seat, counted from 0.")] = 0,
    seats: Seats = None,
    option: Options = None,
    seed: Seed = None,
    lang: Language = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the record to this file after every move.")
    ] = None,
) -> None:
    """Play in the terminal, against bots or friends."""
    found = games.find(game)
    match = Match.new(game, seats=seats, options=read_options(found, option), seed=seed)
    if not 0 <= seat < match.seats:
        raise ValueError(f"there is no seat {seat}; there are 0 to {match.seats - 1}")
    if opponent != "none":
        check_level(opponent, found, match.state)
    others = [] if opponent == "none" else [other for other in range(match.seats) if other != seat]
    bots = {other: bot(opponent, found, seed=None if seed is None else seed + other) for other in others}
    TerminalGame(match, bots, lang or language(), console(found), record).play()
