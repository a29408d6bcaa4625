"""How promising a position of Stone Rows is for each player, in numbers.

What wins is runs, and a run of n stones is n - 3 fours that overlap (beyond seven it is less, but
such runs hardly occur). So every *window* is looked at: four cells in a line where a player may
still get all four, because there are no gaps and no enemy stones. It counts by how many own stones
lie in it already. The rest is what is certain, who has the next and who the last stone, and the
backs; when few stones are to come, also the best that can be had at once.

One scan over the columns sees all four directions: as in lines.py a column is a word with a bit for
each cell and a field for each player, so that a neighbour is a word further and a bit up or down.
Points are counted in tens. All is divided by how much may still change, so that weights mean the
same early and late.
"""

from math import sqrt

import numpy as np

from roundel.games.stonerows.lines import (
    COLUMNS,
    FIELD,
    LOW,
    PLACES,
    VERTICAL,
    around,
    closed,
    stones,
)
from roundel.games.stonerows.material import STONES, TILES
from roundel.games.stonerows.rules import (
    BACKS,
    BONUS,
    BUILD,
    FILL,
    FREE,
    MOVES_LEFT,
    NAME,
    NAMED,
    PHASE,
    PLAYER,
    POINTS,
    cell_of,
    run_from,
    star_owner,
)
from roundel.kernel.bits import lowest, popcount
from roundel.kernel.jit import kernel

FEATURES = (
    "1 for the player who acts",
    "1 for the player who places the last stone",
    "points so far",
    "points that the runs are worth now",
    "windows with one own stone, more than the enemy's",
    "windows with two own stones, more than the enemy's",
    "windows with three own stones, for the player who acts",
    "windows with three own stones, for the player who waits",
    "the most that one stone gains, for the player who acts, late in the match",
    "own numbers on unoccupied tiles, for the share that stays unoccupied",
    "stars that would be won now",
    "stones around stars, more than the enemy's, for the room left there",
)
ACTS, LAST, SCORED, RUNS, ONE, TWO, THREE, THREE_WAITS, GAIN, NUMBERS, STARS, AROUND = range(12)

BEGINS = np.array([0, 12, 20, 28, 36, 42])  # with so many stones a stage begins; 0 is building
STAGES = 7
LATE = 6  # stones to come; earlier the best gain tells nothing that windows do not tell
EMPTY = TILES - 2 * STONES  # tiles that stay unoccupied
WEIGHT_BY_STONES_TO_COME = np.array([1 / sqrt(n + 1) for n in range(2 * STONES + 1)])
HIGH = LOW << FIELD
EVERY_BACK = sum(1 << 4 * i for i in range(14))  # the lowest bit of each
UP, LEVEL, DOWN = 1, 0, -1  # how a window lies that goes to the right
FOURS = np.array(
    [sum(stones >> i & 15 | 8 >> i == 15 for i in range(4)) for stones in range(128)], np.int64
)  # of seven cells, how many fours there are when the one in the middle gets a stone


@kernel
def to_come(state):
    """How many stones are still to be placed."""
    return popcount(state[0, FREE]) - EMPTY


@kernel
def stage(state):
    if state[0, PHASE] == BUILD:
        return 0
    placed = 2 * STONES - to_come(state)
    reached = 0
    for begin in BEGINS:
        reached += placed >= begin
    return reached


# -- Windows --------------------------------------------------------------------


@kernel
def lowered(column, by):
    """A column with everything `by` cells further down, or up if that is negative."""
    return (column << 3) >> (3 + by)


@kernel
def slanted(columns, rise):
    """Four columns such that the cells of a window that rises so have the same bit."""
    first, second, third, fourth = columns
    return first, lowered(second, rise), lowered(third, 2 * rise), lowered(fourth, 3 * rise)


@kernel
def lead(word):
    """How many more bits are set in the low field, white's, than in the high one."""
    return popcount(word ^ HIGH) - FIELD


@kernel
def add_windows(counts, lines, piled):
    """Count the windows that lie in the same bits of four words: `lines`, and their stones only.

    White's lead in windows with one and with two stones; white's, then black's with three; with
    four.
    """
    ones, twos, white, black, white_fours, black_fours = counts
    possible = lines[0] & lines[1] & lines[2] & lines[3]
    either, other = piled[0] ^ piled[1], piled[2] ^ piled[3]
    both, pair = piled[0] & piled[1], piled[2] & piled[3]
    odd = (either ^ other) & possible
    some = (both ^ pair ^ either & other) & possible  # two or three
    three, four = odd & some, both & pair & possible
    return (
        ones + lead(odd ^ three),
        twos + lead(some ^ three),
        white + popcount(three & LOW),
        black + popcount(three >> FIELD),
        white_fours + popcount(four & LOW),
        black_fours + popcount(four >> FIELD),
    )


@kernel
def upright(column):
    return column, column >> 1, column >> 2, column >> 3


