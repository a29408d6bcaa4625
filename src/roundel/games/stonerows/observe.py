"""Stone Rows as planes of the layout's grid: [letter, number - 1], seen by the player to act.

What an option excludes (backs, claims) stays 0.
"""

import numpy as np

from roundel.core.game import Options
from roundel.core.symmetry import Symmetry, from_images
from roundel.games.stonerows import material, rules
from roundel.games.stonerows.lines import FIELD, LOW, VERTICAL
from roundel.games.stonerows.material import TILES
from roundel.games.stonerows.rules import (
    AUTOMATIC,
    BACKS,
    BOARD,
    BONUS,
    CLAIMS,
    HOME,
    HOMES,
    LAYOUT,
    MOVED,
    MOVES_LEFT,
    NAMED,
    PHASE,
    PLAYER,
    POINTS,
    THIRD,
    WORDS,
    cell_of,
)
from roundel.kernel.bits import lowest
from roundel.kernel.jit import kernel
from roundel.kernel.planes import clear, fill, mark

PLANES = (
    "tiles without a stone",
    "my stones",
    "their stones",
    "tiles that may still be moved, while the board is built",
    "cells where a tile lay and none may come",
    "numbers on backs: 1 to 5 mine, -1 to -5 theirs",
    "stars on backs",
    "first ends of the runs that were named, horizontal",
    "the same, vertical",
    "the same, rising to the right",
    "the same, falling",
    "everywhere: tile moves to come, 0 to 6",
    "everywhere 1: runs are to be named",
    "everywhere 1: I am player 2",
    "everywhere: my points less theirs, at most 127 and at least -127",
)
MOVABLE, LEFT_HOMES, NUMBERS, STARS, ENDS = 3, 4, 5, 6, 7
MOVES, NAMING, SECOND, LEAD = 11, 12, 13, 14
HEIGHT = np.array([material.size(name)[1] for name in material.NAMES], np.int64)
BUILDING, PLACING = 0, 1  # kinds: what an action's int means


def grid(options: Options) -> tuple[int, ...]:
    return material.size(options["layout"])


@kernel
def lay_column(state, out, x, height, me):
    """The tiles, stones and left cells of a column."""
    line = state[0, VERTICAL + x]
    white, black = (line & LOW) >> 1, line >> (FIELD + 1)
    mine, theirs = (black, white) if me else (white, black)
    mark(out, 0, mine & theirs, x * height)
    mark(out, 1, mine & ~theirs, x * height)
    mark(out, 2, theirs & ~mine, x * height)
    mark(out, LEFT_HOMES, HOMES[state[0, LAYOUT], x] >> 1 & ~(white | black), x * height)


@kernel
def place_of(state, tile, height):
    """Where a tile lies now, as a cell of the planes."""
    cell = cell_of(state, tile)
    return (cell >> 5) * height + (cell & 31)


@kernel
def mark_tiles(state, out, plane, tiles):
    """A 1 where some tiles, given as bits, lie now."""
    height = HEIGHT[state[0, LAYOUT]]
    while tiles != 0:
        out[plane, place_of(state, lowest(tiles), height)] = 1
        tiles &= tiles - 1


@kernel
def lay_backs(state, out, me):
    height = HEIGHT[state[0, LAYOUT]]
    clear(out, NUMBERS, ENDS)
    for tile in range(TILES):
        back = (state[0, BACKS + tile // 14] >> tile % 14 * 4) & 15
        at = place_of(state, tile, height)
        if back == 11:
            out[STARS, at] = 1
        elif back != 0:
            black = back > 5
            out[NUMBERS, at] = (back - 5 * black) * (1 if black == me else -1)


@kernel
def observe(state, out):
    me = state[0, PLAYER] & 1
    height = HEIGHT[state[0, LAYOUT]]
    clear(out, 0, NUMBERS)
    for x in range(out.shape[1] // height):
        lay_column(state, out, x, height, me)
    building = state[0, PHASE] == rules.BUILD
    mark_tiles(state, out, MOVABLE, ~state[0, MOVED] & ((1 << TILES) - 1) if building else 0)
    if state[0, BONUS] != 0:
        lay_backs(state, out, me)
    if state[0, AUTOMATIC] == 0:
        for direction in range(4):
            fill(out, ENDS + direction, 0)
            mark_tiles(state, out, ENDS + direction, state[0, NAMED + direction])
        fill(out, NAMING, state[0, PHASE] == rules.NAME)
    fill(out, MOVES, state[0, MOVES_LEFT])
    fill(out, SECOND, me)
    lead = state[0, POINTS + me] - state[0, POINTS + 1 - me]
    fill(out, LEAD, min(max(lead, -127), 127))


@kernel
def kind(state):
    return BUILDING if state[0, PHASE] == rules.BUILD else PLACING


# -- Symmetries: the half turn and the mirrors that keep the layout -------------


def image(cell: int, symmetry: int, size: tuple[int, int]) -> int:
    """Bit 0 of the symmetry mirrors left and right, bit 1 up and down."""
    x, y = cell >> 5, cell & 31
    columns, rows = size
    return 32 * (columns - 1 - x if symmetry & 1 else x) + (rows - 1 - y if symmetry & 2 else y)


def build_action(tile: int, cell: int) -> int:
    x, y = cell >> 5, cell & 31
    return 64 * (tile * BOARD + x // 3) + x % 3 * THIRD + y


def action_images(symmetry: int, size: tuple[int, int], tiles: list[int]) -> np.ndarray:
    """`tiles` are the images of the tiles."""
    images = np.tile(np.arange(64 * WORDS), (2, 1))
    cells = [32 * x + y for x in range(size[0]) for y in range(size[1])]
    for tile in range(TILES):
        for cell in cells:
            target = build_action(tiles[tile], image(cell, symmetry, size))
            images[BUILDING, build_action(tile, cell)] = target
    for claim in range(CLAIMS):
        swapped = symmetry in (1, 2)  # a mirror makes one diagonal of the other
        turned = claim & 3 | (claim & 4) << 1 | (claim & 8) >> 1 if swapped else claim
        images[PLACING, 64 * claim : 64 * claim + TILES] = 64 * turned + np.array(tiles)
    return images


def symmetries(options: Options) -> list[Symmetry]:
    """With claims only the identity: a run is named by its first end, and which end of an image
    comes first depends on the run."""
    name = options["layout"]
    size, homes = material.size(name), HOME[material.NAMES.index(name)].tolist()
    transforms = []
    for symmetry in range(1 if options["claim"] else 4):
        images = [image(home, symmetry, size) for home in homes]
        if set(images) == set(homes):
            tiles = [homes.index(home) for home in images]
            cells = [
                (to >> 5) * size[1] + (to & 31)
                for x in range(size[0])
                for y in range(size[1])
                for to in [image(32 * x + y, symmetry, size)]
            ]
            actions = action_images(symmetry, size, tiles)
            transforms.append(from_images(np.array(cells, np.int64), actions))
    return transforms
