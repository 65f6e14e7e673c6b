"""The contestants of an arena: built-in bots with their limits, and external programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from omnibus.bots import ERRING, THINKERS, Bot, bot, checked_seconds, checked_simulations, names
from omnibus.kernel.game import Document, Game
from omnibus.kernel.record import LONGEST_NAME

SECONDS: Final = 0.2
"""The default thinking time per move."""
NO_ERRORS: Final = "errors=no"


@dataclass(frozen=True, slots=True)
class Contestant:
    """A built-in bot, or a command that speaks the line protocol; equal ones are the same contestant."""

    level: str = ""
    command: str = ""
    seconds: float | None = None
    simulations: int | None = None
    errors: bool = True

    @property
    def label(self) -> str:
        """The bot as it is typed, `hard:seconds=0.2,simulations=500` or `medium:errors=no`, or the command."""
        if not self.errors:
            return f"{self.level}:{NO_ERRORS}"
        limits = {"seconds": self.seconds, "simulations": self.simulations}
        told = ",".join(f"{name}={value:g}" for name, value in limits.items() if value is not None)
        return (self.level or self.command) + (f":{told}" if told and self.level else "")

    @property
    def name(self) -> str:
        """The label, shortened to what a record may hold."""
        shown = "".join(letter if letter.isprintable() else " " for letter in self.label)
        return shown if len(shown) <= LONGEST_NAME else shown[: LONGEST_NAME - 1] + "…"

    def document(self) -> Document:
        """Return it as JSON, for the results log."""
        return {key: value for key, value in asdict(self).items() if value not in (None, "") and value is not True}

    def seated(self, game: Game[Any], seed: int | None) -> Bot:
        """Return a bot of this level."""
        limits: dict[str, Any] = {"seconds": self.seconds, "simulations": self.simulations}
        limits["errors"] = None if self.errors else False
        return bot(self.level, game, seed=seed, **{name: value for name, value in limits.items() if value is not None})


def contestant(text: str, seconds: float | None, simulations: int | None) -> Contestant:
    """Read `NAME[:seconds=0.2,simulations=500]` or `medium:errors=no`; limits it does not name are those given."""
    level, colon, told = text.partition(":")
    if level not in names():
        raise ValueError(
            f"there is no bot {level!r}; there are: {', '.join(names())} (use --program for an external one)"
        )
    if level not in THINKERS:
        if level in ERRING and told == NO_ERRORS:
            return Contestant(level, errors=False)
        if colon:
            raise ValueError(f"{level} answers at once and takes no limits, so {text!r} is not possible")
        return Contestant(level)
    return _limited(Contestant(level, "", *_limits(text, told)) if colon else Contestant(level), seconds, simulations)


def program(command: str, seconds: float | None, simulations: int | None) -> Contestant:
    """Return an external program as a contestant."""
    if not command.strip():
        raise ValueError("--program needs a command")
    return _limited(Contestant(command=command), seconds, simulations)


def _limited(one: Contestant, seconds: float | None, simulations: int | None) -> Contestant:
    """Give a contestant without its own limits the common ones, or the default time."""
    if one.seconds is not None or one.simulations is not None:
        return one
    if seconds is None and simulations is None:
        seconds = SECONDS
    checked_seconds(seconds)
    checked_simulations(simulations)
    return Contestant(one.level, one.command, seconds, simulations)


def _limits(text: str, told: str) -> tuple[float | None, int | None]:
    seconds: float | None = None
    simulations: int | None = None
    for pair in told.split(","):
        name, _, value = pair.partition("=")
        try:
            if name == "seconds":
                seconds = checked_seconds(float(value))
            elif name == "simulations":
                simulations = checked_simulations(int(value))
            else:
                raise ValueError
        except ValueError:
            raise ValueError(
                f"{text!r} cannot be read: limits are seconds=0.2 and simulations=500, both more than 0"
            ) from None
    return seconds, simulations
