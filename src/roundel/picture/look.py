"""A game's style as data for a board in a browser: the same looks as in the pictures.

Colours become `var(--name)`, so that a theme is nothing but a palette; every id begins with `@`,
for which a board puts what no other board on the page uses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Template
from typing import Any

from roundel.core.style import HOUSE, THEMES, Fragment, Style

ID = "@"
FRAGMENTS = ("spot", "defs", "board", "mark", "target")
SETTINGS = ("labels", "crop", "tray_columns")


def look_of(style: Style, say: Callable[[str], str] = str) -> dict[str, Any]:
    """All of a style but its letters, ready for JSON; names as `say` translates them."""
    names = {**HOUSE["light"], **style.palettes.get("light", {})}
    colours = {"id": ID, **{name: f"var(--{name})" for name in names}}
    return {
        "pieces": painted(style.pieces, colours),
        "names": {piece: say(name) for piece, name in style.names.items()},
        "spots": painted(style.spots, colours),
        **painted({part: getattr(style, part) for part in FRAGMENTS}, colours),
        **{part: getattr(style, part) for part in SETTINGS},
        "scale": dict(style.scale),
        "palettes": {theme: style.palette(theme) for theme in THEMES},
    }


def painted(fragments: Mapping[str, Fragment], colours: Mapping[str, str]) -> dict[str, Fragment]:
    return {name: Template(text).substitute(colours) for name, text in fragments.items()}
