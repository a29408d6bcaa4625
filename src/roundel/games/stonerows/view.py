"""Stone Rows as plain data for a board to draw. No pixels, no colours, no rules."""

from typing import Any

from roundel.core.game import Action, Options, State
from roundel.core.lang import N_
from roundel.games.stonerows import board, material, rules
from roundel.games.stonerows.board import COLOURS, NOBODY, SEATS, _, cell_name
from roundel.games.stonerows.lines import DIRECTIONS
from roundel.games.stonerows.notation import build_target, claimed, run_ends
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
    "score-0": N_("White's score: tiles and field on a track of 50 (rebuilt)"),
    "stones-1": N_("Black's stones"),
    "score-1": N_("Black's score: tiles and field on a track of 50 (rebuilt)"),
}
BUTTONS = (*DIRECTIONS, "ok", "done")


def layout(options: Options) -> dict[str, Any]:
    name = options["layout"]
    columns, rows = material.size(name)
    spots: dict[str, dict[str, Any]] = {
        spot: {"x": cell >> 5, "y": rows - 1 - (cell & 31), "kind": "cell"}
        for spot, cell in board.grid(name).items()
    }
    for i, button in enumerate(BUTTONS if options["claim"] else ()):
        x = (columns - 1) / 2 + 2 * (i - (len(BUTTONS) - 1) / 2)
        spots[button] = {"x": x, "y": rows + 1, "kind": "button"}
    return {"spots": spots, "trays": dict(TRAYS)}


def score(points: int) -> list[str]:
    """Rule 1: the field on the track, and the score tiles for each time it was gone round."""
    rounds = min(points // 50, 4)
    tiles = ["score-100"] * (rounds // 2) + ["score-50"] * (rounds % 2)
    return [*tiles, f"field-{points % 50}"]


def view(state: State) -> dict[str, Any]:
    backs, owner = board.backs(state), board.owners(state)
    pieces: dict[str, list[str]] = {}
    for tile, (cell, player) in enumerate(owner.items()):
        pieces[cell_name(cell)] = ["tile"]
        if tile in backs:
            back = "star" if backs[tile] == material.STAR else backs[tile]
            pieces[cell_name(cell)].append(f"back-{back}")
        if player != NOBODY:
            pieces[cell_name(cell)].append(f"stone-{COLOURS[player]}")
    trays = {}
    for player, colour in enumerate(COLOURS):
        left = material.STONES - list(owner.values()).count(player)
        trays[f"stones-{player}"] = [f"stone-{colour}"] * left
        trays[f"score-{player}"] = score(int(state[0, POINTS + player]))
    return {"pieces": pieces, "trays": trays}


def clicks(state: State, action: Action) -> tuple[str, ...]:
    cells, phase = board.cells(state), state[0, PHASE]
    if phase == rules.BUILD:
        tile, target = build_target(action)
        return cell_name(cells[tile]), cell_name(target)
    if phase == rules.NAME:
        return ("done",) if action == rules.DONE else run_ends(state, action)
    stone = cell_name(cells[action & 63])
    return (stone,) if state[0, rules.AUTOMATIC] else (stone, *claimed(action), "ok")


def prompt(state: State) -> str:
    player, phase = _(SEATS[state[0, rules.PLAYER]]), int(state[0, PHASE])
    claims = phase == rules.FILL and not state[0, rules.AUTOMATIC]
    return _(CLAIM if claims else PROMPTS[phase]).format(player=player)
