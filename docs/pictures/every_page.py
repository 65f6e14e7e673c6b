"""Take pictures of every page, at several sizes, in both themes and all languages, and measure what can be measured.

    .venv/bin/python docs/pictures/every_page.py FOLDER --widths 360 1366 --languages en de

Look at the contact sheets in the folder: many pages on each, at a size at which they can be read. Faults are printed:
pages wider than the window, small or cut-off text, buttons that overlap, and texts that are the same as in English.
With `--sample FOLDER` the server's data is kept there, so that only the first run has to play all its games. It needs
the environment of `dev.py test`, which has Playwright, and Chromium.
"""

from __future__ import annotations

import argparse
import html
import itertools
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from playwright.sync_api import TimeoutError as Timeout

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "tests"))

from sample_pages import Sample, sample_pages  # noqa: E402 — they are found through the line above

from support import fixed_dice  # noqa: E402
from support.browser import IN_SHAPE, faults  # noqa: E402
from support.server_process import ServerProcess, running_server  # noqa: E402

HEIGHTS = {360: 740, 820: 1180, 1366: 768, 1920: 1080}
SCALES = {360: 0.8, 820: 0.6, 1366: 0.54, 1920: 0.385}
"""Of the contact sheets: how large a page of a width is shown."""
SHEET = (1500, 1480)  # pixels
LONGEST = 4  # columns for a long page; what is further down is not on the sheet
SHAPED_MS = 3000  # until the board has been drawn in the shape of the window
SETTLED_MS = 350  # until everything has been drawn and told
CLOSE = ("#offer-tutorial button", "#tip button")  # what only newcomers are shown
PEOPLE = ("Annegret", "Bertolda", "Clothilde", "newcomer")
LOCALES = {"en": "en-GB", "it": "it-IT", "fr": "fr-FR", "de": "de-DE"}

# What is wrong with a page as it is shown. Texts in pictures are measured too, except in symbols.
MEASURE = """() => {
  const faults = new Set(), wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) faults.add(`wider than the window: ${wide}`);
  const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !element.closest(".visually-hidden, .skip, .page-title") && element.getBoundingClientRect().width > 2;
  const scrolls = (element) => {
    for (let at = element; at; at = at.parentElement)
      if (/auto|scroll/.test(getComputedStyle(at).overflowX + getComputedStyle(at).overflowY)) return true;
    return false;
  };
  const name = (element) => `${element.tagName.toLowerCase()}${element.id && "#" + element.id} ` +
    `"${(element.textContent ?? "").trim().replace(/\\s+/g, " ").slice(0, 60)}"`;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walk.nextNode()) {
    const node = walk.currentNode, element = node.parentElement, text = node.textContent.trim();
    if (!text || element.closest("script, style, title, desc, symbol, defs, option") || !seen(element)) continue;
    if (!element.closest("code, svg")) texts.push(text.replace(/\\s+/g, " "));
    const scale = element.getScreenCTM ? element.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (size < 10.9) faults.add(`text of ${size.toFixed(1)} px: ${name(element)}`);
    const range = document.createRange();
    range.selectNode(node);
    const box = range.getBoundingClientRect();
    if (!element.ownerSVGElement && (box.right > innerWidth + 1 || box.left < -1) && !scrolls(element))
      faults.add(`sticks out: ${name(element)}`);
  }
  for (const element of document.querySelectorAll("body *")) {
    const style = getComputedStyle(element);
    const [across, down] = [element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight];
    const cut = across > 1 && style.overflowX === "hidden" && style.textOverflow !== "ellipsis"
      || down > 2 && style.overflowY === "hidden" && style.webkitLineClamp === "none";
    if (cut && element.clientWidth > 2 && !element.ownerSVGElement && seen(element))
      faults.add(`cut off: ${name(element)}`);
  }
  const buttons = [...document.querySelectorAll("button, .button, input, select, summary")].filter(seen)
    .filter((element) => !element.closest(".toasts, .sheet, .cover, .lesson-card, .bar") && !scrolls(element));
  for (const [at, one] of buttons.entries())
    for (const two of buttons.slice(at + 1)) {
      if (one.contains(two) || two.contains(one)) continue;
      const [a, b] = [one.getBoundingClientRect(), two.getBoundingClientRect()];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      if (across > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
        faults.add(`overlap: ${name(one)} and ${name(two)}`);
    }
  return [[...faults], texts];
}"""


