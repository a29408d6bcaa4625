"""Print the rules of a game, with figures."""

from __future__ import annotations

import argparse
import sys
from textwrap import indent
from typing import TYPE_CHECKING

from roundel import games
from roundel.core.lang import ENGLISH, LANGUAGES, _, current

if TYPE_CHECKING:
    from roundel.core.game import Manifest
    from roundel.core.position import Position

WIDEST = 88  # columns of a terminal in which a text is still read with ease


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar=_("game"), help=_("the name of a game"))


def run(options: argparse.Namespace) -> None:
    from roundel.core import sheet

    manifest = games.manifest(options.game)
    parts = sheet.parts(manifest, sheet.read(manifest, language_for(manifest)))
    if sys.stdout.isatty():
        render(parts)
        return
    texts = [part if isinstance(part, str) else f"```\n{part}\n```" for part in parts]
    print("".join(texts), end="")


def language_for(manifest: Manifest) -> str:
    """The language that is spoken, or English if the sheet was not translated into it."""
    from roundel.core import sheet

    known = sheet.languages(manifest)
    if current() in known or ENGLISH not in known:
        return current()
    note = _(
        "{title}: the rules have not been translated yet ({language}); here they are in English."
    )
    print(note.format(title=manifest.title, language=LANGUAGES[current()]), file=sys.stderr)
    return ENGLISH


def render(parts: list[str | Position]) -> None:
    """For a terminal: headings, lists and tables look like it, and figures are text diagrams."""
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.width = min(console.width, WIDEST)
    for part in parts:
        if isinstance(part, str):
            console.print(Markdown(part))
        else:
            print("", indent(str(part), "    "), "", sep="\n")
