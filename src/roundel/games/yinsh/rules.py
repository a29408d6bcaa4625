"""The rules of Yinsh. "Rule n" is paragraph n of rules.en.md."""

import numpy as np

from roundel.core.game import Options, State
from roundel.kernel.bits import any_of, highest, lowest
from roundel.kernel.jit import kernel
from roundel.kernel.memory import full as full
from roundel.kernel.memory import rows_for as rows_for

# -- Board ----------------------------------------------------------------------
# 85 points (rule 1). With the letter as x and the number as y, a line keeps x, keeps y, or changes
# both alike. Points are numbered column by column: a2 is 0, k10 is 84.
#
#                  e10   g11
#               d9    f10   h11        up: (0,1)   right-up: (1,1)   right-down: (1,0)
#            c8    e9    g10   i11
#                ...
COLUMNS = (
    (2, 5),
    (1, 7),
    (1, 8),
    (1, 9),
    (1, 10),
    (2, 10),
    (2, 11),
    (3, 11),
    (4, 11),
    (5, 11),
    (7, 10),
)
POINTS = [(x, y) for x, (low, high) in enumerate(COLUMNS) for y in range(low, high + 1)]
NUMBER = {point: number for number, point in enumerate(POINTS)}
AXES = ((0, 1), (1, 0), (1, 1))

# A board is 12 words: three axes, then the same three backwards, two words each, so that in some
# orientation every ray runs towards higher bits. Lines are laid one after the other with a wall bit
# between them; at most 53 bits of a word are used.
ORIENTATIONS, WORDS = 6, 12
LINES_IN_FIRST_WORD = 6

# -- State ----------------------------------------------------------------------
# One board per row (white markers, black markers, white rings, black rings), then the facts.
MARKERS, RINGS, FACTS, ROWS = 0, 2, 4, 5
PHASE, PLAYER, MOVER, POOL, PLACED, TAKEN, WINNERS, BLITZ = 0, 1, 2, 3, 4, 5, 7, 8
# TAKEN + player: rings taken off. MOVER: whose ring move made the rows that are being removed.
PLACE, MOVE, ROW, RING, OVER = 0, 1, 2, 3, 4  # phases: what is asked next

# -- Actions --------------------------------------------------------------------
# 64 * word + bit in the boards' own layout:
#   PLACE, RING  the point in orientation 0 (words 0 and 1)
#   MOVE         the point where the ring lands; the word tells the direction it comes from, and
#                with it the ring, because a point is reached by one ring at most in each direction
#   ROW          the lowest of the five points, in one of the three forward orientations


def lines(axis: tuple[int, int]) -> list[list[int]]:
    """All lines along an axis, each as point numbers in the order of the axis."""
    dx, dy = axis
    lines = []
    for x, y in POINTS:
        if (x - dx, y - dy) not in NUMBER:
            line = []
            while (x, y) in NUMBER:
                line.append(NUMBER[x, y])
                x, y = x + dx, y + dy
            lines.append(line)
    return lines


def _tables() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """BIT[point] = its board; POINT[word, bit] = the point or -1; WALL = the board of no points;
    BELOW[word, bit] = the board of all points of that word under that bit."""
    bit = np.zeros((len(POINTS), WORDS), np.int64)
    point = np.full((WORDS, 64), -1, np.int64)
    below = np.zeros((WORDS, 64, WORDS), np.int64)
    for orientation in range(ORIENTATIONS):
        place = 0
        for number, line in enumerate(lines(AXES[orientation % 3])):
            word = 2 * orientation + (number >= LINES_IN_FIRST_WORD)
            place = 0 if number == LINES_IN_FIRST_WORD else place
            for p in line if orientation < 3 else reversed(line):
                bit[p, word], point[word, place] = 1 << place, p
                place += 1
            place += 1
    for word in range(WORDS):
        for place in range(63):
            p = point[word, place]
            below[word, place + 1] = below[word, place] | (bit[p] if p >= 0 else 0)
    return bit, point, ~np.bitwise_or.reduce(bit), below


BIT, POINT, WALL, BELOW = _tables()

# -- Rules ----------------------------------------------------------------------


def initial(options: Options) -> State:
    """Rules 1 to 3: an empty board, white to place."""
    state = np.zeros((ROWS, WORDS), np.int64)
    state[FACTS, POOL] = 51
    state[FACTS, BLITZ] = options["blitz"]
    return state


@kernel
def player(state):
    return state[FACTS, PLAYER]


@kernel
def over(state):
    return state[FACTS, PHASE] == OVER


@kernel
def winners(state):
    return state[FACTS, WINNERS]


@kernel
def points(state, out):
    out[0] = state[FACTS, TAKEN]
    out[1] = state[FACTS, TAKEN + 1]


@kernel
def fives(markers):
    """The lowest bit of every five in a row (rule 7)."""
    two = markers & (markers >> 1)
    return two & (two >> 2) & (markers >> 4)


