"""The rules of Stone Rows. "Rule n" is paragraph n of rules.en.md."""

import numpy as np

from roundel.core.game import Options, State
from roundel.games.stonerows import material
from roundel.games.stonerows.lines import (
    BOTH,
    COLUMNS,
    FIELD,
    INSIDE,
    LINES,
    LOW,
    PLACES,
    VERTICAL,
    around,
    beside,
    closed,
    flip,
    stones,
    turn_bits,
)
from roundel.games.stonerows.material import BONUSES, STAR, STONES, TILES
from roundel.kernel.bits import any_of, lowest, nth, popcount
from roundel.kernel.jit import kernel
from roundel.kernel.memory import full as full
from roundel.kernel.memory import rows_for as rows_for
from roundel.kernel.randoms import below

# -- Board ----------------------------------------------------------------------
# Cells (x, y) of a grid of up to 26 columns and 20 rows (rule 3), numbered 32 * x + y. Tiles are
# numbered by the cell where they lay first, by letter, then by number: for ever, because a tile is
# moved only once. The rectangle:
#
#     13 |  6 13 20 27 34 41 48 55
#        |  .  .  .                     The state holds every line of the grid, in all four
#      8 |  1  8 15                     directions, as one word: see lines.py.
#      7 |  0  7 14
#        +-------------------------
#           g  h  i  j  k  l  m  n

# -- State ----------------------------------------------------------------------
# One row: the lines, then the facts.
PHASE, PLAYER, POINTS, MOVES_LEFT = LINES, LINES + 1, LINES + 2, LINES + 4  # moves of tiles
FREE, MOVED, MOVED_TO = LINES + 5, LINES + 6, LINES + 7  # tiles as bits: unoccupied, moved
# MOVED_TO: the cells of the moved tiles, in the order of the tiles, ten bits each.
LAYOUT, AUTOMATIC, BONUS = LINES + 8, LINES + 9, LINES + 10  # options
# AUTOMATIC: the directions counted without a claim, 15 or 0, as bits in the order h, v, u, d.
BACKS, NAMED, SIZE = LINES + 11, LINES + 15, LINES + 19
# BACKS: 14 tiles to a word, four bits each: 1-5 white, 6-10 black, 11 a star, 0 counts nothing.
# NAMED + direction: the first ends of the runs that were claimed, tiles as bits.
BUILD, FILL, NAME, OVER = 0, 1, 2, 3  # phases: what is asked next

# -- Actions --------------------------------------------------------------------
#   BUILD  word 9 * tile + x // 3, bit 21 * (x % 3) + y: the tile moves to (x, y)
#   FILL   word: the directions that are claimed, as bits; bit: the tile that gets a stone
#   NAME   word: a direction; bit: the tile of the run's first end. Or word 4, bit 0: done
BOARD, THIRD = 9, 21
WORDS = TILES * BOARD
CLAIMS, DONE = 16, 4 * 64


def _homes():
    """HOME[layout, tile] = its first cell; TILE_ON[layout, cell] = the tile or -1;
    HOMES[layout, x] = the first cells of a column."""
    home = np.zeros((len(material.NAMES), TILES), np.int64)
    tile_on = np.full((len(material.NAMES), 32 * COLUMNS), -1, np.int64)
    homes = np.zeros((len(material.NAMES), COLUMNS), np.int64)
    for layout, cells in enumerate(material.LAYOUTS.values()):
        for tile, (x, y) in enumerate(cells):
            home[layout, tile] = 32 * x + y
            tile_on[layout, 32 * x + y] = tile
            homes[layout, x] |= 2 << y
    return home, tile_on, homes


HOME, TILE_ON, HOMES = _homes()

# -- Rules: material and board (1 to 4, 13) -------------------------------------


