"""Hexaequo as planes of 114 cells, seen by the player to act.

The cells are those of the rolled-up plane of `rules.py`, by their numbers: i8 is 0, and the
neighbours of cell n are n ± 1, n ± 17 and n ± 18, modulo 114. No two cells of a position share a
number, nothing is ever outside, and the int of an action ends with the number of its cell. So a
convolution over the ring of 114 with these offsets is one over hexagons.
"""

import numpy as np

from roundel.core.game import Options
from roundel.core.symmetry import Symmetry, from_images
from roundel.games.hexaequo import rules
from roundel.games.hexaequo.rules import (
    CELLS,
    DISC,
    FACTS,
    HALF,
    HELD,
    JUMPER,
    MOVED,
    RING,
    STOCK,
    TILES,
    VISITED,
    WORDS,
)
from roundel.kernel.jit import kernel
from roundel.kernel.planes import clear, fill, mark

PLANES = (
    "my tiles",
    "their tiles",
    "my discs",
    "their discs",
    "my rings",
    "their rings",
    "the disc that may jump on",
    "where it may not land again",
    "everywhere: my tiles in reserve, 0 to 7",
    "everywhere: their tiles in reserve, 0 to 7",
    "everywhere: my discs in reserve, 0 to 6",
    "everywhere: their discs in reserve, 0 to 6",
    "everywhere: my rings in reserve, 0 to 3",
    "everywhere: their rings in reserve, 0 to 3",
    "everywhere: discs that I captured, 0 to 6",
    "everywhere: discs that they captured, 0 to 6",
    "everywhere: rings that I captured, 0 to 3",
    "everywhere: rings that they captured, 0 to 3",
    "everywhere: how often this position was there before, 0 to 2; in a chain 0",
)
RESERVES, CAPTURED, BEFORE = 8, 14, 18


def grid(options: Options) -> tuple[int, ...]:
    return (CELLS,)


@kernel
def lay(out, plane, board):
    """A plane of a board of two words."""
    mark(out, plane, board[0], 0)
    mark(out, plane, board[1], HALF)


@kernel
def observe(state, out):
    me = state[FACTS, rules.PLAYER] & 1
    clear(out, 0, RESERVES)
    for i in range(2):
        someone = me ^ i
        lay(out, i, (state[TILES, 2 * someone], state[TILES, 2 * someone + 1]))
        lay(out, 2 + i, rules.discs(state, someone))
        lay(out, 4 + i, rules.rings(state, someone))
        for kind in range(0, 6, 2):
            fill(out, RESERVES + kind + i, state[STOCK, kind + someone])
        fill(out, CAPTURED + i, state[HELD, DISC + someone])
        fill(out, CAPTURED + 2 + i, state[HELD, RING + someone])
    lay(out, 6, (state[FACTS, JUMPER], state[FACTS, JUMPER + 1]))
    lay(out, 7, (state[FACTS, VISITED], state[FACTS, VISITED + 1]))
    in_turn = state[FACTS, rules.PHASE] != rules.CHAIN
    fill(out, BEFORE, rules.occurrences(state) if in_turn else 0)


@kernel
def kind(state):
    return 0


def action_at(word: int, cell: int) -> int:
    return 64 * (word + cell // HALF) + cell % HALF


def symmetries(options: Options) -> list[Symmetry]:
    """The half turn about i8. The other symmetries of the hexagons do not go with the roll, but
    every shift of all cells by the same number does: `np.roll` of the planes."""
    turned = [(-cell) % CELLS for cell in range(CELLS)]
    actions = np.arange(64 * WORDS)
    for word in range(0, WORDS, 2):
        image = MOVED + ((word - MOVED) ^ 2) if word >= MOVED else word  # from the other side
        for cell in range(CELLS):
            actions[action_at(word, cell)] = action_at(image, turned[cell])
    same = from_images(np.arange(CELLS), np.arange(64 * WORDS)[None])
    return [same, from_images(np.array(turned, np.int64), actions[None])]
