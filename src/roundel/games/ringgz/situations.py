"""What is to be seen in a position of Ringgz with three or four players, as numbers to look up.

Where the features of `evaluate.py` count what is alike, this tells apart all that may differ: every
territory is a situation of its own for each player, and so is what is left of each kind of piece.
What a situation is worth was learnt (`scripts/learn.py`) and lies in `situations.npz`.
"""

from roundel.core.bits import popcount
from roundel.core.jit import kernel
from roundel.games.ringgz.evaluate import STAGES as STAGES
from roundel.games.ringgz.evaluate import linked, rooms
from roundel.games.ringgz.evaluate import stage as stage
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
    STOCK,
    TERRITORIES,
    crowds,
)

PLAYERS = (3,)  # with four, random matches judge better: docs/strength.md

# -- Situations -------------------------------------------------------------------
# A territory, for a player, by these bits:
#     0 one of my rings or more lies there    8 it is in my reach (rule 8)
#     1 two or more                           9 or linked to that
#     2 to 4 how many more rings have room   10 another player can place a ring there now
#     5 another colour has two or more       11 two colours of others can
#     6 a ring that I have left fits         12 and it would be the second one of that colour
#     7 rings of two sizes or more do        13 and of two sizes or more
#    14 I act now
ACTS = 1 << 14
SIZES = 2 * ACTS  # + 64 * rings of the size left + 8 * places for them now + places some time
BASES = SIZES + 256  # + 64 * bases left + 8 * places for them + those where others can place a ring
FITS = BASES + 256  # + 16 * rings that find a place now + those that do some time
TURNS = FITS + 256  # + how many act before me
NEUTRALS = TURNS + 32  # + 4 * neutral rings I have left + 2 * bases + whether such a ring fits now
SITUATIONS = NEUTRALS + 224

AT_SIZES = len(TERRITORIES)  # where the situations of a player lie, territories first
AT_BASES, AT_FITS, AT_TURN, AT_NEUTRALS = range(AT_SIZES + BASE, AT_SIZES + BASE + 4)
LOOKS = AT_NEUTRALS + 1  # so many at once
FAR = 3  # how many links ahead a colour's spreading is followed
MANY = 7  # places are counted up to so many

# -- Boards -----------------------------------------------------------------------


@kernel
def standing(state, me):
    """Boards of my colour: where a ring lies, and where two do; where a ring that I have left fits,
    and where of two sizes or more; and my reach."""
    colour = PIECES + (COLOUR[state[FACTS, MODE] & 7, me, 0] & 3)
    one = two = fits = twice = 0
    for size in range(BASE):
        two |= one & state[colour, size]
        one |= state[colour, size]
        free = state[FREE, size] & state[OPEN + me, size] & ALL
        twice |= fits & free
        fits |= free
    return one, two, fits, twice, state[REACH, me] & ALL


@kernel
def neutral(state):
    """Boards of the neutral colour: where anyone can place a ring of it now, where of two sizes or
    more, and where it would be the second one."""
    now = twice = one = 0
    for someone in range(3 if state[FACTS, MODE] >> 1 == 1 else 0):
        here = 0
        for size in range(BASE):
            free = state[FREE, size] & state[OPEN + someone, size] & state[REACH, someone]
            twice |= here & (free >> SECOND)
            here |= free >> SECOND
            one |= state[PIECES + 3, size]
        now |= here
    return now, twice, now & one


@kernel
def rivals(state, me):
    """Boards: where another colour than mine can place a ring now, where several can, where it
    would be the second one of its colour, and where one can of two sizes or more."""
    some, twice, seconds = neutral(state)
    several = 0
    for someone in range((state[FACTS, MODE] >> 1) + 2):
        if someone != me:
            one, _, fits, more, reach = standing(state, someone)
            several |= some & fits & reach
            some |= fits & reach
            seconds |= fits & reach & one
            twice |= more & reach
    return some, several, seconds, twice


@kernel
def bit(board, at, place):
    return ((board >> at) & 1) << place


@kernel
def see_territories(mine, rest, others, out):
    """Each territory's bits, written out: a loop over boards takes five times as long."""
    one, two, fits, twice, reach = mine
    low, middle, high, others_two, acts = rest
    some, several, seconds, others_twice = others
    near = linked(reach)
    for at in range(AT_SIZES):
        out[at] = (
            bit(one, at, 0) | bit(two, at, 1) | bit(low, at, 2) | bit(middle, at, 3)
            | bit(high, at, 4) | bit(others_two, at, 5) | bit(fits, at, 6) | bit(twice, at, 7)
            | bit(reach, at, 8) | bit(near, at, 9) | bit(some, at, 10) | bit(several, at, 11)
            | bit(seconds, at, 12) | bit(others_twice, at, 13) | acts
        )  # fmt: skip


# -- Situations of a player -------------------------------------------------------


@kernel
def see_rings(state, me, now, later, out):
    """What is left of each size, and of all."""
    fit_now = fit_later = 0
    for size in range(BASE):
        left = state[STOCK + me, size] & 3
        free = state[FREE, size] & state[OPEN + me, size] & ALL
        places, some_time = popcount(free & now), popcount(free & later)
        out[AT_SIZES + size] = SIZES + 64 * left + 8 * min(places, MANY) + min(some_time, MANY)
        fit_now += min(left, places)
        fit_later += min(left, some_time)
    out[AT_FITS] = FITS + 16 * fit_now + fit_later


@kernel
def see_bases(state, me, others, out):
    places = state[FREE, BASE] & ~state[SHUT, me] & state[REACH, me] & ALL
    many, against = min(popcount(places), MANY), min(popcount(places & others), MANY)
    out[AT_BASES] = BASES + 64 * (state[STOCK + me, BASE] & 3) + 8 * many + against


@kernel
def see_neutrals(state, me, out):
    """My share of the neutral pieces; with four players there is none."""
    left = fits = 0
    for size in range(BASE):
        left += (state[STOCK + me, size] >> SECOND) & 1
        fits |= (state[FREE, size] & state[OPEN + me, size] & state[REACH, me]) >> SECOND
    bases = (state[STOCK + me, BASE] >> SECOND) & 1
    out[AT_NEUTRALS] = NEUTRALS + 4 * left + 2 * bases + (1 if fits != 0 else 0)


@kernel
def see(state, me, room, others_two, out):
    """All situations of a player but when his turn comes."""
    four, three, two, one = room
    mine, others = standing(state, me), rivals(state, me)
    fits, reach = mine[2], mine[4]
    acts = ACTS if state[FACTS, PLAYER] == me else 0
    see_territories(mine, (one | three, two | three, four, others_two, acts), others, out)
    later = reach
    for _ in range(FAR):
        later |= linked(later & fits) & ALL
    see_rings(state, me, reach, later, out)
    see_bases(state, me, others[0], out)
    see_neutrals(state, me, out)


@kernel
def situations(state, out):
    """Fill out[player] for each of three or four players."""
    room = rooms(state)
    _, any_two, shared_two = crowds(state)
    players = (state[FACTS, MODE] >> 1) + 2
    for me in range(players):
        two = standing(state, me)[1]
        see(state, me, room, shared_two | (any_two & ~two), out[me])
        before = me - state[FACTS, PLAYER]
        out[me, AT_TURN] = TURNS + (before if before >= 0 else before + players)
