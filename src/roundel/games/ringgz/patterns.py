"""What is to be seen in a position of Ringgz, as numbers to look up.

A side is a colour of a player. Every territory is a pattern of its own for each side, and so is
what is left of each kind of piece; all that may differ is told apart. What a pattern is worth was
learnt (`scripts/learn.py`) and lies in `patterns.npz`.
"""

import numpy as np

from roundel.games.ringgz.rules import (
    ALL,
    BASE,
    COLOUR,
    FACTS,
    FREE,
    MODE,
    OPEN,
    PIECES,
    PLAYER,
    REACH,
    SECOND,
    SHUT,
    SIZE,
    STOCK,
    TERRITORIES,
    crowds,
)
from roundel.kernel.bits import popcount
from roundel.kernel.jit import kernel

SIDES = (0, 0, 4, 3, 4)  # by the number of players; the neutral colour is nobody's

# -- Stages -----------------------------------------------------------------------
STEPS = 5  # of a match, for each number of players
PIECES_A_STEP, FIRST_STEP = 10, 2  # the first step is a little longer: it ends with the 12th piece
STAGES = 3 * STEPS
SHARPNESS = np.repeat([1, 1.5, 1.5], STEPS).astype(np.float32)  # found by matches

# -- Patterns ---------------------------------------------------------------------
# A territory, for a side, by these bits:
#     0 one of its rings or more lies there    9 or linked to that
#     1 two or more                           10 another player can place a ring there now
#     2 to 4 how many more rings have room    11 two colours of others can
#     5 another colour has two or more        12 and it would be the second one of that colour
#     6 a ring that is left fits              13 and of two sizes or more
#     7 rings of two sizes or more do         14 the player's other colour lies there
#     8 it is in reach (rule 8)               15 and can place a ring there now
#    16 the player acts now
ACTS = 1 << 16
SIZES = 2 * ACTS  # + 64 * rings of the size left + 8 * places for them now + places some time
BASES = SIZES + 256  # + 64 * bases left + 8 * places for them + those where others can place a ring
FITS = BASES + 256  # + 16 * rings that find a place now + those that do some time
TURNS = FITS + 256  # + how many act before
NEUTRALS = TURNS + 32  # + 4 * neutral rings left + 2 * bases + whether such a ring fits now
PATTERNS = NEUTRALS + 224

AT_SIZES = len(TERRITORIES)  # where the patterns of a side lie, territories first
AT_BASES, AT_FITS, AT_TURN, AT_NEUTRALS = range(AT_SIZES + BASE, AT_SIZES + BASE + 4)
PATTERNS_PER_SIDE = AT_NEUTRALS + 1  # so many at once
FAR = 3  # how many links ahead a colour's spreading is followed
MANY = 7  # places are counted up to so many

EAST = sum(1 << i for i, (x, _) in enumerate(TERRITORIES) if x > 0)
WEST = sum(1 << i for i, (x, _) in enumerate(TERRITORIES) if x < SIZE - 1)


