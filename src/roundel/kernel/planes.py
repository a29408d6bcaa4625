"""What the observations of all games are made of: int8 planes, the cells of each in one line.

A game's `observe.py` offers

    PLANES               what each plane shows, in a line of words
    grid(options)        how the cells of a plane lie: their shape
    observe(state, out)  kernel: fill `out`, which holds zeros or an earlier state of the same game
    kind(state)          kernel: which row of `Symmetry.actions` holds
    symmetries(options)  the symmetries of the board, the identity first (`core/symmetry.py`)
"""

from roundel.kernel.bits import lowest
from roundel.kernel.jit import kernel


@kernel
def fill(out, plane, value):
    """The same number on every cell."""
    for i in range(out.shape[1]):
        out[plane, i] = value


@kernel
def clear(out, first, last):
    """Zeros in the planes from `first` to `last` - 1."""
    for plane in range(first, last):
        fill(out, plane, 0)


@kernel
def mark(out, plane, word, first):
    """A 1 on cell first + b for every bit b of a word. (Boards are nearly empty: this is faster
    than to ask every cell.)"""
    while word != 0:
        out[plane, first + lowest(word)] = 1
        word &= word - 1


@kernel
def mark_at(out, plane, word, cells):
    """A 1 on cells[b] for every bit b of a word."""
    while word != 0:
        out[plane, cells[lowest(word)]] = 1
        word &= word - 1


@kernel
def observe(state, out):
    """Of a game without observations: nothing."""


@kernel
def kind(state):
    return 0
