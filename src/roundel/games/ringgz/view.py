"""Ringgz as plain data for a board to draw. No pixels, no colours, no rules."""

from typing import Any

from roundel.core.game import Action, Options, State
from roundel.core.lang import N_
from roundel.games.ringgz import rules
from roundel.games.ringgz.notation import (
    COLOUR_NAMES,
    NAMES,
    _,
    dealt,
    on_board,
    parts_of,
    stock,
    territories_of,
)
from roundel.games.ringgz.rules import BASE, COLOURS, DEALT, FACTS, KINDS, RED, SIZE, TERRITORIES

PROMPTS = {
    rules.PREPARE: N_("{player}: put the starting base on one of the nine central territories."),
    rules.PLACE: N_("{player}: choose a ring or a base and where it goes."),
    rules.OVER: N_("The match is over."),
}


def stock_spot(player: int, colour: int, kind: int) -> str:
    """Where a player's pieces of a kind wait, like p1-blue-3 or p1-blue-base."""
    return f"p{player + 1}-{COLOURS[colour]}-{'base' if kind == BASE else kind + 1}"


def piece(colour: int, kind: int) -> str:
    return f"base-{COLOURS[colour]}" if kind == BASE else f"ring-{kind + 1}-{COLOURS[colour]}"


def layout(options: Options) -> dict[str, Any]:
    """The board, and beside it a row of waiting pieces for each player and colour."""
    spots: dict[str, dict[str, Any]] = {}
    for name, (x, y) in zip(NAMES, TERRITORIES, strict=True):
        spots[name] = {"x": x, "y": SIZE - 1 - y, "kind": "territory"}
    hands = [
        (player, colour)
        for player, colours in enumerate(DEALT[options["players"]])
        for colour in colours
    ]
    labels = []
    for row, (player, colour) in enumerate(hands):
        height = round((row + 0.5) * SIZE / len(hands) - 0.5, 2)
        labels.append({"text": f"p{player + 1}", "x": SIZE + 0.1, "y": height})
        for kind in range(KINDS):
            name = stock_spot(player, colour, kind)
            across = round(SIZE + 0.9 + 0.85 * kind, 2)
            spots[name] = {"x": across, "y": height, "kind": "stock"}
    lines = [[f"a{n}", f"e{n}"] for n in range(1, 6)] + [[f"{c}1", f"{c}5"] for c in "abcde"]
    trays = {"start": N_("the starting base")}
    return {"spots": spots, "lines": lines, "labels": labels, "trays": trays}


def view(state: State) -> dict[str, Any]:
    pieces: dict[str, list[str]] = {}
    for colour, kind, at in on_board(state):
        pieces.setdefault(NAMES[at], []).append(piece(colour, kind))
    start = territories_of(int(state[FACTS, rules.START]))
    for at in start:
        pieces[NAMES[at]] = ["base-start"]
    for player, colours in enumerate(dealt(state)):
        for second, colour in enumerate(colours):
            for kind, left in enumerate(stock(state, player, second)):
                if left:
                    pieces[stock_spot(player, colour, kind)] = [piece(colour, kind)] * left
    return {"pieces": pieces, "trays": {"start": [] if start else ["base-start"]}}


def clicks(state: State, action: Action) -> tuple[str, ...]:
    if state[FACTS, rules.PHASE] == rules.PREPARE:
        return (NAMES[action],)
    colour, kind, at = parts_of(state, action)
    return stock_spot(int(state[FACTS, rules.PLAYER]), colour, kind), NAMES[at]


def prompt(state: State) -> str:
    player, three = int(state[FACTS, rules.PLAYER]), len(dealt(state)) == 3
    first, *second = (
        _("neutral red") if three and c == RED else _(COLOUR_NAMES[c]) for c in dealt(state)[player]
    )
    name = _("Player {number} ({first} and {second})") if second else _("Player {number} ({first})")
    named = name.format(number=player + 1, first=first, second=second[0] if second else "")
    return _(PROMPTS[int(state[FACTS, rules.PHASE])]).format(player=named)
