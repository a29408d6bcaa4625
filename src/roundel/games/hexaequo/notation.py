"""Hexaequo as text: actions and diagrams."""

import functools
import re
from collections.abc import Mapping

from roundel.core.errors import InvalidText
from roundel.core.game import NO_ACTION, Action, State
from roundel.core.hexes import Hex, add
from roundel.core.lang import N_
from roundel.games.hexaequo import rules
from roundel.games.hexaequo.fen import read_fen, write_fen
from roundel.games.hexaequo.positions import (
    CELL_OF,
    NAMES,
    SEATS,
    _,
    cells,
    names_of,
    pieces_of,
    room,
    tiles_of,
)
from roundel.games.hexaequo.rules import FACTS, HELD, STOCK, TILES

__all__ = ["read", "read_fen", "show", "write", "write_fen"]

# By action: the numbers of the cell where a piece came from and of the cell where something is put.
ORIGINS: list[int] = rules.ORIGIN.ravel().tolist()
CELLS = [bit + rules.HALF * (word & 1) for word in range(rules.WORDS) for bit in range(64)]
PLACED = {"t": rules.TILE, "d": rules.DISC, "r": rules.RING}
ACTION = re.compile(r"stop|([tdr])@([a-q][0-9]+)|([a-q][0-9]+)-([a-q][0-9]+)", re.ASCII)

# -- Actions --------------------------------------------------------------------


def parts_of(here: Mapping[int, str], action: Action) -> tuple[str, str]:
    """Where a piece comes from, or the letter of what is placed; and where it goes."""
    if action < 64 * rules.MOVED:
        return "tdr"[action // 128], here[CELLS[action]]
    return here[ORIGINS[action]], here[CELLS[action]]


def write(state: State, action: Action) -> str:
    if action == rules.STOP:
        return "stop"
    sign = "@" if action < 64 * rules.MOVED else "-"
    return sign.join(parts_of(names_of(state), action))


def action_at(word: int, cell: Hex) -> Action:
    number = rules.number(*cell)
    return 64 * (word + number // rules.HALF) + number % rules.HALF


@functools.lru_cache(maxsize=1 << 13)
def read_parts(text: str) -> tuple[Action, tuple[tuple[int, Hex], ...]]:
    """The action of a text, and the cells that it names with their numbers."""
    match = ACTION.fullmatch(text)
    if not match:
        wrong = _(
            "hexaequo: cannot read {text!r}; expected a text like t@g9, d@i8, r@i8, h9-h8 or stop"
        )
        raise InvalidText(wrong.format(text=text))
    names = [name for name in match.groups()[1:] if name]
    for name in names:
        if name not in CELL_OF:
            wrong = _("hexaequo: {name} is not a cell (a0 to q16)")
            raise InvalidText(wrong.format(name=name))
    if text == "stop":
        return rules.STOP, ()
    named = tuple((rules.number(*CELL_OF[name]), CELL_OF[name]) for name in names)
    if match[1]:
        return action_at(PLACED[match[1]], CELL_OF[match[2]]), named
    return action_by(CELL_OF[match[3]], CELL_OF[match[4]]), named


def read(state: State, text: str) -> Action:
    action, named = read_parts(text)
    here = room(state) if named else {}
    for number, cell in named:
        if here.get(number) != cell:
            return NO_ACTION  # here another cell has its number
    return action


def action_by(start: Hex, end: Hex) -> Action:
    """The action that moves a piece from one cell to another."""
    for i, (q, r) in enumerate(rules.OFFSETS):
        for backwards, offset in enumerate(((q, r), (-q, -r))):
            if add(start, offset) == end:
                return action_at(rules.MOVED + 4 * i + 2 * backwards, end)
    return NO_ACTION


# -- Diagrams -------------------------------------------------------------------


def show(state: State) -> str:
    """A diagram: [ ] black tiles, ( ) white ones, discs b and w, rings B and W, . room for a tile.

    The numbers of the rows are at the left; the letters are at the top of lines that run down to
    the right.
    """
    tiles, pieces = tiles_of(state), pieces_of(state)
    signs = {cell: " . " for cell in cells(state, TILES, rules.TWICE)} | {
        cell: "[]()"[2 * colour] + pieces.get(cell, " ") + "[]()"[2 * colour + 1]
        for cell, colour in tiles.items()
    }
    top = min(r for _, r in signs)
    left = min(4 * q + 2 * r for q, r in signs)
    lines = {r: "" for r in range(top - 1, max(r for _, r in signs) + 1)}
    letters = {(q, top - 1): f" {NAMES[q, 0][0]} " for q in {q for q, _ in signs}}
    left = min(left, *(4 * q + 2 * r for q, r in letters))
    for (q, r), sign in sorted({**letters, **signs}.items()):
        lines[r] = lines[r].ljust(4 + 4 * q + 2 * r - left) + sign
    for r in range(top, max(lines) + 1):
        lines[r] = f"{r + 8:3}" + lines[r][3:]
    return "\n".join([*(line.rstrip() for line in lines.values()), *status(state)])


STOCKS = N_(
    "{player}: reserve {tiles} tiles, {discs} discs, {rings} rings; "
    "captured {held_discs} discs, {held_rings} rings"
)


def status(state: State) -> list[str]:
    lines = [_(STOCKS).format(**counts(state, player)) for player in range(2)]
    actor, phase = _(SEATS[state[FACTS, rules.PLAYER]]), state[FACTS, rules.PHASE]
    texts = {rules.TURN: _("{player} to act"), rules.CHAIN: _("{player} to jump on or stop")}
    return [*lines, texts.get(phase, _("over")).format(player=actor)]


def counts(state: State, player: int) -> dict[str, object]:
    """What a player has in reserve and has captured."""
    tiles, discs, rings = (state[STOCK, kind + player] for kind in PLACED.values())
    held = state[HELD, rules.DISC + player], state[HELD, rules.RING + player]
    reserve = {"tiles": tiles, "discs": discs, "rings": rings}
    return {"player": _(SEATS[player]), **reserve, "held_discs": held[0], "held_rings": held[1]}
