"""Stone Rows as text: actions and diagrams. Position texts are in fen.py."""

import functools
import re
from typing import NamedTuple

from roundel.core import squares
from roundel.core.errors import InvalidText
from roundel.core.game import NO_ACTION, Action, ClickPath, State
from roundel.core.lang import N_
from roundel.games.stonerows import board, material, rules
from roundel.games.stonerows.board import _, cell_name
from roundel.games.stonerows.fen import read_fen, write_fen
from roundel.games.stonerows.lines import DIRECTIONS
from roundel.games.stonerows.rules import BOARD, DONE, LAYOUT, PHASE, THIRD

__all__ = ["read", "read_fen", "show", "write", "write_fen"]

CELL = "([a-z][1-9][0-9]?)"
ACTION = re.compile(
    rf"{CELL}-{CELL}|{CELL}(?:!(?=[hvud])(h?v?u?d?))?|!{CELL}-{CELL}|done", re.ASCII
)

# -- Actions --------------------------------------------------------------------


def build_target(action: Action) -> tuple[int, board.Cell]:
    """The tile that a building action moves and its new cell."""
    word, bit = divmod(action, 64)
    return word // BOARD, 32 * (word % BOARD * 3 + bit // THIRD) + bit % THIRD


@functools.lru_cache(maxsize=1 << 16)
def built(layout: int, action: Action) -> ClickPath:
    """Where a tile comes from, which is its first place still, and where it goes; the text."""
    tile, target = build_target(action)
    cells = cell_name(rules.HOME[layout].item(tile)), cell_name(target)
    return cells, "-".join(cells)


def claimed(action: Action) -> str:
    """The letters of the rows that a stone claims."""
    return "".join(letter for i, letter in enumerate(DIRECTIONS) if action >> 6 + i & 1)


def run_ends(state: State, action: Action) -> tuple[str, str]:
    """The two ends of the run that an action names."""
    direction, tile = divmod(action, 64)
    run = board.long_runs(state)[direction, board.cells(state)[tile]]
    return cell_name(run[0]), cell_name(run[-1])


def write(state: State, action: Action) -> str:
    phase = state.item(0, PHASE)
    if phase == rules.BUILD:
        return built(state.item(0, LAYOUT), action)[1]
    if phase == rules.FILL:
        names = board.names(state)
        return f"{names[action & 63]}!{claimed(action)}" if action > 63 else names[action]
    return "done" if action == DONE else "!" + "-".join(run_ends(state, action))


class Parts(NamedTuple):
    """What a text says: the phase it is for, the cells it names (-1: none), the rows it claims."""

    phase: int
    cell: board.Cell
    other: board.Cell
    claim: Action


@functools.lru_cache(maxsize=1 << 13)
def parts_of(layout: int, text: str) -> Parts:
    match = ACTION.fullmatch(text)
    if not match:
        wrong = _(
            "stonerows: cannot read {text!r}; expected a text like g7-f6, h8, h8!hv, !h8-k8 or done"
        )
        raise InvalidText(wrong.format(text=text))
    grid = board.grid(material.NAMES[layout])
    start, target, stone, claim, first, last = match.groups()
    for name in (start, target, stone, first, last):
        if name and name not in grid:
            wrong = _("stonerows: {name} is not a cell of the grid (a1 to {last})")
            raise InvalidText(wrong.format(name=name, last=[*grid][-1]))
    phase = rules.BUILD if start else rules.FILL if stone else rules.NAME
    claims = sum(64 << DIRECTIONS.index(letter) for letter in claim or "")
    cell, other = (grid.get(name, -1) for name in (start or stone or first, target or last))
    return Parts(phase, cell, other, claims)


def read(state: State, text: str) -> Action:
    phase, cell, other, claim = parts_of(int(state[0, LAYOUT]), text)
    if state[0, PHASE] != phase:
        return NO_ACTION
    if cell < 0:
        return DONE
    tile = board.tiles_on(state).get(cell)
    if tile is None:
        return NO_ACTION
    if phase == rules.FILL:
        return claim + tile
    if phase == rules.BUILD:
        x, y = divmod(other, 32)
        return 64 * (tile * BOARD + x // 3) + x % 3 * THIRD + y
    return read_run(state, cell, other, tile)


WORDS = {
    "h": N_("horizontal row"),
    "v": N_("vertical row"),
    "u": N_("rising row"),
    "d": N_("falling row"),
}


def reason(state: State, text: str) -> str:
    """Why a claim is wrong (rule 12); nothing for other actions."""
    match, phase = ACTION.fullmatch(text), state[0, PHASE]
    if match and match[5] and phase == rules.NAME:
        return _("That is not one of your whole runs of four or more, or it was named before.")
    if not (match and match[4] and phase == rules.FILL):
        return ""
    if state[0, rules.AUTOMATIC]:
        return _("Rows are claimed with option claim only.")
    stone, owner = board.grid(board.layout_name(state))[match[3]], board.owners(state)
    if owner.get(stone) != board.NOBODY:
        return _("There is no unoccupied tile on {cell}.").format(cell=match[3])
    owner[stone] = 0
    rows = [(d, row) for d, row in board.lines_of(dict.fromkeys(owner, 0)) if stone in row]
    full = {DIRECTIONS[d] for d, row in rows if board.is_closed(row, owner)}
    wrong = [_(WORDS[letter]) for letter in match[4] if letter not in full]
    text = _("A stone on {cell} does not close its {rows}.")
    return text.format(cell=match[3], rows=_(" nor its ").join(wrong)) if wrong else ""


def read_run(state: State, first: board.Cell, last: board.Cell, tile: int) -> Action:
    for (direction, cell), run in board.long_runs(state).items():
        if (cell, run[-1]) == (first, last):
            return 64 * direction + tile
    return NO_ACTION


# -- Diagrams -------------------------------------------------------------------


def signs(state: State) -> dict[board.Cell, str]:
    """Each tile: W or B for a stone, its back or o if it is unoccupied; * a star under a stone."""
    backs, owner = board.backs(state), board.owners(state)
    sign_of = {}
    for tile, (cell, player) in enumerate(owner.items()):
        back = backs.get(tile, "")
        star = back if back == material.STAR else ""
        sign_of[cell] = back or "o" if player == board.NOBODY else "WB"[player] + star
    return sign_of


def show(state: State) -> str:
    """The tiles and one cell around them."""
    sign_at = signs(state)
    xs, ys = {cell >> 5 for cell in sign_at}, {cell & 31 for cell in sign_at}
    columns, rows = material.size(board.layout_name(state))
    across = range(max(min(xs) - 1, 0), min(max(xs) + 2, columns))
    upward = range(max(min(ys) - 1, 0), min(max(ys) + 2, rows))
    lines = [
        f"{y + 1:2} " + "".join(f"{sign_at.get(32 * x + y, '.'):>3}" for x in across)
        for y in reversed(upward)
    ]
    lines.append("   " + "".join(f"{squares.name((x, 0))[0]:>3}" for x in across))
    white, black = state[0, rules.POINTS], state[0, rules.POINTS + 1]
    placed = [player for player in board.owners(state).values() if player != board.NOBODY]
    stones = [material.STONES - placed.count(player) for player in (0, 1)]
    return "\n".join(
        [
            *(line.rstrip() for line in lines),
            _("points: White {white}, Black {black}").format(white=white, black=black),
            _("stones left: White {white}, Black {black}").format(white=stones[0], black=stones[1]),
            _("tile moves left: {left}").format(left=state[0, rules.MOVES_LEFT]),
        ]
    )
