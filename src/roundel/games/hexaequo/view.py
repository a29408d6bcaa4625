"""Hexaequo as plain data for a board to draw. No pixels, no colours, no rules."""

from collections.abc import Sequence

from roundel.core import hexes
from roundel.core.board import BoardLayout, BoardView, Spot
from roundel.core.game import Action, ClickPath, Options, Player, State
from roundel.core.lang import N_
from roundel.games.hexaequo import rules
from roundel.games.hexaequo.account import account as account
from roundel.games.hexaequo.notation import parts_of
from roundel.games.hexaequo.positions import (
    COLOURS,
    NAMES,
    SEATS,
    _,
    board,
    named_tiles,
    names_of,
)
from roundel.games.hexaequo.rules import FACTS, HELD, STOCK

PROMPTS = {
    rules.TURN: N_(
        "{player}: place a tile, a disc or a ring, or choose a piece and where it goes."
    ),
    rules.CHAIN: N_("{player}: jump on with the same disc, or stop."),
    rules.OVER: N_("The match is over."),
}
TRAYS = {
    "reserve-0": N_("Black's reserve"),
    "held-0": N_("Black's captures"),
    "reserve-1": N_("White's reserve"),
    "held-1": N_("White's captures"),
}
TILE_NAMES = [f"tile-{colour}" for colour in COLOURS]
PIECE_NAMES = [[f"{kind}-{colour}" for colour in COLOURS] for kind in ("disc", "ring")]
KINDS = {rules.TILE: TILE_NAMES, rules.DISC: PIECE_NAMES[0], rules.RING: PIECE_NAMES[1]}
PLACED_BY = {"d": "disc", "r": "ring"}
BUTTONS = {"disc": N_("Place a disc"), "ring": N_("Place a ring"), "stop": N_("Stop jumping")}
CORNER = 8.0  # where buttons begin: it is empty at the top right


def seats(options: Options) -> list[dict[str, str]]:
    return [
        {"role": SEATS[player], "piece": f"disc-{colour}"} for player, colour in enumerate(COLOURS)
    ]


def layout(options: Options) -> BoardLayout:
    spots: dict[str, Spot] = {}
    for cell, name in NAMES.items():
        x, y = hexes.centre(cell)
        spots[name] = {"x": x, "y": y, "kind": "cell"}
    top = hexes.centre((0, -8))[1]
    for i, (name, label) in enumerate(BUTTONS.items()):
        spots[name] = {"x": CORNER + 2 * i, "y": top, "kind": "button", "label": label}
    return {"spots": spots, "trays": dict(TRAYS)}


def view(state: State) -> BoardView:
    pieces: dict[str, list[str]] = {}
    ours, theirs = (board(state, rules.PIECES, 2 * player) for player in range(2))
    rings, taken = board(state, rules.PIECES, rules.RINGS), ours | theirs
    for at, name, colour in named_tiles(state):
        pieces[name] = [TILE_NAMES[colour]]
        if taken >> at & 1:
            pieces[name].append(PIECE_NAMES[rings >> at & 1][theirs >> at & 1])
    trays: dict[str, list[str]] = {}
    for player in range(2):
        trays[f"reserve-{player}"] = tray(state, STOCK, player, player)
        trays[f"held-{player}"] = tray(state, HELD, player, 1 - player)
    return {"pieces": pieces, "trays": trays}


def tray(state: State, row: int, player: int, colour: int) -> list[str]:
    pieces: list[str] = []
    for at, kind in KINDS.items():
        pieces += [kind[colour]] * state.item(row, at + player)
    return pieces


def click_paths(state: State, actions: Sequence[Action]) -> list[ClickPath]:
    """A tile needs only its cell, a disc or ring its button first; in a chain the disc is known."""
    here, is_chain = names_of(state), state.item(FACTS, rules.PHASE) == rules.CHAIN
    paths: list[ClickPath] = []
    for action in actions:
        if action == rules.STOP:
            paths.append((("stop",), "stop"))
            continue
        first, cell = parts_of(here, action)
        if action < 64 * rules.MOVED:
            clicks = (cell,) if first == "t" else (PLACED_BY[first], cell)
            paths.append((clicks, f"{first}@{cell}"))
        else:
            paths.append(((cell,) if is_chain else (first, cell), f"{first}-{cell}"))
    return paths


def prompt(state: State) -> str:
    player = _(SEATS[state[FACTS, rules.PLAYER]])
    return _(PROMPTS[int(state[FACTS, rules.PHASE])]).format(player=player)


def passed(before: State, after: State) -> tuple[Player, ...]:
    """Nobody may pass: who has no action has drawn (rule 13)."""
    return ()
