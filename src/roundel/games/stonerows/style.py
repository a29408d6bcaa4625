"""How Stone Rows looks: stones on square tiles, whose backs show numbers and stars."""

from math import cos, pi, sin

from roundel.core.lang import N_
from roundel.core.style import OUTLINE, Glyph, Letters, Style

TILE = (
    '<rect x="-46" y="-42" width="92" height="92" rx="9" fill="$tile_rim"/>'
    '<rect x="-46" y="-46" width="92" height="92" rx="9" fill="$tile"/>'
    '<rect x="-43" y="-43" width="86" height="86" rx="7" fill="none" stroke="$tile_light" '
    'stroke-width="3"/>'
)


def stone(colour: str) -> str:
    """A lens of slate or shell."""
    return (
        '<circle cy="4" r="34" fill="#000" fill-opacity=".28"/>'
        f'<circle r="33" fill="url(#${{id}}{colour}-stone)" stroke="${colour}_rim" '
        'stroke-width="1.5"/>'
    )


def gradient(colour: str) -> str:
    return (
        f'<radialGradient id="${{id}}{colour}-stone" cx=".36" cy=".3" r=".75">'
        f'<stop offset="0" stop-color="${colour}_light"/>'
        f'<stop offset=".55" stop-color="${colour}"/><stop offset="1" stop-color="${colour}_dark"/>'
        "</radialGradient>"
    )


def star(radius: float, x: float, y: float) -> str:
    spokes = [radius if i % 2 == 0 else 0.45 * radius for i in range(10)]
    corners = [(x + r * sin(i * pi / 5), y - r * cos(i * pi / 5)) for i, r in enumerate(spokes)]
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
    return (
        f'<polygon points="{points}" fill="$star" stroke="$star_rim" stroke-width="2" '
        'stroke-linejoin="round"/>'
    )


def numeral(colour: str, content: str, size: int, place: str) -> str:
    """A number in its player's colour: white ones are outlined, so that both can be read."""
    fill, outline = {"w": ("$white", "$white_edge"), "b": ("$black", "$tile")}[colour]
    return (
        f'<text {place} font-size="{size}" font-weight="700" text-anchor="middle" fill="{fill}" '
        f'stroke="{outline}" stroke-width="{size / 8:g}" paint-order="stroke" '
        f'stroke-linejoin="round">{content}</text>'
    )


def text_tile(content: str, size: int) -> str:
    return (
        '<rect x="-46" y="-36" width="92" height="72" rx="12" fill="$tile" stroke="$tile_rim" '
        'stroke-width="4"/>'
        f'<text y="{size * 0.36:g}" font-size="{size}" font-weight="700" text-anchor="middle" '
        f'fill="$black">{content}</text>'
    )


BACKS = {"back-star": star(30, 0, 2), "back-star-under": star(12, -31, -29)}
for _colour in "wb":
    for _number in "12345":
        _back = f"back-{_colour}{_number}"
        BACKS[_back] = numeral(_colour, _number, 52, 'y="19"')
        BACKS[f"{_back}-under"] = numeral(_colour, _number, 25, 'x="-33" y="-22"')

# The numbers of the backs: raised ones are White's, lowered ones Black's.
NUMBERS = {"w": "¹²³⁴⁵", "b": "₁₂₃₄₅"}
INKS = {"w": "white", "b": "black"}

WHITE_NUMBERS = (N_("white 1"), N_("white 2"), N_("white 3"), N_("white 4"), N_("white 5"))
BLACK_NUMBERS = (N_("black 1"), N_("black 2"), N_("black 3"), N_("black 4"), N_("black 5"))

LETTERS = Letters(
    pieces={
        "tile": Glyph("o\N{NO-BREAK SPACE}", "tile_rim", "tile"),
        "stone-white": Glyph("W ", "black", "white"),
        "stone-black": Glyph("B ", "white", "black"),
        "back-star": Glyph(" *", "star"),
        **{
            f"back-{colour}{number}": Glyph(f" {text}", INKS[colour])
            for colour, texts in NUMBERS.items()
            for number, text in enumerate(texts, 1)
        },
        **{f"field-{n}": Glyph(str(n)) for n in range(50)},
        **{f"score-{n}": Glyph(f"+{n}") for n in (50, 100)},
    },
    spots={"cell": "· "},
    columns=3,
)

STYLE = Style(
    pieces={
        "tile": TILE,
        "stone-white": stone("white"),
        "stone-black": stone("black"),
        **BACKS,
        **{f"field-{n}": text_tile(str(n), 44) for n in range(50)},
        **{f"score-{n}": text_tile(f"+{n}", 36) for n in (50, 100)},
    },
    names={
        "tile": N_("tile"),
        "stone-white": N_("white stone"),
        "stone-black": N_("black stone"),
        "back-star": N_("star"),
        **{f"back-w{number}": name for number, name in enumerate(WHITE_NUMBERS, 1)},
        **{f"back-b{number}": name for number, name in enumerate(BLACK_NUMBERS, 1)},
    },
    spots={
        "cell": '<rect x="-46" y="-46" width="92" height="92" rx="9" fill="$hole"/>',
    },
    defs=gradient("white") + gradient("black"),
    palettes={
        "light": {
            "panel": "#eee8dc",
            "edge": "#d9cfbc",
            "hole": "#e7dfd0",
            "tile": "#cda873",
            "tile_light": "#d9b887",
            "tile_rim": "#8f6d3f",
            "white": "#f6f2e8",
            "white_light": "#ffffff",
            "white_dark": "#cfc7b6",
            "white_rim": "#9a907c",
            "white_edge": "#6d5029",
            "black": "#2b2d31",
            "black_light": "#6a6e76",
            "black_dark": "#141518",
            "black_rim": "#0c0d0f",
            "star": "#f2c744",
            "star_rim": "#8a6413",
            "accent": "#c4512d",
        },
        "dark": {
            "panel": "#24221f",
            "edge": "#38342e",
            "hole": "#2b2925",
            "tile": "#9c7d52",
            "tile_light": "#ab8c60",
            "tile_rim": "#5f4a2b",
            "white": "#efeade",
            "white_light": "#ffffff",
            "white_dark": "#bdb5a3",
            "white_rim": "#857c69",
            "white_edge": "#4d3a1f",
            "black": "#1b1c1f",
            "black_light": "#585c64",
            "black_dark": "#0b0b0d",
            "black_rim": "#5a5a5a",
            "star": "#f4cf5c",
            "star_rim": "#5c430c",
        },
        "grey": {
            "hole": "#f4f4f4",
            "tile": "#c4c4c4",
            "tile_light": "#d2d2d2",
            "tile_rim": "#8a8a8a",
            "white": "#f8f8f8",
            "white_light": "#ffffff",
            "white_dark": "#dcdcdc",
            "white_rim": "#666666",
            "white_edge": "#555555",
            "black": "#222222",
            "black_light": "#6a6a6a",
            "black_dark": "#0a0a0a",
            "black_rim": "#000000",
            "star": "#ffffff",
            "star_rim": "#000000",
        },
    },
    mark=f'<rect x="-49" y="-49" width="98" height="102" rx="12" {OUTLINE} stroke-width="8"/>',
    crop="box",
    letters=LETTERS,
)
