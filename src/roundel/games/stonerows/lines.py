"""The lines of the grid, compiled: every line is one word, so rows and runs are found by shifts.

Each cell (x, y) lies on four lines, in the order of the letters of rule 12:

    h  horizontal                by y
    v  vertical                  by x; two empty columns lie on each side
    u  rising to the right       by x - y modulo 26 } diagonals that are 26 apart share a line, but
    d  falling                   by x + y modulo 26 } there are always empty cells between them

A line has two fields of 28 bits. The cell at x (in a column: at y) has bit x + 1 of both, so each
field begins and ends with a bit that is never set. No tile: neither bit is set; unoccupied tile:
both; white stone: the one in the low field; black stone: the one in the high field.
"""
# mypy: allow-untyped-defs

import numpy as np

from roundel.kernel.bits import highest, lowest
from roundel.kernel.jit import kernel

COLUMNS, ROWS = 26, 20
DIRECTIONS = "hvud"
HORIZONTAL, VERTICAL, RISING, FALLING, LINES = 0, 22, 50, 76, 102
FIELD = 28
LOW = (1 << FIELD) - 1
BOTH = 1 << FIELD | 1
INSIDE = (2 << ROWS) - 2  # the bits of a column


def _places():
    """PLACES[cell, direction] = 32 * line + the bit of the cell in that line."""
    places = np.zeros((32 * COLUMNS, 4), np.int64)
    for x in range(COLUMNS):
        for y in range(ROWS):
            rising, falling = RISING + (x - y) % COLUMNS, FALLING + (x + y) % COLUMNS
            lines = ((HORIZONTAL + y, x), (VERTICAL + x, y), (rising, x), (falling, x))
            places[32 * x + y] = [32 * line + at + 1 for line, at in lines]
    return places


PLACES = _places()


def flip(state, cell, bits):
    """Turn bits of one cell: BOTH lays or lifts a tile, the other colour's bit puts a stone."""
    for direction in range(4):
        place = PLACES[cell, direction]
        state[0, place >> 5] ^= bits << (place & 31)


turn_bits = kernel(flip)


@kernel
def around(near_x, x, y):
    """The cells of column near_x that touch (x, y)."""
    if near_x == x:
        return 5 << y
    return 7 << y if -1 <= near_x - x <= 1 else 0


@kernel
def beside(left, middle, right):
    """The cells of a column that touch a tile, given the tiles of three columns."""
    around = left | middle | right
    return left | right | around << 1 | around >> 1


@kernel
def closed(line, at):
    """The length of the row that a stone on bit `at` closes, or 0 (rules 8 and 9)."""
    other = ~(line ^ line >> FIELD) & LOW  # all but stones
    up = lowest(other & (-2 << at))
    down = highest(other & ((1 << at) - 1))
    unoccupied = line & line >> FIELD
    length = up - down - 1
    is_open = (unoccupied >> up | unoccupied >> down) & 1
    return length * (1 - is_open) * (length > 1)


@kernel
def stones(line):
    """A line with its stones only: white in the low field, black in the high one."""
    unoccupied = line & line >> FIELD & LOW
    return line ^ (unoccupied | unoccupied << FIELD)
