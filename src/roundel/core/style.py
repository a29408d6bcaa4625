"""How a game looks, as data: what a game's `style.py` fills and a renderer draws.

A fragment is a piece of SVG around (0, 0) in which the distance between neighbouring spots is about
100. `$name` stands for a colour of the palette, `${id}` for what every id in a picture begins with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

Fragment = str
Palette = Mapping[str, str]

# What every palette has; a game's own palette is laid over it. `grey` is for printing: no hue at
# all, so whatever tells things apart there must be lightness, form or a pattern (`dash` for marks).
HOUSE: Mapping[str, Palette] = {
    "light": {
        "panel": "#f6f1e7",
        "edge": "#e2d8c5",
        "line": "#b8ab95",
        "ink": "#6f6553",
        "name": "#8d836f",
        "accent": "#d9822b",
        "target": "#2f8f83",
        "dash": "none",
    },
    "dark": {
        "panel": "#23262b",
        "edge": "#31353c",
        "line": "#565d68",
        "ink": "#a3abb8",
        "name": "#8a92a0",
        "accent": "#f0a04b",
        "target": "#5fd0c0",
        "dash": "none",
    },
    "grey": {
        "panel": "#ffffff",
        "edge": "#c8c8c8",
        "line": "#a6a6a6",
        "ink": "#4a4a4a",
        "name": "#7a7a7a",
        "accent": "#000000",
        "target": "#303030",
        "dash": "11 8",
    },
}
THEMES = tuple(HOUSE)

OUTLINE = 'fill="none" stroke="$accent" stroke-dasharray="$dash"'  # what a mark is drawn with
PLACE = '<circle r="6" fill="$line"/>'
RING_MARK = f'<circle r="47" {OUTLINE} stroke-width="5"/>'
DOT = '<circle r="13" fill="$target" stroke="$panel" stroke-width="4"/>'


class Glyph(NamedTuple):
    """A piece in characters, as wide as its spot: where it has a space, what lies below shows."""

    text: str
    ink: str = "ink"  # colours of the palette; without them the characters must tell everything
    ground: str = ""  # from its first to its last character; empty: what is there already
    short: str = ""  # its name where pieces are counted, if not the text


@dataclass(frozen=True, eq=False)
class Letters:
    """How a game looks in a terminal. NO-BREAK SPACE in a text is a space that covers."""

    pieces: Mapping[str, Glyph] = field(default_factory=dict)
    spots: Mapping[str, str] = field(default_factory=dict)
    """An empty spot, by kind."""
    counted: tuple[str, ...] = ()
    """Kinds of spots on which equal pieces wait: they show what waits and how many."""
    columns: float | None = None
    """Characters from a spot to the one that is 1 to the right, its mark included; None: as few as
    there is room for."""
    rows: float | None = None


@dataclass(frozen=True, eq=False)
class Style:
    """All that a renderer must be told beside the layout and the view."""

    pieces: Mapping[str, Fragment] = field(default_factory=dict)
    """By the name in the view; `NAME-under` is the look of a piece that lies under another."""
    names: Mapping[str, str] = field(default_factory=dict)
    """What pieces are called aloud, marked with `N_`; others are called as in the view."""
    spots: Mapping[str, Fragment] = field(default_factory=dict)
    """By kind; an empty fragment for kinds whose places the board itself shows."""
    spot: Fragment = PLACE
    """Spots of all other kinds."""
    palettes: Mapping[str, Palette] = field(default_factory=dict)
    defs: Fragment = ""
    """Gradients and patterns that fragments refer to; their ids begin with `${id}`."""
    board: Fragment = ""
    """What lies under everything, in the coordinates of the layout times 100."""
    mark: Fragment = RING_MARK
    target: Fragment = DOT
    scale: Mapping[str, float] = field(default_factory=dict)
    """How large pieces are on a kind of spot, if not 1."""
    labels: str = "edges"
    """Coordinates: at the `edges` of the board, or `inside` every spot, in the palette's `name` or,
    where the piece NAME lies lowest, `name-NAME`."""
    crop: str = ""
    """Show the whole board (empty), or only the `box` or the spots `near` what lies on it."""
    tray_columns: int = 2
    letters: Letters = field(default_factory=Letters)

    def look_of_spot(self, kind: str) -> Fragment:
        return self.spots.get(kind, self.spot)

    def palette(self, theme: str) -> dict[str, str]:
        return {**HOUSE[theme], **self.palettes.get(theme, {})}
