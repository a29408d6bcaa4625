"""Tic-tac-toe as plain data for a board to draw. No pixels, no colours, no rules."""

from collections.abc import Sequence

from roundel.core.board import AccountItem, BoardLayout, BoardView, Spot
from roundel.core.game import Action, ClickPath, Options, Player, State
from roundel.core.lang import N_, Translator
from tictactoe.notation import NAMES, squares_of
from tictactoe.rules import LINES, PLAYER, SIGNS, WINNERS

_ = Translator("tictactoe")
SEATS = (N_("Crosses"), N_("Noughts"))


def seats(options: Options) -> list[dict[str, str]]:
    """What each player is called, and the piece to draw beside the name."""
    return [
        {"role": role, "piece": piece}
        for role, piece in zip(SEATS, ("cross", "nought"), strict=True)
    ]


def layout(options: Options) -> BoardLayout:
    """Distances in squares, x to the right and y downwards."""
    spots: dict[str, Spot] = {
        name: {"x": number % 3, "y": 2 - number // 3, "kind": "square"}
        for number, name in enumerate(NAMES)
    }
    lines = [[f"a{n}", f"c{n}"] for n in range(1, 4)] + [[f"{c}1", f"{c}3"] for c in "abc"]
    return {"spots": spots, "lines": lines}


def view(state: State) -> BoardView:
    signs = ("cross", "nought")
    return {
        "pieces": {n: [signs[player]] for player in range(2) for n in squares_of(state, player)}
    }


def click_paths(state: State, actions: Sequence[Action]) -> list[ClickPath]:
    """The clicks and the text of each action: a square is chosen by its name."""
    return [((NAMES[action],), NAMES[action]) for action in actions]


def prompt(state: State) -> str:
    if state[0, WINNERS]:
        return _("The match is over.")
    if state[0, PLAYER]:
        return _("Noughts: choose an empty square.")
    return _("Crosses: choose an empty square.")


def account(state: State) -> list[AccountItem]:
    """How a finished match is counted: a point for whoever has a line, and where it lies."""
    items: list[AccountItem] = []
    for player, role in enumerate(SEATS if state[0, WINNERS] else ()):
        signs = state[0, SIGNS + player]
        spots = [
            NAMES[n] for line in LINES if signs & line == line for n in range(9) if line >> n & 1
        ]
        text = _("{role}: three in a row").format(role=_(role))
        if spots:
            items.append({"text": text, "spots": spots, "seat": player, "points": 1})
    return items


def passed(before: State, after: State) -> tuple[Player, ...]:
    """Nobody is ever passed over."""
    return ()
