"""What lies on the table before the first action: the layouts (drawn in layouts.py), the backs."""

from random import Random

from roundel.core.squares import Square
from roundel.games.stonerows.layouts import DRAWINGS

TILES, STONES = 56, 24  # stones to place, of each player (rules 1 and 2)
MARGIN = 6  # cells around the layout on each side (rule 3)
STAR = "*"
BACKS = [f"{colour}{number}" for colour in "wb" for number in range(1, 6)] * 5 + [
    STAR
] * 6  # rule 13
BONUSES = ("none", "stars", "numbers", "full")


def read_layouts(text: str) -> dict[str, list[Square]]:
    """The cells of each layout by letter, then number; a cell's place in the list is its tile."""
    paragraphs = [part.split() for part in text.split("\n\n")]
    return {
        name: sorted(
            (x + MARGIN, len(lines) - 1 - line + MARGIN)
            for line, signs in enumerate(lines)
            for x, sign in enumerate(signs)
            if sign == "#"
        )
        for name, *lines in paragraphs
    }


LAYOUTS = read_layouts(DRAWINGS)
NAMES = tuple(LAYOUTS)


def size(layout: str) -> Square:
    """The columns and rows of the grid (rule 3)."""
    xs, ys = zip(*LAYOUTS[layout], strict=True)
    return max(xs) + 1 + MARGIN, max(ys) + 1 + MARGIN


def counts(back: str, bonus: str) -> bool:
    """Whether a back counts and shows in a bonus game (rule 13)."""
    return bonus == "full" or bonus == ("stars" if back == STAR else "numbers")


def backs(seed: int, bonus: str) -> dict[int, str]:
    """The backs that count, by tile: shuffled by the seed alone.

    Only `Random.random` is used: Python promises that its numbers stay the same in all versions.
    """
    shuffled, random = list(BACKS), Random(seed)
    for last in range(TILES - 1, 0, -1):
        other = int(random.random() * (last + 1))
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return {tile: back for tile, back in enumerate(shuffled) if counts(back, bonus)}
