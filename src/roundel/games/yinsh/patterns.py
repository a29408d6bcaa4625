"""What is to be seen in a position of Yinsh, as numbers to look up.

A window is five points in a line, and what they hold is a pattern. Nothing is asked about the
opponent of who moves a ring next: what is good for the one is bad for the other. What a pattern
is worth was learnt (`scripts/tune.py`) and lies in `patterns.npz`.
"""

import numpy as np

from roundel.games.yinsh.rules import (
    BLITZ,
    FACTS,
    MARKERS,
    MOVE,
    MOVER,
    PHASE,
    PLACE,
    PLAYER,
    POOL,
    RINGS,
    TAKEN,
    WALL,
)
from roundel.kernel.bits import popcount
from roundel.kernel.jit import kernel

SIDES = (0, 0, 2)

# -- Stages -----------------------------------------------------------------------
# Placing; moving, by the rings that both have taken off: a row is worth the more the fewer are
# missing; placing and moving with blitz.
STAGES = 1 + 3 * 3 + 2
SHARPNESS = np.ones(STAGES, np.float32)

# -- Windows ----------------------------------------------------------------------
# What a point holds is a digit to base five: nothing, a marker of the player or of the opponent, a
# ring of the player or of the opponent. It is a sum over three boards, markers and rings of the
# one, twice those of the other, and twice the rings.
LENGTH = 5
FIVE = (1 << LENGTH) - 1
NUMBERS = np.array([int(f"{bits:b}", 5) for bits in range(FIVE + 1)])  # a digit for each bit
BOARD = ~WALL[:6]
STARTS = BOARD & BOARD >> 1 & BOARD >> 2 & BOARD >> 3 & BOARD >> 4
PLACES = [[at for at in range(64) if int(word) >> at & 1] for word in STARTS]
SHIFTS = np.concatenate(PLACES)
FIRST = np.cumsum([0, *map(len, PLACES)])  # where the windows of each word begin

# -- Patterns ---------------------------------------------------------------------
TURNS = 5**LENGTH  # + 24 * rings taken off + 8 * the opponent's + 2 * phase + whether to act
COUNTS = TURNS + 72  # + 64 + markers more than the opponent
POOLS = COUNTS + 128  # + 64 * (1: as many rings taken off, 0: fewer, 2: more) + pool
PATTERNS = POOLS + 192
AT_TURN, AT_COUNT, AT_POOL = range(SHIFTS.size, SHIFTS.size + 3)  # after the windows
PATTERNS_PER_SIDE = AT_POOL + 1


@kernel
def mover(state):
    """Who moves a ring next."""
    return (state[FACTS, PLAYER] if state[FACTS, PHASE] <= MOVE else 1 - state[FACTS, MOVER]) & 1


@kernel
def stage(state):
    is_placing = state[FACTS, PHASE] == PLACE
    if state[FACTS, BLITZ]:
        return STAGES - 2 if is_placing else STAGES - 1
    if is_placing:
        return 0
    me = mover(state)
    return 1 + 3 * state[FACTS, TAKEN + me] + state[FACTS, TAKEN + 1 - me]


@kernel
def count(board):
    return popcount(board[0]) + popcount(board[1])


@kernel
def see_windows(state, me, out):
    for i in range(STARTS.size):
        mine, theirs = state[RINGS + me, i], state[RINGS + 1 - me, i]
        rings = mine | theirs
        mine |= state[MARKERS + me, i]
        theirs |= state[MARKERS + 1 - me, i]
        for k in range(FIRST[i], FIRST[i + 1]):
            at = SHIFTS[k]
            twice = NUMBERS[(theirs >> at) & FIVE] + NUMBERS[(rings >> at) & FIVE]
            out[k] = NUMBERS[(mine >> at) & FIVE] + 2 * twice


@kernel
def features(state, out):
    me = mover(state)
    seen = out[me]
    out[1 - me, 0] = -1
    see_windows(state, me, seen)
    taken, theirs = state[FACTS, TAKEN + me], state[FACTS, TAKEN + 1 - me]
    acts = 1 if state[FACTS, PLAYER] == me else 0
    seen[AT_TURN] = TURNS + 24 * taken + 8 * theirs + 2 * state[FACTS, PHASE] + acts
    seen[AT_COUNT] = COUNTS + 64 + count(state[MARKERS + me]) - count(state[MARKERS + 1 - me])
    lead = 1 + (taken > theirs) - (taken < theirs)
    seen[AT_POOL] = POOLS + 64 * lead + state[FACTS, POOL]
