"""The bot's side of the line protocol: Omnibus bots run by other programs (docs/protocol.md)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any, Final

from omnibus import __version__, games
from omnibus.bots import THINKERS, Bot, checked_seconds, checked_simulations, names
from omnibus.kernel.choices import check_rules
from omnibus.kernel.game import Document, Game
from omnibus.lab.arena.contestants import SECONDS, Contestant

VERSION: Final = 1
LONGEST_LINE: Final = 4 << 20
"""In bytes; longer lines are refused. The largest views have some ten thousand."""


@dataclass
class Limits:
    """How long a bot may think about a move."""

    seconds: float | None = None
    simulations: int | None = None


class BotServer:
    """Answers lines with lines until it is told to quit, whatever it is sent."""

    def __init__(self, level: str, limits: Limits, seed: int | None, send: Callable[[str], None]) -> None:
        self.limits = limits
        self.seed = seed
        self.send = send
        self._level = ""
        self._game: Game[Any] | None = None
        self._view: Document | None = None
        self._bot: Bot | None = None
        self._bot_limits = Limits()
        self._set_level(level)

    def receive(self, line: str) -> bool:
        """Answer a line; False after `quit`."""
        word, _, rest = line.strip().partition(" ")
        if word == "quit":
            return False
        commands: dict[str, Callable[[str], None]] = {
            "omnibus": self._hello,
            "set": self._set,
            "game": self._begin,
            "view": self._look,
            "go": self._go,
            "explain": self._explain,
            "over": lambda rest: None,
        }
        try:
            if word in commands:
                commands[word](rest.strip())
            elif word:
                raise ValueError(f"there is no command {word[:40]!r}; there are: {', '.join(commands)}, quit")
        except ValueError as error:
            self.send(f"error {_flat(str(error))}")
        except Exception as error:  # a malformed view can raise anything; the next one may be good
            self._bot = None
            self.send(f"error no answer was found to this view: {_flat(f'{type(error).__name__}: {error}')}")
        return True

    def _hello(self, rest: str) -> None:
        if rest != str(VERSION):
            raise ValueError(f"this program speaks version {VERSION} of the protocol, not {rest[:40]!r}")
        self.send(f"name Omnibus {self._level} {__version__}")
        self.send(f"option level {'|'.join(names())}")
        self.send("option seed WHOLE_NUMBER")
        self.send("option seconds NUMBER")
        self.send("option simulations WHOLE_NUMBER")
        self.send("ready")

    def _set(self, rest: str) -> None:
        name, _, value = rest.partition(" ")
        setters: dict[str, Callable[[str], None]] = {
            "level": self._set_level,
            "seed": self._set_seed,
            "seconds": lambda value: setattr(self.limits, "seconds", _seconds(value)),
            "simulations": lambda value: setattr(self.limits, "simulations", _simulations(value)),
        }
        if name not in setters:
            raise ValueError(f"there is no option {name[:40]!r}; there are: {', '.join(setters)}")
        setters[name](value.strip())
        self._bot = None
        self.send("ready")

    def _set_level(self, value: str) -> None:
        if value not in names():
            raise ValueError(f"there is no bot {value[:40]!r}; there are: {', '.join(names())}")
        self._level = value

    def _set_seed(self, value: str) -> None:
        self.seed = _whole(value)

    def _begin(self, rest: str) -> None:
        told = _document(rest)
        game = games.find(str(told.get("game")))
        check_rules(game, told.get("rules", game.version))
        self._game, self._view, self._bot = game, None, None
        self.send("ready")

    def _look(self, rest: str) -> None:
        self._view = None
        view = _document(rest)
        if self._game is None or view.get("game") != self._game.name:
            self._game, self._bot = games.find(str(view.get("game"))), None
        view.pop("legal", None)
        self._view = view

    def _go(self, rest: str) -> None:
        bot, view = self._thinker(rest)
        self.send(f"play {bot(view)}")

    def _explain(self, rest: str) -> None:
        bot, view = self._thinker(rest)
        for idea in bot.explain(view):
            told = {
                "line": idea.line,
                "shares": [round(share, 4) for share in idea.shares],
                "visits": idea.visits,
                "reasons": list(idea.reasons),
                "doubts": list(idea.doubts),
            }
            self.send(f"thought {json.dumps(told, ensure_ascii=False)}")
        self.send("ready")

    def _thinker(self, rest: str) -> tuple[Bot, Document]:
        """Return the bot, the same as for the last move if its limits still hold, and the view it answers."""
        limits = _limits(rest, self.limits)
        if self._view is None or self._game is None:
            raise ValueError("no view was sent")
        if self._bot is None or limits != self._bot_limits:
            thinks = self._level in THINKERS
            chosen = (
                Contestant(self._level, "", limits.seconds, limits.simulations) if thinks else Contestant(self._level)
            )
            self._bot, self._bot_limits = chosen.seated(self._game, self.seed), limits
        return self._bot, self._view


def listen(server: BotServer, source: IO[bytes]) -> None:
    """Answer all lines of a stream, up to its end or `quit`."""
    for line in _lines(source):
        if line is None:
            server.send(f"error a line of more than {LONGEST_LINE} bytes was ignored")
            continue
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            server.send("error this is not text in UTF-8")
            continue
        if not server.receive(text):
            return


def _lines(source: IO[bytes]) -> Iterator[bytes | None]:
    """Read lines; one that is too long is skipped and yielded as None."""
    while line := source.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = source.readline(LONGEST_LINE)
            yield None
        else:
            yield line


def _limits(rest: str, default: Limits) -> Limits:
    """Read `seconds 0.2 simulations 500`; without either, return the limits that were set, or the default."""
    said = rest.split()
    given = dict(zip(said[::2], said[1::2], strict=False))
    if len(said) % 2 or not given.keys() <= {"seconds", "simulations"}:
        raise ValueError(f"limits are `seconds 0.2` and `simulations 500`, not {rest[:40]!r}")
    limits = Limits(
        _seconds(given["seconds"]) if "seconds" in given else None,
        _simulations(given["simulations"]) if "simulations" in given else None,
    )
    if limits != Limits():
        return limits
    return Limits(SECONDS) if default == Limits() else Limits(default.seconds, default.simulations)


def _seconds(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        raise ValueError(f"{text[:40]!r} is not a number of seconds") from None
    return checked_seconds(number)


def _simulations(text: str) -> int | None:
    return checked_simulations(_whole(text))


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{text[:40]!r} is not a whole number") from None


def _document(text: str) -> Document:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"this is not JSON: {error}") from None
    if not isinstance(told, dict):
        raise ValueError("a JSON object was expected")
    return told


def _flat(text: str) -> str:
    """Put a sentence on one line of limited length."""
    return " ".join(text.split())[:400]