@kernel
def landings(state, me, i):
    """Where my rings can land in one word (rule 5).

    Subtracting the bit after each ring borrows through the empty points up to the first blocker;
    if that is a marker, adding it carries through the run of markers to the point behind it.
    """
    markers = state[MARKERS, i] | state[MARKERS + 1, i]
    occupied = markers | state[RINGS, i] | state[RINGS + 1, i] | WALL[i]
    slide = occupied ^ (occupied - 2 * state[RINGS + me, i])
    return (slide | (markers + (slide & markers))) & ~occupied


@kernel
def targets(state, words):
    """The legal actions as bits; returns how many words are in use."""
    phase = state[FACTS, PHASE]
    me = state[FACTS, PLAYER] & 1
    if phase == MOVE:
        for i in range(state.shape[1]):
            words[i] = landings(state, me, i)
        return WORDS
    if phase == PLACE:
        for i in range(2):
            words[i] = ~(state[RINGS, i] | state[RINGS + 1, i] | WALL[i])
        return 2
    if phase == ROW:
        for i in range(6):
            words[i] = fives(state[MARKERS + me, i])
        return 6
    if phase == RING:
        for i in range(2):
            words[i] = state[RINGS + me, i]
        return 2
    return 0


@kernel
def pick(state, words, rng):
    return any_of(words, targets(state, words), rng)


@kernel
def can_move(state, me):
    for i in range(2):  # nearly always some ring can go one step along the first axis
        free = ~(state[0, i] | state[1, i] | state[2, i] | state[3, i] | WALL[i])
        if (state[RINGS + me, i] << 1) & free != 0:
            return True
    reached = 0
    for i in range(state.shape[1]):
        reached |= landings(state, me, i)
    return reached != 0


@kernel
def finish(state, white, black):
    """The match is over: more wins, equal is a draw (rules 9, 10 and 12)."""
    state[FACTS, PHASE] = OVER
    state[FACTS, WINNERS] = (white >= black) | (black >= white) << 1


@kernel
def begin_turn(state, me):
    """Rules 10 and 11: the pool is empty, someone is passed over, or it is just my turn."""
    can = state[FACTS, POOL] > 0
    if can and not can_move(state, me):
        me = 1 - me
        can = can_move(state, me)
    if can:
        state[FACTS, PHASE] = MOVE
        state[FACTS, PLAYER] = me
    else:
        finish(state, state[FACTS, TAKEN], state[FACTS, TAKEN + 1])


@kernel
def judge_rows(state):
    """After a ring move or a removal: whose rows come next, or whose turn (rules 7, 8 and 12)?"""
    mover = state[FACTS, MOVER] & 1
    mine = 0
    theirs = 0
    for i in range(6):
        mine |= fives(state[MARKERS + mover, i])
        theirs |= fives(state[MARKERS + 1 - mover, i])
    if mine == 0 and theirs == 0:
        begin_turn(state, 1 - mover)
        return
    owner = mover if mine != 0 else 1 - mover
    if state[FACTS, BLITZ]:
        finish(state, 1 - owner, owner)
    else:
        state[FACTS, PHASE] = ROW
        state[FACTS, PLAYER] = owner


@kernel
def move_ring(state, me, word, at):
    """Rules 4 to 6."""
    under = (1 << at) - 1
    start = highest(state[RINGS + me, word] & under) & 63
    passed = (state[MARKERS, word] | state[MARKERS + 1, word]) & under & ~((2 << start) - 1)
    first = lowest(passed) & 63 if passed != 0 else at  # the run of markers reaches up to `at`
    leaves, lands = POINT[word, start], POINT[word, at]
    for i in range(state.shape[1]):
        turned = BELOW[word, at, i] ^ BELOW[word, first, i]
        state[MARKERS + me, i] ^= turned | BIT[leaves, i]
        state[MARKERS + 1 - me, i] ^= turned
        state[RINGS + me, i] ^= BIT[leaves, i] | BIT[lands, i]
    state[FACTS, POOL] -= 1
    state[FACTS, MOVER] = me
    judge_rows(state)


@kernel
def toggle_ring(state, me, word, at):
    for i in range(state.shape[1]):
        state[RINGS + me, i] ^= BIT[POINT[word, at], i]


@kernel
def play(state, action):
    """Play a legal action, in place."""
    phase = state[FACTS, PHASE]
    me = state[FACTS, PLAYER] & 1
    word, at = (action >> 6) & 15, action & 63
    if phase == MOVE:
        move_ring(state, me, word, at)
    elif phase == PLACE:  # rule 3
        toggle_ring(state, me, word, at)
        state[FACTS, PLAYER] = 1 - me
        state[FACTS, PLACED] += 1
        if state[FACTS, PLACED] == 10:
            begin_turn(state, 1 - me)
    elif phase == ROW:  # rule 7
        for i in range(state.shape[1]):
            state[MARKERS + me, i] ^= BELOW[word, at, i] ^ BELOW[word, at + 5, i]
        state[FACTS, POOL] += 5
        state[FACTS, PHASE] = RING
    else:
        toggle_ring(state, me, word, at)
        state[FACTS, TAKEN + me] += 1
        if state[FACTS, TAKEN + me] == 3:  # rule 9
            finish(state, state[FACTS, TAKEN], state[FACTS, TAKEN + 1])
        else:
            judge_rows(state)
