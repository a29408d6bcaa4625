"""Tic-tac-toe as plain data for a board to draw. No pixels, no colours, no rules."""

from typing import Any

from roundel.core.game import Action, Options, State
from roundel.core.lang import Translator
from tictactoe.notation import NAMES, squares_of
from tictactoe.rules import PLAYER, WINNERS

_ = Translator("tictactoe")


def layout(options: Options) -> dict[str, Any]:
    """Distances in squares, x to the right and y downwards."""
    spots = {
        name: {"x": number % 3, "y": 2 - number // 3, "kind": "square"}
        for number, name in enumerate(NAMES)
    }
    lines = [[f"a{n}", f"c{n}"] for n in range(1, 4)] + [[f"{c}1", f"{c}3"] for c in "abc"]
    return {"spots": spots, "lines": lines, "trays": {}}


def view(state: State) -> dict[str, Any]:
    signs = ("cross", "nought")
    pieces = {name: [signs[player]] for player in range(2) for name in squares_of(state, player)}
    return {"pieces": pieces, "trays": {}}


def clicks(state: State, action: Action) -> tuple[str, ...]:
    return (NAMES[action],)


def prompt(state: State) -> str:
    if state[0, WINNERS]:
        return _("The match is over.")
    if state[0, PLAYER]:
        return _("Noughts: choose an empty square.")
    return _("Crosses: choose an empty square.")
