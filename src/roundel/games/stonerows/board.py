"""A state of Stone Rows as plain Python sees it: cells, tiles and stones by number or by name."""

import functools
from collections.abc import Mapping, Sequence

from roundel.core import squares
from roundel.core.game import State
from roundel.core.lang import N_, Translator
from roundel.games.stonerows import material, rules
from roundel.games.stonerows.lines import COLUMNS, FIELD, VERTICAL
from roundel.games.stonerows.rules import HOME, LAYOUT, MOVED, MOVED_TO

_ = Translator("roundel.games.stonerows")
COLOURS = ("white", "black")
SEATS = (N_("White"), N_("Black"))
NOBODY = -1
Cell = int  # 32 * x + y


@functools.cache
def cell_name(cell: Cell) -> str:
    return squares.name((cell >> 5, cell & 31))


def layout_name(state: State) -> str:
    return material.NAMES[int(state[0, LAYOUT])]


@functools.cache
def grid(layout: str) -> dict[str, Cell]:
    """All cells by name, by letter, then number (rule 3)."""
    columns, rows = material.size(layout)
    return {squares.name((x, y)): 32 * x + y for x in range(columns) for y in range(rows)}


def cells(state: State) -> list[Cell]:
    """Where each tile lies."""
    return list(tiles_on(state))


def tiles_on(state: State) -> Mapping[Cell, int]:
    """Each tile's number by its cell, in the order of the numbers."""
    return _tiles_on(state.item(0, LAYOUT), state.item(0, MOVED), state.item(0, MOVED_TO))


@functools.lru_cache(maxsize=1 << 10)
def _tiles_on(layout: int, moved: int, targets: int) -> Mapping[Cell, int]:
    places: list[Cell] = HOME[layout].tolist()
    while moved:
        places[(moved & -moved).bit_length() - 1] = targets & 1023
        moved, targets = moved & moved - 1, targets >> 10
    return {cell: tile for tile, cell in enumerate(places)}


def names(state: State) -> Sequence[str]:
    """The name of each tile's cell."""
    return _names(state.item(0, LAYOUT), state.item(0, MOVED), state.item(0, MOVED_TO))


@functools.lru_cache(maxsize=1 << 10)
def _names(layout: int, moved: int, targets: int) -> Sequence[str]:
    return [cell_name(cell) for cell in _tiles_on(layout, moved, targets)]


def owners(state: State) -> dict[Cell, int]:
    """Whose stone lies on each tile."""
    owner_of, columns = {}, state[0, VERTICAL : VERTICAL + COLUMNS].tolist()
    for cell in tiles_on(state):
        bits = columns[cell >> 5] >> (cell & 31) + 1
        white, black = bits & 1, bits >> FIELD & 1
        owner_of[cell] = NOBODY if white and black else 0 if white else 1
    return owner_of


def lines_of(marked: dict[Cell, int]) -> list[tuple[int, list[Cell]]]:
    """All maximal straight runs of cells with equal marks, with their direction's number."""
    runs = []
    for direction, (dx, dy) in enumerate(squares.LINES):
        step = 32 * dx + dy
        for cell, mark in marked.items():
            if marked.get(cell - step) != mark:
                run = [cell]
                while marked.get(run[-1] + step) == mark:
                    run.append(run[-1] + step)
                runs.append((direction, run))
    return runs


def is_closed(row: list[Cell], owner: Mapping[Cell, int]) -> bool:
    """Whether a row of two or more tiles is full (rules 8 and 9)."""
    return len(row) > 1 and all(owner[cell] != NOBODY for cell in row)


def long_runs(state: State) -> dict[tuple[int, Cell], list[Cell]]:
    """The runs that score at the end (rule 10), by direction and first end."""
    owner = owners(state)
    return {
        (direction, run[0]): run
        for direction, run in lines_of(owner)
        if len(run) >= 4 and owner[run[0]] != NOBODY
    }


def run_value(run: list[Cell]) -> int:
    return 10 * min(len(run) - 3, 4)


def backs(state: State) -> Mapping[int, str]:
    """The backs that count, by tile (rule 13)."""
    return _backs(*state[0, rules.BACKS : rules.BACKS + 4].tolist())


@functools.lru_cache(maxsize=1 << 10)
def _backs(*words: int) -> Mapping[int, str]:
    back_of = {}
    for tile in range(material.TILES):
        number = words[tile // 14] >> tile % 14 * 4 & 15
        if number:
            back_of[tile] = (
                material.STAR if number == 11 else f"{'wb'[number > 5]}{(number - 1) % 5 + 1}"
            )
    return back_of
