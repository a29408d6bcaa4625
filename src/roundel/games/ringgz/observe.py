"""Ringgz as planes of 5 x 5: [number - 1, letter], seen by the player to act.

Players are counted from the one to act: 0 is me, 1 comes next. Colours come in the order in which
these players hold them: with two players my first and second, then their first and second; with
three players mine, the next two players', and the neutral one; with four players one each.
"""

import numpy as np

from roundel.core import squares
from roundel.core.game import Options
from roundel.core.symmetry import Symmetry, from_images
from roundel.games.ringgz import rules
from roundel.games.ringgz.rules import (
    DEALT,
    FACTS,
    KINDS,
    MODE,
    PIECES,
    RED,
    SIZE,
    STOCK,
    TERRITORIES,
    WORDS,
)
from roundel.kernel.jit import kernel
from roundel.kernel.planes import clear, fill, mark

KIND_NAMES = (*(f"rings of size {size}" for size in range(1, 5)), "bases")
PLANES = (
    *(f"{kind} of colour {colour}" for colour in range(4) for kind in KIND_NAMES),
    *(
        f"everywhere: {kind} that player {player} has left of the {hand} colour, 0 to 3"
        for player in range(4)
        for hand in ("first", "second")
        for kind in KIND_NAMES
    ),
    "the starting base",
    "everywhere 1: the starting base is to be placed",
)
STOCKS, START, PREPARING = 4 * KINDS, 12 * KINDS, 12 * KINDS + 1


def _orders() -> np.ndarray:
    """ORDER[players - 2, player to act, i] = the colour that comes at place i."""
    order = np.zeros((3, 4, 4), np.int64)
    for players, dealt in DEALT.items():
        for me in range(players):
            seen = [dealt[(me + i) % players] for i in range(players)]
            if players == 3:
                order[1, me] = [*(colours[0] for colours in seen), RED]
            else:
                order[players - 2, me] = [colour for colours in seen for colour in colours]
    return order


ORDER = _orders()


def grid(options: Options) -> tuple[int, ...]:
    return SIZE, SIZE


@kernel
def observe(state, out):
    me = state[FACTS, rules.PLAYER] & 3
    players = (state[FACTS, MODE] >> 1) + 2
    clear(out, 0, STOCKS)
    for i in range(4):
        colour = ORDER[players - 2, me, i] & 3
        for kind in range(KINDS):
            mark(out, KINDS * i + kind, state[PIECES + colour, kind], 0)
    for i in range(players):
        someone = me + i if me + i < players else me + i - players
        for kind in range(KINDS):
            stock = state[STOCK + someone, kind]
            fill(out, STOCKS + 2 * KINDS * i + kind, stock & 3)
            fill(out, STOCKS + 2 * KINDS * i + KINDS + kind, (stock >> rules.SECOND) & 3)
    clear(out, START, PREPARING)
    mark(out, START, state[FACTS, rules.START], 0)
    fill(out, PREPARING, state[FACTS, rules.PHASE] == rules.PREPARE)


@kernel
def kind(state):
    return 0  # an action's int ends with its territory in every phase


def symmetries(options: Options) -> list[Symmetry]:
    """The eight of the square."""
    transforms = []
    for symmetry in range(8):
        images = [squares.symmetries(t, SIZE)[symmetry] for t in TERRITORIES]
        cells = np.array([TERRITORIES.index(image) for image in images], np.int64)
        actions = np.arange(64 * WORDS).reshape(-1, 32)
        actions[:, : len(cells)] = actions[:, cells]
        transforms.append(from_images(cells, actions.reshape(1, -1)))
    return transforms
