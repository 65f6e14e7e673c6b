"""The command `omnibus`."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.markdown import Markdown
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid
from rich.text import Text

from omnibus import __version__
from omnibus import games as shelf
from omnibus.bots import bot, checked_seconds, checked_simulations
from omnibus.bots import names as bot_names
from omnibus.cli import admin
from omnibus.cli.terminal import Table, board, console, language, seat_names
from omnibus.kernel import perft as loops
from omnibus.kernel.dice_proof import tell
from omnibus.kernel.dice_proof import verify as verify_dice
from omnibus.kernel.game import Game
from omnibus.kernel.i18n import COMMON_TEXTS, LANGUAGES, words
from omnibus.kernel.match import Match
from omnibus.kernel.rulebook import Picture, rulebook
from omnibus.lab.arena.command import hold_contest
from omnibus.lab.protocol import Limits, Speaker
from omnibus.lab.protocol import serve as speak
from omnibus.lab.simulate import Statistics, simulate

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
)

app.add_typer(admin.app, name="admin")

GameName = Annotated[str, typer.Argument(metavar="GAME", help="the game, as `omnibus games` names it")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="a .game record")]
Seats = Annotated[int | None, typer.Option(help="how many seats [default: the fewest]")]
Options = Annotated[list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="an option of the game")]
City = Annotated[Path | None, typer.Option("--city", metavar="FILE", help="a map (JSON) as the option `city`")]
Seed = Annotated[int | None, typer.Option(help="the seed of chance [default: a fresh one]")]
Ply = Annotated[int | None, typer.Option(help="stop after so many plies [default: all]")]
Viewer = Annotated[int | None, typer.Option("--seat", help="whose view [default: a spectator's]")]
Language = Annotated[
    str | None, typer.Option("--lang", help=f"one of {', '.join(LANGUAGES)} [default: the terminal's]")
]


def main() -> NoReturn:
    """Run the command; what a person got wrong is told in one sentence, with exit code 2."""
    _mend_streams()
    try:
        app()
    except (ValueError, OSError) as error:
        print(f"omnibus: {_sentence(error)}", file=sys.stderr)  # noqa: T201 — rich would wrap the sentence
        sys.exit(2)
    sys.exit(0)


def _mend_streams() -> None:
    """Let what a terminal cannot show appear as a question mark, and closed streams lead nowhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 — it stays open to the end
        getattr(sys, name).reconfigure(errors="replace")


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"omnibus {__version__}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="show it and stop")]


@app.callback()
def about(version: Version = False) -> None:
    """Omnibus: city board games to play, replay, draw and measure."""


@app.command()
def play(
    game: GameName,
    opponent: Annotated[
        str, typer.Option("--bot", help=f"{', '.join(bot_names())}, or none: all at this keyboard")
    ] = "medium",
    seat: Annotated[int | None, typer.Option(help="your seat [default: 0]")] = None,
    seats: Seats = None,
    option: Options = None,
    city: City = None,
    seed: Seed = None,
    lang: Language = None,
    record: Annotated[Path | None, typer.Option(help="keep the record there, move by move")] = None,
) -> None:
    """Play in the terminal, against bots or with others at one keyboard."""
    found = shelf.find(game)
    match = Match.new(game, seats=seats, options=_options(found, option, city), seed=seed)
    own = 0 if seat is None else seat
    if not 0 <= own < match.seats:
        raise ValueError(f"there is no seat {own}; there are 0 to {match.seats - 1}")
    others = [] if opponent == "none" else [other for other in range(match.seats) if other != own]
    bots = {other: bot(opponent, found, seed=None if seed is None else seed + other) for other in others}
    Table(match, bots, lang or language(), console(), record).play()


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="where to listen; others reach 0.0.0.0")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any free one")] = 8787,
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="where tables are kept")] = None,
    public_url: Annotated[
        str | None, typer.Option(metavar="URL", help="the address others know it by, as https://games.example.org")
    ] = None,
    proxy: Annotated[
        list[str] | None, typer.Option(metavar="ADDRESS", help="believe the X-Forwarded headers of this proxy")
    ] = None,
    browser: Annotated[bool, typer.Option(" /--no-browser", help="do not open the page")] = True,
    smtp: Annotated[
        str,
        typer.Option(
            metavar="URL", envvar="OMNIBUS_SMTP", help="a mail server: smtp://user:password@host:587?from=ADDRESS"
        ),
    ] = "",
    private_webhooks: Annotated[
        bool, typer.Option("--private-webhooks", help="send webhooks to addresses that are not public, too")
    ] = False,
) -> None:
    """Play in the browser: the house with its tables, for this machine or for others."""
    from omnibus.server import serve as server  # here, because no other command needs it

    config = server.arranged(host, public_url, proxy or [], smtp=smtp, private_webhooks=private_webhooks)
    server.serve(config, port, data, browser=browser)


