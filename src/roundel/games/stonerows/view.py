"""Stone Rows as plain data for a board to draw. No pixels, no colours, no rules."""

import functools
from collections.abc import Sequence

from roundel.core.board import BoardLayout, BoardView, Spot
from roundel.core.game import Action, ClickPath, Options, Player, State
from roundel.core.lang import N_
from roundel.games.stonerows import board, material, rules
from roundel.games.stonerows.account import account as account
from roundel.games.stonerows.board import COLOURS, NOBODY, SEATS, _
from roundel.games.stonerows.lines import DIRECTIONS
from roundel.games.stonerows.notation import built, claimed, run_ends, write
from roundel.games.stonerows.rules import PHASE, POINTS

PROMPTS = {
    rules.BUILD: N_(
        "{player}: choose a tile that was not moved yet and an empty cell where it goes."
    ),
    rules.FILL: N_("{player}: put a stone on an unoccupied tile."),
    rules.NAME: N_(
        "{player}: name a whole run of four or more of your stones by its ends, or finish."
    ),
    rules.OVER: N_("The match is over."),
}
CLAIM = N_("{player}: put a stone on an unoccupied tile, claim rows that it closes, then press ok.")
TRAYS = {
    "stones-0": N_("White's stones"),
    "score-0": N_("White's score"),
    "stones-1": N_("Black's stones"),
    "score-1": N_("Black's score"),
}
STONES = [f"stone-{colour}" for colour in COLOURS]
BUTTONS = {  # the rows to claim, in the order of the directions
    **dict(zip(DIRECTIONS, (N_("Across"), N_("Down"), N_("Rising"), N_("Falling")), strict=True)),
    "ok": N_("Put the stone"),
    "done": N_("Nothing more"),
}


def seats(options: Options) -> list[dict[str, str]]:
    return [{"role": role, "piece": stone} for role, stone in zip(SEATS, STONES, strict=True)]


def layout(options: Options) -> BoardLayout:
    return layout_of(options["layout"], bool(options["claim"]))


@functools.cache
def layout_of(name: str, is_claimed: bool) -> BoardLayout:
    """The same for all seeds: matches share it."""
    columns, rows = material.size(name)
    spots: dict[str, Spot] = {
        spot: {"x": cell >> 5, "y": rows - 1 - (cell & 31), "kind": "cell"}
        for spot, cell in board.grid(name).items()
    }
    for i, (button, label) in enumerate(BUTTONS.items() if is_claimed else ()):
        x = (columns - 1) / 2 + 2 * (i - (len(BUTTONS) - 1) / 2)
        spots[button] = {"x": x, "y": rows + 1, "kind": "button", "label": label}
    return {"spots": spots, "trays": dict(TRAYS)}


def score(points: int) -> list[str]:
    """Rule 1: the field on the track, and the score tiles for each time it was gone round."""
    rounds = min(points // 50, 4)
    tiles = ["score-100"] * (rounds // 2) + ["score-50"] * (rounds % 2)
    return [*tiles, f"field-{points % 50}"]


def view(state: State) -> BoardView:
    names, owner = board.names(state), list(board.owners(state).values())
    pieces = {name: ["tile"] for name in names}
    for tile, back in board.backs(state).items():
        pieces[names[tile]].append("back-star" if back == material.STAR else f"back-{back}")
    for name, player in zip(names, owner, strict=True):
        if player != NOBODY:
            pieces[name].append(STONES[player])
    trays = {}
    for player in range(2):
        stock = material.STONES - owner.count(player)
        trays[f"stones-{player}"] = [STONES[player]] * stock
        trays[f"score-{player}"] = score(state.item(0, POINTS + player))
    return {"pieces": pieces, "trays": trays}


def click_paths(state: State, actions: Sequence[Action]) -> list[ClickPath]:
    phase, names = state.item(0, PHASE), board.names(state)
    if phase == rules.BUILD:
        layout = state.item(0, rules.LAYOUT)
        return [built(layout, action) for action in actions]
    if phase == rules.FILL and state.item(0, rules.AUTOMATIC):
        return [((names[action],), names[action]) for action in actions]
    return [(clicks(state, action), write(state, action)) for action in actions]


def clicks(state: State, action: Action) -> tuple[str, ...]:
    """A stone with the rows that it claims, or the ends of a run."""
    if state.item(0, PHASE) == rules.FILL:
        return board.names(state)[action & 63], *claimed(action), "ok"
    return ("done",) if action == rules.DONE else run_ends(state, action)


def prompt(state: State) -> str:
    player, phase = _(SEATS[state[0, rules.PLAYER]]), int(state[0, PHASE])
    claims = phase == rules.FILL and not state[0, rules.AUTOMATIC]
    return _(CLAIM if claims else PROMPTS[phase]).format(player=player)


def passed(before: State, after: State) -> tuple[Player, ...]:
    """Nobody is ever passed over."""
    return ()
