"""Yinsh as planes of 11 x 11: [letter, number - 1], seen by the player to act."""

import numpy as np

from roundel.core import hexes
from roundel.core.game import Options
from roundel.core.symmetry import Symmetry, from_images
from roundel.games.yinsh import rules
from roundel.games.yinsh.notation import action_at
from roundel.games.yinsh.rules import (
    AXES,
    FACTS,
    MARKERS,
    NUMBER,
    POINT,
    POINTS,
    RINGS,
    TAKEN,
    WORDS,
)
from roundel.kernel.jit import kernel
from roundel.kernel.planes import clear, fill, mark_at

PLANES = (
    "my rings",
    "their rings",
    "my markers",
    "their markers",
    "the points of the board",
    "everywhere 1: a ring is to be placed",
    "everywhere 1: a ring is to be moved",
    "everywhere 1: a row is to be removed",
    "everywhere 1: a ring is to be taken off",
    "everywhere 1: the last ring move was mine",
    "everywhere: my rings taken off, 0 to 2",
    "everywhere: their rings taken off, 0 to 2",
    "everywhere: the markers in the pool, 0 to 51",
)
BOARD, PHASES, MOVER, OFF, POOL = 4, 5, 9, 10, 12
SIZE = 11
CELL = [SIZE * x + y - 1 for x, y in POINTS]
CELL_AT = np.array([[CELL[p] if p >= 0 else -1 for p in word] for word in POINT[:2]], np.int64)
ON_BOARD = np.isin(np.arange(SIZE * SIZE), CELL).astype(np.int8)

AT_POINT, LANDING, FIVE = 0, 1, 2  # kinds: what an action's int means


def grid(options: Options) -> tuple[int, ...]:
    return SIZE, SIZE


@kernel
def observe(state, out):
    me = state[FACTS, rules.PLAYER] & 1
    clear(out, 0, BOARD)
    for i in range(2):
        for player in range(2):
            mark_at(out, player, state[RINGS + (me ^ player), i], CELL_AT[i])
            mark_at(out, 2 + player, state[MARKERS + (me ^ player), i], CELL_AT[i])
    for cell in range(out.shape[1]):
        out[BOARD, cell] = ON_BOARD[cell]
    for phase in range(4):
        fill(out, PHASES + phase, state[FACTS, rules.PHASE] == phase)
    fill(out, MOVER, state[FACTS, rules.MOVER] == me)
    fill(out, OFF, state[FACTS, TAKEN + me])
    fill(out, OFF + 1, state[FACTS, TAKEN + 1 - me])
    fill(out, POOL, state[FACTS, rules.POOL])


@kernel
def kind(state):
    phase = state[FACTS, rules.PHASE]
    if phase == rules.MOVE:
        return LANDING
    return FIVE if phase == rules.ROW else AT_POINT


# -- Symmetries: the twelve of the hexagon, about f6 ----------------------------


def image(point: int, symmetry: int) -> int:
    x, y = POINTS[point]
    q, r = hexes.symmetries((x - 5, y - x - 1))[symmetry]
    return NUMBER[q + 5, q + r + 6]


def turned(orientation: int, symmetry: int) -> int:
    """The image of one of the six directions."""
    directions = [*AXES, *((-dx, -dy) for dx, dy in AXES)]
    dx, dy = directions[orientation]
    q, r = hexes.symmetries((dx, dy - dx))[symmetry]
    return directions.index((q, q + r))


def image_of_five(point: int, orientation: int, symmetry: int) -> int:
    """The action that removes the image of a row: in three of six directions it begins at the
    other end. Where no five begin there is no such action, and the int stays as it is."""
    (x, y), (dx, dy) = POINTS[point], AXES[orientation]
    last = NUMBER.get((x + 4 * dx, y + 4 * dy))
    if last is None:
        return -1
    towards = turned(orientation, symmetry)
    return action_at(image(last if towards >= 3 else point, symmetry), towards % 3)


def action_images(symmetry: int) -> np.ndarray:
    images = np.tile(np.arange(64 * WORDS), (3, 1))
    images[FIVE] = -1
    for point in range(len(POINTS)):
        image_point = image(point, symmetry)
        images[AT_POINT, action_at(point, 0)] = action_at(image_point, 0)
        for orientation in range(6):
            target = action_at(image_point, turned(orientation, symmetry))
            images[LANDING, action_at(point, orientation)] = target
            if orientation < 3:
                five = image_of_five(point, orientation, symmetry)
                images[FIVE, action_at(point, orientation)] = five
    rest = np.flatnonzero(images[FIVE] < 0)
    images[FIVE, rest] = np.setdiff1d(np.arange(64 * WORDS), images[FIVE])
    return images


def symmetries(options: Options) -> list[Symmetry]:
    transforms = []
    for symmetry in range(12):
        cells = np.arange(SIZE * SIZE)  # outside the board nothing changes
        cells[CELL] = [CELL[image(point, symmetry)] for point in range(len(POINTS))]
        transforms.append(from_images(cells, action_images(symmetry)))
    return transforms
