"""What makes a position of Ringgz promising, as numbers for each player.

Matches are won by who can go on placing rings when others cannot any more: how much of a stock
still fits somewhere tells more than the territories that are won. Territories that are not full are
told apart by what one more ring can do there.

With at most four rings, a territory is one of these, by the rings of each colour on it:

    1       won, and any other colour's ring ties it        1+1     whoever adds to one wins it
    2       won, and two rings of another colour tie it     1+1+1   likewise, with the last ring
    2+1     won, and one ring of the second colour ties it  3       won for good
"""

import numpy as np

from roundel.core.bits import popcount
from roundel.core.jit import kernel
from roundel.games.ringgz.rules import (
    ALL,
    BASE,
    COLOUR,
    FACTS,
    FREE,
    MODE,
    OPEN,
    PAIR,
    PIECES,
    PLAYER,
    REACH,
    SECOND,
    SHUT,
    SIZE,
    STOCK,
    TERRITORIES,
    crowds,
    open_to,
)

FEATURES = (
    "acts now",
    "acts next",
    "territories won",
    "won with one ring, which others can tie later",
    "won with one ring, which others can tie now, for the player who acts",
    "the same for one who waits",
    "won with two rings, which others can tie with two",
    "won 2+1, which others can tie now, for the player who acts",
    "the same for one who waits",
    "tied 1+1, and one more ring of mine wins, for the player who acts",
    "the same for one who waits",
    "tied 1+1+1, and one more ring of mine wins, for the player who acts",
    "the same for one who waits",
    "not won, but rings that can be placed now could win them",
    "the same, at most two",
    "won, or could be won so, by nobody else",
    "empty, and only I can place a ring there",
    "only I can place a ring there",
    "empty, and in reach some time",
    "in reach some time, each colour for itself",
    "rings left that fit somewhere now",
    "rings left that fit where nobody else can place that size now",
    "rings left that fit somewhere in reach some time",
    "rings left that fit somewhere in nobody else's reach",
    "sizes of each colour that can be placed now",
    "sizes of each colour left that fit nowhere in reach some time",
    "colours that cannot be placed now",
    "bases left",
    "bases left that fit somewhere now",
    "empty, and I can place a base, but no ring of mine",
    "empty, and I can place a base, and others a ring",
)
(
    ACTS, NEXT, WON, ONE_LATER, ONE_ACTING, ONE_WAITING, TWO, TWO_ONE_ACTING, TWO_ONE_WAITING,
    TIE_ACTING, TIE_WAITING, TIE_3_ACTING, TIE_3_WAITING, HOPES, FIRST_HOPES, ALONE, EMPTY_ALONE,
    PRIVATE, EMPTY, SPREAD, FIT_NOW, FIT_NOW_ALONE, FIT_LATER, FIT_LATER_ALONE, SIZES, STUCK, MUTE,
    BASES, BASES_FIT, BASES_FAR, BASES_AGAINST,
) = range(len(FEATURES))  # fmt: skip

# -- Stages -----------------------------------------------------------------------
STEPS = 5  # of a match, for each number of players
PIECES_A_STEP, FIRST_STEP = 10, 2  # the first step is a little longer: it ends with the 12th piece
STAGES = 3 * STEPS

# -- Tables -----------------------------------------------------------------------
FAR = 3  # how many links ahead a colour's spreading is followed; more and fewer told less
EAST = PAIR * sum(1 << i for i, (x, _) in enumerate(TERRITORIES) if x > 0)
WEST = PAIR * sum(1 << i for i, (x, _) in enumerate(TERRITORIES) if x < SIZE - 1)
OWN = np.array([ALL * PAIR] * 2 + [ALL] * 4, np.int64)  # by mode: the neutral colour is nobody's
HELD = np.array([ALL] * 4 + [0] * 2, np.int64)  # by mode: with four players no second colour


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
def fold(pair):
    """The board where either half of a pair is."""
    return (pair | pair >> SECOND) & ALL


@kernel
def linked(pair):
    """A pair and what is linked to it."""
    across = ((pair << 1) & EAST) | ((pair >> 1) & WEST)
    return pair | across | (((pair << SIZE) | (pair >> SIZE)) & (ALL * PAIR))


@kernel
def rooms(state):
    """Pairs: where exactly four, three, two and one more ring have room."""
    one = 0
    two = 0
    three = 0
    four = 0
    for size in range(BASE):
        free = state[FREE, size]
        four |= three & free
        three |= two & free
        two |= one & free
        one |= free
    return four, three & ~four, two & ~three, one & ~two