@kernel
def stage(state):
    """The number of players, and how many pieces lie on the board."""
    placed = 0
    for colour in range(4):
        for kind in range(state.shape[1]):
            placed += popcount(state[PIECES + colour, kind])
    step = min(max(placed - FIRST_STEP, 0) // PIECES_A_STEP, STEPS - 1)
    return STEPS * (state[FACTS, MODE] >> 1) + step


# -- Boards -----------------------------------------------------------------------


@kernel
def linked(board):
    """A board and what is linked to it."""
    across = ((board << 1) & EAST) | ((board >> 1) & WEST)
    return board | across | (((board << SIZE) | (board >> SIZE)) & ALL)


@kernel
def rooms(state):
    """How many more rings have room on each territory, as three boards of binary digits."""
    one = two = three = four = 0
    for size in range(BASE):
        free = state[FREE, size] & ALL
        four |= three & free
        three |= two & free
        two |= one & free
        one |= free
    return (one & ~two) | (three & ~four), two & ~four, four


@kernel
def standing(state, me, second):
    """Boards of a colour: where a ring lies, and where two do; where a ring that is left fits, and
    where of two sizes or more; and its reach."""
    colour = PIECES + (COLOUR[state[FACTS, MODE] & 7, me, second] & 3)
    half = SECOND * second
    one = two = fits = twice = 0
    for size in range(BASE):
        two |= one & state[colour, size]
        one |= state[colour, size]
        free = state[FREE, size] & (state[OPEN + me, size] >> half) & ALL
        twice |= fits & free
        fits |= free
    return one, two, fits, twice, (state[REACH, me] >> half) & ALL


@kernel
def neutral(state):
    """As `rivals`, of the neutral colour: anyone may place it."""
    now = twice = one = 0
    for someone in range(3 if state[FACTS, MODE] >> 1 == 1 else 0):
        here = 0
        for size in range(BASE):
            free = state[FREE, size] & state[OPEN + someone, size] & state[REACH, someone]
            twice |= here & (free >> SECOND)
            here |= free >> SECOND
            one |= state[PIECES + 3, size]
        now |= here
    return now, 0, now & one, twice


@kernel
def rivals(state, me, sides):
    """Boards: where a colour of others can place a ring now, where several can, where it would be
    the second one of its colour, and where one can of two sizes or more."""
    players = (state[FACTS, MODE] >> 1) + 2
    some, several, seconds, twice = neutral(state)
    for side in range(sides):
        second = 1 if side >= players else 0
        someone = side - players * second
        if someone != me:
            one, _, fits, more, reach = standing(state, someone, second)
            several |= some & fits & reach
            some |= fits & reach
            seconds |= fits & reach & one
            twice |= more & reach
    return some, several, seconds, twice


@kernel
def partner(state, me, second):
    """Boards of a player's other colour: where it lies, and where it can place a ring now."""
    if state[FACTS, MODE] >> 1 != 0:
        return 0, 0
    one, _, fits, _, reach = standing(state, me, 1 - second)
    return one, fits & reach


@kernel
def bit(board, at, place):
    return ((board >> at) & 1) << place


@kernel
def see_territories(boards, acts, out):
    """Each territory's bits, written out: a loop over boards takes five times as long."""
    (one, two, fits, twice, reach), (low, middle, high, others_two), others, own = boards
    some, several, seconds, others_twice = others
    near = linked(reach)
    for at in range(AT_SIZES):
        out[at] = (
            bit(one, at, 0) | bit(two, at, 1) | bit(low, at, 2) | bit(middle, at, 3)
            | bit(high, at, 4) | bit(others_two, at, 5) | bit(fits, at, 6) | bit(twice, at, 7)
            | bit(reach, at, 8) | bit(near, at, 9) | bit(some, at, 10) | bit(several, at, 11)
            | bit(seconds, at, 12) | bit(others_twice, at, 13) | bit(own[0], at, 14)
            | bit(own[1], at, 15) | acts
        )  # fmt: skip


# -- Patterns of a side -----------------------------------------------------------


@kernel
def see_rings(state, me, half, reach, out):
    """What is left of each size, and of all."""
    now, later = reach
    fit_now = fit_later = 0
    for size in range(BASE):
        stock = (state[STOCK + me, size] >> half) & 3
        free = state[FREE, size] & (state[OPEN + me, size] >> half) & ALL
        places, some_time = popcount(free & now), popcount(free & later)
        out[AT_SIZES + size] = SIZES + 64 * stock + 8 * min(places, MANY) + min(some_time, MANY)
        fit_now += min(stock, places)
        fit_later += min(stock, some_time)
    out[AT_FITS] = FITS + 16 * fit_now + fit_later


@kernel
def see_bases(state, me, half, others, out):
    places = state[FREE, BASE] & ((~state[SHUT, me] & state[REACH, me]) >> half) & ALL
    stock = (state[STOCK + me, BASE] >> half) & 3
    many, against = min(popcount(places), MANY), min(popcount(places & others), MANY)
    out[AT_BASES] = BASES + 64 * stock + 8 * many + against


@kernel
def see_neutrals(state, me, out):
    """A player's share of the neutral pieces."""
    stock = fits = 0
    for size in range(BASE):
        stock += (state[STOCK + me, size] >> SECOND) & 1
        fits |= (state[FREE, size] & state[OPEN + me, size] & state[REACH, me]) >> SECOND
    bases = (state[STOCK + me, BASE] >> SECOND) & 1
    out[AT_NEUTRALS] = NEUTRALS + 4 * stock + 2 * bases + (1 if fits != 0 else 0)


@kernel
def see(state, me, second, boards, out):
    """All patterns of a side but when its turn comes."""
    mine, _, others, _ = boards
    see_territories(boards, ACTS if state[FACTS, PLAYER] == me else 0, out)
    fits, later = mine[2], mine[4]
    for _ in range(FAR):
        later |= linked(later & fits)
    see_rings(state, me, SECOND * second, (mine[4], later), out)
    see_bases(state, me, SECOND * second, others[0], out)
    if state[FACTS, MODE] >> 1 == 1:
        see_neutrals(state, me, out)
    else:
        out[AT_NEUTRALS] = NEUTRALS


@kernel
def features(state, out):
    """Fill out[side]: first every player's first colour, then the second ones."""
    low, middle, high = rooms(state)
    _, any_two, shared_two = crowds(state)
    players = (state[FACTS, MODE] >> 1) + 2
    for side in range(out.shape[0]):
        second = 1 if side >= players else 0
        me = side - players * second
        mine, own = standing(state, me, second), partner(state, me, second)
        others_two = shared_two | (any_two & ~mine[1])
        boards = mine, (low, middle, high, others_two), rivals(state, me, out.shape[0]), own
        see(state, me, second, boards, out[side])
        before = me - state[FACTS, PLAYER]
        out[side, AT_TURN] = TURNS + (before if before >= 0 else before + players)