@app.command()
def replay(file: File, ply: Ply = None, seat: Viewer = None, lang: Language = None) -> None:
    """Tell a recorded game and show where it stands."""
    match = _read(file, ply)
    game = match.game
    told = words(lang or language(), game.folder, COMMON_TEXTS)
    names = match.names or seat_names(match.seats, told)
    out = console()
    view = match.view(seat)
    for number, sentence in match.log(seat, names, told):
        out.print(Text.assemble((f"{number:>4}  ", "section"), sentence))
    out.print(board(game.text(view, told)))
    out.print(Text(game.status(view, names, told), "status"))


@app.command()
def verify(file: File, lang: Language = None) -> None:
    """Check the dice of a recorded game: exit code 0 if they are verified, 1 if not, 2 if it cannot be read."""
    told = words(lang or language(), COMMON_TEXTS)
    with _naming(file):
        proof = verify_dice(file.read_text(encoding="utf-8"))
    verdict, *sentences = tell(proof, told)
    out = console()
    out.print(Text(verdict, "status"))
    for sentence in sentences:
        out.print(Text(sentence))
    for name, value in ((told.gettext("Commitment"), proof.commitment), (told.gettext("Seed"), proof.seed)):
        if value is not None:
            out.print(Text.assemble((f"{name}  ", "section"), value), soft_wrap=True)
    raise typer.Exit(0 if proof.verified else 1)


@app.command()
def draw(
    file: File,
    ply: Ply = None,
    seat: Viewer = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="the picture [default: standard output]")
    ] = None,
    lang: Language = None,
) -> None:
    """Draw a position of a recorded game as SVG."""
    match = _read(file, ply)
    picture = match.game.svg(match.view(seat), words(lang or language(), match.game.folder, COMMON_TEXTS))
    if output is None:
        sys.stdout.write(picture + "\n")
    elif output.exists() and output.samefile(file):
        raise ValueError(f"{output} is the record itself; the picture needs a file of its own")
    else:
        output.write_text(picture + "\n", encoding="utf-8")


@app.command()
def rules(game: GameName, lang: Language = None) -> None:
    """Read the complete rules of a game; of a picture stands here what it shows."""
    out = console()
    for block in rulebook(game, lang or language()):
        if isinstance(block, Picture):
            out.print(Padding(Text(f"▣ {block.caption}", "italic"), (1, 4)))
        else:
            out.print(Markdown(block))


@app.command()
def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, help="how many plies")],
    seats: Seats = None,
    option: Options = None,
    city: City = None,
    position: Annotated[Path | None, typer.Option(help="a position document (JSON) to begin from")] = None,
    split: Annotated[bool, typer.Option("--split", help="count behind each line")] = False,
) -> None:
    """Count the sequences of plies of a length; every possible chance counts once."""
    found = shelf.find(game)
    if position and (seats or option or city):
        raise ValueError("a position tells seats and options itself; leave --seats and --option out, and --city")
    if position is None:
        match = Match.new(game, seats=seats, options=_options(found, option, city), dice=False)
    else:
        match = _placed(game, position)
    out = console()
    if split:
        for line, nodes in loops.split(found, match.state, depth):
            out.print(f"{line}: {nodes:,}")
    began = time.perf_counter()
    nodes = loops.perft(found, match.state, depth)
    took = time.perf_counter() - began
    out.print(f"{nodes:,} nodes at depth {depth} in {took:.2f} s")