@kernel
def rings_held(state, me):
    """Pairs: where my colours, also a neutral one, have one ring or more, and two or more."""
    mode = state[FACTS, MODE] & 7
    first = PIECES + (COLOUR[mode, me, 0] & 3)
    second = PIECES + (COLOUR[mode, me, 1] & 3)
    one = 0
    two = 0
    for size in range(BASE):
        rings = state[first, size] | ((state[second, size] & HELD[mode]) << SECOND)
        two |= one & rings
        one |= rings
    return one, two


@kernel
def openings(state, me):
    """Pairs: where I can place a ring now, where of two sizes or more, and where some time."""
    now = 0
    twice = 0
    fits = 0
    for size in range(BASE):
        somewhere = state[FREE, size] & state[OPEN + me, size]
        here = somewhere & state[REACH, me]
        fits |= somewhere
        twice |= now & here
        now |= here
    reach = state[REACH, me]
    for _ in range(FAR):
        reach |= linked(reach & fits)
    return now, twice, fits & reach


@kernel
def look(state, me, room, crowd):
    """What I have and can, as pairs: the openings; what I have won, where I am tied with one ring,
    and what one or two more could win. Last a board: where one of my colours, maybe the neutral
    one, can get a second ring."""
    shared, any_two, shared_two = crowd
    own = OWN[state[FACTS, MODE] & 7]
    now, twice, later = openings(state, me)
    one, two = rings_held(state, me)
    won = own & ((one & ~shared) | (two & ~shared_two))
    single = own & one & ~two & shared & ~any_two
    hopes = own & now & (room[0] | (room[1] & twice & ~one) | single)
    return now, twice, later, won, single, hopes & ~won, fold(now & one & ~two)


@kernel
def fitting(left, pair):
    """How many pieces find a place each, if `left` of each colour look for one."""
    return min(left & 3, popcount(pair & ALL)) + min(left >> SECOND, popcount(pair >> SECOND))


@kernel
def halves(pair):
    """How many halves of a pair are not empty."""
    return (1 if pair & ALL else 0) + (1 if pair >> SECOND else 0)


# -- Features ---------------------------------------------------------------------


@kernel
def count_rings(state, me, boards, out):
    """The rings I have left, and whether they find a place."""
    later, other_later, other_small, other_large = boards
    now_fit = now_alone = later_fit = later_alone = sizes = stuck = 0
    for size in range(BASE):
        left = state[STOCK + me, size]
        now = open_to(state, me, size)
        then = state[FREE, size] & state[OPEN + me, size] & later
        other_now = ((other_small if size < 2 else other_large) >> SECOND * (size & 1)) & ALL
        now_fit += fitting(left, now)
        now_alone += fitting(left, now & ~(PAIR * other_now))
        later_fit += fitting(left, then)
        later_alone += fitting(left, then & ~(PAIR * other_later))
        sizes += halves(now)
        stuck += halves(state[OPEN + me, size]) - halves(then)
    out[FIT_NOW] = now_fit / 4
    out[FIT_NOW_ALONE] = now_alone / 4
    out[FIT_LATER] = later_fit / 4
    out[FIT_LATER_ALONE] = later_alone / 4
    out[SIZES] = sizes / 2
    out[STUCK] = stuck / 2


@kernel
def count_bases(state, me, boards, out):
    """The bases I have left, and what they are good for."""
    mine, other_now = boards
    bases = state[STOCK + me, BASE]
    pair = open_to(state, me, BASE) & ~state[SHUT, me]
    places = fold(pair)
    out[BASES] = (bases & 3) + (bases >> SECOND)
    out[BASES_FIT] = min(fitting(bases, pair), popcount(places))
    out[BASES_FAR] = popcount(places & ~mine) / 4
    out[BASES_AGAINST] = popcount(places & other_now) / 4


@kernel
def count_space(own, boards, other_now, out):
    """Where I can go, and who else can."""
    room, now, later = boards
    mine = fold(now & own)
    out[EMPTY_ALONE] = popcount(mine & room[0] & ~other_now) / 2
    out[PRIVATE] = popcount(mine & ~other_now) / 4
    out[EMPTY] = popcount(fold(later & own) & room[0]) / 4
    out[SPREAD] = popcount(later & own) / 8
    out[MUTE] = halves(own) - halves(now & own)


