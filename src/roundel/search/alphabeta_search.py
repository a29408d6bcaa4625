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
from roundel.kernel.memory import state_stack
from roundel.kernel.randoms import generator
from roundel.search import alphabeta
from roundel.search.alphabeta import (
    CHOSEN,
    COUNTERS_SIZE,
    DEEPEST,
    IS_PROVED,
    LIMIT,
    NODES,
    PLIES,
    SCORE,
    STOPPED,
)
from roundel.search.arrays import lazy_zeros
from roundel.search.judge import Judge, judge_of
from roundel.search.nodes import JUDGED, PROVED, SURE, WIDEST
from roundel.search.options import SearchOptions

PLACE_BYTES = 16
FEWEST_PLACES = 1 << 10
BUSY_PLACES = 1 << 12  # for what threads are looking at
LONGEST_LINE = 24  # actions of the principal line
NO_LIMIT = 1 << 62  # nodes


@functools.cache
def entries_of(name: str) -> tuple[Entries, Entries]:
    """The search of a game, and what reads the principal line from the table."""
    manifest = games.manifest(name)
    rules, judge = cast(Any, manifest.rules), cast(Judge, judge_of(manifest))
    return alphabeta.search_entries(rules, judge), alphabeta.principal_line_entries(name, rules)


@functools.cache
def salt_for(me: int, rows: int, columns: int) -> NDArray[np.uint64]:
    """What positions are mixed with: scores are one player's, so each has salt of his own."""
    return np.random.default_rng(me).integers(0, 1 << 64, (rows, columns), np.uint64)


