"""How Yinsh looks: turned rings, and markers whose other colour shows at the rim."""

from roundel.core.lang import N_
from roundel.core.style import Glyph, Letters, Style

SHADOW = '<circle cy="5" r="{r}" fill="none" stroke="#000" stroke-opacity=".2" stroke-width="{w}"/>'


def ring(colour: str) -> str:
    """A ring seen from above: rim, body and a bright groove where the light falls."""
    return (
        SHADOW.format(r=35, w=15)
        + f'<circle r="35" fill="none" stroke="${colour}_rim" stroke-width="15"/>'
        f'<circle r="35" fill="none" stroke="${colour}" stroke-width="11"/>'
        f'<circle r="36.5" fill="none" stroke="${colour}_light" stroke-width="3"/>'
    )


def marker(colour: str, other: str) -> str:
    """Two-sided: the lower half's colour shows under the upper one."""
    return (
        '<circle cy="7" r="25" fill="#000" fill-opacity=".18"/>'
        f'<circle cy="4.5" r="24.5" fill="${other}" stroke="${other}_rim" stroke-width="2"/>'
        f'<circle r="24.5" fill="${colour}" stroke="${colour}_rim" stroke-width="2"/>'
        f'<circle r="17" fill="none" stroke="${colour}_light" stroke-width="2.5"/>'
    )


# In the pool a marker has no upper side yet: half and half.
POOL = (
    '<circle r="24.5" fill="$black" stroke="$black_rim" stroke-width="2"/>'
    '<path d="M-24.5 0a24.5 24.5 0 0 1 49 0z" fill="$white" stroke="$white_rim" stroke-width="2"/>'
)

LETTERS = Letters(
    pieces={
        "ring-white": Glyph("(W)", "black", "white"),
        "ring-black": Glyph("(B)", "white", "black"),
        "marker-white": Glyph(" W ", "black", "white"),
        "marker-black": Glyph(" B ", "white", "black"),
        "marker": Glyph(" o "),
    },
    spots={"point": " · "},
    columns=4 / 0.866,
    rows=2,
)

STYLE = Style(
    pieces={
        "ring-white": ring("white"),
        "ring-black": ring("black"),
        "marker-white": marker("white", "black"),
        "marker-black": marker("black", "white"),
        "marker": POOL,
    },
    names={
        "ring-white": N_("white ring"),
        "ring-black": N_("black ring"),
        "marker-white": N_("white marker"),
        "marker-black": N_("black marker"),
        "marker": N_("marker"),
    },
    spots={"point": ""},
    palettes={
        "light": {
            "panel": "#ded5c2",
            "edge": "#cabfa8",
            "line": "#a0957f",
            "ink": "#62594a",
            "white": "#fffdf7",
            "white_rim": "#7f745f",
            "white_light": "#e4dac6",
            "black": "#2d3138",
            "black_rim": "#15181c",
            "black_light": "#565d68",
        },
        "dark": {
            "panel": "#56606f",
            "edge": "#68727f",
            "line": "#7d8796",
            "ink": "#c9d0da",
            "white": "#f1ece0",
            "white_rim": "#8d8573",
            "white_light": "#cfc6b3",
            "black": "#0d0f12",
            "black_rim": "#98a3b3",
            "black_light": "#2e343d",
        },
        "grey": {
            "white": "#ffffff",
            "white_rim": "#555555",
            "white_light": "#d0d0d0",
            "black": "#262626",
            "black_rim": "#000000",
            "black_light": "#777777",
        },
    },
    tray_columns=3,
    letters=LETTERS,
)
