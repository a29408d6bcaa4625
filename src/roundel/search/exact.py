"""What can be forced, by trying everything: no estimate and no chance, only the rules.

A question is about one player and a goal. Where that player acts, one action that reaches the goal
is enough; elsewhere all must, so the others are taken to work together. `turns` says how often it
may become someone else's turn; beyond that, the goal is missed (or judged, for LEAD and LAST).

Levels of arrays hold the positions from the root to the one that is looked at:

    states   int64 [levels, rows, columns]
    words    int64 [levels, WORDS]         the actions that are still to be tried
    frames   int64 [levels, FRAME_SIZE]    the names below say what
    table    int64 [a power of two]        answers: a position's key, its lowest bit the answer
    replies  int64 [players, num_actions]  what was good the last time after that action
"""

from __future__ import annotations

import functools
from typing import Any, cast

import numpy as np

from roundel import games
from roundel.core.game import Action, Game, Player
from roundel.core.position import Position
from roundel.kernel import bits
from roundel.kernel.cache import Entries
from roundel.kernel.engine import STATE, VALUES, copy
from roundel.kernel.jit import kernel, wrapping
from roundel.kernel.memory import state_stack

# Goals: a share of the win; the whole win; the win or, of two players, a lead by so many points
# when the turns are used up; a match that is not over then, if everyone helps (every action counts
# as a turn).
DRAW, WIN, LEAD, LAST = 0, 1, 2, 3
NO, YES, OPEN, UNKNOWN = 0, 1, 2, -1
TURNS, ACTOR, BEFORE, USED, KEY, FRAME_SIZE = 0, 1, 2, 3, 4, 5
# BEFORE: the action that led here. USED: words in use, -1 before anything was looked at.
ME, GOAL, POINTS, NODES, QUESTION_SIZE = 0, 1, 2, 3, 4
LEVELS = 64  # plies: what lies in a longer line stays unknown
FOREVER = 1 << 20  # turns
MULTIPLIER, SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)


@kernel
@wrapping
def key_of(state, turns, question):
    """A number that is almost certainly different for different questions. Never 0."""
    salt = (turns * 4 + question[GOAL]) * 4 + question[ME] + (question[POINTS] << 32)
    key = np.uint64(salt) * MULTIPLIER
    for row in range(state.shape[0]):
        for i in range(state.shape[1]):
            key = (key ^ np.uint64(state[row, i])) * MULTIPLIER
            key ^= key >> SHIFT
    return np.int64(key) | 2


@kernel
def looked_up(table, key):
    entry = table[key & (table.size - 1)]
    return entry & 1 if entry | 1 == key | 1 else OPEN


@kernel
def next_action(words, used, reply):
    """Take an action out of `words`, `reply` if it is one of them; -1 if there are none left."""
    if bits.contains(words, used, reply):
        words[reply >> 6] ^= 1 << (reply & 63)
        return reply
    for i in range(used):
        if words[i] != 0:
            at = bits.lowest(words[i])
            words[i] &= words[i] - 1
            return (i << 6) | at
    return -1


@kernel
def reached(winners, me, goal):
    """What the end of a match means for the goal."""
    if goal == DRAW:
        return (winners >> me) & 1
    return int(goal != LAST and winners == 1 << me)


@kernel
def judged(points, question):
    """What it means that the turns are used up."""
    me, goal = question[ME], question[GOAL]
    return int(goal == LAST or (goal == LEAD and points[me] - points[1 - me] >= question[POINTS]))


@kernel
def settle(frame, table, answer):
    table[frame[KEY] & (table.size - 1)] = frame[KEY] & ~1 | answer


