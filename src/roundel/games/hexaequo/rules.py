"""The rules of Hexaequo. "Rule n" is paragraph n of rules.en.md."""

import numpy as np

from roundel.core.game import Options, State
from roundel.kernel.bits import count, nth, popcount
from roundel.kernel.jit import kernel
from roundel.kernel.randoms import below

# -- Board ----------------------------------------------------------------------
# The plane is unbounded (rule 2), but a tile needs two neighbours (rule 4): a row of cells beyond
# the outermost takes two tiles, so 18 tiles never lie more than 9 apart. The plane can therefore be
# rolled up: cell (q, r) is number (q + 18 r) mod 114, and cells with the same number are 12 or more
# apart. Nothing here looks farther than 2 from a tile, so it never sees the other turn of the roll,
# and nothing is ever cut off. A step in some direction adds the same number everywhere:
#
#           -18    -17
#        -1     .     +1         i8 is 0, j8 is 1, i9 is 18, h9 is 17
#           +17    +18
#
# A board is two words of 57 bits: cell n is bit n of the first or bit n - 57 of the second.
STRIDE, HALF = 18, 57
CELLS = 2 * HALF
NOWHERE = CELLS  # the cell of what is on no board

# Everything that reaches farther than a cell goes along one of these, forwards or backwards: steps,
# jumps and straight leaps, bent leaps (rules 7, 8 and 10).
OFFSETS = ((1, 0), (0, 1), (-1, 1), (2, 0), (0, 2), (-2, 2), (1, 1), (-1, 2), (-2, 1))
STEPS, STRAIGHT, ALL = 3, 6, 9  # where each kind ends

# -- State ----------------------------------------------------------------------
# Rows of eight words. A board lies in two neighbouring columns, a player's at 2 * player.
PIECES, TILES, FACTS, STOCK, HELD, HISTORY = 0, 1, 2, 3, 4, 5
COLUMNS = 8
RINGS, BOARDS = 4, 6  # of PIECES: rings of both players, behind all pieces of each
ONCE, TWICE = 4, 6  # of TILES: next to one tile at least, next to two at least
PHASE, PLAYER, WINNERS, SEEN, JUMPER, VISITED = 0, 1, 2, 3, 4, 6  # of FACTS; two are boards
TILE, DISC, RING = 0, 2, 4  # of STOCK (reserve) and HELD (captured), + player
TURN, CHAIN, OVER = 0, 1, 2  # phases: any action, jumps of one disc or stop, none
# Rows from HISTORY on, SEEN of them: PIECES as it was before each turn since the last one that
# cannot be undone (once a tile, disc or ring is placed or a piece captured, no earlier position
# ever comes back). Tiles and captures were the same all that time, and the players took turns: of
# the rows two, four, six, ... turns ago those that equal PIECES are the same position (rule 12).

# -- Actions --------------------------------------------------------------------
# 64 * word + bit in the boards' own layout; the bit is the cell where something is put:
#   words 0 to 5    a tile, a disc, a ring is placed
#   word 0, bit 57  the chain is stopped
#   from word 6     a piece lands; the word tells the offset it came by: four words for each of
#                   OFFSETS, two forwards and two backwards
MOVED, STOP = 6, HALF
BENT = MOVED + 4 * STRAIGHT
WORDS = MOVED + 4 * ALL


def number(q: int, r: int) -> int:
    return (q + STRIDE * r) % CELLS


