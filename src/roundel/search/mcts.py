"""Monte Carlo tree search with a judge beside random matches, and with proofs.

Each simulation walks down the tree, gives the node where it leaves it children, and carries up what
the best of them, for who acts there, is worth to everybody, together with how a random match from
there ends. That is a vector, one number for each player, so that any number can play. Children are
judged (`search/judge.py`) when they are made, which counts as some visits: a random match or two
tell less. Ended matches prove nodes, and proofs are carried up.

The judge knows what to look for, random matches how it all adds up in the end: together they
foretell better who wins than either. As a judge is wrong in the same way everywhere, and not by
chance, a few visits tell which actions are worth more: the search is far less wide than that of
`search/uct.py`.

The tree is the one there, with more arrays:

    judged  float32  what the judge said of a node, or what is proved of it, for the player who acts
                     in the node above
    proofs  int8     0, or the winners (as of `rules.winners`) if everybody plays well
"""

from math import log, sqrt
from types import ModuleType
from typing import Any

import numpy as np

from roundel.kernel import bits
from roundel.kernel.cache import Entries
from roundel.kernel.engine import STATE, VALUES, copy
from roundel.kernel.jit import add, kernel, swap
from roundel.search.features import as_value, share_of, write_end
from roundel.search.judge import Judge
from roundel.search.nodes import pick_some
from roundel.search.uct import COUNT, COUNT_BITS, DEEPEST, DEPTH, DONE, TREE, USED

WIDENESS = 0.2  # of the upper bound
RANDOM = 0.4  # how much of what a simulation carries up is how a random match ended
TRUST = 8.0  # as how many visits of a child what the judge says of it counts
EVENLY = 1e-9  # so that of actions that are proved to be worth the same all are visited


@kernel
def best_child(block, total, visits, values, judged, proofs):
    """The child with the largest upper bound; what is proved needs none."""
    first = block >> COUNT_BITS
    best, highest, logarithm = first, -np.inf, sqrt(log(total + 1.0))
    for i in range(first, first + (block & COUNT)):
        if proofs[i] != 0:
            bound = judged[i] - EVENLY * visits[i]
        else:
            tries = visits[i] + TRUST
            bound = (values[i] + TRUST * judged[i]) / tries + WIDENESS * logarithm / sqrt(tries)
        if bound > highest:
            best, highest = i, bound
    return best


@kernel
def proof_of(block, judged, proofs):
    """What the children prove of their parent: 0 if nothing, otherwise the winners.

    Nothing, too, if who acts can only choose which of the others wins.
    """
    first = block >> COUNT_BITS
    best, proof, is_clear = -2.0, np.int64(0), True
    for i in range(first, first + (block & COUNT)):
        if proofs[i] == 0:
            is_clear = False
        elif judged[i] > best:
            best, proof = np.float64(judged[i]), np.int64(proofs[i])
    for i in range(first, first + (block & COUNT)):
        is_clear &= judged[i] < best or proofs[i] == proof
    return proof if is_clear or best == 1.0 else np.int64(0)


@kernel
def carry_proof_up(path, movers, depth, players, blocks, judged, proofs):
    """What is proved of the last node of a path may prove those above."""
    for i in range(depth, 0, -1):
        if proofs[path[i]] == 0:
            break
        judged[path[i]] = as_value(share_of(np.int64(proofs[path[i]]), movers[i]), players)
        proofs[path[i - 1]] = proof_of(blocks[path[i - 1]], judged, proofs)


def make_mcts(G: Any, E: Any, J: Any) -> Any:  # noqa: C901, PLR0915 - one function, compiled as one
    def mcts(  # noqa: C901, PLR0915
        root, state, child, rng, visits, values, actions, blocks, judged, proofs, counters, sums,
        weights, features, simulations,
    ):  # fmt: skip
        """Run so many simulations from `root`, fewer if it is proved; the other two states are
        room to play in, and `sums` are the values of each player added up."""
        players = sums.size
        words = np.empty(G.WORDS, np.int64)
        listed = np.empty(64 * G.WORDS, np.int64)
        path = np.zeros(DEEPEST + 1, np.int64)
        movers = np.zeros(DEEPEST + 2, np.int64)
        value, best = np.zeros(players, np.float64), np.zeros(players, np.float64)
        done = 0
        while done < simulations and proofs[0] == 0:
            done += 1
            copy(state, root)
            node, depth = 0, 0
            visits[0] += 1
            while blocks[node] != 0 and proofs[node] == 0 and depth < DEEPEST:
                depth += 1
                movers[depth] = G.player(state)
                node = best_child(blocks[node], visits[node], visits, values, judged, proofs)
                path[depth] = node
                visits[node] += 1
                G.play(state, np.int64(actions[node]))
            if proofs[node] == 0 and G.over(state):
                proofs[node] = G.winners(state)
                carry_proof_up(path, movers, depth, players, blocks, judged, proofs)
            count, first = 0, np.int64(0)
            if proofs[node] == 0 and blocks[node] == 0 and not G.full(state):
                count = bits.list_all(words, G.targets(state, words), listed)
                count = pick_some(listed, count, rng)
                first = add(counters, USED, count)
                if first + count > visits.size:
                    add(counters, USED, -count)
                    count = 0
            mover = movers[depth + 1] = G.player(state)
            for i in range(count):
                copy(child, state)
                G.play(child, listed[i])
                at, proof = first + i, G.winners(child) if G.over(child) else 0
                if proof != 0:
                    write_end(proof, value)
                else:
                    E.features(child, features)
                    J.weigh(features, weights[E.stage(child)], value)
                visits[at], values[at], actions[at], blocks[at] = 0, 0, listed[i], 0
                judged[at], proofs[at] = value[mover], proof
                if i == 0 or value[mover] > best[mover]:
                    for p in range(players):
                        best[p] = value[p]
            if count > 0:
                swap(blocks, node, 0, first << COUNT_BITS | count)
                proofs[node] = proof_of(blocks[node], judged, proofs)
                carry_proof_up(path, movers, depth, players, blocks, judged, proofs)
            elif proofs[node] == 0:
                E.features(state, features)
                J.weigh(features, weights[E.stage(state)], best)
            if proofs[node] != 0:
                write_end(np.int64(proofs[node]), best)
            else:
                while not G.over(state) and not G.full(state):
                    G.play(state, G.pick(state, words, rng))
                if G.over(state):
                    write_end(G.winners(state), value)
                    for p in range(players):
                        best[p] += RANDOM * (value[p] - best[p])
            for i in range(1, depth + 1):
                values[path[i]] += best[movers[i]]
            for p in range(players):
                sums[p] += best[p]
            counters[DEPTH] = max(counters[DEPTH], depth)
        add(counters, DONE, done)

    return mcts


def search_entries(rules: ModuleType, judge: Judge) -> Entries:
    weighed = f"{judge.weigher.WEIGHTS_TYPE}, {judge.weigher.FEATURES_TYPE}"
    signature = (
        f"void({STATE}, {STATE}, {STATE}, uint64[::1], {TREE}, float32[::1], int8[::1], {VALUES}, "
        f"float64[::1], {weighed}, int64)"
    )
    return Entries(
        judge.name, rules, {"mcts": (make_mcts, signature)}, judge.extractor, judge.weigher
    )
