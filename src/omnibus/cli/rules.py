"""`omnibus rules` and `omnibus games`: what there is to play, and how."""

from __future__ import annotations

from rich.markdown import Markdown
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from omnibus import games as catalogue
from omnibus.cli.console import console, language
from omnibus.cli.parameters import GameName, Language
from omnibus.kernel import perft
from omnibus.kernel.rulebook import Picture, rulebook


def rules(game: GameName, lang: Language = None) -> None:
    """Print the complete rules of a game.

    Pictures are replaced by their captions.
    """
    out = console()
    for block in rulebook(game, lang or language()):
        if isinstance(block, Picture):
            out.print(Padding(Text(f"▣ {block.caption}", "italic"), (1, 4)))
        else:
            out.print(Markdown(block))


def games() -> None:
    """List the games with their seats and options.

    The last line says whether the core is compiled.
    """
    grid = Grid("game", "title", "seats", "options", box=None, pad_edge=False)
    for name in catalogue.names():
        found = catalogue.find(name)
        options = [f"{key}: {option.described()} — {option.text}" for key, option in found.options.items()]
        grid.add_row(name, found.title, ", ".join(map(str, found.seats)), "\n".join(options))
    out = console()
    out.print(grid)
    out.print(f"\nThe core runs {'compiled' if compiled() else 'interpreted'}.")


def compiled() -> bool:
    """Tell whether the compiled core is the one that runs."""
    return not perft.__file__.endswith(".py")
