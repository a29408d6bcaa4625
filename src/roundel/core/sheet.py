"""A game's rule sheet: Markdown for players, `rules.en.md` and its translations in its folder.

A figure is a fenced block with the word `position`: a spec or a position text, and behind it, if
wanted, actions. Whoever shows a sheet draws the positions as suits the place.
"""

from __future__ import annotations

import re
from pathlib import Path

from roundel.core.errors import InvalidText, RoundelError
from roundel.core.game import Manifest
from roundel.core.lang import LANGUAGES, _
from roundel.core.position import Position

FIGURE = re.compile(r"^```position\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class NoSheet(RoundelError):
    """The game has no rule sheet in that language."""


def file(manifest: Manifest, language: str) -> Path:
    return manifest.folder / f"rules.{language}.md"


def languages(manifest: Manifest) -> list[str]:
    """The languages that there is a sheet in."""
    return [language for language in LANGUAGES if file(manifest, language).is_file()]


def read(manifest: Manifest, language: str) -> str:
    """The sheet as it is written, figures included."""
    if language not in (known := languages(manifest)):
        text = _("{game}: no rule sheet in {language!r}; there are: {known}")
        there_are = ", ".join(known) or _("none")
        raise NoSheet(text.format(game=manifest.name, language=language, known=there_are))
    return file(manifest, language).read_text(encoding="utf-8")


def parts(manifest: Manifest, text: str) -> list[str | Position]:
    """A sheet in pieces, in their order: Markdown as text, figures as positions."""
    texts = FIGURE.split(text)  # every second one is the inside of a figure
    return [figure(manifest, part) if i % 2 else part for i, part in enumerate(texts)]


def figure(manifest: Manifest, text: str) -> Position:
    """The position that a figure shows: `SPEC [ACTION ...]` or `POSITION-TEXT [ACTION ...]`."""
    first, *actions = text.split() or [""]
    name, _colon, options = first.partition(";")[0].partition(":")
    if name != manifest.name:
        reason = _("{game}: this is a figure of {name!r}")
        raise InvalidText(reason.format(game=manifest.name, name=name))
    game = manifest.with_options(options)
    start = Position.from_fen(game, first) if ";" in first else game.start()
    return start.play(" ".join(actions))
