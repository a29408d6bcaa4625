"""Yinsh as plain data for a board to draw. No pixels, no colours, no rules."""

from collections.abc import Sequence

from roundel.core import hexes
from roundel.core.board import BoardLayout, BoardView, Spot
from roundel.core.game import Action, ClickPath, Options, Player, State
from roundel.core.lang import N_
from roundel.games.yinsh import rules
from roundel.games.yinsh.account import account as account
from roundel.games.yinsh.notation import (
    COLOURS,
    NAMES,
    POINT_AT,
    SEATS,
    _,
    ends_of,
    on_board,
    ring_move_path,
    rings_of,
    start_of,
    write,
)
from roundel.games.yinsh.rules import FACTS, MARKERS, POINTS, RINGS

PROMPTS = {
    rules.PLACE: N_("{player}: put a ring on an empty point."),
    rules.MOVE: N_("{player}: choose one of your rings and where it goes."),
    rules.ROW: N_("{player}: choose a row of five of your markers to remove."),
    rules.RING: N_("{player}: choose one of your rings to take off."),
    rules.OVER: N_("The match is over."),
}

PIECES = [  # the boards of the state, and what stands there
    (row + player, f"{kind}-{colour}")
    for row, kind in ((RINGS, "ring"), (MARKERS, "marker"))
    for player, colour in enumerate(COLOURS)
]


def seats(options: Options) -> list[dict[str, str]]:
    return [
        {"role": SEATS[player], "piece": f"marker-{colour}"}
        for player, colour in enumerate(COLOURS)
    ]


def layout(options: Options) -> BoardLayout:
    """Columns run upwards: the plane of hexagons, turned by a quarter."""
    spots: dict[str, Spot] = {}
    for name, (x, y) in zip(NAMES, POINTS, strict=True):
        down, right = hexes.centre((x - y, -x))
        spots[name] = {"x": -right, "y": down, "kind": "point"}
    lines = [[NAMES[line[0]], NAMES[line[-1]]] for axis in rules.AXES for line in rules.lines(axis)]
    trays = {
        "pool": N_("markers in the pool"),
        "off-0": N_("White's rings off"),
        "off-1": N_("Black's rings off"),
    }
    return {"spots": spots, "lines": lines, "trays": trays}


def view(state: State) -> BoardView:
    pieces: dict[str, list[str]] = {}
    for row, name in PIECES:
        for point in on_board(state, row):
            pieces[NAMES[point]] = [name]
    trays = {
        "pool": ["marker"] * state.item(FACTS, rules.POOL),
        "off-0": ["ring-white"] * state.item(FACTS, rules.TAKEN),
        "off-1": ["ring-black"] * state.item(FACTS, rules.TAKEN + 1),
    }
    return {"pieces": pieces, "trays": trays}


def click_paths(state: State, actions: Sequence[Action]) -> list[ClickPath]:
    if state.item(FACTS, rules.PHASE) == rules.MOVE:
        rings = rings_of(state)
        return [ring_move_path(start_of(rings, action), POINT_AT[action]) for action in actions]
    return [(clicks(state, action), write(state, action)) for action in actions]


def clicks(state: State, action: Action) -> tuple[str, ...]:
    """The ends of a row, or the point of a ring that is put or taken off."""
    is_row = state.item(FACTS, rules.PHASE) == rules.ROW
    return tuple(NAMES[point] for point in (ends_of(action) if is_row else (POINT_AT[action],)))


def prompt(state: State) -> str:
    player = _(SEATS[state[FACTS, rules.PLAYER]])
    return _(PROMPTS[int(state[FACTS, rules.PHASE])]).format(player=player)


def passed(before: State, after: State) -> tuple[Player, ...]:
    """Rule 11: the one whose turn it would be, if the other one moves."""
    first_turn = before[FACTS, rules.PHASE] == rules.PLACE
    expected = 0 if first_turn else 1 - int(after[FACTS, rules.MOVER])
    is_turn = after[FACTS, rules.PHASE] == rules.MOVE
    return (expected,) if is_turn and after[FACTS, rules.PLAYER] != expected else ()
