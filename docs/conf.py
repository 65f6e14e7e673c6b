"""The documentation site: Sphinx reads the Markdown files of the repository as they are (`python3 dev.py docs`).

The source folder is the repository itself, so that links between pages, and from pages to files, are the same here and
there. What a site needs and a repository does not is added while the pages are read.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "src"))

from omnibus import __version__, games  # noqa: E402 — found through the line above
from omnibus.kernel.rulebook import PICTURE, draw  # noqa: E402

project = "Omnibus"
author = copyright = "the Omnibus contributors"  # noqa: A001 — Sphinx wants this name
version = release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "docs/README"
include_patterns = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/**",
    "examples/README.md",
    "benchmarks/*.md",
    "src/omnibus/games/*/README.md",
    "src/omnibus/games/*/locale/rules.*.md",
    "tests/fourth_game/last_stop/README.md",
]
exclude_patterns = ["build", ".venv", ".git", "dist"]
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

myst_heading_anchors = 4
default_role = "code"  # docstrings put code in single backticks
autodoc_member_order = "bysource"
autodoc_typehints = "signature"

html_theme = "furo"
html_title = "Omnibus"
html_copy_source = False
html_additional_pages = {"index": "start.html"}
templates_path = ["templates"]

DRAWN = ROOT / "build" / "rule-pictures"
LANGUAGE = re.compile(r"\.(it|fr|de)$")
RULES = [f"src/omnibus/games/{game}/locale/rules" for game in games.names()]
ENGINES = [f"/src/omnibus/games/{game}/README" for game in games.names()] + ["/tests/fourth_game/last_stop/README"]

NAVIGATION = {
    "Players": [
        "playing",
        "installing",
        "puzzles",
        "analysis",
        "what-if",
        "same-deal",
        "tournaments",
        "ratings",
        "dice",
        "gallery",
        *(f"/{rules}.en" for rules in RULES),
    ],
    "Hosts": ["hosting", "offline", "security"],
    "Bot writers": ["bots", "protocol", "arena", "api", "commands", "python", "/examples/README"],
    "Researchers": ["research", "environments/README", "training", "open-data", "figures"],
    "Measurements": ["/benchmarks/RESULTS", "/benchmarks/STRENGTH"],
    "Contributors": [
        "/CONTRIBUTING",
        "adding-a-game",
        "decisions/README",
        "releasing",
        "/CHANGELOG",
        "/README",
        *ENGINES,
    ],
    "Italiano": ["playing.it", *(f"/{rules}.it" for rules in RULES)],
    "Français": ["playing.fr", *(f"/{rules}.fr" for rules in RULES)],
    "Deutsch": ["playing.de", *(f"/{rules}.de" for rules in RULES)],
}
"""The table of contents; pages that are not named here follow under “More”."""


def start(app: Any) -> None:
    """Connect what is below."""
    app.connect("source-read", read)
    app.connect("html-page-context", speak)


setup = start


def read(app: Any, page: str, source: list[str]) -> None:
    """Change a page while it is read."""
    text = re.sub(r'<p align="center">(.*?)</p>', lambda found: images(found[1]), source[0], flags=re.DOTALL)
    text = re.sub(r"<!-- reference: (\w+) (.*?) -->", lambda found: reference(found[1], found[2].split()), text)
    if "/locale/rules." in page:
        text = PICTURE.sub(lambda found: picture(page, found["name"], found["caption"]), text)
    if page == root_doc:
        text += "".join(contents(caption, pages) for caption, pages in {**NAVIGATION, "More": more(app)}.items())
    elif page.endswith(("decisions/README", "environments/README")):
        text += contents("", ["*"])
    source[0] = text


def images(html: str) -> str:
    """Write pictures that a page sizes with HTML as directives, so that they are found and copied."""
    found = []
    for tag in re.findall(r"<img ([^>]*)>", html):
        given = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        found.append(f"```{{image}} {given['src']}\n:alt: {given['alt']}\n:width: {given['width']}px\n```\n")
    return "\n".join(found)


def reference(kind: str, names: list[str]) -> str:
    """Return the directives that write the reference from docstrings."""
    members = "   :members:\n" if kind == "class" else ""
    directives = "\n".join(f".. auto{kind}:: {name}\n{members}" for name in names)
    return f"```{{eval-rst}}\n{directives}\n```"


def picture(page: str, name: str, caption: str) -> str:
    """Draw a picture of the rules, in the language of the page."""
    game, language = re.findall(r"games/(\w+)/locale/rules\.(\w+)$", page)[0]
    DRAWN.mkdir(parents=True, exist_ok=True)
    file = DRAWN / f"{game}-{name}-{language}.svg"
    file.write_text(draw(game, name, language, wide=True), encoding="utf-8")
    return f"![{caption}](/{file.relative_to(ROOT).as_posix()})\n\n*{caption}*"


def contents(caption: str, pages: list[str]) -> str:
    """Return a part of the table of contents, which is shown beside the pages."""
    options = [":hidden:", ":maxdepth: 1", ":glob:", *([f":caption: {caption}"] if caption else [])]
    return "\n\n```{toctree}\n" + "\n".join([*options, "", *pages]) + "\n```\n" if pages else ""


def more(app: Any) -> list[str]:
    """List the pages that are nowhere else in the table of contents."""
    listed = [page for pages in NAVIGATION.values() for page in pages]
    named = {page.removeprefix("/") if page[0] == "/" else f"docs/{page}" for page in listed}
    beside = ("docs/decisions/", "docs/environments/")
    return [f"/{page}" for page in sorted(app.env.found_docs - named - {root_doc}) if not page.startswith(beside)]


def speak(app: Any, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Say in which language a page is, for browsers, screen readers and search engines."""
    found = LANGUAGE.search(page)
    context["language"] = found[1] if found else "en"
