"""What a position of Yinsh promises: rings taken off, and windows that are nearly a row.

A window is five points in a line. What it lacks to a row may be a ring of one's own (which leaves a
marker when it moves away), a marker to be turned over, or an empty point; a ring of the opponent
blocks it.
"""

from roundel.core.bits import popcount
from roundel.core.jit import kernel
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
    landings,
)

FEATURES = (
    "to move a ring next",
    "one ring taken off",
    "two rings taken off",
    "a row to remove",
    "markers, in tens",
    "reach of the rings, in tens",
    "four and a ring",
    "four and a marker to turn",
    "four and an empty point",
    "four and a ring, to move",
    "four and a marker to turn, to move",
    "four and an empty point, to move",
    "three and a ring",
    "three and two markers to turn",
    "three and a marker to turn",
    "three and empty points",
    "two and a ring",
    "two and three markers to turn",
    "two and a marker to turn",
    "two and empty points",
    "one, and no marker of the opponent",
    "blocked windows with three or four",
    "rings that can be moved over markers, in tens",
)
# fmt: off
(
    TO_MOVE, ONE_OFF, TWO_OFF, TO_REMOVE, MARKER_COUNT, REACH, FOUR_RING, FOUR_TURN, FOUR_EMPTY,
    FOUR_RING_MOVES, FOUR_TURN_MOVES, FOUR_EMPTY_MOVES, THREE_RING, THREE_TURN_TWO, THREE_TURN_ONE,
    THREE_EMPTY, TWO_RING, TWO_TURN_THREE, TWO_TURN_ONE, TWO_EMPTY, ONE_ALONE, BLOCKED, JUMPS,
) = range(len(FEATURES))
# fmt: on
STAGES = 6  # placing, and by the markers in the pool; the same with blitz
MANY, FEW = 36, 22  # markers in the pool
BOARD = ~WALL[:6]
WINDOWS = BOARD & BOARD >> 1 & BOARD >> 2 & BOARD >> 3 & BOARD >> 4


@kernel
def stage(state):
    if state[FACTS, BLITZ]:
        return 4 if state[FACTS, PHASE] == PLACE else 5
    if state[FACTS, PHASE] == PLACE:
        return 0
    return 1 + (state[FACTS, POOL] < MANY) + (state[FACTS, POOL] < FEW)


@kernel
def count_in_windows(board):
    """The bits of how many points of a board each window holds: ones, twos, fours."""
    b, c, d, e = board >> 1, board >> 2, board >> 3, board >> 4
    three = board ^ b
    carry = (board & b) | (c & three)
    three ^= c
    both = d ^ e
    carry_two = (d & e) | (three & both)
    return three ^ both, carry ^ carry_two, carry & carry_two


@kernel
def in_windows(board):
    """The windows that hold any point of a board."""
    two = board | (board >> 1)
    return two | (two >> 2) | (board >> 4)


@kernel
def count_windows(state, me, i, windows, out):
    """Add up the windows of one word by what they hold."""
    ones, twos, fours = count_in_windows(state[MARKERS + me, i])
    their_ones, their_twos, their_fours = count_in_windows(state[MARKERS + 1 - me, i])
    blocked = in_windows(state[RINGS + 1 - me, i]) & windows
    ring = in_windows(state[RINGS + me, i]) & windows & ~blocked
    windows = windows & ~blocked
    four, three = fours & ~ones, twos & ones
    two, one = twos & ~ones & ~fours, ones & ~twos & ~fours
    none_theirs = windows & ~their_ones & ~their_twos & ~their_fours
    one_theirs = windows & their_ones & ~their_twos & ~their_fours
    two_theirs = windows & their_twos & ~their_ones
    out[me, FOUR_RING] += popcount(four & ring)
    out[me, FOUR_TURN] += popcount(four & one_theirs)
    out[me, FOUR_EMPTY] += popcount(four & none_theirs & ~ring)
    out[me, THREE_RING] += popcount(three & ring)
    out[me, THREE_TURN_TWO] += popcount(three & two_theirs)
    out[me, THREE_TURN_ONE] += popcount(three & one_theirs & ~ring)
    out[me, THREE_EMPTY] += popcount(three & none_theirs & ~ring)
    out[me, TWO_RING] += popcount(two & ring)
    out[me, TWO_TURN_THREE] += popcount(two & windows & their_twos & their_ones)
    out[me, TWO_TURN_ONE] += popcount(two & one_theirs & ~ring)
    out[me, TWO_EMPTY] += popcount(two & none_theirs & ~ring)
    out[me, ONE_ALONE] += popcount(one & none_theirs)
    out[me, BLOCKED] += popcount((three | four) & blocked)


@kernel
def features(state, out):
    moving = state[FACTS, PHASE] <= MOVE
    next_mover = state[FACTS, PLAYER] if moving else 1 - state[FACTS, MOVER]
    for me in range(2):
        for i in range(out.shape[1]):
            out[me, i] = 0.0
        for i in range(6):
            count_windows(state, me, i, WINDOWS[i], out)
        out[me, ONE_OFF] = state[FACTS, TAKEN + me] == 1
        out[me, TWO_OFF] = state[FACTS, TAKEN + me] == 2
        out[me, TO_REMOVE] = not moving and state[FACTS, PLAYER] == me
        out[me, MARKER_COUNT] = 0.1 * (
            popcount(state[MARKERS + me, 0]) + popcount(state[MARKERS + me, 1])
        )
        reach, over = 0, 0
        for i in range(state.shape[1]):
            lands = landings(state, me, i)
            reach += popcount(lands)
            over += popcount(lands & (state[MARKERS, i] | state[MARKERS + 1, i]) << 1)
        out[me, REACH] = 0.1 * reach
        out[me, JUMPS] = 0.1 * over
    out[next_mover, TO_MOVE] = 1.0
    for i in range(FOUR_RING, FOUR_RING_MOVES):
        out[next_mover, i + FOUR_RING_MOVES - FOUR_RING] = out[next_mover, i]
