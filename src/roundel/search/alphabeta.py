"""Alpha-beta search: deep where it matters, and exact where a match can be seen to its end.

One player wants a high score, all others a low one (for more than two players that is a cautious
view, not a true one). `searcher.py` asks for one depth after the other. Children are tried in the
order that the judge gives them, the first with the whole window, the others with an empty one and,
if they come late, less deep; whatever then turns out better than thought is searched again.

Several threads search the same position. Each says which children it is looking at, and the others
leave those for last: by then the table mostly knows them.

Scores are whole numbers: up to JUDGED for what the judge says, beyond SURE for a match that is won
or lost, less the plies until then. A place of the table is two words, an entry and its key:

    keys     the key of a position, mixed with the entry: what two threads wrote at once is noticed
    entries  from the low bits: score (16 bits), depth (8), kind of bound (2), best action

A place of `busy` is the key of a child that a thread is looking at, its low bits the thread.
"""

from types import ModuleType
from typing import Any

import numpy as np

from roundel.kernel import bits
from roundel.kernel.cache import Entries
from roundel.kernel.engine import STATE, VALUES, copy
from roundel.kernel.jit import kernel, load, wrapping
from roundel.kernel.randoms import below
from roundel.search.judge import Judge

JUDGED, SURE, WON = 20_000, 30_000, 32_000
PLIES = 64  # of the longest line
WIDEST = 256  # of more actions than that some are drawn
PROVED = 255  # the depth of an entry that no judge had a part in
EXACT, AT_LEAST, AT_MOST = 1, 2, 3  # kinds of bounds
FULL, NARROW, REDUCED = 0, 1, 2  # how a child is searched; each is followed by the one before
EARLY, LATE = 3, 12  # so many children are not reduced at all, or by one ply only
SHARED = 3  # children of nodes less deep than that are not worth to be left to others
LAST = -(1 << 60)  # promise of a child that another thread is looking at
BUSY_BITS = 8  # of a key, for the thread

# What is known of the node at each ply of the line that is looked at:
DEPTH, MOVER, IS_MAX, ALPHA, BETA, LOW, HIGH, BEST, ACTION, KEY, COUNT, INDEX, MODE = range(13)
IS_SURE, CHILD, NODE_SIZE = 13, 14, 16
# LOW, HIGH: the window at first. BEST, ACTION: the best so far. IS_SURE: no judge had a part in it.
# CHILD: the key of the child that the other threads were told of, or 0.

# What `counters` hold besides counts: whether to stop, at how many nodes, what was found.
NODES, DEEPEST, STOPPED, LIMIT, SCORE, CHOSEN, IS_PROVED, COUNTERS_SIZE = 0, 1, 2, 3, 4, 5, 6, 16

MULTIPLIER, SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)


@kernel
@wrapping
def key_of(state, rows, salt):
    """A number that differs, as good as certainly, for different positions."""
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
    many = bits.popcount(winners)
    if many == 1:
        return WON - ply
    return JUDGED // many if many < players else 0


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
def draw_some(actions, count, rng):
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
def is_left(busy, key, thread):
    """Whether another thread is looking at a child."""
    found = busy[key & (busy.size - 1)]
    return found >> BUSY_BITS == key >> BUSY_BITS and found != tag(key, thread)


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


