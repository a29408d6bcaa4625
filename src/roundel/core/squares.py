"""Square geometry: (x, y), x to the right, y upwards, written as a letter and a number from a1."""

from string import ascii_lowercase

Square = tuple[int, int]

SIDES: tuple[Square, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
CORNERS: tuple[Square, ...] = ((1, 1), (-1, 1), (-1, -1), (1, -1))
LINES: tuple[Square, ...] = (
    (1, 0),
    (0, 1),
    (1, 1),
    (1, -1),
)  # horizontal, vertical, rising, falling


def name(square: Square) -> str:
    return f"{ascii_lowercase[square[0]]}{square[1] + 1}"


def add(a: Square, b: Square, times: int = 1) -> Square:
    return a[0] + times * b[0], a[1] + times * b[1]


def symmetries(square: Square, size: int) -> list[Square]:
    """The images of a square under the eight symmetries of a board of `size` x `size`."""
    x, y = square
    images = []
    for image in ((x, y), (y, x)):
        for _ in range(4):
            images.append(image)
            image = image[1], size - 1 - image[0]
    return images
