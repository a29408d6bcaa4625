"""Where pieces of Hexaequo can go, for all cells at once. A board is a pair of words."""

import numpy as np

from roundel.games.hexaequo.rules import (
    ALL,
    BIT,
    CELLS,
    HALF,
    PIECES,
    SHIFT,
    STEPS,
    ahead,
    taken,
    tiles,
)
from roundel.kernel.bits import lowest, popcount
from roundel.kernel.jit import kernel

JUMPS = 2  # how often a disc is followed after its first jump; longer chains are rare


def _leaps() -> np.ndarray:
    """LEAPS[cell] = the board of the cells that a ring there can leap to (rule 10)."""
    leaps = np.zeros((CELLS, 2), np.int64)
    for cell in range(CELLS):
        for shift in SHIFT[STEPS:ALL]:
            leaps[cell] |= BIT[(cell + shift) % CELLS] | BIT[(cell - shift) % CELLS]
    return leaps


LEAPS = _leaps()


@kernel
def count(board):
    return popcount(board[0]) + popcount(board[1])


@kernel
def both(one, other):
    return one[0] & other[0], one[1] & other[1]


@kernel
def either(one, other):
    return one[0] | other[0], one[1] | other[1]


@kernel
def without(one, other):
    return one[0] & ~other[0], one[1] & ~other[1]


@kernel
def pieces(state, me):
    return state[PIECES, 2 * me], state[PIECES, 2 * me + 1]


@kernel
def empty(state):
    return without(tiles(state), taken(state))


@kernel
def forth(board, shift):
    """All cells go on by `shift`, with rubbish above bit 56."""
    return ahead(board[0], board[1], shift), ahead(board[1], board[0], shift)


@kernel
def back(board, shift):
    return forth((board[1], board[0]), HALF - shift)


@kernel
def leaps(leapers):
    """The cells that rings can leap to, were there tiles."""
    a, b = 0, 0
    for half in range(2):
        word = leapers[half]
        while word != 0:
            cell = lowest(word) + HALF * half
            a |= LEAPS[cell, 0]
            b |= LEAPS[cell, 1]
            word &= word - 1
    return a, b


@kernel
def beside(movers, onto):
    """Where discs step to."""
    neighbours = 0, 0
    for i in range(STEPS):
        neighbours = either(neighbours, either(forth(movers, SHIFT[i]), back(movers, SHIFT[i])))
    return both(neighbours, onto)


@kernel
def passed(movers, over, onto):
    """Which of some cells discs could jump over, were there pieces."""
    jumped = 0, 0
    for i in range(STEPS):
        shift = SHIFT[i]
        jumped = either(jumped, both(forth(movers, shift), back(onto, shift)))
        jumped = either(jumped, both(back(movers, shift), forth(onto, shift)))
    return both(jumped, over)


@kernel
def landed(movers, over, onto):
    """Where discs land that jump over some pieces."""
    ends = 0, 0
    for i in range(STEPS):
        shift = SHIFT[i]
        ends = either(ends, forth(both(forth(movers, shift), over), shift))
        ends = either(ends, back(both(back(movers, shift), over), shift))
    return both(ends, onto)


@kernel
def chained(movers, over, onto):
    """Which pieces a chain can pass later than by its first jump. As if nothing was captured."""
    jumped = 0, 0
    reached = landed(movers, over, onto)
    if (reached[0] | reached[1]) != 0:
        for _ in range(JUMPS):
            jumped = either(jumped, passed(reached, over, onto))
            reached = either(reached, landed(reached, over, onto))
    return jumped
