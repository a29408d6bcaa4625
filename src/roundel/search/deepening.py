"""Alpha-beta search of one position, one depth after the other, on several threads."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from threading import Lock
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from roundel import games
from roundel.core.game import Action
from roundel.core.position import Position
from roundel.kernel.cache import Entries
from roundel.kernel.memory import line_of
from roundel.kernel.randoms import generator
from roundel.search import alphabeta
from roundel.search.alphabeta import (
    CHOSEN,
    DEEPEST,
    FACTS_SIZE,
    IS_PROVED,
    JUDGED,
    LIMIT,
    NODES,
    PLIES,
    PROVED,
    SCORE,
    STOPPED,
    SURE,
    WIDEST,
)
from roundel.search.judge import Judge, judge_of

PLACE_BYTES = 16
SMALLEST = 1 << 10  # places of a table
BUSY = 1 << 12  # places for what threads are looking at
LINE = 24  # actions of a line that are told
ENDLESS = 1 << 62  # nodes


@functools.cache
def entries_of(name: str) -> tuple[Entries, Entries]:
    """The search, and what follows the table."""
    manifest = games.manifest(name)
    rules, judge = cast(Any, manifest.rules), cast(Judge, judge_of(manifest))
    return alphabeta.searching(rules, judge), alphabeta.following(name, rules)


@functools.cache
def salt_for(me: int, rows: int, columns: int) -> NDArray[np.uint64]:
    """What positions are mixed with: scores are one player's, so each has salt of his own."""
    return np.random.default_rng(me).integers(0, 1 << 64, (rows, columns), np.uint64)


class Table:
    """What is known of positions; memory is used only as far as it fills."""

    def __init__(self, places: int) -> None:
        size = 1 << max(places, SMALLEST).bit_length() - 1
        self.places = size
        self.keys, self.entries = np.zeros(size, np.int64), np.zeros(size, np.int64)


@dataclass(frozen=True)
class Found:
    """What a depth has brought: the root's actions, the best first, with their scores and nodes."""

    actions: NDArray[np.int64]
    scores: NDArray[np.int64]
    spent: NDArray[np.int64]
    searched: int  # how many of them have a score
    score: int


class Deepening:
    """One search of one position, shared by threads."""

    def __init__(
        self,
        table: Table,
        position: Position,
        nodes: int | None,
        threads: int,
        seed: int,
        width: float,
    ) -> None:
        self.table, self.position, self.seed, self.width = (
            table,
            position,
            seed,
            int(JUDGED * width),
        )
        self.me, self.done, self.lock = position.player or 0, 0, Lock()  # done: to which depth
        self.rows = position.game._initial.shape[0]
        self.facts = [np.zeros(FACTS_SIZE, np.int64) for _ in range(threads)]
        for facts in self.facts:
            facts[LIMIT] = ENDLESS if nodes is None else -(-max(nodes, 1) // threads)
        self.busy = np.zeros(BUSY if threads > 1 else 0, np.int64)
        actions = np.array(position.legal(), np.int64)
        np.random.default_rng(seed).shuffle(actions)
        self.found = self._nothing(actions[:WIDEST].copy())

    @staticmethod
    def _nothing(actions: NDArray[np.int64]) -> Found:
        return Found(actions, np.zeros_like(actions), np.zeros_like(actions), 0, 0)

    def halt(self) -> None:
        for facts in self.facts:
            facts[STOPPED] = 1

    def run(self, thread: int) -> None:
        """Search deeper and deeper, until told to stop or all is proved. All threads search the
        same depth; the first that is done with it takes the others along to the next."""
        game, state, facts = self.position.game, self.position.state, self.facts[thread]
        states = line_of(game.rules, state, PLIES)
        salt = salt_for(self.me, self.rows, state.shape[1])
        history = np.zeros((game.players, 64 * game.rules.WORDS), np.int64)
        killers, value = np.full((PLIES, 2), -1, np.int64), np.zeros(game.players)
        search, judge = entries_of(game.name)[0].alphabeta, cast(Judge, judge_of(game.manifest))
        last = 1 if len(self.found.actions) == 1 else PLIES - 1
        while self.done < last and not (facts[STOPPED] or facts[IS_PROVED]):
            depth, found = self.done + 1, self.found
            actions, scores, spent = found.actions.copy(), found.scores.copy(), found.spent.copy()
            many = search(
                states, self.rows, salt, judge.weights(), judge.room(game.players),
                self.table.keys, self.table.entries, history, killers,
                generator(self.seed, thread), facts, actions, scores, spent,
                value, self.me, depth, self.width, self.busy, thread,
            )  # fmt: skip
            is_part = bool(facts[STOPPED] and not facts[IS_PROVED])
            if many and (thread == 0 or not is_part):
                found = in_order(actions, scores, spent, many, facts)
                self.keep(found, PROVED if facts[IS_PROVED] else depth, is_part)
        if thread == 0 or facts[IS_PROVED]:
            self.halt()

    def keep(self, found: Found, depth: int, is_part: bool) -> None:
        """What a thread has found counts if none has seen as far; nothing is beyond a proof."""
        with self.lock:
            if depth > self.done:
                self.found, self.done = found, depth - is_part

    @property
    def is_won(self) -> bool:
        return self.found.score > SURE

    @property
    def nodes(self) -> int:
        return int(sum(facts[NODES] for facts in self.facts))

    @property
    def depth(self) -> int:
        return int(self.facts[0][DEEPEST])

    def line(self) -> tuple[Action, ...]:
        """How the match would go on; its first action is the best, what follows is in the table."""
        game, best = self.position.game, int(self.found.actions[0])
        states = line_of(game.rules, self.position.play(best).state, PLIES)
        out = np.zeros(LINE, np.int64)
        salt = salt_for(self.me, self.rows, states.shape[2])
        expected = entries_of(game.name)[1].expected
        many = expected(states, self.rows, salt, self.table.keys, self.table.entries, out)
        return best, *map(int, out[:many])

    def values(self) -> tuple[float, ...]:
        value, players = worth(self.found.score), self.position.game.players
        others = -value / (players - 1)
        return tuple(value if player == self.me else others for player in range(players))

    def visits(self) -> dict[Action, int]:
        return dict(zip(self.found.actions.tolist(), self.found.spent.tolist(), strict=True))

    def worths(self) -> dict[Action, float]:
        """What was not searched any more is worth nothing better than the worst that was."""
        found = self.found
        worst = min(found.scores[: found.searched].tolist(), default=0)
        scores = np.where(np.arange(len(found.actions)) < found.searched, found.scores, worst)
        return {a: worth(s) for a, s in zip(found.actions.tolist(), scores.tolist(), strict=True)}


def worth(score: int) -> float:
    """A score as a value from -1 to 1."""
    return max(-1.0, min(1.0, score / JUDGED))


def in_order(
    actions: NDArray[np.int64], scores: NDArray[np.int64], spent: NDArray[np.int64],
    searched: int, facts: NDArray[np.int64],
) -> Found:  # fmt: skip
    """The best action goes to the front; the others keep their order."""
    best = int(np.flatnonzero(actions == facts[CHOSEN])[0])
    order = np.r_[best, np.delete(np.arange(len(actions)), best)]
    return Found(actions[order], scores[order], spent[order], searched, int(facts[SCORE]))
