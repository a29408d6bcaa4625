"""Monte Carlo tree search as it is in the books: UCB1 in the tree, random matches below it.

The tree is some arrays with one place for each node, the root at 0; the children of a node lie side
by side.

    visits   int32    how often a node was passed through
    values   float32  the sum of the returns behind it, for the player who acts in the node above
    actions  int32    the action that leads to it
    blocks   int64    how many children there are in the low COUNT_BITS, above these the place of
                      the first; 0 while it has none

Several threads may search one tree. A block of children is claimed by one atomic step and shown to
the others by another. Visits are counted on the way down, so that threads part ways; a count or sum
that two threads write at once may lose one of the two, which is not worth a lock.
"""

from math import log, sqrt
from types import ModuleType
from typing import Any

import numpy as np

from roundel.kernel import bits
from roundel.kernel.cache import Entries
from roundel.kernel.engine import STATE, VALUES, copy, write_returns
from roundel.kernel.jit import add, kernel, swap
from roundel.kernel.randoms import below

COUNT_BITS = 16
COUNT = (1 << COUNT_BITS) - 1
DEEPEST = 1 << 10  # a line of the tree that is longer is not followed any further
USED, DONE, DEPTH, COUNTERS_SIZE = 0, 1, 2, 16  # what `counters` count: places, simulations, plies


@kernel
def best_child(block, total, visits, values, wideness):
    """The first child that was never visited, or the one with the largest upper bound."""
    first = block >> COUNT_BITS
    best, highest, logarithm = first, -np.inf, log(total)
    for i in range(first, first + (block & COUNT)):
        tries = visits[i]
        if tries == 0:
            return i
        bound = values[i] / tries + wideness * sqrt(logarithm / tries)
        if bound > highest:
            best, highest = i, bound
    return best


@kernel
def write_children(listed, count, begin, first, visits, values, actions, blocks):
    """All actions, from a random one on: which are tried first must not depend on their numbers."""
    for i in range(count):
        visits[first + i] = 0
        values[first + i] = 0
        actions[first + i] = listed[begin + i if begin + i < count else begin + i - count]
        blocks[first + i] = 0


def make_uct(G: Any) -> Any:  # noqa: PLR0915 - one function, compiled as one
    def uct(  # noqa: PLR0915
        root, state, rng, visits, values, actions, blocks, counters, sums, simulations, wideness
    ):
        """Run so many simulations from `root`; `state` is room to play in, and `sums` are the
        returns of each player added up."""
        words = np.empty(G.WORDS, np.int64)
        listed = np.empty(64 * G.WORDS, np.int64)
        path = np.empty(DEEPEST, np.int64)
        movers = np.empty(DEEPEST, np.int64)
        returns = np.zeros(sums.size, np.float32)
        for _ in range(simulations):
            copy(state, root)
            node, depth = 0, 0
            visits[0] += 1
            while blocks[node] != 0 and depth + 1 < DEEPEST:
                node = best_child(blocks[node], visits[node], visits, values, wideness)
                visits[node] += 1
                depth += 1
                path[depth] = node
                movers[depth] = G.player(state)
                G.play(state, np.int64(actions[node]))
            # A node gets its children at the second visit: most are seen once only.
            if (node == 0 or visits[node] > 1) and blocks[node] == 0 and not G.over(state):
                count = bits.list_all(words, G.targets(state, words), listed)
                first = add(counters, USED, count)
                if first + count <= visits.size:
                    begin = below(rng, count)
                    write_children(listed, count, begin, first, visits, values, actions, blocks)
                    swap(blocks, node, 0, first << COUNT_BITS | count)
                else:
                    add(counters, USED, -count)
            while not G.over(state) and not G.full(state):
                G.play(state, G.pick(state, words, rng))
            if G.over(state):
                write_returns(returns, G.winners(state), sums.size)
                for i in range(1, depth + 1):
                    values[path[i]] += returns[movers[i]]
                for player in range(sums.size):
                    sums[player] += returns[player]
            counters[DEPTH] = max(counters[DEPTH], depth)
        add(counters, DONE, simulations)

    return uct


TREE = "int32[::1], float32[::1], int32[::1], int64[::1]"
MAKERS = {
    "uct": (
        make_uct,
        f"void({STATE}, {STATE}, uint64[::1], {TREE}, {VALUES}, float64[::1], int64, float64)",
    ),
}


def search_entries(name: str, rules: ModuleType) -> Entries:
    return Entries(name, rules, MAKERS)
