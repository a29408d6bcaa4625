"""How Ringgz looks: wooden rings that nest in each other, and bases that fill a territory.

Each colour also has its own pattern, so that nobody needs to tell the colours by their hue: blue is
smooth, green has cross grooves, yellow rays and red dots.
"""

from roundel.core.lang import N_
from roundel.core.style import OUTLINE, Glyph, Letters, Style

COLOURS = ("blue", "green", "yellow", "red")
WIDTH = 9  # of a ring
RADII = (10, 21, 32, 43)  # the middle of the rings' wood, from the smallest
BASE = 45

# A pattern is how the line in the middle of a ring is broken, and how wide that line is; a gap of
# 0.01 with round ends is a dot.
GROOVES = {"blue": "", "green": "5 5", "yellow": "2 7", "red": "0.01 8"}
GROOVE_WIDTHS = {"blue": 1.6, "green": 1.8, "yellow": 9, "red": 4.2}


def groove(colour: str, radius: float) -> str:
    """The pattern of a colour along a circle, always a whole number of times around it."""
    dashes = [float(length) for length in GROOVES[colour].split()]
    around = 2 * 3.14159265 * radius
    fit = around / (sum(dashes) * max(round(around / sum(dashes)), 1)) if dashes else 1
    array = " ".join(f"{length * fit:.2f}" for length in dashes)
    broken = f' stroke-dasharray="{array}"' if dashes else ""
    ends = ' stroke-linecap="round"' if colour == "red" else ""
    return (
        f'<circle r="{radius:g}" fill="none" stroke="${colour}_groove" '
        f'stroke-width="{GROOVE_WIDTHS[colour]}"{broken}{ends}/>'
    )


def ring(size: int, colour: str) -> str:
    radius = RADII[size - 1]
    return (
        f'<circle cy="3" r="{radius}" fill="none" stroke="#000" stroke-opacity=".22" '
        f'stroke-width="{WIDTH}"/>'
        f'<circle r="{radius}" fill="none" stroke="${colour}_rim" stroke-width="{WIDTH}"/>'
        f'<circle r="{radius}" fill="none" stroke="${colour}" stroke-width="{WIDTH - 2.4:g}"/>'
        + groove(colour, radius)
        + f'<circle r="{radius + 2.6:g}" fill="none" stroke="#fff" stroke-opacity=".28" '
        'stroke-width="1.2"/>'
    )


def base(colour: str) -> str:
    """A turned disc with grooves where the rings would lie."""
    turned = "".join(groove(colour, radius) for radius in (12, 23, 34))
    return (
        f'<circle cy="4" r="{BASE}" fill="#000" fill-opacity=".22"/>'
        f'<circle r="{BASE}" fill="${colour}_rim"/><circle r="{BASE - 2}" fill="${colour}"/>'
        f'{turned}<circle r="5" fill="${colour}_groove"/>'
    )


def start() -> str:
    """The starting base shows all four colours, a quarter each."""
    inner = BASE - 2
    quarters = "".join(
        f'<path d="M0 0V-{inner}A{inner} {inner} 0 0 1 {inner} 0Z" fill="${colour}" '
        f'stroke="$start_rim" stroke-width="2.5" transform="rotate({90 * i})"/>'
        for i, colour in enumerate(COLOURS)
    )
    return (
        f'<circle cy="4" r="{BASE}" fill="#000" fill-opacity=".22"/>'
        f'<circle r="{BASE}" fill="$start_rim"/>{quarters}'
        '<circle r="13" fill="$start_rim"/><circle r="10" fill="$panel"/>'
    )


def ring_glyph(size: int, colour: str) -> Glyph:
    """A letter at the place of its size, so that four rings fit into a territory."""
    text = colour[0].rjust(size).ljust(4)
    return Glyph(text, colour, short=f"{colour[0]}{size}")