def _tables() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """BIT[cell] = its board; AROUND[cell] = the board of its neighbours; ORIGIN[word, bit] and
    MIDDLE[word, bit] = where a piece that lands there came from, and what a jump passed over."""
    bit = np.zeros((CELLS + 1, 2), np.int64)
    around = np.zeros((CELLS, 2), np.int64)
    origin = np.full((WORDS, 64), NOWHERE, np.int64)
    middle = np.full((WORDS, 64), NOWHERE, np.int64)
    for cell in range(CELLS):
        bit[cell, cell // HALF] = 1 << cell % HALF
    for i, (q, r) in enumerate(OFFSETS):
        for backwards, shift in enumerate((number(q, r), number(-q, -r))):
            for cell in range(CELLS):
                at = MOVED + 4 * i + 2 * backwards + cell // HALF, cell % HALF
                origin[at] = (cell - shift) % CELLS
                if i < STEPS:
                    around[cell] |= bit[(cell + shift) % CELLS]
                elif i < STRAIGHT:
                    step = number(q // 2, r // 2)
                    middle[at] = (cell + (step if backwards else -step)) % CELLS
    return bit, around, origin, middle


BIT, AROUND, ORIGIN, MIDDLE = _tables()
SHIFT = np.array([number(q, r) for q, r in OFFSETS], np.int64)

# -- Rules ----------------------------------------------------------------------


def initial(options: Options) -> State:
    """Rules 1 to 3: four tiles, a disc for each player, black to act."""
    state = np.zeros((HISTORY, COLUMNS), np.int64)
    for player, cells, disc in ((0, ((0, 0), (1, 0)), (1, 0)), (1, ((-1, 1), (0, 1)), (-1, 1))):
        for cell in cells:
            lay(state, player, number(*cell))
        state[PIECES, 2 * player : 2 * player + 2] = BIT[number(*disc)]
        for kind, stock in ((TILE, 7), (DISC, 5), (RING, 3)):
            state[STOCK, kind + player] = stock
    return state


def rows_for(state: State, plies: int) -> int:
    """How many rows a state needs so that `plies` more actions can be played on it."""
    return HISTORY + int(state[FACTS, SEEN]) + plies


@kernel
def full(state):
    """Whether the state has no room left for one more action."""
    return HISTORY + state[FACTS, SEEN] >= state.shape[0]


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
    """How many pieces each player has captured and still holds."""
    out[0] = state[HELD, DISC] + state[HELD, RING]
    out[1] = state[HELD, DISC + 1] + state[HELD, RING + 1]


# Boards, each as a pair of words.


@kernel
def tiles(state):
    return state[TILES, 0] | state[TILES, 2], state[TILES, 1] | state[TILES, 3]


@kernel
def taken(state):
    return state[PIECES, 0] | state[PIECES, 2], state[PIECES, 1] | state[PIECES, 3]


@kernel
def discs(state, me):
    a, b = state[PIECES, 2 * me], state[PIECES, 2 * me + 1]
    return a & ~state[PIECES, RINGS], b & ~state[PIECES, RINGS + 1]


@kernel
def rings(state, me):
    a, b = state[PIECES, 2 * me], state[PIECES, 2 * me + 1]
    return a & state[PIECES, RINGS], b & state[PIECES, RINGS + 1]


@kernel
def free(state):
    """Empty tiles, in a chain without those that rule 9 forbids."""
    (a, b), (c, d) = tiles(state), taken(state)
    return a & ~c & ~state[FACTS, VISITED], b & ~d & ~state[FACTS, VISITED + 1]


@kernel
def leapable(state, me):
    """Tiles without an own piece."""
    a, b = tiles(state)
    return a & ~state[PIECES, 2 * me], b & ~state[PIECES, 2 * me + 1]


@kernel
def ahead(word, other, shift):
    """One word of a board after all its cells went on by `shift`, with rubbish above bit 56.

    To go back is to go on by 114 - shift: the words change places and go on by 57 - shift.
    """
    return word << shift | other >> (HALF - shift)


@kernel
def landings(pieces, onto, shift):
    """Where pieces land that go along one offset: two words forwards and two backwards."""
    (a, b), (c, d), back = pieces, onto, HALF - shift
    e, f = ahead(a, b, shift) & c, ahead(b, a, shift) & d
    return e, f, ahead(b, a, back) & c, ahead(a, b, back) & d


@kernel
def jumps(movers, over, onto, shift):
    """The same for jumps (rule 8): first onto a piece, then from there onto an empty tile."""
    a, b, c, d = landings(movers, over, shift)
    (e, f), back = onto, HALF - shift
    g, h = ahead(a, b, shift) & e, ahead(b, a, shift) & f
    return g, h, ahead(d, c, back) & e, ahead(c, d, back) & f


@kernel
def places(state, me, i):
    """Word i of where a tile, a disc and a ring may be placed (rules 4 to 6)."""
    laid = state[TILES, i] | state[TILES, 2 + i]
    own = state[TILES, 2 * me + i] & ~(state[PIECES, i] | state[PIECES, 2 + i])
    may_ring = (state[STOCK, RING + me] != 0) & (state[HELD, DISC + me] != 0)
    return (
        state[TILES, TWICE + i] & ~laid if state[STOCK, TILE + me] != 0 else 0,
        own if state[STOCK, DISC + me] != 0 else 0,
        own if may_ring else 0,
    )


@kernel
def targets(state, words):
    """The legal actions as bits; returns how many words are in use."""
    phase = state[FACTS, PHASE]
    if phase == OVER:
        return 0
    me = state[FACTS, PLAYER] & 1
    over, onto = taken(state), free(state)
    if phase == TURN:
        movers = discs(state, me)
        beside = onto
        leapers = rings(state, me)
        words[0], words[2], words[4] = places(state, me, 0)
        words[1], words[3], words[5] = places(state, me, 1)
    else:
        movers = state[FACTS, JUMPER], state[FACTS, JUMPER + 1]
        words[0] = 1 << STOP
        for i in range(1, MOVED):
            words[i] = 0
        beside = leapers = 0, 0
    for i in range(STEPS):
        at = MOVED + 4 * i
        landed = landings(movers, beside, SHIFT[i])
        words[at], words[at + 1], words[at + 2], words[at + 3] = landed
        at += 4 * STEPS
        landed = jumps(movers, over, onto, SHIFT[i])
        words[at], words[at + 1], words[at + 2], words[at + 3] = landed
    if (leapers[0] | leapers[1]) == 0:
        return BENT
    target_leaps(leapers, leapable(state, me), words)
    return WORDS


@kernel
def target_leaps(leapers, onto, words):
    """Straight leaps share their words with jumps: the piece tells them apart (rule 10)."""
    for i in range(BENT, WORDS):
        words[i] = 0
    for i in range(STEPS, ALL):
        at = MOVED + 4 * i
        a, b, c, d = landings(leapers, onto, SHIFT[i])
        words[at] |= a
        words[at + 1] |= b
        words[at + 2] |= c
        words[at + 3] |= d


@kernel
def pick(state, words, rng):
    """Like `any_of`, but stops at the word: what it learns there speeds up `play`."""
    used = targets(state, words)
    k = below(rng, count(words, used))
    at = 0
    here = popcount(words[0])
    while here <= k:
        k -= here
        at += 1
        here = popcount(words[at])
    return (at << 6) | nth(words[at], k)


@kernel
def can_jump(state, movers):
    ends = 0
    over, onto = taken(state), free(state)
    for i in range(STEPS):
        a, b, c, d = jumps(movers, over, onto, SHIFT[i])
        ends |= a | b | c | d
    return ends != 0


@kernel
def reaches(pieces, onto, first, last):
    """Whether pieces land anywhere along some of the offsets."""
    ends = 0
    for i in range(first, last):
        a, b, c, d = landings(pieces, onto, SHIFT[i])
        ends |= a | b | c | d
    return ends != 0


@kernel
def can_act(state, me):
    """Rule 13. Nearly always the first or second question is enough."""
    if state[STOCK, TILE + me] > 0:  # there is room for a tile at the end of the outermost line
        return True
    if reaches(discs(state, me), free(state), 0, STEPS):
        return True
    open_cells = 0
    for i in range(2):
        _, disc, ring = places(state, me, i)
        open_cells |= disc | ring
    if open_cells != 0 or reaches(rings(state, me), leapable(state, me), STEPS, ALL):
        return True
    return can_jump(state, discs(state, me))


@kernel
def occurrences(state):
    """How often the position was there before (rule 12): four turns ago, six, eight, ..."""
    times = 0
    for row in range(HISTORY + state[FACTS, SEEN] - 4, HISTORY - 1, -2):
        different = 0
        for i in range(BOARDS):
            different |= state[row, i] ^ state[PIECES, i]
        times += different == 0
    return times


@kernel
def end_turn(state, me):
    """Rules 11 to 13, in this order."""
    you = 1 - me
    state[FACTS, PHASE] = TURN
    state[FACTS, PLAYER] = you
    for i in range(JUMPER, VISITED + 2):
        state[FACTS, i] = 0
    bare = (state[PIECES, 2 * you] | state[PIECES, 2 * you + 1]) == 0
    if bare or state[HELD, DISC + me] == 6 or state[HELD, RING + me] == 3:
        state[FACTS, PHASE] = OVER
        state[FACTS, WINNERS] = 1 << me
    elif occurrences(state) >= 2 or not can_act(state, you):
        state[FACTS, PHASE] = OVER
        state[FACTS, WINNERS] = 3


def lay(state, me, cell):
    """Rule 4: tiles stay, and what is next to two of them is noted once and for all."""
    for i in range(2):
        state[TILES, 2 * me + i] |= BIT[cell, i]
        state[TILES, TWICE + i] |= state[TILES, ONCE + i] & AROUND[cell, i]
        state[TILES, ONCE + i] |= AROUND[cell, i]


lay_tile = kernel(lay)


@kernel
def place(state, me, kind, cell):
    """Rules 4 to 6."""
    state[FACTS, SEEN] = 0
    state[STOCK, kind + me] -= 1
    if kind == TILE:
        lay_tile(state, me, cell)
        return
    for i in range(2):
        state[PIECES, 2 * me + i] |= BIT[cell, i]
    if kind == RING:
        for i in range(2):
            state[PIECES, RINGS + i] |= BIT[cell, i]
        state[HELD, DISC + me] -= 1
        state[STOCK, DISC + 1 - me] += 1


@kernel
def remember(state):
    """A turn begins that may be undone: rule 12 will ask for what was before it."""
    row = HISTORY + state[FACTS, SEEN]
    for i in range(state.shape[1]):
        state[row, i] = state[PIECES, i]
    state[FACTS, SEEN] += 1


@kernel
def capture(state, me, cell):
    """Remove the opponent's piece from a cell, if there is one; returns whether there was."""
    a, b = BIT[cell, 0] & state[PIECES, 2 - 2 * me], BIT[cell, 1] & state[PIECES, 3 - 2 * me]
    if (a | b) == 0:
        return False
    ring = (a & state[PIECES, RINGS] | b & state[PIECES, RINGS + 1]) != 0
    state[PIECES, 2 - 2 * me] ^= a
    state[PIECES, 3 - 2 * me] ^= b
    state[PIECES, RINGS] &= ~a
    state[PIECES, RINGS + 1] &= ~b
    state[HELD, (RING if ring else DISC) + me] += 1
    state[FACTS, SEEN] = 0
    return True


@kernel
def move(state, me, word, at, cell):
    """Rules 7 to 10; returns whether the turn goes on."""
    start = ORIGIN[word, at]
    is_ring = (state[PIECES, RINGS] & BIT[start, 0] | state[PIECES, RINGS + 1] & BIT[start, 1]) != 0
    hit = capture(state, me, cell if is_ring else MIDDLE[word, at])
    for i in range(2):
        moved = BIT[start, i] | BIT[cell, i]
        state[PIECES, 2 * me + i] ^= moved
        state[PIECES, RINGS + i] ^= moved if is_ring else 0
    if is_ring or word < MOVED + 4 * STEPS:
        return False
    for i in range(2):  # rule 9
        visited = state[FACTS, VISITED + i] | BIT[start, i]
        state[FACTS, VISITED + i] = BIT[cell, i] | (0 if hit else visited)
        state[FACTS, JUMPER + i] = BIT[cell, i]
    state[FACTS, PHASE] = CHAIN
    return can_jump(state, (BIT[cell, 0], BIT[cell, 1]))


@kernel
def play(state, action):
    """Play a legal action, in place."""
    me = state[FACTS, PLAYER] & 1
    word, at = (action >> 6) & 63, action & 63
    cell = at + HALF * (word & 1)
    goes_on = False
    if word >= MOVED:
        if state[FACTS, PHASE] == TURN:
            remember(state)
        goes_on = move(state, me, word, at, cell)
    elif action != STOP:
        place(state, me, word & 6, cell)
    if not goes_on:
        end_turn(state, me)
