"""Ringgz as plain data for a board to draw. No pixels, no colours, no rules."""

import functools
from collections.abc import Sequence

from roundel.core.board import BoardLayout, BoardView, Label, Spot
from roundel.core.game import Action, ClickPath, Options, Player, State
from roundel.core.lang import N_
from roundel.games.ringgz import rules
from roundel.games.ringgz.account import ROLES, colour_name
from roundel.games.ringgz.account import account as account
from roundel.games.ringgz.notation import (
    NAMES,
    _,
    dealt,
    on_board,
    parts_of,
    stock,
    territories_of,
    write,
)
from roundel.games.ringgz.rules import BASE, COLOURS, DEALT, FACTS, KINDS, SIZE, TERRITORIES

PROMPTS = {
    rules.PREPARE: N_("{player}: put the starting base on one of the nine central territories."),
    rules.PLACE: N_("{player}: choose a ring or a base and where it goes."),
    rules.OVER: N_("The match is over."),
}

# Heights beside the board: of it all, of a player's name, and of a row at most.
HEIGHT, CAPTION, ROW = SIZE + 0.4, 0.3, 0.95


def stock_spot(player: int, colour: int, kind: int) -> str:
    """Where a player's pieces of a kind wait, like p1-blue-3 or p1-blue-base."""
    return f"p{player + 1}-{COLOURS[colour]}-{'base' if kind == BASE else kind + 1}"


def piece(colour: int, kind: int) -> str:
    return f"base-{COLOURS[colour]}" if kind == BASE else f"ring-{kind + 1}-{COLOURS[colour]}"


STOCK_SPOTS = [
    [[stock_spot(player, colour, kind) for kind in range(KINDS)] for colour in range(4)]
    for player in range(4)
]
PIECES = [[piece(colour, kind) for kind in range(KINDS)] for colour in range(4)]


def seats(options: Options) -> list[dict[str, str]]:
    players = options["players"]
    return [
        {"role": role, "piece": piece(colours[0], BASE)}
        for role, colours in zip(ROLES[players], DEALT[players], strict=True)
    ]


def heights(player: int, rows: int, players: int) -> list[float]:
    """Of a player's name and of the rows under it: all players share the height of the board."""
    space = HEIGHT / players
    row = min((space - CAPTION) / rows, ROW)
    top = (SIZE - 1 - HEIGHT) / 2 + player * space + (space - CAPTION - rows * row) / 2
    middles = [top + CAPTION + (i + 0.5) * row for i in range(rows)]
    return [round(height, 2) for height in (top + CAPTION / 2, *middles)]


def layout(options: Options) -> BoardLayout:
    """The board, and beside it for each player a name over a row of waiting pieces per colour."""
    spots: dict[str, Spot] = {}
    for name, (x, y) in zip(NAMES, TERRITORIES, strict=True):
        spots[name] = {"x": x, "y": SIZE - 1 - y, "kind": "territory"}
    labels: list[Label] = []
    players = options["players"]
    for player, colours in enumerate(DEALT[players]):
        top, *rows = heights(player, len(colours), players)
        labels.append({"text": ROLES[players][player], "x": SIZE + 0.6, "y": top})
        for colour, height in zip(colours, rows, strict=True):
            for kind in range(KINDS):
                across = round(SIZE + 0.9 + 0.85 * kind, 2)
                name = stock_spot(player, colour, kind)
                spots[name] = {"x": across, "y": height, "kind": "stock"}
    lines = [[f"a{n}", f"e{n}"] for n in range(1, 6)] + [[f"{c}1", f"{c}5"] for c in "abcde"]
    trays = {"start": N_("the starting base")}
    return {"spots": spots, "lines": lines, "labels": labels, "trays": trays}


def view(state: State) -> BoardView:
    pieces: dict[str, list[str]] = {}
    for colour, kind, at in on_board(state):
        pieces.setdefault(NAMES[at], []).append(PIECES[colour][kind])
    start = territories_of(state.item(FACTS, rules.START))
    for at in start:
        pieces[NAMES[at]] = ["base-start"]
    for player, colours in enumerate(dealt(state)):
        for second, colour in enumerate(colours):
            for kind, count in enumerate(stock(state, player, second)):
                if count:
                    spot = STOCK_SPOTS[player][colour][kind]
                    pieces[spot] = [PIECES[colour][kind]] * count
    return {"pieces": pieces, "trays": {} if start else {"start": ["base-start"]}}


def click_paths(state: State, actions: Sequence[Action]) -> list[ClickPath]:
    if state.item(FACTS, rules.PHASE) == rules.PREPARE:
        return [((NAMES[action],), write(state, action)) for action in actions]
    player = state.item(FACTS, rules.PLAYER)
    colours = dealt(state)[player]
    return [click_path_of(player, colours, action) for action in actions]


@functools.cache
def click_path_of(player: int, colours: tuple[int, ...], action: Action) -> ClickPath:
    """A piece from the stock, then where it goes."""
    colour, kind, at, text = parts_of(colours, action)
    return (STOCK_SPOTS[player][colour][kind], NAMES[at]), text


def prompt(state: State) -> str:
    player = int(state[FACTS, rules.PLAYER])
    first, *second = (colour_name(state, colour) for colour in dealt(state)[player])
    name = _("Player {number} ({first} and {second})") if second else _("Player {number} ({first})")
    named = name.format(number=player + 1, first=first, second=second[0] if second else "")
    return _(PROMPTS[int(state[FACTS, rules.PHASE])]).format(player=named)


def passed(before: State, after: State) -> tuple[Player, ...]:
    """Rule 11: those between the one who placed something and the next one who can."""
    if before[FACTS, rules.PHASE] != rules.PLACE or after[FACTS, rules.PHASE] == rules.OVER:
        return ()
    players, last = len(dealt(after)), int(before[FACTS, rules.PLAYER])
    between = (int(after[FACTS, rules.PLAYER]) - last - 1) % players
    return tuple((last + 1 + i) % players for i in range(between))
