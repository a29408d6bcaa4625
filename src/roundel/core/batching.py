"""What a batch of states calls of a game's compiled rules, written once for all games.

Every entry works on the states `lo` to `hi - 1` of the batch, so that threads can share it: each
state has its own random numbers, and nothing depends on how the batch is cut into slices. None of
them holds Python's lock. What the arrays mean is told by `roundel.batch`.
"""

from types import ModuleType
from typing import Any

import numpy as np

from roundel.core import bits
from roundel.core.engine import STATE, VALUES, copy
from roundel.core.jit import Entries, kernel

STATES, TABLE, FLAGS, RETURNS = "int64[:,:,::1]", "int64[:,::1]", "boolean[::1]", "float32[:,::1]"
RNGS, SLICE = "uint64[:,::1]", "int64, int64"
ALL_LEGAL, NO_ROOM = -1, -2  # what `check` returns when no action is wrong

# Eight bytes, 0 or 1, for the eight bits of a byte.
SPREAD = np.unpackbits(
    np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little"
).view(np.int64)[:, 0].copy()  # fmt: skip


@kernel
def write_returns(out, winners, players):
    """Zero-sum: k winners 1/k each, the others -1/(n-k); 0 if all are tied."""
    many = bits.popcount(winners)
    for player in range(players):
        if many == players:
            out[player] = 0
        elif (winners >> player) & 1:
            out[player] = 1 / many
        else:
            out[player] = -1 / (players - many)


def make_look(G: Any) -> Any:
    def look(states, words, used, lo, hi):
        """The legal actions of every state as bits; words that are not in use are 0."""
        for i in range(lo, hi):
            before = used[i]
            used[i] = G.targets(states[i], words[i])
            for w in range(used[i], before):
                words[i, w] = 0

    return look


def make_unpack(G: Any) -> Any:
    def unpack(words, used, shown, mask, lo, hi):
        """One byte for each action. Only words that differ from those `shown` before are written:
        where a game has many actions, nearly all stay as they were."""
        for i in range(lo, hi):
            for w in range(max(used[i], shown[i, G.WORDS])):
                word = words[i, w]
                if word != shown[i, w]:
                    shown[i, w] = word
                    for byte in range(8):
                        mask[i, 8 * w + byte] = SPREAD[(word >> 8 * byte) & 255]
            shown[i, G.WORDS] = used[i]

    return unpack


def make_check(G: Any) -> Any:
    def check(states, words, used, actions):
        """The first state whose action is not legal; or ALL_LEGAL; or NO_ROOM to play them."""
        found = ALL_LEGAL
        for i in range(states.shape[0]):
            if not bits.contains(words[i], used[i], actions[i]):
                return i
            if G.full(states[i]):
                found = NO_ROOM
        return found

    return check


def make_step(G: Any) -> Any:
    def step(states, start, actions, words, used, players, done, returns, points, lo, hi):
        """Play one legal action in every state; where that ends the match, a new one begins.

        Then look what is legal there, which the next step asks for: the state is still at hand.
        """
        many = returns.shape[1]
        for i in range(lo, hi):
            state = states[i]
            G.play(state, actions[i])
            done[i] = G.over(state)
            for player in range(many):
                returns[i, player] = 0
                points[i, player] = 0
            if done[i]:
                write_returns(returns[i], G.winners(state), many)
                G.points(state, points[i])
                copy(state, start)
            players[i] = G.player(state)
            before = used[i]
            used[i] = G.targets(state, words[i])
            for w in range(used[i], before):
                words[i, w] = 0

    return step


def make_choose(G: Any) -> Any:
    def choose(states, rngs, actions, lo, hi):
        """A random legal action for every state, each with the same chance."""
        words = np.empty(G.WORDS, np.int64)
        for i in range(lo, hi):
            actions[i] = G.pick(states[i], words, rngs[i])

    return choose


