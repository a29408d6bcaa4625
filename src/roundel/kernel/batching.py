"""What a batch of states calls of a game's compiled rules, written once for all games.

Entries work on the states `lo` to `hi - 1` of the batch, so that threads can share them: each state
has its own random numbers, and nothing depends on how the batch is cut into slices. None of them
holds Python's lock. What the arrays mean is told by `roundel.batch`. `G` are a game's rules and `O`
its observations.
"""

from types import ModuleType
from typing import Any

import numpy as np

from roundel.kernel import bits
from roundel.kernel.cache import Entries
from roundel.kernel.engine import STATE, VALUES, copy, write_returns
from roundel.kernel.jit import add, breathe, kernel, load, swap

STATES, TABLE, FLAGS, RETURNS = "int64[:,:,::1]", "int64[:,::1]", "boolean[::1]", "float32[:,::1]"
RNGS, PLANES, SLICE = "uint64[:,::1]", "int8[:,:,::1]", "int64, int64"
ALL_LEGAL, NO_ROOM = -1, -2  # what `check` returns when no action is wrong

# Eight bytes, 0 or 1, for the eight bits of a byte.
SPREAD = np.unpackbits(
    np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little"
).view(np.int64)[:, 0].copy()  # fmt: skip


@kernel
def unpack(words, used, shown, mask):
    """One byte for each action. Only words that differ from those `shown` before are written:
    where a game has many actions, nearly all stay as they were."""
    most = shown.size - 1
    for w in range(max(used, shown[most])):
        word = words[w] if w < used else 0
        if word != shown[w]:
            shown[w] = word
            for byte in range(8):
                mask[8 * w + byte] = SPREAD[(word >> 8 * byte) & 255]
    shown[most] = used


# -- Threads that wait awake --------------------------------------------------------
# To wake a thread takes as long as a whole step. So for a while after each step the threads wait
# awake for the next command. Each has two words in the mailbox. One is ASLEEP, IDLE, BUSY, or a
# command that the leader (thread 0) has posted and nobody has begun to obey. The other is how far
# the thread's part of the states has been claimed: who is done with the own part helps with the
# others', so nobody waits for a thread that gets no processor.

ASLEEP, IDLE, BUSY, GO_HOME, CHOOSE, LOOK, STEP, CLEAR, UNPACK, OBSERVE = range(-1, 9)
APART = 16  # words from one thread's to the next: they share no cache line
CLAIMED = 1  # where the second word is
CHUNK = 64  # states that are claimed at once
PATIENCE = 1 << 14  # looks into the mailbox: some tenths of a millisecond


def make_post_command(*_: Any) -> Any:
    def post_command(mailbox, thread, command):
        """Leave a command for a thread; ASLEEP if it will not look."""
        return swap(mailbox, APART * thread, IDLE, command)

    return post_command


@kernel
def take_command(mailbox, at):
    """The next command, or IDLE if none came: then the thread is asleep."""
    looks = 0
    while True:
        command = load(mailbox, at)
        if command > BUSY:
            if swap(mailbox, at, command, BUSY) == command:
                return command
        elif looks > PATIENCE and swap(mailbox, at, IDLE, ASLEEP) == IDLE:
            return IDLE
        looks += 1
        breathe()


@kernel
def wait_for_the_others(mailbox, command):
    """Take the command back where nobody has begun to obey it; wait for those who have."""
    for at in range(APART, mailbox.size, APART):
        if command == GO_HOME:
            while load(mailbox, at) != ASLEEP:
                breathe()
        elif swap(mailbox, at, command, IDLE) == BUSY:
            while load(mailbox, at) == BUSY:
                breathe()


def make_work(G: Any, O: Any) -> Any:  # noqa: C901, E741, PLR0915 - one function, compiled as one
    def work(  # noqa: C901, PLR0915
        mailbox, thread, command, states, start, rngs, actions, words, used,
        players, done, returns, points, shown, mask, planes, kinds,
    ):  # fmt: skip
        """The leader obeys a command and waits until all have; the other threads take commands
        until none comes."""
        at, threads, size, seats = (
            APART * thread,
            mailbox.size // APART,
            len(states),
            len(points[0]),
        )
        some = np.empty(G.WORDS, np.int64)
        if thread > 0:
            command = take_command(mailbox, at)
        while command > GO_HOME:
            for nearest in range(threads):
                part = (thread + nearest) % threads
                end = size * (part + 1) // threads
                lo = add(mailbox, APART * part + CLAIMED, CHUNK)
                while lo < end:
                    for i in range(lo, min(lo + CHUNK, end)):
                        state = states[i]
                        if command == CHOOSE:
                            actions[i] = G.pick(state, some, rngs[i])
                        if command == STEP:
                            G.play(state, actions[i])
                            done[i] = G.over(state)
                            for player in range(seats):
                                returns[i, player] = 0
                                points[i, player] = 0
                            if done[i]:
                                write_returns(returns[i], G.winners(state), seats)
                                G.points(state, points[i])
                                copy(state, start)
                            players[i] = G.player(state)
                        if command in (STEP, LOOK):  # after a step the state is still at hand
                            used[i] = G.targets(state, words[i])
                        if command == CLEAR:
                            for w in range(used[i], G.WORDS):
                                words[i, w] = 0
                        if command == UNPACK:
                            unpack(words[i], used[i], shown[i], mask[i])
                        if command == OBSERVE:
                            O.observe(state, planes[i])
                            kinds[i] = O.kind(state)
                    lo = add(mailbox, APART * part + CLAIMED, CHUNK)
            if thread == 0:
                break
            swap(mailbox, at, BUSY, IDLE)
            command = take_command(mailbox, at)
        if thread == 0:
            wait_for_the_others(mailbox, command)
        elif command == GO_HOME:
            swap(mailbox, at, BUSY, ASLEEP)

    return work