def tell(text: str) -> None:
    """Print something at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


Texts = dict[tuple[str, str], set[str]]
"""What a page says, by its name and language."""
Known = dict[str, Any]
"""The cookies of people, by their names."""


def prepared(browser: Browser, server: ServerProcess, file: Path) -> tuple[list[Sample], Known]:
    """Return the pages of the sample and who is known to its server; make the sample if there is none yet."""
    if not file.exists():
        people = {name: browser.new_context(base_url=server.url, locale="en-GB") for name in PEOPLE}
        samples = sample_pages(server, people)
        known = {name: person.storage_state() for name, person in people.items()}
        file.write_text(json.dumps({"samples": samples, "people": known}), encoding="utf-8")
    kept = json.loads(file.read_text("utf-8"))
    return [Sample(*each) for each in kept["samples"]], kept["people"]


def arrive(browser: Browser, url: str, people: Known, language: str, width: int) -> Iterator[tuple[str, Page]]:
    """Open a page for everybody, as they are known to the server."""
    for name, known in people.items():
        context = browser.new_context(
            base_url=url,
            storage_state=known,
            viewport={"width": width, "height": HEIGHTS.get(width, 900)},
            reduced_motion="reduce",
            locale=LOCALES[language],
        )
        yield name, context.new_page()


def look(page: Page, sample: Sample, file: Path, themes: Sequence[str], *, axe: bool) -> tuple[list[str], list[str]]:
    """Take the pictures of a page; return its faults and its texts."""
    page.emulate_media(color_scheme="light")
    page.goto(sample.path)
    page.wait_for_load_state("load")
    if page.locator("#board svg").count():
        with suppress(Timeout):  # a spectator's board may have the same shape in every window
            page.wait_for_function(IN_SHAPE, timeout=SHAPED_MS)
    page.evaluate("for (const picture of document.images) picture.loading = 'eager'")
    page.wait_for_function("() => [...document.images].every((picture) => picture.complete)")
    page.wait_for_timeout(SETTLED_MS)
    for selector in [*(CLOSE if sample.calm else ()), sample.click]:
        if selector and (selector == sample.click or page.locator(selector).is_visible()):
            page.locator(selector).first.click(timeout=SHAPED_MS)
            page.wait_for_timeout(SETTLED_MS)
    found, texts = page.evaluate(MEASURE)
    for theme in themes:
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        page.screenshot(path=f"{file}-{theme}.png", full_page=True)
        found += faults(page, "color-contrast") if axe else []
    return found, texts


def look_at_all(browser: Browser, url: str, people: Known, samples: list[Sample], wanted: argparse.Namespace) -> Texts:
    """Take all pictures, print the faults, and return the texts."""
    texts: Texts = {}
    for language in wanted.languages:
        for width in wanted.widths:
            pages = dict(arrive(browser, url, people, language, width))
            for sample in samples:
                file = wanted.folder / f"{sample.name.replace(' ', '_')}-{width}-{language}"
                try:
                    found, said = look(pages[sample.who], sample, file, wanted.themes, axe=wanted.axe)
                except Exception as error:  # one page that fails must not hide the others
                    found, said = [f"FAILED {str(error)[:300]}"], []
                texts[sample.name, language] = {*texts.get((sample.name, language), ()), *said}
                for fault in dict.fromkeys(found):
                    tell(f"{sample.name} {width} {language}: {fault}")
            for page in pages.values():
                page.context.close()
    return texts


def untranslated(texts: Texts) -> list[str]:
    """Return what a page says in another language exactly as in English, where that is more than one word."""
    return [
        f"{name} {language}: the same as in English: {text}"
        for (name, language), said in sorted(texts.items())
        if language != "en"
        for text in sorted(said & texts.get((name, "en"), set()))
        if len(re.findall(r"[^\W\d_]{2,}", text)) > 1
    ]


def tiles(pictures: list[Path], sizes: dict[str, tuple[int, int]], width: int) -> list[str]:
    """Return the columns of a contact sheet as HTML: a long page gets several."""
    scale, made = SCALES.get(width, 0.5), []
    tall = (SHEET[1] if width <= 360 else SHEET[1] / (2 if width <= 820 else 3)) - 30
    for picture in pictures:
        across, down = sizes[picture.name]
        columns = min(LONGEST, -(-int(down * scale) // int(tall)))
        for column in range(max(1, columns)):
            style = f"width:{across * scale}px;height:{min(tall, down * scale - column * tall)}px;"
            style += f"background:url('{picture.name}') 0 {-column * tall}px/{across * scale}px auto no-repeat"
            made.append(
                f'<figure><figcaption>{html.escape(picture.stem)}</figcaption><div style="{style}"></div></figure>'
            )
    return made


STYLE = """<!doctype html><meta charset="utf-8"><style>
body { margin: 0; background: #888; display: flex; flex-wrap: wrap; gap: 6px }
figure { margin: 0 }
figcaption { font: 13px sans-serif; background: #ff0; width: 0; min-width: 100%; overflow: hidden; white-space: nowrap }
</style>"""


def contact_sheets(context: BrowserContext, folder: Path, pictures: list[Path], name: str, width: int) -> None:
    """Put pictures onto contact sheets."""
    page = context.new_page()
    page.set_viewport_size({"width": SHEET[0], "height": SHEET[1]})
    made = tiles(pictures, {picture.name: png_size(picture) for picture in pictures}, width)
    each = int(SHEET[0] // (width * SCALES.get(width, 0.5))) * (1 if width <= 360 else 2 if width <= 820 else 3)
    for number, first in enumerate(range(0, len(made), each), 1):
        sheet = folder / "sheet.html"
        sheet.write_text(STYLE + "".join(made[first : first + each]), encoding="utf-8")
        page.goto(sheet.as_uri())
        page.screenshot(path=folder / f"sheet-{name}-{number:02}.png")
    page.close()


def png_size(picture: Path) -> tuple[int, int]:
    """Read how wide and how tall a picture is, from its header."""
    head = picture.read_bytes()[16:24]
    return int.from_bytes(head[:4], "big"), int.from_bytes(head[4:], "big")


def read_arguments() -> Any:
    """Read what is wanted from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--widths", type=int, nargs="+", default=list(HEIGHTS))
    parser.add_argument("--themes", nargs="+", default=["light", "dark"])
    parser.add_argument("--languages", nargs="+", default=["en"], choices=list(LOCALES))
    parser.add_argument("--only", default="", help="a regular expression for the names of the pages")
    parser.add_argument("--sample", type=Path, help="a folder to keep the sample server in")
    parser.add_argument("--axe", action="store_true", help="measure the contrast of texts too")
    return parser.parse_args()


def main() -> None:
    """Take the pictures that are wanted."""
    wanted = read_arguments()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    wanted.folder = wanted.folder.resolve()
    if wanted.sample:
        wanted.sample.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        running_server((wanted.sample or Path(folder)) / "data", program=("-P", fixed_dice.__file__)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        samples, people = prepared(browser, server, server.data.parent / "samples.json")
        samples = [each for each in samples if re.search(wanted.only, each.name)]
        tell(f"{len(samples)} pages")
        texts = look_at_all(browser, server.url, people, samples, wanted)
        tell("\n".join(untranslated(texts)))
        lay_out(browser.new_context(), [each.name for each in samples], wanted)
        browser.close()


def lay_out(context: BrowserContext, names: list[str], wanted: argparse.Namespace) -> None:
    """Make the contact sheets of all languages, widths and themes."""
    for language, width, theme in itertools.product(wanted.languages, wanted.widths, wanted.themes):
        files = [wanted.folder / f"{name.replace(' ', '_')}-{width}-{language}-{theme}.png" for name in names]
        taken = [file for file in files if file.exists()]
        contact_sheets(context, wanted.folder, taken, f"{width}-{language}-{theme}", width)


if __name__ == "__main__":
    main()
