"""Alpha-beta search: deep where it matters, and exact where a match can be seen to its end.

One player wants a high score, all others a low one (for more than two players that is a cautious
view, not a true one). `alphabeta_search.py` asks for one depth after the other. Children are tried
in the order that the judge gives them: the first with the whole window, the others with an empty
one and, if they come late, less deep; whatever turns out better than thought is searched again.

Several threads search the same position. Each says which children it is looking at, and the others
leave those for last: by then the table mostly knows them. What is done with one node is in
`nodes.py`, with the layout of scores, table and `busy`.
"""

from types import ModuleType
from typing import Any

import numpy as np

from roundel.kernel import bits
from roundel.kernel.cache import Entries
from roundel.kernel.engine import STATE, VALUES, copy
from roundel.kernel.jit import load
from roundel.search.judge import Judge
from roundel.search.nodes import (
    ACTION,
    ALPHA,
    BEST,
    BETA,
    CHILD,
    COUNT,
    DEPTH,
    FULL,
    INDEX,
    IS_SURE,
    JUDGED,
    KEY,
    MODE,
    MOVER,
    NARROW,
    NODE_SIZE,
    POSTPONED,
    PROVED,
    REDUCED,
    SURE,
    WIDEST,
    WON,
    bring_best,
    entry_of,
    is_busy_elsewhere,
    key_of,
    let_go,
    must_look_again,
    open_node,
    pick_some,
    score_in,
    score_of,
    set_window,
    settles,
    tag,
    take,
)

PLIES = 64  # of the longest line
EARLY, LATE = 3, 12  # so many children are not reduced at all, or by one ply only
SHARED = 3  # children of nodes less deep than that are not worth to be left to others

# What `counters` hold besides counts: whether to stop, at how many nodes, what was found.
NODES, DEEPEST, STOPPED, LIMIT, SCORE, CHOSEN, IS_PROVED, COUNTERS_SIZE = 0, 1, 2, 3, 4, 5, 6, 16


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
        stack = np.zeros((PLIES, NODE_SIZE), np.int64)
        looks_back = rows < states.shape[1]  # then draws depend on how a position was reached
        everybody = (1 << value.size) - 1
        mask = keys.size - 1
        stack[0, DEPTH], stack[0, ALPHA], stack[0, BETA] = depth, -WON, WON
        ply, result, is_sure, entering, begun = 0, np.int64(0), True, True, counters[NODES]
        while ply >= 0:
            state, node = states[ply], stack[ply]
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
                    count = pick_some(listed, count, rng)
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
                if promises[ply, at] == POSTPONED or not is_busy_elsewhere(busy, key, thread):
                    node[CHILD] = key
                    busy[key & (busy.size - 1)] = tag(key, thread)
                    break
                promises[ply, at] = POSTPONED
            is_same = not G.over(child) and G.player(child) == node[MOVER]
            if not (is_same and ply < 2 * depth):  # a turn of several actions is seen to its end
                stack[ply + 1, DEPTH] = node[DEPTH] - 1
            else:
                stack[ply + 1, DEPTH] = node[DEPTH]
            if node[MODE] == REDUCED:
                stack[ply + 1, DEPTH] = max(1, stack[ply + 1, DEPTH] - 1 - (at >= LATE))
            set_window(node, stack[ply + 1])
            if ply == 0 and width > 0:
                stack[1, ALPHA], stack[1, BETA] = node[ALPHA] - width, WON
                node[MODE] = FULL
            ply += 1
            entering = True
        done = stack[0, INDEX]
        counters[CHOSEN] = stack[0, ACTION]
        counters[SCORE] = stack[0, BEST]
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