def make_force(G: Any) -> Any:  # noqa: C901, PLR0915 - one function, compiled as one
    def force(states, words, frames, table, replies, question):  # noqa: PLR0915
        """Whether the goal can be reached from states[0]; UNKNOWN after too many nodes."""
        me, goal = question[ME], question[GOAL]
        points = np.zeros(4, np.int64)
        level, answer = 0, OPEN
        while level > 0 or answer == OPEN:
            state, frame = states[level], frames[level]
            if answer != OPEN:  # does it settle the node above?
                level -= 1
                actor = frames[level, ACTOR]
                if answer == int(actor == me or goal == LAST):
                    replies[actor, frames[level, BEFORE]] = frame[BEFORE]
                    settle(frames[level], table, answer)
                else:
                    answer = OPEN
            elif frame[USED] < 0:  # a new node
                frame[USED] = 0
                if G.over(state):
                    answer = reached(G.winners(state), me, goal)
                elif frame[TURNS] < 0:
                    G.points(state, points)
                    answer = judged(points, question)
                else:
                    if frame[TURNS] > 0:  # the last turn is most of the tree: no table for that
                        frame[KEY] = key_of(state, frame[TURNS], question)
                        answer = looked_up(table, frame[KEY])
                    frame[ACTOR] = G.player(state)
                    frame[USED] = G.targets(state, words[level])
            elif question[NODES] == 0 or level + 1 == states.shape[0]:
                return UNKNOWN
            else:
                actor = frame[ACTOR]
                action = next_action(words[level], frame[USED], replies[actor, frame[BEFORE]])
                if action < 0:
                    answer = int(actor != me and goal != LAST)
                    settle(frame, table, answer)
                    continue
                question[NODES] -= 1
                level += 1
                copy(states[level], state)
                G.play(states[level], action)
                changed = goal == LAST or G.player(states[level]) != actor
                frames[level, TURNS] = frame[TURNS] - changed
                frames[level, BEFORE] = action
                frames[level, USED] = -1
                frames[level, KEY] = 0
        return answer

    return force


MAKERS = {
    "force": (
        make_force,
        f"int64(int64[:,:,::1], int64[:,::1], {STATE}, {VALUES}, int64[:,::1], {VALUES})",
    ),
}


@functools.cache
def entries_of(name: str) -> Entries:
    return Entries(name, cast(Any, games.manifest(name).rules), MAKERS)


class Prover:
    """Answers questions about positions of one game; what it finds helps with the next one."""

    def __init__(self, game: Game, nodes: int = 1 << 22, table_bits: int = 20) -> None:
        self.game = game
        self.nodes = nodes  # actions that may be tried for one answer
        self.table = np.zeros(1 << table_bits, np.int64)
        self.replies = np.full((game.players, game.num_actions), -1, np.int64)

    def forces(
        self, position: Position, me: Player, goal: int, turns: int = FOREVER, points: int = 0
    ) -> bool | None:
        """Whether a player can reach a goal whatever the others do; None if it is not known."""
        rules = self.game.rules
        states = state_stack(rules, position.state, LEVELS)
        words = np.zeros((LEVELS, rules.WORDS), np.int64)
        frames = np.zeros((LEVELS, FRAME_SIZE), np.int64)
        frames[0, USED], frames[0, TURNS] = -1, turns
        question = np.array([me, goal, points, self.nodes], np.int64)
        force = entries_of(self.game.name).force
        answer = int(force(states, words, frames, self.table, self.replies, question))
        return None if answer == UNKNOWN else answer == YES

    def worth(self, position: Position, me: Player) -> int | None:
        """1, 0 or -1: what a player gets with best play to the end; None if it is not known."""
        won = self.forces(position, me, WIN)
        if won or won is None:
            return won and 1
        draws = self.forces(position, me, DRAW)
        return None if draws is None else draws - 1

    def best(self, position: Position) -> tuple[int, set[Action]] | None:
        """What the player who acts can get to the end, and all actions that keep it."""
        assert position.player is not None
        worths = {}
        for action in position.legal():
            worth = self.worth(position.play(action), position.player)
            if worth is None:
                return None
            worths[action] = worth
        best = max(worths.values())
        return best, {action for action, worth in worths.items() if worth == best}