@app.command("simulate")
def simulate_games(
    game: GameName,
    number: Annotated[int, typer.Option("--games", min=1, help="how many games")] = 1000,
    seats: Seats = None,
    option: Options = None,
    city: City = None,
    bots: Annotated[str, typer.Option(help="a bot for all seats, or one for each, separated by commas")] = "random",
    seed: Annotated[int, typer.Option(help="the seed of the whole series")] = 0,
) -> None:
    """Play many games between bots and count how they end."""
    found = shelf.find(game)
    match = Match.new(game, seats=seats, options=_options(found, option, city), dice=False)
    seated = _seated(bots, match.seats)
    out = console()
    bar = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    began = time.perf_counter()
    with Progress(*bar, console=out, transient=True) as progress:
        task = progress.add_task(found.title, total=number)
        statistics = simulate(
            found,
            number,
            seats=match.seats,
            options=match.options,
            bots=seated,
            seed=seed,
            tick=lambda: progress.advance(task),
        )
    length = f"{statistics.decisions / number:.1f} decisions each, at most {statistics.longest}"
    out.print(f"{found.title}: {number:,} games, {length}", style="bold")
    out.print(_table(statistics, seated))
    took = time.perf_counter() - began
    out.print(f"{statistics.decisions:,} decisions in {took:.1f} s, {statistics.decisions / took:,.0f} a second")


@app.command()
def arena(
    game: GameName,
    contestants: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME[:seconds=S,simulations=N]…", help=f"who sits down: {', '.join(bot_names())}"),
    ] = None,
    program: Annotated[
        list[str] | None,
        typer.Option("--bot", metavar="COMMAND", help="an outside program; it comes before those named"),
    ] = None,
    number: Annotated[int, typer.Option("--games", min=1, help="how many games, rounded up to whole rounds")] = 100,
    seats: Seats = None,
    option: Options = None,
    city: City = None,
    seconds: Annotated[float | None, typer.Option(help="thinking time for a move [default: 0.2]")] = None,
    simulations: Annotated[int | None, typer.Option(help="simulations for a move, instead of or besides")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="how many processes [default: one for each core]")] = None,
    seed: Annotated[int, typer.Option(help="the seed of the whole contest")] = 0,
    sprt: Annotated[bool, typer.Option("--sprt", help="stop as soon as a sequential test has decided")] = False,
    elo: Annotated[str, typer.Option(metavar="E0,E1", help="the two leads in Elo that it decides between")] = "0,50",
    keep: Annotated[
        Path | None, typer.Option(metavar="DIR", help="keep records and journal there; the same again goes on from it")
    ] = None,
) -> None:
    """Let bots and outside programs meet, everyone in every seat equally often.

    The contestants fill the seats, the last one as often as needed; with more of them than seats, all meet all.
    """
    raise typer.Exit(
        hold_contest(
            game,
            contestants or [],
            program or [],
            number,
            seats=seats,
            options=_options(shelf.find(game), option, city),
            seconds=seconds,
            simulations=simulations,
            jobs=jobs,
            seed=seed,
            sprt=elo if sprt else None,
            keep=keep,
            out=console(),
        )
    )


