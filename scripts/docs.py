"""Build the site: put its pages together, let Zensical make HTML of them, and look at that again.

The pages are those of `docs/`, the changelog, and for every game what its folder says: README,
rule sheets with their figures drawn, options, planes. `--strict` makes Zensical's warnings errors.
What it lets pass is found in the HTML: missing pictures, anything fetched from elsewhere, and rules
that have got another number than on their sheet.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from roundel import games, picture
from roundel.core import sheet
from roundel.core.game import Game, Manifest
from roundel.core.lang import LANGUAGES
from roundel.core.position import Position
from scripts import links

ROOT = Path(__file__).parents[1]
PAGES, SITE = ROOT / "build" / "docs", ROOT / "build" / "site"
THEMES = ("light", "dark")


# -- One game -------------------------------------------------------------------


def draw(position: Position, folder: Path, name: str, words: str) -> str:
    """Draw a position for bright and dark screens; returns Markdown that shows the right one."""
    (folder / "figures").mkdir(parents=True, exist_ok=True)
    shown = []
    for theme in THEMES:
        svg = picture.svg(position, theme=theme)
        (folder / "figures" / f"{name}-{theme}.svg").write_text(svg, encoding="utf-8")
        shown.append(f"![{words}](figures/{name}-{theme}.svg#only-{theme}){{ width=480 }}")
    return "\n".join(shown)


def sheet_page(manifest: Manifest, language: str, folder: Path) -> str:
    """The rule sheet with pictures for figures."""
    parts, figures = sheet.parts(manifest, sheet.read(manifest, language)), 0
    texts = []
    for part in parts:
        if isinstance(part, Position):
            figures += 1
            part = draw(part, folder, f"rules-{figures}", f"{manifest.title}, {figures}")
        texts.append(part)
    return "".join(texts)


def game_page(manifest: Manifest, folder: Path) -> str:
    """The game's README, with its typical position on top and what follows from the code below."""
    title, _, text = (manifest.folder / "README.md").read_text(encoding="utf-8").partition("\n")
    figure = draw(picture.typical(manifest), folder, "typical", manifest.title)
    return "\n".join([title, "", figure, text, *options(manifest), *planes(manifest)])


def options(manifest: Manifest) -> Iterator[str]:
    if manifest.options:
        yield "\n## Options\n\n| option | | values | default |\n|---|---|---|---|"
        for option in manifest.options:
            default = str(option.default).lower()
            yield f"| `{option.name}` | {option.help} | {option.expected} | `{default}` |"


def planes(manifest: Manifest) -> Iterator[str]:
    """What `Batch.observe` gives: how many planes of which shape, and what each shows."""
    if manifest.observe is None:
        return
    game: Game = manifest.with_options()
    shape = " x ".join(map(str, manifest.observe.grid(game.options)))
    count = len(manifest.observe.PLANES)
    yield f"\n## Observations\n\n{(manifest.observe.__doc__ or '').strip()}\n"
    yield f"Without options, `Batch.observe()` gives {count} planes of {shape} cells:\n"
    yield "| plane | |\n|--:|---|"
    for number, words in enumerate(manifest.observe.PLANES):
        yield f"| {number} | {words} |"


def write_game(manifest: Manifest) -> None:
    folder = PAGES / "games" / manifest.name
    folder.mkdir(parents=True)
    (folder / "index.md").write_text(game_page(manifest, folder), encoding="utf-8")
    for language in sheet.languages(manifest):
        text = sheet_page(manifest, language, folder)
        (folder / f"rules.{language}.md").write_text(text, encoding="utf-8")
    (folder / ".nav.yml").write_text(nav(manifest), encoding="utf-8")


def nav(manifest: Manifest) -> str:
    """The order of a game's pages, for the site's awesome-nav."""
    sheets = [
        f"  - Rules ({LANGUAGES[each]}): rules.{each}.md" for each in sheet.languages(manifest)
    ]
    return "\n".join([f"title: {manifest.title}", "nav:", "  - index.md", *sheets, ""])


# -- The site -------------------------------------------------------------------


def overview(manifests: list[Manifest]) -> str:
    """The page of all games."""
    rows = ["# Games\n"]
    for manifest in manifests:
        name, title = manifest.name, manifest.title
        rows.append(f"## [{title}]({name}/index.md)\n")
        for theme in THEMES:
            figure = f"{name}/figures/typical-{theme}.svg#only-{theme}"
            rows.append(f"[![{title}]({figure}){{ width=360 }}]({name}/index.md)")
        sheets = [
            f"[{LANGUAGES[each]}]({name}/rules.{each}.md)" for each in sheet.languages(manifest)
        ]
        rows.append(f"\nThe rules: {', '.join(sheets)}\n")
    return "\n".join(rows)


def assemble() -> None:
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PAGES)
    shutil.copy(ROOT / "CHANGELOG.md", PAGES / "changelog.md")
    manifests = [games.manifest(name) for name in games.names()]
    for manifest in manifests:
        write_game(manifest)
    (PAGES / "games" / "index.md").write_text(overview(manifests), encoding="utf-8")


def misnumbered() -> Iterator[str]:
    for manifest in map(games.manifest, games.names()):
        for language in sheet.languages(manifest):
            page = SITE / "games" / manifest.name / f"rules.{language}" / "index.html"
            wanted = re.findall(r"^(\d+)\. ", sheet.read(manifest, language), re.MULTILINE)
            found = links.Page(page.read_text(encoding="utf-8")).numbers
            if found != [int(number) for number in wanted]:
                yield f"{page.relative_to(SITE)}: rules {found}, but on the sheet {wanted}"


def main() -> int:
    assemble()
    shutil.rmtree(SITE, ignore_errors=True)
    zensical = Path(sys.executable).with_name("zensical")
    subprocess.run([zensical, "build", "--strict", "--clean"], cwd=ROOT, check=True)
    faults = [*links.faults(SITE), *misnumbered()]
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
