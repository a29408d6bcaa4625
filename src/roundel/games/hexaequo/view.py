"""Hexaequo as plain data for a board to draw. No pixels, no colours, no rules."""

from typing import Any

from roundel.core import hexes
from roundel.core.game import Action, Options, Player, State
from roundel.core.lang import N_
from roundel.games.hexaequo import rules
from roundel.games.hexaequo.account import account as account
from roundel.games.hexaequo.notation import put, start_and_end
from roundel.games.hexaequo.positions import COLOURS, NAMES, SEATS, SIGNS, _, pieces_of, tiles_of
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
    "held-0": N_("Black's captured pieces"),
    "reserve-1": N_("White's reserve"),
    "held-1": N_("White's captured pieces"),
}
PIECES = dict(zip(SIGNS, ("disc-black", "disc-white", "ring-black", "ring-white"), strict=True))
KINDS = {rules.TILE: "tile", rules.DISC: "disc", rules.RING: "ring"}
PLACED_BY = {"d": "disc", "r": "ring"}
BUTTONS = {"disc": N_("Place a disc"), "ring": N_("Place a ring"), "stop": N_("Stop jumping")}
CORNER = 8.0  # where buttons begin: it is empty at the top right


def seats(options: Options) -> list[dict[str, str]]:
    return [
        {"role": SEATS[player], "piece": f"disc-{colour}"} for player, colour in enumerate(COLOURS)
    ]


def layout(options: Options) -> dict[str, Any]:
    spots: dict[str, dict[str, Any]] = {}
    for cell, name in NAMES.items():
        x, y = hexes.centre(cell)
        spots[name] = {"x": x, "y": y, "kind": "cell"}
    top = hexes.centre((0, -8))[1]
    for i, (name, label) in enumerate(BUTTONS.items()):
        spots[name] = {"x": CORNER + 2 * i, "y": top, "kind": "button", "label": label}
    return {"spots": spots, "trays": dict(TRAYS)}


def view(state: State) -> dict[str, Any]:
    pieces = {NAMES[c]: [f"tile-{COLOURS[colour]}"] for c, colour in tiles_of(state).items()}
    for cell, sign in pieces_of(state).items():
        pieces[NAMES[cell]].append(PIECES[sign])
    trays: dict[str, list[str]] = {}
    for player, colour in enumerate(COLOURS):
        other = COLOURS[1 - player]
        trays[f"reserve-{player}"] = tray(state, STOCK, player, colour)
        trays[f"held-{player}"] = tray(state, HELD, player, other)
    return {"pieces": pieces, "trays": trays}


def tray(state: State, row: int, player: int, colour: str) -> list[str]:
    found: list[str] = []
    for at, kind in KINDS.items():
        found += [f"{kind}-{colour}"] * state.item(row, at + player)
    return found


def clicks(state: State, action: Action) -> tuple[str, ...]:
    """A tile needs only its cell, a disc or ring its button first; in a chain the disc is known."""
    if action == rules.STOP:
        return ("stop",)
    if action >= 64 * rules.MOVED:
        start, end = start_and_end(state, action)
        return (end,) if state.item(FACTS, rules.PHASE) == rules.CHAIN else (start, end)
    kind, cell = put(state, action)
    return (cell,) if kind == "t" else (PLACED_BY[kind], cell)


def prompt(state: State) -> str:
    player = _(SEATS[state[FACTS, rules.PLAYER]])
    return _(PROMPTS[int(state[FACTS, rules.PHASE])]).format(player=player)


def passed(before: State, after: State) -> tuple[Player, ...]:
    """Nobody may pass: who has no action has drawn (rule 13)."""
    return ()
