"""Hexaequo's positions in the plane: which cells lie where, and what stands on them."""

import functools
from collections.abc import Mapping
from operator import itemgetter

import numpy as np

from roundel.core.game import State
from roundel.core.hexes import DIRECTIONS, Hex, add, distance
from roundel.core.lang import N_, Translator
from roundel.games.hexaequo import rules
from roundel.games.hexaequo.rules import FACTS, HELD, PIECES, STOCK, TILES

_ = Translator("roundel.games.hexaequo")
RANGE = range(-8, 9)
NAMES = {(q, r): f"{'abcdefghijklmnopq'[q + 8]}{r + 8}" for q in RANGE for r in RANGE}
CELL_OF = {name: cell for cell, name in NAMES.items()}
HOME = (0, 0)  # i8 has a tile in every position: from there the plane is unrolled
# Of each cell's number: the numbers of its neighbours, and the steps that lead there.
AROUND = [
    [((cell + rules.number(*step)) % rules.CELLS, *step) for step in DIRECTIONS]
    for cell in range(rules.CELLS)
]
COLOURS = ("black", "white")
SEATS = (N_("Black"), N_("White"))
SIGNS = "bwBW"  # discs and rings: SIGNS[player + 2 * is_ring]

# -- The plane ------------------------------------------------------------------


def board(state: State, row: int, column: int) -> int:
    """A board of the state in one piece: bit n for cell number n."""
    return state.item(row, column) | state.item(row, column + 1) << rules.HALF


@functools.lru_cache(maxsize=1 << 10)
def unrolled(row: bytes) -> Mapping[int, Hex]:
    """Every tile of a state's row TILES and every cell next to one, by number; ascending cells.

    The numbers say where a cell is but for whole turns of the roll; its neighbours say the rest.
    """
    state = np.frombuffer(row, np.int64).reshape(1, -1)
    tiles = board(state, 0, 0) | board(state, 0, 2)
    coordinates = {rules.number(*HOME): HOME}
    front = list(coordinates)
    while front:
        number = front.pop()
        q, r = coordinates[number]
        for near, across, down in AROUND[number]:
            if near not in coordinates:
                coordinates[near] = q + across, r + down
                if tiles >> near & 1:
                    front.append(near)
    return dict(sorted(coordinates.items(), key=itemgetter(1)))


def room(state: State) -> Mapping[int, Hex]:
    """Where anything can be: tiles and their neighbours, by number."""
    return unrolled(state[TILES].tobytes())


@functools.lru_cache(maxsize=1 << 10)
def named(row: bytes) -> Mapping[int, str]:
    cells = unrolled(row).items()  # with some that are too far out for any tile
    return {number: NAMES[cell] for number, cell in cells if cell in NAMES}


def names_of(state: State) -> Mapping[int, str]:
    """The same cells' names."""
    return named(state[TILES].tobytes())


@functools.lru_cache(maxsize=1 << 10)
def coloured(row: bytes) -> list[tuple[int, str, int]]:
    state = np.frombuffer(row, np.int64).reshape(1, -1)
    black, white = board(state, 0, 0), board(state, 0, 2)
    cells = named(row).items()
    return [(at, name, white >> at & 1) for at, name in cells if (black | white) >> at & 1]


def named_tiles(state: State) -> list[tuple[int, str, int]]:
    """The number, name and colour of each tile, ascending cells."""
    return coloured(state[TILES].tobytes())


def cells(state: State, row: int, column: int) -> list[Hex]:
    """The cells of one of the state's boards, ascending."""
    wanted = board(state, row, column)
    return [cell for number, cell in room(state).items() if wanted >> number & 1]


def tiles_of(state: State) -> dict[Hex, int]:
    """The colour of each tile, ascending cells."""
    owner_of = {cell: player for player in range(2) for cell in cells(state, TILES, 2 * player)}
    return dict(sorted(owner_of.items()))


def pieces_of(state: State, row: int = PIECES) -> dict[Hex, str]:
    """The sign of each piece, now or in an earlier position."""
    rings = set(cells(state, row, rules.RINGS))
    return {
        cell: SIGNS[player + 2 * (cell in rings)]
        for player in range(2)
        for cell in cells(state, row, 2 * player)
    }


def jumps(start: Hex, pieces: dict[Hex, str], free: set[Hex]) -> list[Hex]:
    """Rule 8."""
    steps = [step for step in DIRECTIONS if add(start, step) in pieces]
    return [add(start, step, 2) for step in steps if add(start, step, 2) in free]


def can_act(state: State) -> bool:
    """Rule 13."""
    player = int(state[FACTS, rules.PLAYER])
    tiles, pieces = tiles_of(state), pieces_of(state)
    free = set(tiles) - set(pieces)
    may_ring = state[STOCK, rules.RING + player] and state[HELD, rules.DISC + player]
    own = any(tiles[cell] == player for cell in free)
    able = state[STOCK, rules.TILE + player] > 0
    able |= own and bool(state[STOCK, rules.DISC + player] or may_ring)
    mine = disc, ring = SIGNS[player], SIGNS[player + 2]
    for cell, sign in pieces.items():
        if sign == disc:
            steps = {add(cell, step) for step in DIRECTIONS}
            able |= bool(steps & free or jumps(cell, pieces, free))
        elif sign == ring:
            ends = [end for end in tiles if distance(cell, end) == 2]
            able |= any(pieces.get(end) not in mine for end in ends)
    return bool(able)