@app.command()
def protocol(
    level: Annotated[str, typer.Option("--bot", help=f"one of {', '.join(bot_names())}")] = bot_names()[-1],
    seconds: Annotated[float | None, typer.Option(help="thinking time for a move [default: 0.2]")] = None,
    simulations: Annotated[int | None, typer.Option(help="simulations for a move, instead of or besides")] = None,
    seed: Annotated[int | None, typer.Option(help="the seed of the bot [default: a fresh one]")] = None,
) -> None:
    """Let another program run a bot, by lines on standard input and output (docs/protocol.md)."""
    speaker = Speaker(level, Limits(checked_seconds(seconds), checked_simulations(simulations)), seed, _say)
    try:
        speak(speaker, sys.stdin.buffer)
    except BrokenPipeError:  # nobody listens any more, not even to what is still to be written
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(line: str) -> None:
    """Write a line for a program that waits for it, in UTF-8 whatever the terminal speaks."""
    sys.stdout.buffer.write(line.encode() + b"\n")
    sys.stdout.buffer.flush()


@app.command()
def games() -> None:
    """List the games, their seats and options, and whether the core is compiled."""
    grid = Grid("game", "title", "seats", "options", box=None, pad_edge=False)
    for name in shelf.names():
        found = shelf.find(name)
        options = [f"{key}: {option.described()} — {option.text}" for key, option in found.offered.items()]
        grid.add_row(name, found.title, ", ".join(map(str, found.seats)), "\n".join(options))
    out = console()
    out.print(grid)
    out.print(f"\nThe core runs {'compiled' if compiled() else 'interpreted'}.")


def compiled() -> bool:
    """Tell whether the compiled core is the one that runs."""
    return not loops.__file__.endswith(".py")


def _options(game: Game[Any], pairs: list[str] | None, city: Path | None) -> dict[str, Any]:
    """Read NAME=VALUE pairs, and a map from a file; what is no choice of the option is left to the match to refuse."""
    options: dict[str, Any] = {}
    for pair in pairs or []:
        name, equals, value = pair.partition("=")
        if not equals:
            raise ValueError(f"an option is NAME=VALUE, not {pair!r}; {game.title} has: {', '.join(game.offered)}")
        choices = game.options[name].choices if name in game.options else ()
        options[name] = next((choice for choice in choices if str(choice).lower() == value.lower()), value)
    if city is not None:
        with _naming(city):
            options["city"] = _document(city)
    return options


def _seated(bots: str, seats: int) -> list[str]:
    seated = [name.strip() for name in bots.split(",")]
    if len(seated) == 1:
        seated *= seats
    if len(seated) != seats:
        raise ValueError(f"there are {seats} seats, but {len(seated)} bots")
    for name in seated:
        if name not in bot_names():
            raise ValueError(f"there is no bot {name!r}; there are: {', '.join(bot_names())}")
    return seated


def _read(file: Path, ply: int | None) -> Match:
    with _naming(file):
        match = Match.read(file.read_text(encoding="utf-8"))
        return match if ply is None else match.at(ply)


@contextmanager
def _naming(file: Path) -> Iterator[None]:
    """Say of which file something is wrong."""
    try:
        yield
    except UnicodeDecodeError:
        raise ValueError(f"{file}: this is not text") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{file}: {error}") from None


def _placed(game: str, file: Path) -> Match:
    with _naming(file):
        return Match.from_position(game, _document(file), dice=False)


def _document(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ValueError(f"this is not JSON: {error}") from None


def _table(statistics: Statistics, seated: list[str]) -> Grid:
    number = statistics.games
    grid = Grid("", "share", "games", box=None, pad_edge=False)
    for seat, name in enumerate(seated):
        wins = statistics.wins[seat]
        grid.add_row(f"seat {seat} ({name}) wins", f"{wins / number:.1%}", f"{wins:,.0f}")
    if statistics.undecided:
        grid.add_row("nobody wins", f"{statistics.undecided / number:.1%}", f"{statistics.undecided:,}")
    for reason, times in sorted(statistics.reasons.items(), key=lambda item: -item[1]):
        grid.add_row(f"ended by {reason}", f"{times / number:.1%}", f"{times:,}")
    for tie_break, times in sorted(statistics.tie_breaks.items()):
        grid.add_row(f"tie broken by {tie_break}", f"{times / number:.1%}", f"{times:,}")
    return grid