class TranspositionTable:
    """What is known of positions; memory is used only as far as it fills."""

    def __init__(self, places: int) -> None:
        size = 1 << max(places, FEWEST_PLACES).bit_length() - 1
        self.places = size
        self.keys, self.entries = lazy_zeros(size, np.int64), lazy_zeros(size, np.int64)

    @property
    def bytes(self) -> int:
        return self.places * PLACE_BYTES

    def at_rest(self, room: int) -> TranspositionTable:
        """In so many bytes at most."""
        return self if self.bytes <= room else self.resized(room // PLACE_BYTES)

    def resized(self, places: int) -> TranspositionTable:
        """With another number of places; of entries that now share one, the deepest stays."""
        table = TranspositionTable(places)
        for part in range(0, self.places, table.places):
            entries = self.entries[part : part + table.places]
            used = np.flatnonzero(entries)
            entries, keys = entries[used], self.keys[part : part + table.places][used]
            at = (keys ^ entries) & (table.places - 1)
            deeper = depth_of(entries) >= depth_of(table.entries[at])
            at = at[deeper]
            table.entries[at], table.keys[at] = entries[deeper], keys[deeper]
        return table


def depth_of(entries: NDArray[np.int64]) -> NDArray[np.int64]:
    return (entries >> 16) & 255


@dataclass(frozen=True)
class RootResult:
    """What a depth has brought: the root's actions, the best first, with their scores and nodes."""

    actions: NDArray[np.int64]
    scores: NDArray[np.int64]
    spent: NDArray[np.int64]  # nodes
    searched: int  # how many of the actions have a score
    score: int


class AlphaBetaSearch:
    """One search of one position, shared by threads. Actions that are worth up to `width` less than
    the best get exact values as well."""

    def __init__(
        self,
        table: TranspositionTable,
        position: Position,
        options: SearchOptions,
        width: float = 0.0,
    ) -> None:
        self.table, self.position, self.seed = table, position, options.seed
        self.width = int(JUDGED * width)
        self.me, self.done_depth, self.lock = position.player or 0, 0, Lock()
        self.rows = position.game.start().state.shape[0]
        nodes, threads = options.nodes, options.threads
        self.counters = [np.zeros(COUNTERS_SIZE, np.int64) for _ in range(threads)]
        for counters in self.counters:
            counters[LIMIT] = NO_LIMIT if nodes is None else -(-max(nodes, 1) // threads)
        self.busy = np.zeros(BUSY_PLACES if threads > 1 else 0, np.int64)
        actions = np.array(position.legal(), np.int64)
        np.random.default_rng(options.seed).shuffle(actions)
        self.result = self._nothing_searched(actions[:WIDEST].copy())

    @staticmethod
    def _nothing_searched(actions: NDArray[np.int64]) -> RootResult:
        return RootResult(actions, np.zeros_like(actions), np.zeros_like(actions), 0, 0)

    def halt(self) -> None:
        for counters in self.counters:
            counters[STOPPED] = 1

    def run(self, thread: int) -> None:
        """Search deeper and deeper, until told to stop or all is proved. All threads search the
        same depth; the first that is done with it takes the others along to the next."""
        game, state, counters = self.position.game, self.position.state, self.counters[thread]
        states = state_stack(game.rules, state, PLIES)
        salt = salt_for(self.me, self.rows, state.shape[1])
        history = np.zeros((game.players, 64 * game.rules.WORDS), np.int64)
        killers, value = np.full((PLIES, 2), -1, np.int64), np.zeros(game.players)
        search, judge = entries_of(game.name)[0].alphabeta, cast(Judge, judge_of(game.manifest))
        last = 1 if len(self.result.actions) == 1 else PLIES - 1
        while self.done_depth < last and not (counters[STOPPED] or counters[IS_PROVED]):
            depth, before = self.done_depth + 1, self.result
            actions, scores, spent = (
                before.actions.copy(),
                before.scores.copy(),
                before.spent.copy(),
            )
            searched = search(
                states, self.rows, salt, judge.weights(), judge.buffer(game.players),
                self.table.keys, self.table.entries, history, killers,
                generator(self.seed, thread), counters, actions, scores, spent,
                value, self.me, depth, self.width, self.busy, thread,
            )  # fmt: skip
            is_part = bool(counters[STOPPED] and not counters[IS_PROVED])
            if searched and (thread == 0 or not is_part):
                result = best_first(actions, scores, spent, searched, counters)
                self.keep(result, PROVED if counters[IS_PROVED] else depth, is_part)
        if thread == 0 or counters[IS_PROVED]:
            self.halt()

    def keep(self, result: RootResult, depth: int, is_part: bool) -> None:
        """A thread's result counts if none has seen as far; nothing is beyond a proof."""
        with self.lock:
            if depth > self.done_depth:
                self.result, self.done_depth = result, depth - is_part

    @property
    def is_won(self) -> bool:
        return self.result.score > SURE

    @property
    def nodes(self) -> int:
        return int(sum(counters[NODES] for counters in self.counters))

    @property
    def depth(self) -> int:
        return int(self.counters[0][DEEPEST])

    def principal_line(self) -> tuple[Action, ...]:
        """How the match would go on; its first action is the best, what follows is in the table."""
        game, best = self.position.game, int(self.result.actions[0])
        states = state_stack(game.rules, self.position.play(best).state, PLIES)
        line = np.zeros(LONGEST_LINE, np.int64)
        salt = salt_for(self.me, self.rows, states.shape[2])
        read = entries_of(game.name)[1].principal_line
        length = read(states, self.rows, salt, self.table.keys, self.table.entries, line)
        return best, *map(int, line[:length])

    def values(self) -> tuple[float, ...]:
        value, players = worth(self.result.score), self.position.game.players
        others = -value / (players - 1)
        return tuple(value if player == self.me else others for player in range(players))

    def visits(self) -> dict[Action, int]:
        return dict(zip(self.result.actions.tolist(), self.result.spent.tolist(), strict=True))

    def worths(self) -> dict[Action, float]:
        """What was not searched any more is worth nothing better than the worst that was."""
        actions, searched = self.result.actions.tolist(), self.result.searched
        worst = min(self.result.scores[:searched].tolist(), default=0)
        scores = np.where(np.arange(len(actions)) < searched, self.result.scores, worst)
        return {a: worth(s) for a, s in zip(actions, scores.tolist(), strict=True)}


def worth(score: int) -> float:
    """A score as a value from -1 to 1."""
    return max(-1.0, min(1.0, score / JUDGED))


def best_first(
    actions: NDArray[np.int64], scores: NDArray[np.int64], spent: NDArray[np.int64],
    searched: int, counters: NDArray[np.int64],
) -> RootResult:  # fmt: skip
    """The best action goes to the front; the others keep their order."""
    best = int(np.flatnonzero(actions == counters[CHOSEN])[0])
    order = np.r_[best, np.delete(np.arange(len(actions)), best)]
    return RootResult(actions[order], scores[order], spent[order], searched, int(counters[SCORE]))