def make_alphabeta(G: Any, E: Any, J: Any) -> Any:  # noqa: C901, PLR0915 - one function, compiled as one
    def alphabeta(  # noqa: C901, PLR0915
        states, rows, salt, weights, features, keys, entries, history, killers, rng, counters,
        first, scores, spent, value, me, depth, width, busy, thread,
    ):  # fmt: skip
        """Search states[0], whose actions are `first` in the order to try, to a depth; the other
        states are room to play in. `rows` of a state make a position, the others are its past.

        Writes the result to `counters`, and `scores` for as many of the actions as it returns.
        Those within `width` of the best are exact, others bounds. `spent` counts their nodes.
        """
        words = np.empty(G.WORDS, np.int64)
        listed = np.empty(64 * G.WORDS, np.int64)
        actions = np.empty((PLIES, WIDEST), np.int64)
        promises = np.empty((PLIES, WIDEST), np.int64)
        line = np.zeros((PLIES, NODE_SIZE), np.int64)
        looks_back = rows < states.shape[1]  # then draws depend on how a position was reached
        everybody = (1 << value.size) - 1
        mask = keys.size - 1
        line[0, DEPTH], line[0, ALPHA], line[0, BETA] = depth, -WON, WON
        ply, result, is_sure, entering, begun = 0, np.int64(0), True, True, counters[NODES]
        while ply >= 0:
            state, node = states[ply], line[ply]
            if entering:
                if load(counters, STOPPED) != 0 or counters[NODES] >= counters[LIMIT]:
                    counters[STOPPED] = 1
                    break
                counters[NODES] += 1
                counters[DEEPEST] = max(counters[DEEPEST], ply)
                if G.over(state):
                    winners = G.winners(state)
                    result = score_of(winners, me, value.size, ply)
                    is_sure = not (looks_back and winners == everybody)
                    entering = False
                elif node[DEPTH] <= 0 or ply + 1 == PLIES or G.full(state):
                    E.features(state, features)
                    J.weigh(features, weights[E.stage(state)], value)
                    result, is_sure = np.int64(JUDGED * value[me]), False
                    entering = False
                else:
                    key = key_of(state, rows, salt)
                    entry = entries[key & mask]
                    if keys[key & mask] ^ entry != key:
                        entry = 0
                    node[KEY] = key
                    if entry != 0 and ply > 0 and settles(entry, score_in(entry, ply), node):
                        result, is_sure = score_in(entry, ply), (entry >> 16) & 255 == PROVED
                        entering = False
                if not entering:
                    ply -= 1
                    continue
                mover = np.int64(G.player(state))
                if ply == 0:
                    count = first.size
                    for i in range(count):
                        actions[0, i], promises[0, i] = first[i], -i
                else:
                    count = bits.list_all(words, G.targets(state, words), listed)
                    count = draw_some(listed, count, rng)
                    for i in range(count):
                        actions[ply, i] = listed[i]
                        promises[ply, i] = history[mover, listed[i]]
                        for k in range(2):
                            promises[ply, i] += (listed[i] == killers[ply, k]) << 40
                    if count == 1:
                        node[DEPTH] += 1  # there is nothing to think about
                    elif node[DEPTH] > 1:
                        for i in range(count):
                            child = states[ply + 1]
                            copy(child, state)
                            G.play(child, actions[ply, i])
                            if G.over(child):
                                score = score_of(G.winners(child), me, value.size, ply)
                            else:
                                E.features(child, features)
                                J.weigh(features, weights[E.stage(child)], value)
                                score = np.int64(JUDGED * value[me])
                            promises[ply, i] = score if mover == me else -score
                        counters[NODES] += count
                    for i in range(count):
                        if entry != 0 and actions[ply, i] == entry >> 26:
                            promises[ply, i] = 1 << 50
                open_node(node, mover == me, count)
                node[MOVER] = mover
            elif must_look_again(node, result):
                node[MODE] -= 1
            else:
                action = actions[ply, node[INDEX]]
                if ply == 0:
                    scores[node[INDEX]] = result
                    spent[node[INDEX]] += counters[NODES] - begun
                    begun = counters[NODES]
                take(node, action, result, is_sure)
                let_go(node, busy, thread)
                if node[ALPHA] >= node[BETA]:
                    history[node[MOVER], action] += node[DEPTH] * node[DEPTH]
                    if killers[ply, 0] != action:
                        killers[ply, 1], killers[ply, 0] = killers[ply, 0], action
                node[MODE] = NARROW
                if node[DEPTH] >= 3 and node[INDEX] >= EARLY:
                    node[MODE] = REDUCED
            if node[INDEX] == node[COUNT] or node[ALPHA] >= node[BETA]:
                result = node[BEST]
                is_sure = node[IS_SURE] != 0 or abs(result) > SURE
                node[IS_SURE] = is_sure
                entry = entry_of(node, result, ply)
                entries[node[KEY] & mask] = entry
                keys[node[KEY] & mask] = node[KEY] ^ entry
                entering = False
                ply -= 1
                continue
            at, child = node[INDEX], states[ply + 1]
            is_shared = busy.size > 0 and at > 0 and node[DEPTH] >= SHARED
            is_chosen = node[CHILD] != 0
            while True:
                other = bring_best(actions[ply], promises[ply], at, node[COUNT])
                if ply == 0:
                    for known in (first, scores, spent):
                        known[at], known[other] = known[other], known[at]
                copy(child, state)
                G.play(child, actions[ply, at])
                if is_chosen or not is_shared:
                    break
                key = key_of(child, rows, salt)
                if promises[ply, at] == LAST or not is_left(busy, key, thread):
                    node[CHILD] = key
                    busy[key & (busy.size - 1)] = tag(key, thread)
                    break
                promises[ply, at] = LAST
            is_same = not G.over(child) and G.player(child) == node[MOVER]
            if not (is_same and ply < 2 * depth):  # a turn of several actions is seen to its end
                line[ply + 1, DEPTH] = node[DEPTH] - 1
            else:
                line[ply + 1, DEPTH] = node[DEPTH]
            if node[MODE] == REDUCED:
                line[ply + 1, DEPTH] = max(1, line[ply + 1, DEPTH] - 1 - (at >= LATE))
            set_window(node, line[ply + 1])
            if ply == 0 and width > 0:
                line[1, ALPHA], line[1, BETA] = node[ALPHA] - width, WON
                node[MODE] = FULL
            ply += 1
            entering = True
        done = line[0, INDEX]
        counters[CHOSEN] = line[0, ACTION]
        counters[SCORE] = line[0, BEST]
        counters[IS_PROVED] = ply < 0 and is_sure
        return done

    return alphabeta


