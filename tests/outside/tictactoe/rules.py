"""The rules of tic-tac-toe. "Rule n" is paragraph n of the rule sheet."""

# mypy: allow-untyped-defs

import numpy as np

from roundel.core.game import Options, State
from roundel.kernel.bits import any_of
from roundel.kernel.jit import kernel
from roundel.kernel.memory import full as full
from roundel.kernel.memory import rows_for as rows_for

# -- Board ----------------------------------------------------------------------
#   a3 b3 c3     6 7 8
#   a2 b2 c2     3 4 5     A set of squares is a word with one bit for each;
#   a1 b1 c1     0 1 2     written in octal, a digit is a row.
EVERY_SQUARE = 0b111_111_111
LINES = np.array([0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o124, 0o421], np.int64)

# -- State: one row -------------------------------------------------------------
SIGNS, PLAYER, WINNERS, MISERE, SIZE = 0, 2, 3, 4, 5  # SIGNS + player: that player's squares

# -- Actions: the number of a square ----------------------------------------------
WORDS = 1

# -- Rules ----------------------------------------------------------------------


def initial(options: Options) -> State:
    """Rule 1: an empty board."""
    state = np.zeros((1, SIZE), np.int64)
    state[0, MISERE] = options["misere"]
    return state


@kernel
def player(state):
    return state[0, PLAYER]


@kernel
def over(state):
    return state[0, WINNERS] != 0


@kernel
def winners(state):
    return state[0, WINNERS]


@kernel
def has_line(signs):
    found = False
    for line in LINES:
        found |= signs & line == line
    return found


@kernel
def points(state, out):
    for player in range(2):
        out[player] = has_line(state[0, SIGNS + player])


@kernel
def targets(state, words):
    """Rule 2: every empty square, until the match is over."""
    words[0] = EVERY_SQUARE & ~(state[0, SIGNS] | state[0, SIGNS + 1])
    return 0 if over(state) else WORDS


@kernel
def pick(state, words, rng):
    return any_of(words, targets(state, words), rng)


@kernel
def play(state, action):
    """Rules 2 to 5, in place."""
    me = state[0, PLAYER]
    state[0, SIGNS + me] |= 1 << action
    state[0, PLAYER] = 1 - me
    if has_line(state[0, SIGNS + me]):  # rules 3 and 5
        state[0, WINNERS] = 1 << (me ^ state[0, MISERE])
    elif state[0, SIGNS] | state[0, SIGNS + 1] == EVERY_SQUARE:  # rule 4
        state[0, WINNERS] = 0b11
