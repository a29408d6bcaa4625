"""A game's style as data for a board in a browser: the same looks as in the pictures.

Colours become `var(--name)`, so that a theme is nothing but a palette; every id begins with `@`,
for which a board puts what no other board on the page uses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Template
from typing import TypedDict

from roundel.core.style import HOUSE, THEMES, Fragment, Style

ID = "@"


class Look(TypedDict):
    """The fields of a `Style`, and its pieces' names in a language."""

    pieces: dict[str, Fragment]
    names: dict[str, str]
    spots: dict[str, Fragment]
    spot: Fragment
    defs: Fragment
    board: Fragment
    mark: Fragment
    target: Fragment
    labels: str
    crop: str
    tray_columns: int
    scale: dict[str, float]
    palettes: dict[str, dict[str, str]]


def look_of(style: Style, say: Callable[[str], str] = str) -> Look:
    """All of a style but its letters, ready for JSON; names as `say` translates them."""
    names = {**HOUSE["light"], **style.palettes.get("light", {})}
    colours = {"id": ID, **{name: f"var(--{name})" for name in names}}
    return {
        "pieces": painted(style.pieces, colours),
        "names": {piece: say(name) for piece, name in style.names.items()},
        "spots": painted(style.spots, colours),
        "spot": paint(style.spot, colours),
        "defs": paint(style.defs, colours),
        "board": paint(style.board, colours),
        "mark": paint(style.mark, colours),
        "target": paint(style.target, colours),
        "labels": style.labels,
        "crop": style.crop,
        "tray_columns": style.tray_columns,
        "scale": dict(style.scale),
        "palettes": {theme: style.palette(theme) for theme in THEMES},
    }


def painted(fragments: Mapping[str, Fragment], colours: Mapping[str, str]) -> dict[str, Fragment]:
    return {name: paint(fragment, colours) for name, fragment in fragments.items()}


def paint(fragment: Fragment, colours: Mapping[str, str]) -> Fragment:
    return Template(fragment).substitute(colours)