@kernel
def split(out, acting, waiting, many):
    """The same number means more to the player who acts."""
    out[acting] = many * out[ACTS]
    out[waiting] = many - out[acting]


@kernel
def count_territories(mine, room, others, out):
    """What I have won, and who can change it."""
    won, shared, now, single = mine
    other_now, other_seconds, other_later, other_twice = others
    one = won & room[1]
    out[WON] = popcount(won)
    out[ONE_LATER] = popcount(one & PAIR * (other_later & ~other_now))
    out[TWO] = popcount(won & room[2] & PAIR * other_twice)
    split(out, ONE_ACTING, ONE_WAITING, popcount(one & PAIR * other_now))
    two_one = won & room[3] & shared & PAIR * other_seconds
    split(out, TWO_ONE_ACTING, TWO_ONE_WAITING, popcount(two_one))
    split(out, TIE_ACTING, TIE_WAITING, popcount(single & room[2] & now))
    split(out, TIE_3_ACTING, TIE_3_WAITING, popcount(single & room[3] & now))


@kernel
def count_hopes(hopes, may_win, other_wins, out):
    """What I may win."""
    out[HOPES] = popcount(hopes) / 4
    out[FIRST_HOPES] = min(popcount(hopes), 2)
    out[ALONE] = popcount(may_win & ~other_wins) / 4


@kernel
def claims(state, me, seen):
    """What others want to know of me, two boards in a word: where I can place a ring now and where
    it would be the second; where I can some time and where twice now; what I may win; where I can
    place rings of size 1 and 2; of size 3 and 4."""
    now, twice, later, won, _, hopes, seconds = seen
    return (
        fold(now) | seconds << SECOND,
        fold(later) | fold(twice) << SECOND,
        fold(won | hopes),
        fold(open_to(state, me, 0)) | fold(open_to(state, me, 1)) << SECOND,
        fold(open_to(state, me, 2)) | fold(open_to(state, me, 3)) << SECOND,
    )


@kernel
def count(state, me, boards, out):
    """All features of a player but whose turn it is."""
    room, shared, seen, others = boards
    now, _, later, won, single, hopes, _ = seen
    near, far, wins, small, large = others
    own = OWN[state[FACTS, MODE] & 7]
    theirs = near & ALL, near >> SECOND, far & ALL, far >> SECOND
    count_territories((won, shared, now, single), room, theirs, out)
    count_hopes(fold(hopes), fold(won | hopes), wins, out)
    count_space(own, (room, now, later), near & ALL, out)
    count_rings(state, me, (later, far & ALL, small, large), out)
    count_bases(state, me, (fold(now & own), near & ALL), out)


@kernel
def add_claims(some, several, mine):
    """What some claim, and what several do, with one more player's claims."""
    return (
        (some[0] | mine[0], some[1] | mine[1], some[2] | mine[2], some[3] | mine[3],
         some[4] | mine[4]),
        (several[0] | (some[0] & mine[0]), several[1] | (some[1] & mine[1]),
         several[2] | (some[2] & mine[2]), several[3] | (some[3] & mine[3]),
         several[4] | (some[4] & mine[4])),
    )  # fmt: skip


@kernel
def without(some, several, mine):
    """What others claim: several, or some while I do not."""
    return (
        several[0] | (some[0] & ~mine[0]), several[1] | (some[1] & ~mine[1]),
        several[2] | (some[2] & ~mine[2]), several[3] | (some[3] & ~mine[3]),
        several[4] | (some[4] & ~mine[4]),
    )  # fmt: skip


@kernel
def features(state, out):
    """Fill out[player] for every player."""
    room = rooms(state)
    shared, any_two, shared_two = crowds(state)
    crowd = PAIR * shared, PAIR * any_two, PAIR * shared_two
    players = (state[FACTS, MODE] >> 1) + 2
    some = several = (0, 0, 0, 0, 0)
    for someone in range(players):
        seen = look(state, someone, room, crowd)
        some, several = add_claims(some, several, claims(state, someone, seen))
    acting = state[FACTS, PLAYER]
    following = acting + 1 if acting + 1 < players else 0
    for someone in range(players):
        seen = look(state, someone, room, crowd)
        others = without(some, several, claims(state, someone, seen))
        out[someone, ACTS] = someone == acting
        out[someone, NEXT] = someone == following
        count(state, someone, (room, crowd[0], seen, others), out[someone])
