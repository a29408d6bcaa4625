"""Tic-tac-toe as text: actions, position texts and diagrams."""

from roundel.core import squares
from roundel.core.errors import InvalidText
from roundel.core.fen import Fields
from roundel.core.game import Action, Options, State
from tictactoe.rules import LINES, MISERE, PLAYER, SIGNS, WINNERS, initial

NAMES = [squares.name((number % 3, number // 3)) for number in range(9)]
SQUARE_OF = {name: number for number, name in enumerate(NAMES)}
PARTS = ("crosses", "noughts")


def write(state: State, action: Action) -> str:
    return NAMES[action]


def read(state: State, text: str) -> Action:
    if text not in SQUARE_OF:
        raise InvalidText(f"tictactoe: cannot read {text!r}; expected a square, a1 to c3")
    return SQUARE_OF[text]


def squares_of(state: State, player: int) -> list[str]:
    return [name for name, number in SQUARE_OF.items() if state[0, SIGNS + player] >> number & 1]


def show(state: State) -> str:
    signs = {name: "XO"[player] for player in range(2) for name in squares_of(state, player)}
    rows = [f"{row} " + " ".join(signs.get(f"{c}{row}", ".") for c in "abc") for row in (3, 2, 1)]
    return "\n".join([*rows, "  a b c"])


def write_fen(state: State) -> dict[str, str]:
    return {part: ",".join(squares_of(state, player)) for player, part in enumerate(PARTS)}


def read_fen(options: Options, fields: Fields) -> State:
    """Whose turn it is and whether the match is over follows from the signs."""
    state = initial(options)
    boards = [fields.named(part, SQUARE_OF) for part in PARTS]
    fields.distinct("squares", [NAMES[square] for board in boards for square in board])
    crosses, noughts = len(boards[0]), len(boards[1])
    if crosses - noughts not in (0, 1):
        raise fields.error(f"crosses and noughts come in turn, not {crosses} and {noughts}")
    last = 0 if crosses > noughts else 1
    state[0, PLAYER] = 1 - last
    lines = []
    for player, board in enumerate(boards):
        signs = state[0, SIGNS + player] = sum(1 << square for square in board)
        lines.append(any(signs & line == line for line in LINES))
    if lines[1 - last]:
        raise fields.error("the match was over before the last sign")
    if lines[last]:
        state[0, WINNERS] = 1 << (last ^ state[0, MISERE])
    elif crosses + noughts == 9:
        state[0, WINNERS] = 0b11
    return state
