"""Hexaequo as plain data for a board to draw. No pixels, no colours, no rules."""

from typing import Any

from roundel.core import hexes
from roundel.core.game import Action, Options, State
from roundel.core.lang import N_
from roundel.games.hexaequo import rules
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
KINDS = {rules.TILE: "tile", rules.DISC: "disc", rules.RING: "ring"}
BUTTONS = {"disc": 8.0, "ring": 10.0, "stop": 12.0}  # in the empty corner at the top right


def layout(options: Options) -> dict[str, Any]:
    spots: dict[str, dict[str, Any]] = {}
    for cell, name in NAMES.items():
        x, y = hexes.centre(cell)
        spots[name] = {"x": x, "y": y, "kind": "cell"}
    for name, x in BUTTONS.items():
        spots[name] = {"x": x, "y": hexes.centre((0, -8))[1], "kind": "button"}
    return {"spots": spots, "trays": dict(TRAYS)}


def view(state: State) -> dict[str, Any]:
    kinds = dict(zip(SIGNS, ("disc-black", "disc-white", "ring-black", "ring-white"), strict=True))
    pieces = {NAMES[c]: [f"tile-{COLOURS[colour]}"] for c, colour in tiles_of(state).items()}
    for cell, sign in pieces_of(state).items():
        pieces[NAMES[cell]].append(kinds[sign])
    trays: dict[str, list[str]] = {}
    for player, colour in enumerate(COLOURS):
        other = COLOURS[1 - player]
        trays[f"reserve-{player}"] = tray(state, STOCK, player, colour)
        trays[f"held-{player}"] = tray(state, HELD, player, other)
    return {"pieces": pieces, "trays": trays}


def tray(state: State, row: int, player: int, colour: str) -> list[str]:
    return [f"{k}-{colour}" for at, k in KINDS.items() for _ in range(state[row, at + player])]


def clicks(state: State, action: Action) -> tuple[str, ...]:
    """A tile needs only its cell, a disc or ring its button first; in a chain the disc is known."""
    if action == rules.STOP:
        return ("stop",)
    if action >= 64 * rules.MOVED:
        start, end = start_and_end(state, action)
        in_chain = state[FACTS, rules.PHASE] == rules.CHAIN
        return (NAMES[end],) if in_chain else (NAMES[start], NAMES[end])
    kind, cell = put(state, action)
    return {"t": (), "d": ("disc",), "r": ("ring",)}[kind] + (NAMES[cell],)


def prompt(state: State) -> str:
    player = _(SEATS[state[FACTS, rules.PLAYER]])
    return _(PROMPTS[int(state[FACTS, rules.PHASE])]).format(player=player)