def initial(options: Options) -> State:
    """The layout, all tiles unoccupied."""
    state = np.zeros((1, SIZE), np.int64)
    layout = state[0, LAYOUT] = material.NAMES.index(options["layout"])
    for cell in HOME[layout]:
        flip(state, cell, BOTH)
    state[0, PLAYER] = options["first"] - 1
    state[0, MOVES_LEFT] = 2 * options["build"]
    state[0, PHASE] = BUILD if options["build"] else FILL
    state[0, FREE] = (1 << TILES) - 1
    state[0, AUTOMATIC] = 0 if options["claim"] else CLAIMS - 1
    state[0, BONUS] = BONUSES.index(options["bonus"])
    for tile, back in material.backs(options["seed"], options["bonus"]).items():
        lay_back(state, tile, back)
    return state


def lay_back(state, tile, back):
    number = 11 if back == STAR else int(back[1]) + 5 * (back[0] == "b")
    state[0, BACKS + tile // 14] |= number << tile % 14 * 4


@kernel
def cell_of(state, tile):
    """Where a tile lies now."""
    moved = state[0, MOVED]
    if (moved >> tile) & 1:
        before = popcount(moved & ((1 << tile) - 1))
        return (state[0, MOVED_TO] >> 10 * before) & 1023
    return HOME[state[0, LAYOUT], tile]


@kernel
def player(state):
    return state[0, PLAYER]


@kernel
def over(state):
    return state[0, PHASE] == OVER


@kernel
def winners(state):
    """Rule 11."""
    white, black = state[0, POINTS], state[0, POINTS + 1]
    return (white >= black) | (black >= white) << 1


@kernel
def points(state, out):
    out[0] = state[0, POINTS]
    out[1] = state[0, POINTS + 1]


# -- Rules: building (5 and 6) --------------------------------------------------


@kernel
def column(state, x):
    """The tiles of a column, as bits y + 1."""
    line = state[0, VERTICAL + x]
    return (line | line >> FIELD) & LOW


@kernel
def rim(state, x):
    """The cells of a column that touch a tile and where none lies or has ever lain.

    Where a tile has lain and lies no more is a first cell: no tile is moved twice.
    """
    here = column(state, x)
    touching = beside(column(state, x - 1), here, column(state, x + 1))
    return touching & ~here & ~HOMES[state[0, LAYOUT], x] & INSIDE


@kernel
def touched_once(state, x):
    """The cells of a column that touch exactly one tile."""
    left, here, right = column(state, x - 1), column(state, x), column(state, x + 1)
    once = left
    twice = 0
    for more in (left << 1, left >> 1, here << 1, here >> 1, right, right << 1, right >> 1):
        twice |= once & more
        once |= more
    return once & ~twice & INSIDE


@kernel
def leaves_all_touching(state, cell, x, y):
    """Whether every tile still touches one when the tile on `cell` moves to (x, y) of the rim."""
    own_x, own_y = cell >> 5, cell & 31
    for near_x in range(own_x - 1, own_x + 2):
        alone = touched_once(state, near_x) & around(near_x, own_x, own_y)
        if alone & column(state, near_x) & ~around(near_x, x, y) != 0:
            return False  # a tile that touched only this one
        if near_x == x and (alone >> (y + 1)) & 1:
            return False  # the moved tile itself would touch none
    return True


@kernel
def keep_near(words, first, x, y):
    """Of a board in `words`, keep only the cells that touch (x, y)."""
    for i in range(BOARD):
        near = 0
        for third in range(3):
            near |= (around(3 * i + third, x, y) >> 1) << THIRD * third
        words[first + i] &= near


@kernel
def restrict(state, words, x, y):
    """A cell that touches one tile: that tile cannot go there or, if a tile lies there, not far."""
    cell = 0
    for near_x in range(x - 1, x + 2):
        neighbours = column(state, near_x) & around(near_x, x, y)
        if neighbours != 0:
            cell = 32 * near_x + lowest(neighbours) - 1
    tile = TILE_ON[state[0, LAYOUT], cell]
    if tile >= 0:  # otherwise it was moved
        if (column(state, x) >> (y + 1)) & 1:
            keep_near(words, tile * BOARD, x, y)
        else:
            words[tile * BOARD + x // 3] &= ~(1 << (x % 3 * THIRD + y))


@kernel
def build_targets(state, words):
    """Rule 6: for every unmoved tile the rim (drawn as tile 0's board first), less some cells."""
    for i in range(BOARD):
        words[i] = 0
    for x in range(COLUMNS):
        words[x // 3] |= (rim(state, x) >> 1) << THIRD * (x % 3)
    for tile in range(TILES - 1, -1, -1):
        kept = ((state[0, MOVED] >> tile) & 1) - 1  # all bits, or none
        for i in range(BOARD):
            words[tile * BOARD + i] = words[i] & kept
    for x in range(COLUMNS):
        once = touched_once(state, x)
        while once != 0:
            restrict(state, words, x, lowest(once) - 1)
            once &= once - 1
    return WORDS


@kernel
def pick_move(state, words, rng):
    """A cell of the rim and an unmoved tile, drawn again until they go together."""
    for x in range(COLUMNS):
        words[x] = rim(state, x)
    unmoved = ~state[0, MOVED] & ((1 << TILES) - 1)
    while True:
        target = any_of(words, COLUMNS, rng)
        x, y = target >> 6, (target & 63) - 1
        tile = nth(unmoved, below(rng, popcount(unmoved)))
        if leaves_all_touching(state, cell_of(state, tile), x, y):
            return (tile * BOARD + x // 3) << 6 | (x % 3 * THIRD + y)


@kernel
def move_tile(state, tile, x, y):
    """Rules 5 and 6."""
    turn_bits(state, cell_of(state, tile), BOTH)
    turn_bits(state, 32 * x + y, BOTH)
    place = 10 * popcount(state[0, MOVED] & ((1 << tile) - 1))
    cells = state[0, MOVED_TO]
    under = cells & ((1 << place) - 1)
    state[0, MOVED_TO] = (cells ^ under) << 10 | (32 * x + y) << place | under
    state[0, MOVED] |= 1 << tile
    state[0, MOVES_LEFT] -= 1
    if state[0, MOVES_LEFT] == 0:
        state[0, PHASE] = FILL
    state[0, PLAYER] = 1 - state[0, PLAYER]


# -- Rules: filling (7 to 9, 12) ------------------------------------------------


@kernel
def claim_targets(state, words):
    """Rule 12: every unoccupied tile with every subset of the rows that are closed there."""
    free = state[0, FREE]
    words[0] = free
    for claim in range(1, CLAIMS):
        words[claim] = 0
    while free != 0:
        tile = lowest(free)
        closable = 0
        for direction in range(4):
            place = PLACES[cell_of(state, tile), direction]
            closable |= (closed(state[0, place >> 5], place & 31) > 0) << direction
        claim = closable
        while claim != 0:  # the subsets of `closable`, downwards
            words[claim] |= 1 << tile
            claim = (claim - 1) & closable
        free &= free - 1
    return CLAIMS


@kernel
def place_stone(state, me, tile, claim):
    """Rules 7 and 9."""
    cell = cell_of(state, tile)
    gained = 0
    for direction in range(4):
        place = PLACES[cell, direction]
        line, at = place >> 5, place & 31
        gained += closed(state[0, line], at) * ((claim >> direction) & 1)
        state[0, line] ^= 1 << (at + FIELD * (1 - me))
    state[0, POINTS + me] += gained
    state[0, FREE] ^= 1 << tile
    state[0, PLAYER] = 1 - me
    if popcount(state[0, FREE]) == TILES - 2 * STONES:
        end_filling(state)


# -- Rules: end (10 to 12, 14 and 15) -------------------------------------------


@kernel
def score_runs(state):
    """Rule 10: a run of n stones holds n - 3 fours and, beyond 7, n - 7 eights to take off."""
    white = 0
    black = 0
    for line in range(LINES):
        one = stones(state[0, line])
        two = one & one >> 1
        four = two & two >> 2
        eight = four & four >> 4
        white += popcount(four & LOW) - popcount(eight & LOW)
        black += popcount(four >> FIELD) - popcount(eight >> FIELD)
    state[0, POINTS] += 10 * white
    state[0, POINTS + 1] += 10 * black


@kernel
def star_owner(state, cell):
    """Rule 15: 0 or 1, or -1 for nobody."""
    x, y = cell >> 5, cell & 31
    lead = 0
    for near_x in range(x - 1, x + 2):
        near = stones(state[0, VERTICAL + near_x])
        window = around(near_x, x, y)
        lead += popcount(near & window) - popcount(near >> FIELD & window)
    own = stones(state[0, VERTICAL + x]) >> (y + 1)
    if lead == 0:
        lead = (own & 1) - (own >> FIELD & 1)
    return -1 if lead == 0 else int(lead < 0)


@kernel
def score_backs(state):
    """Rules 14 and 15."""
    for tile in range(TILES):
        back = (state[0, BACKS + tile // 14] >> tile % 14 * 4) & 15
        if back == 11:
            owner = star_owner(state, cell_of(state, tile))
            if owner >= 0:
                state[0, POINTS + owner] += 10
        elif back != 0 and (state[0, FREE] >> tile) & 1:
            state[0, POINTS + (back > 5)] += back - 5 * (back > 5)


@kernel
def end_filling(state):
    if state[0, BONUS] != 0:
        score_backs(state)
    if state[0, AUTOMATIC] != 0:
        score_runs(state)
        state[0, PHASE] = OVER
    else:
        state[0, PHASE] = NAME
    state[0, PLAYER] = 0


@kernel
def run_from(state, me, tile, direction):
    """The length of the own run that has its first end here; 0 if there is none (rule 10)."""
    place = PLACES[cell_of(state, tile), direction]
    own = (stones(state[0, place >> 5]) >> FIELD * me & LOW) >> ((place & 31) - 1)
    return lowest(~own >> 1 & LOW) if own & 3 == 2 else 0


@kernel
def name_targets(state, words):
    """Rule 12: the runs of four and more that were not named yet, and `done`."""
    for direction in range(4):
        words[direction] = 0
        for tile in range(TILES):
            if run_from(state, state[0, PLAYER], tile, direction) >= 4:
                words[direction] |= 1 << tile
        words[direction] &= ~state[0, NAMED + direction]
    words[4] = 1
    return 5


@kernel
def name_run(state, me, action):
    """Rule 12: score one run, or finish: then it is player 2's turn, or the end."""
    if action == DONE:
        state[0, PHASE] += me
        state[0, PLAYER] = 1 - me
    else:
        direction, tile = action >> 6, action & 63
        length = run_from(state, me, tile, direction)
        state[0, POINTS + me] += 10 * min(length - 3, 4)
        state[0, NAMED + direction] |= 1 << tile


# -- Rules: all phases ----------------------------------------------------------


@kernel
def stone_targets(state, words):
    """The legal actions when the building is over."""
    phase = state[0, PHASE]
    if phase == OVER:
        return 0
    if phase == NAME:
        return name_targets(state, words)
    if state[0, AUTOMATIC] == 0:
        return claim_targets(state, words)
    words[0] = state[0, FREE]
    return 1


@kernel
def targets(state, words):
    """The legal actions as bits; returns how many words are in use."""
    if state[0, PHASE] == BUILD:
        return build_targets(state, words)
    return stone_targets(state, words)


@kernel
def pick(state, words, rng):
    if state[0, PHASE] == BUILD:
        return pick_move(state, words, rng)
    if state[0, AUTOMATIC] != 0:  # one word: twice as fast as `any_of`
        free = state[0, FREE]
        return nth(free, below(rng, popcount(free)))
    return any_of(words, stone_targets(state, words), rng)


@kernel
def play(state, action):
    """Play a legal action, in place."""
    phase = state[0, PHASE]
    word, bit = action >> 6, action & 63
    if phase == FILL:
        place_stone(state, state[0, PLAYER] & 1, bit, word | state[0, AUTOMATIC])
    elif phase == BUILD:
        move_tile(state, word // BOARD, word % BOARD * 3 + bit // THIRD, bit % THIRD)
    else:
        name_run(state, state[0, PLAYER] & 1, action)
