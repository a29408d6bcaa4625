"""Hexagonal geometry in axial coordinates (q, r): pointy top, q to the right, r down-right.

   (0,-1) (1,-1)
(-1,0) (0,0) (1,0)
   (-1,1) (0,1)
"""

from math import sqrt

Hex = tuple[int, int]

# Opposite directions are three apart.
DIRECTIONS: tuple[Hex, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def add(a: Hex, b: Hex, times: int = 1) -> Hex:
    return a[0] + times * b[0], a[1] + times * b[1]


def distance(a: Hex, b: Hex) -> int:
    q, r = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(r), abs(q + r))


def rotate(cell: Hex) -> Hex:
    """A sixth of a turn about (0, 0): each direction becomes the next one."""
    q, r = cell
    return -r, q + r


def mirror(cell: Hex) -> Hex:
    """The reflection that keeps (1, 1) in place."""
    q, r = cell
    return r, q


def symmetries(cell: Hex) -> list[Hex]:
    """The images of a cell under the twelve symmetries of a hexagon, in a fixed order."""
    images = []
    for image in (cell, mirror(cell)):
        for _ in range(6):
            images.append(image)
            image = rotate(image)
    return images


def centre(cell: Hex) -> tuple[float, float]:
    """Where the middle of a cell is drawn, neighbours 1 apart, y downwards."""
    q, r = cell
    return round(q + r / 2, 4), round(r * sqrt(3) / 2, 4)