LETTERS = Letters(
    pieces={
        **{f"ring-{n}-{colour}": ring_glyph(n, colour) for n in (1, 2, 3, 4) for colour in COLOURS},
        **{
            f"base-{colour}": Glyph(f"[{colour[0] * 2}]", "start_rim", colour, f"{colour[0]}b")
            for colour in COLOURS
        },
        "base-start": Glyph("[**]", "panel", "ink"),
    },
    spots={"territory": "····", "stock": "    "},
    counted=("stock",),
    columns=6,
    rows=3,
)

NAMES = {  # of the rings from the smallest, and of the base
    "blue": (
        N_("blue ring 1"),
        N_("blue ring 2"),
        N_("blue ring 3"),
        N_("blue ring 4"),
        N_("blue base"),
    ),
    "green": (
        N_("green ring 1"),
        N_("green ring 2"),
        N_("green ring 3"),
        N_("green ring 4"),
        N_("green base"),
    ),
    "yellow": (
        N_("yellow ring 1"),
        N_("yellow ring 2"),
        N_("yellow ring 3"),
        N_("yellow ring 4"),
        N_("yellow base"),
    ),
    "red": (
        N_("red ring 1"),
        N_("red ring 2"),
        N_("red ring 3"),
        N_("red ring 4"),
        N_("red base"),
    ),
}

STYLE = Style(
    pieces={
        **{f"ring-{n}-{colour}": ring(n, colour) for n in (1, 2, 3, 4) for colour in COLOURS},
        **{f"base-{colour}": base(colour) for colour in COLOURS},
        "base-start": start(),
    },
    names={
        **{
            f"ring-{size}-{colour}": name
            for colour, names in NAMES.items()
            for size, name in enumerate(names[:4], 1)
        },
        **{f"base-{colour}": names[4] for colour, names in NAMES.items()},
        "base-start": N_("starting base"),
    },
    spots={
        "territory": '<circle r="48" fill="$dish" stroke="$dish_rim" stroke-width="2"/>'
        '<circle r="3" fill="$dish_rim"/>',
        "stock": "",
    },
    palettes={
        "light": {
            "panel": "#efe6d6",
            "edge": "#dccdb3",
            "line": "#cbb896",
            "dish": "#f8f2e6",
            "dish_rim": "#d8c8aa",
            "start_rim": "#5c4a33",
            "blue": "#4f7fb5",
            "blue_rim": "#2c527e",
            "blue_groove": "#3d6a9d",
            "green": "#6f9f5b",
            "green_rim": "#426b32",
            "green_groove": "#3f682f",
            "yellow": "#e9bd4a",
            "yellow_rim": "#a87d16",
            "yellow_groove": "#b98d24",
            "red": "#c65a48",
            "red_rim": "#86301f",
            "red_groove": "#f0c7ba",
        },
        "dark": {
            "panel": "#282521",
            "edge": "#3b362f",
            "line": "#5a5145",
            "dish": "#332f2a",
            "dish_rim": "#4d463c",
            "start_rim": "#0f0d0b",
            "blue": "#5f93cd",
            "blue_rim": "#1f3c5e",
            "blue_groove": "#4477b0",
            "green": "#7fb369",
            "green_rim": "#2c4a20",
            "green_groove": "#426d31",
            "yellow": "#efc75a",
            "yellow_rim": "#7c5b0c",
            "yellow_groove": "#b58a22",
            "red": "#d56a57",
            "red_rim": "#5f1d11",
            "red_groove": "#f6d3c8",
        },
        "grey": {
            "line": "#cfcfcf",
            "dish": "#ffffff",
            "dish_rim": "#cfcfcf",
            "start_rim": "#222222",
            "blue": "#3d3d3d",
            "blue_rim": "#000000",
            "blue_groove": "#5a5a5a",
            "green": "#8f8f8f",
            "green_rim": "#333333",
            "green_groove": "#2a2a2a",
            "yellow": "#f4f4f4",
            "yellow_rim": "#333333",
            "yellow_groove": "#555555",
            "red": "#6c6c6c",
            "red_rim": "#222222",
            "red_groove": "#ffffff",
        },
    },
    mark=f'<circle r="51" {OUTLINE} stroke-width="5"/>',
    scale={"stock": 0.64},
    tray_columns=3,
    letters=LETTERS,
)
