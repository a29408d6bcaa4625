"""Monte Carlo tree search with more than random matches: hearsay, a judge, and proofs.

Each simulation walks down the tree, plays a random match from where it leaves it, and carries the
returns up; they are a vector, one number for each player, so that any number can play. Besides:

  * Hearsay (RAVE): an action that is played later in a simulation by the player who could have
    played it earlier, says something about it there, too. It counts until there are enough visits.
  * Children are judged by the game's `evaluate` when they are made; that counts as some hearsay.
  * Ended matches prove nodes, and proofs are carried up.

The tree is that of `search/uct.py`, with more arrays:

    seen    int32    how often a node's action was played later, by who acts in the node above
    heard   float32  the sum of the returns of these simulations, for the same player
    judged  float32  what the judge said of a node, or what is proved of it, for the same player
    proofs  int8     0, or the winners (as of `rules.winners`) if everybody plays well
"""

from math import log, sqrt
from types import ModuleType
from typing import Any

import numpy as np

from roundel.core import bits
from roundel.core.engine import STATE, VALUES, copy, write_returns
from roundel.core.jit import Entries, add, kernel, swap
from roundel.search.alphabeta import draw_some
from roundel.search.judge import weigh
from roundel.search.uct import COUNT, COUNT_BITS, DEEPEST, DEPTH, DONE, TREE, USED

RIPE = 8  # visits after which a node gets children: judging them takes time
TRUST = 5.0  # the judge's word counts as so much hearsay
BELIEF = 1000.0  # visits after which hearsay counts half as much as what was seen
WIDENESS = 0.3  # of the upper bound
EVENLY = 1e-9  # so that of actions that are proved to be worth the same all are visited
LONGEST = 4096  # plies of a simulation, at most
STAMP = 3  # of `facts`: simulations that were begun, by all threads


@kernel
def return_of(winners, player, players):
    """What a match that ended so is worth to a player: as `write_returns`."""
    many = bits.popcount(winners)
    if many == players:
        return 0.0
    if (winners >> player) & 1:
        return 1.0 / many
    return -1.0 / (players - many)


@kernel
def best_child(block, total, visits, values, seen, heard, judged, proofs):
    """The child with the largest upper bound; what is proved needs none."""
    first = block >> COUNT_BITS
    best, highest, logarithm = first, -np.inf, sqrt(log(total + 1.0))
    for i in range(first, first + (block & COUNT)):
        if proofs[i] != 0:
            bound = judged[i] - EVENLY * visits[i]
        else:
            many = visits[i]
            hearsay = (heard[i] + TRUST * judged[i]) / (seen[i] + TRUST)
            share = sqrt(BELIEF / (3.0 * many + BELIEF))
            mean = values[i] / max(many, 1)
            bound = (1 - share) * mean + share * hearsay + WIDENESS * logarithm / sqrt(many + 1.0)
        if bound > highest:
            best, highest = i, bound
    return best


@kernel
def proof_of(block, judged, proofs):
    """What the children prove of their parent: 0 if nothing, otherwise the winners.

    Nothing, too, if who acts can only choose which of the others wins.
    """
    first = block >> COUNT_BITS
    best, found, is_clear = -2.0, np.int64(0), True
    for i in range(first, first + (block & COUNT)):
        if proofs[i] == 0:
            is_clear = False
        elif judged[i] > best:
            best, found = np.float64(judged[i]), np.int64(proofs[i])
    for i in range(first, first + (block & COUNT)):
        is_clear &= judged[i] < best or proofs[i] == found
    return found if is_clear or best == 1.0 else np.int64(0)


@kernel
def carry_proof_up(path, movers, depth, players, blocks, judged, proofs):
    """What is proved of the last node of a path may prove those above."""
    for i in range(depth, 0, -1):
        if proofs[path[i]] == 0:
            break
        judged[path[i]] = return_of(proofs[path[i]], movers[i], players)
        proofs[path[i - 1]] = proof_of(blocks[path[i - 1]], judged, proofs)


@kernel
def count_hearsay(block, actions, stamps, stamp, value, seen, heard):
    """Of the children, those whose action was played later on."""
    first = block >> COUNT_BITS
    for i in range(first, first + (block & COUNT)):
        if stamps[actions[i]] == stamp:
            seen[i] += 1
            heard[i] += value


