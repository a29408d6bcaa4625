"""The nodes of the alpha-beta search: windows, the order of children, and what is known of them.

A node is a row of integers, whose fields are named below. Scores are whole numbers: up to JUDGED
for what the judge says, beyond SURE for a match that is won or lost, less the plies until then.

A place of the transposition table is two words, an entry and its key:

    keys     the key of a position, mixed with the entry: what two threads wrote at once is noticed
    entries  from the low bits: score (16 bits), depth (8), kind of bound (2), best action

A place of `busy` is the key of a child that a thread is looking at, its low bits the thread.
"""

import numpy as np

from roundel.kernel import bits
from roundel.kernel.jit import kernel, wrapping
from roundel.kernel.randoms import below

JUDGED, SURE, WON = 20_000, 30_000, 32_000
WIDEST = 256  # of more actions than that some are picked at random
PROVED = 255  # the depth of an entry that no judge had a part in
EXACT, AT_LEAST, AT_MOST = 1, 2, 3  # kinds of bounds
FULL, NARROW, REDUCED = 0, 1, 2  # how a child is searched; each is followed by the one before
POSTPONED = -(1 << 60)  # promise of a child that another thread is looking at
BUSY_BITS = 8  # of a key, for the thread

# What is known of the node at each ply of the line that is searched:
DEPTH, MOVER, IS_MAX, ALPHA, BETA, LOW, HIGH, BEST, ACTION, KEY, COUNT, INDEX, MODE = range(13)
IS_SURE, CHILD, NODE_SIZE = 13, 14, 16
# LOW, HIGH: the window at first. BEST, ACTION: the best so far. IS_SURE: no judge had a part in it.
# CHILD: the key of the child that this thread is looking at, or 0.

MULTIPLIER, SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)


@kernel
@wrapping
def key_of(state, rows, salt):
    """A number that is almost certainly different for different positions."""
    low = np.uint64(0xFFFFFFFF)
    total = np.uint64(0)
    for row in range(rows):
        for i in range(state.shape[1]):
            word, grain = np.uint64(state[row, i]), salt[row, i]
            total += ((word + grain) & low) * (((word >> SHIFT) + (grain >> SHIFT)) & low)
    total = (total ^ (total >> SHIFT)) * MULTIPLIER
    return np.int64(total ^ (total >> SHIFT))


@kernel
def score_of(winners, me, players, ply):
    """What an ended match is worth to a player, the sooner the more so."""
    if not (winners >> me) & 1:
        return ply - WON
    shared_by = bits.popcount(winners)
    if shared_by == 1:
        return WON - ply
    return JUDGED // shared_by if shared_by < players else 0


@kernel
def entry_of(node, score, ply):
    """A node of a line as an entry of the table; plies to the end are counted from there."""
    bound = EXACT
    if score <= node[LOW]:
        bound = AT_MOST
    elif score >= node[HIGH]:
        bound = AT_LEAST
    if abs(score) > SURE:
        score += ply if score > 0 else -ply
    depth = PROVED if node[IS_SURE] else min(node[DEPTH], PROVED - 1)
    return node[ACTION] << 26 | bound << 24 | depth << 16 | (score + (1 << 15))


@kernel
def score_in(entry, ply):
    score = (entry & 0xFFFF) - (1 << 15)
    if abs(score) > SURE:
        score -= ply if score > 0 else -ply
    return score


@kernel
def settles(entry, score, node):
    """Whether an entry answers all that is asked about a node."""
    if (entry >> 16) & 255 < node[DEPTH]:
        return False
    bound = (entry >> 24) & 3
    if bound == EXACT:
        return True
    return score >= node[BETA] if bound == AT_LEAST else score <= node[ALPHA]


@kernel
def pick_some(actions, count, rng):
    """Bring WIDEST random ones of the actions to the front, if there are more."""
    if count <= WIDEST:
        return count
    for i in range(WIDEST):
        j = i + below(rng, count - i)
        actions[i], actions[j] = actions[j], actions[i]
    return WIDEST


@kernel
def bring_best(actions, promises, at, count):
    """Exchange the most promising action that is left with the one at a place; returns where that
    one lies now."""
    best = at
    for i in range(at + 1, count):
        if promises[i] > promises[best]:
            best = i
    actions[at], actions[best] = actions[best], actions[at]
    promises[at], promises[best] = promises[best], promises[at]
    return best


@kernel
def is_busy_elsewhere(busy, key, thread):
    """Whether another thread is looking at a child."""
    entry = busy[key & (busy.size - 1)]
    return entry >> BUSY_BITS == key >> BUSY_BITS and entry != tag(key, thread)


@kernel
def tag(key, thread):
    return (key >> BUSY_BITS) << BUSY_BITS | thread


@kernel
def let_go(node, busy, thread):
    """Tell the others that a child is known."""
    key = node[CHILD]
    if key != 0 and busy[key & (busy.size - 1)] == tag(key, thread):
        busy[key & (busy.size - 1)] = 0
    node[CHILD] = 0


@kernel
def improves(node, result):
    """Whether a child is better than all that the player who acts has found elsewhere."""
    return result > node[ALPHA] if node[IS_MAX] else result < node[BETA]


@kernel
def is_inside(node, result):
    return node[ALPHA] < result < node[BETA]


@kernel
def must_look_again(node, result):
    """Whether a child was better than thought: its next search is wider or deeper."""
    if node[MODE] == REDUCED:
        return improves(node, result)
    return node[MODE] == NARROW and is_inside(node, result)


@kernel
def set_window(node, child):
    child[ALPHA], child[BETA] = node[ALPHA], node[BETA]
    if node[MODE] != FULL:
        if node[IS_MAX]:
            child[BETA] = node[ALPHA] + 1
        else:
            child[ALPHA] = node[BETA] - 1


@kernel
def take(node, action, result, is_sure):
    """Count a child's result, and go on to the next child."""
    if (result > node[BEST]) if node[IS_MAX] else (result < node[BEST]):
        node[BEST], node[ACTION] = result, action
    if node[IS_MAX]:
        node[ALPHA] = max(node[ALPHA], result)
    else:
        node[BETA] = min(node[BETA], result)
    node[IS_SURE] &= is_sure
    node[INDEX] += 1


@kernel
def open_node(node, is_max, count):
    node[IS_MAX], node[COUNT], node[INDEX], node[MODE] = is_max, count, 0, FULL
    node[LOW], node[HIGH] = node[ALPHA], node[BETA]
    node[BEST] = -WON - 1 if is_max else WON + 1
    node[ACTION], node[IS_SURE], node[CHILD] = 0, 1, 0