# -- One call each ------------------------------------------------------------------


def make_check(G: Any, *_: Any) -> Any:
    def check(states, words, used, actions):
        """The first state whose action is not legal; or ALL_LEGAL; or NO_ROOM to play them."""
        verdict = ALL_LEGAL
        for i in range(states.shape[0]):
            if not bits.contains(words[i], used[i], actions[i]):
                return i
            if G.full(states[i]):
                verdict = NO_ROOM
        return verdict

    return check


def make_wander(G: Any, *_: Any) -> Any:
    def wander(states, start, rngs, remaining, ended, totals, lo, hi):
        """Play remaining[i] random actions in every state, with new matches where one ends.

        Returns False when some state has no room for all of them; then remaining[i] is not yet 0.
        """
        words = np.empty(G.WORDS, np.int64)
        returns = np.empty(totals.shape[1], np.float32)
        finished = True
        for i in range(lo, hi):
            state = states[i]
            while remaining[i] > 0:
                if G.full(state):
                    finished = False
                    break
                G.play(state, G.pick(state, words, rngs[i]))
                remaining[i] -= 1
                if G.over(state):
                    ended[i] += 1
                    write_returns(returns, G.winners(state), totals.shape[1])
                    for player in range(totals.shape[1]):
                        totals[i, player] += returns[player]
                    copy(state, start)
        return finished

    return wander


def make_rollouts(G: Any, *_: Any) -> Any:
    def rollouts(states, scratch, rngs, remaining, totals, lo, hi):
        """Play remaining[i] random matches from every state to their end; the states stay.

        Returns False when `scratch` had no room for one of them; then remaining[i] is not yet 0.
        """
        words = np.empty(G.WORDS, np.int64)
        returns = np.empty(totals.shape[1], np.float32)
        finished = True
        for i in range(lo, hi):
            while remaining[i] > 0:
                begun = rngs[i, 0]
                copy(scratch, states[i])
                while not G.over(scratch) and not G.full(scratch):
                    G.play(scratch, G.pick(scratch, words, rngs[i]))
                if not G.over(scratch):
                    rngs[i, 0] = begun
                    finished = False
                    break
                remaining[i] -= 1
                write_returns(returns, G.winners(scratch), totals.shape[1])
                for player in range(totals.shape[1]):
                    totals[i, player] += returns[player]
        return finished

    return rollouts


def make_standing(G: Any, *_: Any) -> Any:
    def standing(states, players, points, lo, hi):
        """Whose action it is and what each player has, in every state."""
        for i in range(lo, hi):
            players[i] = G.player(states[i])
            G.points(states[i], points[i])

    return standing


MAKERS = {
    "post_command": (make_post_command, f"int64({VALUES}, {SLICE})"),
    "work": (
        make_work,
        f"void({VALUES}, int64, int64, {STATES}, {STATE}, {RNGS}, {VALUES}, {TABLE}, {VALUES}, "
        f"{VALUES}, {FLAGS}, {RETURNS}, {TABLE}, {TABLE}, {TABLE}, {PLANES}, {VALUES})",
    ),
    "check": (make_check, f"int64({STATES}, {TABLE}, {VALUES}, {VALUES})"),
    "wander": (
        make_wander,
        f"boolean({STATES}, {STATE}, {RNGS}, {VALUES}, {VALUES}, {RETURNS}, {SLICE})",
    ),
    "rollouts": (
        make_rollouts,
        f"boolean({STATES}, {STATE}, {RNGS}, {VALUES}, {RETURNS}, {SLICE})",
    ),
    "standing": (make_standing, f"void({STATES}, {VALUES}, {TABLE}, {SLICE})"),
}


def batching(name: str, rules: ModuleType, observe: ModuleType) -> Entries:
    return Entries(name, rules, MAKERS, observe)