def make_mcts(G: Any, E: Any) -> Any:  # noqa: C901, PLR0915 - one function, compiled as one
    def mcts(  # noqa: C901, PLR0915
        root, state, child, rng, visits, values, actions, blocks, seen, heard, judged, proofs,
        facts, sums, weights, many,
    ):  # fmt: skip
        """Let `many` simulations run from `root`, fewer if it is proved; the other two states are
        room to play in, and `sums` are the returns of each player added up."""
        players = sums.size
        words = np.empty(G.WORDS, np.int64)
        listed = np.empty(64 * G.WORDS, np.int64)
        path = np.zeros(DEEPEST + 1, np.int64)
        movers = np.zeros(DEEPEST + 2, np.int64)
        played = np.zeros(LONGEST, np.int64)
        players_of = np.zeros(LONGEST, np.int64)
        stamps = np.zeros((players, 64 * G.WORDS), np.int64)  # when each action was played last
        value = np.zeros(players, np.float64)
        found = np.empty((players, weights.shape[1]), np.float64)
        done = 0
        while done < many and proofs[0] == 0:
            done += 1
            copy(state, root)
            node, depth = 0, 0
            visits[0] += 1
            while blocks[node] != 0 and proofs[node] == 0 and depth < DEEPEST:
                depth += 1
                movers[depth] = G.player(state)
                node = best_child(
                    blocks[node], visits[node], visits, values, seen, heard, judged, proofs
                )
                path[depth] = node
                visits[node] += 1
                G.play(state, np.int64(actions[node]))
            movers[depth + 1] = G.player(state)
            if proofs[node] == 0 and G.over(state):
                proofs[node] = G.winners(state)
                carry_proof_up(path, movers, depth, players, blocks, judged, proofs)
            goes_on = depth == 0 or movers[depth + 1] == movers[depth]  # the same player acts again
            is_ripe = (goes_on or visits[node] > RIPE) and not G.full(state)
            if proofs[node] == 0 and blocks[node] == 0 and is_ripe:
                count = bits.list_all(words, G.targets(state, words), listed)
                count = draw_some(listed, count, rng)
                first = add(facts, USED, count)
                has_room = first + count <= visits.size
                if not has_room:
                    add(facts, USED, -count)
                for i in range(count if has_room else 0):
                    copy(child, state)
                    G.play(child, listed[i])
                    at, proof = first + i, G.winners(child) if G.over(child) else 0
                    if proof != 0:
                        write_returns(value, proof, players)
                    else:
                        E.features(child, found)
                        weigh(found, weights[E.stage(child)], value)
                    visits[at], values[at], actions[at], blocks[at] = 0, 0, listed[i], 0
                    seen[at], heard[at] = 0, 0
                    judged[at], proofs[at] = value[movers[depth + 1]], proof
                if has_room:
                    swap(blocks, node, 0, first << COUNT_BITS | count)
                    proofs[node] = proof_of(blocks[node], judged, proofs)
                    carry_proof_up(path, movers, depth, players, blocks, judged, proofs)
            plies = 0
            if proofs[node] != 0:
                write_returns(value, np.int64(proofs[node]), players)
            else:
                while not G.over(state) and not G.full(state) and plies < LONGEST:
                    played[plies], players_of[plies] = G.pick(state, words, rng), G.player(state)
                    G.play(state, played[plies])
                    plies += 1
                if G.over(state):
                    write_returns(value, G.winners(state), players)
                else:
                    for p in range(players):
                        value[p] = 0
            stamp = add(facts, STAMP, 1) + 1
            for i in range(plies):
                stamps[players_of[i], played[i]] = stamp
            for i in range(depth, -1, -1):
                if i < depth:
                    stamps[movers[i + 1], actions[path[i + 1]]] = stamp
                mover = movers[i + 1]
                count_hearsay(
                    blocks[path[i]], actions, stamps[mover], stamp, value[mover], seen, heard
                )
                if i > 0:
                    values[path[i]] += value[movers[i]]
            for p in range(players):
                sums[p] += value[p]
            facts[DEPTH] = max(facts[DEPTH], depth)
        add(facts, DONE, done)

    return mcts


MAKERS = {
    "mcts": (
        make_mcts,
        f"void({STATE}, {STATE}, {STATE}, uint64[::1], {TREE}, int32[::1], float32[::1], "
        f"float32[::1], int8[::1], {VALUES}, float64[::1], float64[:,::1], int64)",
    ),
}


def searching(name: str, rules: ModuleType, evaluate: ModuleType) -> Entries:
    return Entries(name, rules, MAKERS, evaluate)
