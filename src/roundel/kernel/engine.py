"""What Python calls of a game's compiled rules, written once for all games.

A rules module `G` offers these kernels (`core/game.py` tells the whole contract):

    targets(state, words)   the legal actions as bits (`kernel/bits.py`); returns the words in use
    pick(state, words, rng) one of them, each with the same chance; `words` is room to work in
    play(state, action)     in place; the action must be legal
    player(state)           whose action it is, 0 to n-1
    over(state)             whether the match has ended
    winners(state)          bit p set: player p won or shares the win; only when it is over
    points(state, out)      per player, also while the match goes on
    full(state)             whether there is no room left for one more action (`kernel/memory.py`)
"""

from types import ModuleType
from typing import Any

import numpy as np

from roundel.kernel import bits
from roundel.kernel.cache import Entries
from roundel.kernel.jit import kernel

STATE, WORDS, VALUES = "int64[:,::1]", "int64[::1]", "int64[::1]"
PLAYER, WINNERS, POINTS, STATUS_SIZE = 0, 1, 2, 6  # what `status` fills
ACTIONS, TIES, WINS, TALLY_SIZE = 0, 1, 2, 6  # what `playouts` adds up


@kernel
def copy(target, source):
    """Copy a state, as far as there are rows for it. (Loops compile faster than `[:]`.)"""
    for row in range(min(source.shape[0], target.shape[0])):
        for i in range(source.shape[1]):
            target[row, i] = source[row, i]


@kernel
def write_returns(out, winners, players):
    """Zero-sum: k winners 1/k each, the others -1/(n-k); 0 if all are tied."""
    sharing = bits.popcount(winners)
    for player in range(players):
        if sharing == players:
            out[player] = 0
        elif (winners >> player) & 1:
            out[player] = 1 / sharing
        else:
            out[player] = -1 / (players - sharing)


def make_legal(G: Any) -> Any:
    def legal(state, out):
        """All legal actions, ascending, into `out`; returns how many: 0 when the match is over."""
        words = np.empty(G.WORDS, np.int64)
        return bits.list_all(words, G.targets(state, words), out)

    return legal


def make_advance(G: Any) -> Any:
    def advance(state, action, child):
        """Play `action` on a copy in `child`, or return False: it is not legal."""
        words = np.empty(G.WORDS, np.int64)
        if not bits.contains(words, G.targets(state, words), action):
            return False
        copy(child, state)
        G.play(child, action)
        return True

    return advance


def make_status(G: Any) -> Any:
    def status(state, out):
        """Player, winners (0 while the match goes on) and points in one call."""
        out[PLAYER] = G.player(state)
        out[WINNERS] = G.winners(state) if G.over(state) else 0
        G.points(state, out[POINTS:])

    return status


def make_playouts(G: Any) -> Any:
    def playouts(start, state, words, rng, matches, tally):
        """Play that many random matches from `start` to their end. Allocates nothing.

        Returns how many were finished: fewer only when `state` had no room for one of them, which
        then counts as not begun.
        """
        for done in range(matches):
            begun = rng[0]
            actions = 0
            copy(state, start)
            while not G.over(state):
                if G.full(state):
                    rng[0] = begun
                    return done
                G.play(state, G.pick(state, words, rng))
                actions += 1
            tally[ACTIONS] += actions
            winners = G.winners(state)
            if winners & (winners - 1):
                tally[TIES] += 1
            else:
                tally[WINS + bits.lowest(winners)] += 1
        return matches

    return playouts


def make_perft(G: Any) -> Any:
    def perft(states, words, used, depth):
        """The number of action sequences of length `depth` (2 or more) from states[0].

        states[d], words[d] and used[d] hold the position d actions deep, which of its actions are
        still to be tried, and in how many words. The last action is counted, not played.
        """
        leaves = 0
        level = 0
        used[0] = G.targets(states[0], words[0])
        while level >= 0:
            word = 0
            while word < used[level] and words[level, word] == 0:
                word += 1
            if word == used[level]:
                level -= 1
                continue
            left = words[level, word]
            words[level, word] = left & (left - 1)
            child = states[level + 1]
            copy(child, states[level])
            G.play(child, (word << 6) | bits.lowest(left))
            in_use = G.targets(child, words[level + 1])
            if level + 2 == depth:
                leaves += bits.count(words[level + 1], in_use)
            else:
                level += 1
                used[level] = in_use
        return leaves

    return perft


MAKERS = {
    "legal": (make_legal, f"int64({STATE}, {VALUES})"),
    "advance": (make_advance, f"boolean({STATE}, int64, {STATE})"),
    "status": (make_status, f"void({STATE}, {VALUES})"),
    "playouts": (
        make_playouts,
        f"int64({STATE}, {STATE}, {WORDS}, uint64[::1], int64, {VALUES})",
    ),
    "perft": (make_perft, f"int64(int64[:,:,::1], int64[:,::1], {VALUES}, int64)"),
}


def engine(name: str, rules: ModuleType) -> Entries:
    return Entries(name, rules, MAKERS)