def make_principal_line(G: Any) -> Any:
    def principal_line(states, rows, salt, keys, entries, out):
        """Follow the best actions of the table from states[0] on; returns how many there are."""
        words = np.empty(G.WORDS, np.int64)
        for ply in range(out.size):
            state = states[ply]
            key = key_of(state, rows, salt)
            entry = entries[key & (keys.size - 1)]
            action = entry >> 26
            known = entry != 0 and keys[key & (keys.size - 1)] ^ entry == key
            if G.over(state) or not known:
                return ply
            if not bits.contains(words, G.targets(state, words), action):
                return ply
            out[ply] = action
            copy(states[ply + 1], state)
            G.play(states[ply + 1], action)
        return out.size

    return principal_line


STATES, SALT = "int64[:,:,::1]", "uint64[:,::1]"
PRINCIPAL_LINE_MAKERS = {
    "principal_line": (
        make_principal_line, f"int64({STATES}, int64, {SALT}, {VALUES}, {VALUES}, {VALUES})",
    ),
}  # fmt: skip


def search_entries(rules: ModuleType, judge: Judge) -> Entries:
    weighed = f"{judge.weigher.WEIGHTS_TYPE}, {judge.weigher.FEATURES_TYPE}"
    signature = (
        f"int64({STATES}, int64, {SALT}, {weighed}, {VALUES}, {VALUES}, {STATE}, {STATE}, "
        f"uint64[::1], {VALUES}, {VALUES}, {VALUES}, {VALUES}, float64[::1], int64, int64, int64, "
        f"{VALUES}, int64)"
    )
    makers = {"alphabeta": (make_alphabeta, signature)}
    return Entries(judge.name, rules, makers, judge.extractor, judge.weigher)


def principal_line_entries(name: str, rules: ModuleType) -> Entries:
    return Entries(name, rules, PRINCIPAL_LINE_MAKERS)
