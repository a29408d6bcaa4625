"""How Hexaequo looks: hexagonal tiles, and discs and rings that stand out on both colours."""

from math import cos, pi, sin

from roundel.core.lang import N_
from roundel.core.style import OUTLINE, Glyph, Letters, Style


def hexagon(radius: float) -> str:
    """The corners of a hexagon with its tip up."""
    corners = [(radius * sin(i * pi / 3), -radius * cos(i * pi / 3)) for i in range(6)]
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def tile(colour: str) -> str:
    """A thick tile with a bevelled edge."""
    return (
        f'<polygon points="{hexagon(54)}" fill="${colour}_tile_rim" stroke="${colour}_tile_rim" '
        'stroke-width="4" stroke-linejoin="round" transform="translate(0 4)"/>'
        f'<polygon points="{hexagon(52)}" fill="${colour}_tile" stroke="${colour}_tile_light" '
        'stroke-width="4" stroke-linejoin="round"/>'
    )


def disc(colour: str) -> str:
    """A little above the middle, so that the name of the cell can be read below it."""
    return (
        '<circle cy="-1" r="31" fill="#000" fill-opacity=".25"/>'
        f'<circle cy="-6" r="30" fill="${colour}" stroke="${colour}_rim" stroke-width="3"/>'
        f'<circle cy="-6" r="20" fill="none" stroke="${colour}_light" stroke-width="3"/>'
    )


def ring(colour: str) -> str:
    return (
        '<circle cy="-1" r="23" fill="none" stroke="#000" stroke-opacity=".25" stroke-width="17"/>'
        f'<circle cy="-6" r="23" fill="none" stroke="${colour}_rim" stroke-width="18"/>'
        f'<circle cy="-6" r="23" fill="none" stroke="${colour}" stroke-width="13"/>'
        f'<circle cy="-6" r="25" fill="none" stroke="${colour}_light" stroke-width="3"/>'
    )


LETTERS = Letters(  # [ ] black tiles, ( ) white ones
    pieces={
        "tile-black": Glyph("[   ]", "name-tile-black", "black_tile", "[]"),
        "tile-white": Glyph("(   )", "name-tile-white", "white_tile", "()"),
        "disc-black": Glyph("  B  ", "white", "black"),
        "disc-white": Glyph("  W  ", "black", "white"),
        "ring-black": Glyph(" (B) ", "white", "black"),
        "ring-white": Glyph(" (W) ", "black", "white"),
    },
    spots={"cell": "     "},
    columns=6,
    rows=1 / 0.866,
)

STYLE = Style(
    pieces={
        f"{kind}-{colour}": look(colour)
        for kind, look in {"tile": tile, "disc": disc, "ring": ring}.items()
        for colour in ("black", "white")
    },
    names={
        "tile-black": N_("black tile"),
        "tile-white": N_("white tile"),
        "disc-black": N_("black disc"),
        "disc-white": N_("white disc"),
        "ring-black": N_("black ring"),
        "ring-white": N_("white ring"),
    },
    spots={
        "cell": f'<polygon points="{hexagon(50)}" fill="$hole" stroke="$line" stroke-width="1.5" '
        'stroke-linejoin="round"/>'
    },
    palettes={
        "light": {
            "panel": "#dfe6e2",
            "edge": "#c6d1cb",
            "line": "#c3cfc8",
            "ink": "#5f6d66",
            "hole": "#d8e0db",
            "name": "#7d8983",
            "name-tile-white": "#7b7058",
            "name-tile-black": "#b4bfca",
            "white": "#fffdf7",
            "white_rim": "#8f8672",
            "white_light": "#ddd3bf",
            "white_tile": "#efe6d3",
            "white_tile_light": "#f9f3e6",
            "white_tile_rim": "#b9ac91",
            "black": "#1b2026",
            "black_rim": "#717c88",
            "black_light": "#4c5661",
            "black_tile": "#4d5761",
            "black_tile_light": "#5e6974",
            "black_tile_rim": "#2f373f",
        },
        "dark": {
            "panel": "#1e2623",
            "edge": "#2e3a35",
            "line": "#31403a",
            "ink": "#97a8a0",
            "hole": "#232d29",
            "name": "#84908a",
            "name-tile-white": "#5f563f",
            "name-tile-black": "#b4bfca",
            "white": "#f7f2e6",
            "white_rim": "#7d7563",
            "white_light": "#cfc5b0",
            "white_tile": "#d9cfba",
            "white_tile_light": "#e6dcc8",
            "white_tile_rim": "#8f846c",
            "black": "#101316",
            "black_rim": "#7c8894",
            "black_light": "#4c5661",
            "black_tile": "#47515b",
            "black_tile_light": "#56616c",
            "black_tile_rim": "#14181c",
        },
        "grey": {
            "line": "#dddddd",
            "hole": "#fafafa",
            "name": "#888888",
            "name-tile-white": "#555555",
            "name-tile-black": "#dddddd",
            "white": "#ffffff",
            "white_rim": "#444444",
            "white_light": "#bbbbbb",
            "white_tile": "#e4e4e4",
            "white_tile_light": "#f2f2f2",
            "white_tile_rim": "#999999",
            "black": "#111111",
            "black_rim": "#a0a0a0",
            "black_light": "#666666",
            "black_tile": "#5c5c5c",
            "black_tile_light": "#6e6e6e",
            "black_tile_rim": "#333333",
        },
    },
    mark=f'<polygon points="{hexagon(51)}" {OUTLINE} stroke-width="6" stroke-linejoin="round"/>',
    labels="inside",
    crop="near",
    letters=LETTERS,
)