@kernel
def four_from(state, x):
    """The lines of four columns, and their stones only."""
    at = VERTICAL + x
    lines = state[0, at], state[0, at + 1], state[0, at + 2], state[0, at + 3]
    return lines, (stones(lines[0]), stones(lines[1]), stones(lines[2]), stones(lines[3]))


@kernel
def count_windows(state):
    """The counts of `add_windows` for the whole board."""
    counts = 0, 0, 0, 0, 0, 0
    for x in range(COLUMNS):
        if state[0, VERTICAL + x] != 0:
            lines, piled = four_from(state, x)
            counts = add_windows(counts, upright(lines[0]), upright(piled[0]))
            if lines[3] != 0:
                for rise in (UP, LEVEL, DOWN):
                    counts = add_windows(counts, slanted(lines, rise), slanted(piled, rise))
    return counts


@kernel
def write_windows(state, out):
    ones, twos, white, black, white_fours, black_fours = count_windows(state)
    me = state[0, PLAYER] & 1
    out[0, ONE], out[1, ONE] = ones, -ones
    out[0, TWO], out[1, TWO] = twos, -twos
    out[0, THREE + me], out[1, THREE + 1 - me] = white, black
    out[0, RUNS], out[1, RUNS] = white_fours, black_fours


# -- The end --------------------------------------------------------------------


@kernel
def gain(state, me, tile):
    """What a stone there gains at once: for the rows that it closes and for fours."""
    cell = cell_of(state, tile)
    points = 0
    for direction in range(4):
        place = PLACES[cell, direction]
        line, at = state[0, place >> 5], place & 31
        own = line >> FIELD * me & ~(line >> FIELD * (1 - me)) & LOW
        points += closed(line, at) + 10 * FOURS[((own << 2) >> (at - 1)) & 127]
    return points


@kernel
def best_gain(state):
    best = 0
    free = state[0, FREE]
    while free != 0:
        best = max(best, gain(state, state[0, PLAYER] & 1, lowest(free)))
        free &= free - 1
    return best


@kernel
def keep_unnamed(state, out):
    """Rule 12: what was named is among the points already, and who is done names no more."""
    for direction in range(4):
        named = state[0, NAMED + direction]
        while named != 0:
            for player in range(2):
                length = run_from(state, player, lowest(named), direction)
                out[player, RUNS] -= max(length - 3, 0)
            named &= named - 1
    if state[0, PLAYER] == 1:
        out[0, RUNS] = 0


# -- Bonus ----------------------------------------------------------------------


@kernel
def write_star(state, cell, out):
    owner = star_owner(state, cell)
    if owner >= 0:
        out[owner, STARS] += 1
    x, y = cell >> 5, cell & 31
    more, room = 0, 2
    for near_x in range(x - 1, x + 2):
        line, window = state[0, VERTICAL + near_x], around(near_x, x, y)
        more += lead(stones(line) & (window | window << FIELD))
        room += popcount(line & line >> FIELD & window)
    out[0, AROUND] += more / room
    out[1, AROUND] -= more / room


@kernel
def write_stars(state, out):
    for word in range(4):
        backs = state[0, BACKS + word]
        stars = backs & backs >> 1 & backs >> 3 & EVERY_BACK  # 11: no number has these three bits
        while stars != 0:
            write_star(state, cell_of(state, 14 * word + lowest(stars) // 4), out)
            stars &= stars - 1


@kernel
def write_numbers(state, out):
    free = state[0, FREE]
    share = EMPTY / (10 * popcount(free))
    while free != 0:
        tile = lowest(free)
        back = (state[0, BACKS + tile // 14] >> tile % 14 * 4) & 15
        if 0 < back < 11:
            out[int(back > 5), NUMBERS] += (back - 5 * (back > 5)) * share
        free &= free - 1


# -- All together ---------------------------------------------------------------


@kernel
def write_filling(state, out):
    coming, me = to_come(state), state[0, PLAYER] & 1
    write_windows(state, out)
    if coming <= LATE:
        out[me, GAIN] = best_gain(state) / 10
    if state[0, BONUS] != 0:
        write_stars(state, out)
        write_numbers(state, out)


@kernel
def write_turns(state, out):
    """Who acts next and last; without meaning when the stones are placed."""
    me = state[0, PLAYER] & 1
    actions = state[0, MOVES_LEFT] + to_come(state)
    out[me, ACTS] = 1
    out[me if actions & 1 else 1 - me, LAST] = 1


@kernel
def features(state, out):
    phase = state[0, PHASE]
    for player in range(2):
        for i in range(len(FEATURES)):
            out[player, i] = 0
        out[player, SCORED] = state[0, POINTS + player] / 10
    if phase != NAME:
        write_turns(state, out)
    if phase == FILL:
        write_filling(state, out)
    elif phase == NAME:
        write_windows(state, out)
        keep_unnamed(state, out)
    for player in range(2):
        for i in range(len(FEATURES)):
            out[player, i] *= WEIGHT_BY_STONES_TO_COME[to_come(state)]