def make_wander(G: Any) -> Any:
    def wander(states, start, rngs, left, ended, totals, lo, hi):
        """Play left[i] random actions in every state, with new matches where one ends.

        Returns False when some state has no room for all of them; then left[i] is not yet 0.
        """
        words = np.empty(G.WORDS, np.int64)
        returns = np.empty(totals.shape[1], np.float32)
        finished = True
        for i in range(lo, hi):
            state = states[i]
            while left[i] > 0:
                if G.full(state):
                    finished = False
                    break
                G.play(state, G.pick(state, words, rngs[i]))
                left[i] -= 1
                if G.over(state):
                    ended[i] += 1
                    write_returns(returns, G.winners(state), totals.shape[1])
                    for player in range(totals.shape[1]):
                        totals[i, player] += returns[player]
                    copy(state, start)
        return finished

    return wander


def make_rollouts(G: Any) -> Any:
    def rollouts(states, scratch, rngs, left, totals, lo, hi):
        """Play left[i] random matches from every state to their end; the states stay as they are.

        Returns False when `scratch` had no room for one of them; then left[i] is not yet 0.
        """
        words = np.empty(G.WORDS, np.int64)
        returns = np.empty(totals.shape[1], np.float32)
        finished = True
        for i in range(lo, hi):
            while left[i] > 0:
                begun = rngs[i, 0]
                copy(scratch, states[i])
                while not G.over(scratch) and not G.full(scratch):
                    G.play(scratch, G.pick(scratch, words, rngs[i]))
                if not G.over(scratch):
                    rngs[i, 0] = begun
                    finished = False
                    break
                left[i] -= 1
                write_returns(returns, G.winners(scratch), totals.shape[1])
                for player in range(totals.shape[1]):
                    totals[i, player] += returns[player]
        return finished

    return rollouts


def make_facts(G: Any) -> Any:
    def facts(states, players, points, lo, hi):
        """Whose action it is and what each player has, in every state."""
        for i in range(lo, hi):
            players[i] = G.player(states[i])
            G.points(states[i], points[i])

    return facts


def make_observe(O: Any) -> Any:  # noqa: E741 - a module, as `G` is
    def observe(states, planes, kinds, lo, hi):
        """The planes of every state, and in which kind of numbers its actions are written."""
        for i in range(lo, hi):
            O.observe(states[i], planes[i])
            kinds[i] = O.kind(states[i])

    return observe


MAKERS = {
    "look": (make_look, f"void({STATES}, {TABLE}, {VALUES}, {SLICE})"),
    "unpack": (make_unpack, f"void({TABLE}, {VALUES}, {TABLE}, {TABLE}, {SLICE})"),
    "check": (make_check, f"int64({STATES}, {TABLE}, {VALUES}, {VALUES})"),
    "step": (
        make_step,
        f"void({STATES}, {STATE}, {VALUES}, {TABLE}, {VALUES}, {VALUES}, {FLAGS}, {RETURNS}, "
        f"{TABLE}, {SLICE})",
    ),
    "choose": (make_choose, f"void({STATES}, {RNGS}, {VALUES}, {SLICE})"),
    "wander": (
        make_wander,
        f"boolean({STATES}, {STATE}, {RNGS}, {VALUES}, {VALUES}, {RETURNS}, {SLICE})",
    ),
    "rollouts": (
        make_rollouts,
        f"boolean({STATES}, {STATE}, {RNGS}, {VALUES}, {RETURNS}, {SLICE})",
    ),
    "facts": (make_facts, f"void({STATES}, {VALUES}, {TABLE}, {SLICE})"),
}
OBSERVERS = {"observe": (make_observe, f"void({STATES}, int8[:,:,::1], {VALUES}, {SLICE})")}


def batching(name: str, rules: ModuleType) -> Entries:
    return Entries(name, rules, MAKERS)


def observing(name: str, observe: ModuleType) -> Entries:
    return Entries(name, observe, OBSERVERS)
