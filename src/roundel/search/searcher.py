"""A search as it goes on: threads, budgets, and what it has found so far."""

from __future__ import annotations

import functools
import math
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from roundel import games
from roundel.core.errors import MatchOver
from roundel.core.game import Action
from roundel.core.jit import JIT, Entries
from roundel.core.lang import _
from roundel.core.playouts import apart
from roundel.core.position import Position
from roundel.core.randoms import generator
from roundel.search.uct import COUNT, COUNT_BITS, DEEPEST, DEPTH, DONE, FACTS_SIZE, USED, searching

WIDENESS = 1.0  # of UCB1, for returns from -1 to 1
NODE_BYTES = 4 + 4 + 4 + 8
SLICE = 64 if JIT else 1  # simulations between two looks at the clock
REPORT = 0.5  # seconds from one report to the next
ROOM = DEEPEST + 3072  # plies that games which look back can remember in a simulation


@dataclass(frozen=True)
class Budget:
    """What a search may use; it ends with whatever is used up first, or when it is stopped."""

    seconds: float | None = None
    nodes: int | None = None  # simulations


@dataclass(frozen=True)
class Choice:
    """What a search has found: its action, and why."""

    action: Action
    values: tuple[float, ...]  # what each player can expect, as `Position.returns`
    visits: dict[Action, int]
    worths: dict[Action, float]  # what each action promises to the player who acts
    line: tuple[Action, ...]  # how the match would go on
    nodes: int
    depth: int
    seconds: float


@functools.cache
def entries_of(name: str) -> Entries:
    return searching(name, cast(Any, games.manifest(name).rules))


@dataclass
class Tree:
    """The arrays of `search/uct.py`; memory is used only as far as the tree grows."""

    size: int
    visits: NDArray[np.int32] = field(init=False)
    values: NDArray[np.float32] = field(init=False)
    actions: NDArray[np.int32] = field(init=False)
    blocks: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        self.visits, self.values = np.zeros(self.size, np.int32), np.zeros(self.size, np.float32)
        self.actions, self.blocks = np.zeros(self.size, np.int32), np.zeros(self.size, np.int64)

    def clear(self) -> None:
        self.visits[0] = self.values[0] = self.blocks[0] = 0

    def children(self, node: int) -> range:
        block = int(self.blocks[node])
        return range(block >> COUNT_BITS, (block >> COUNT_BITS) + (block & COUNT))

    def best(self, node: int) -> int | None:
        """The child that was visited most; the first of equals."""
        return max(self.children(node), key=lambda i: self.visits[i], default=None)

    def line(self) -> tuple[Action, ...]:
        """The actions that were visited most, one after the other."""
        found, node = [], self.best(0)
        while node is not None and self.visits[node]:
            found.append(int(self.actions[node]))
            node = self.best(node)
        return tuple(found)


class Search:
    """One search of one position, shared by threads."""

    def __init__(self, tree: Tree, position: Position, budget: Budget, threads: int) -> None:
        self.tree, self.position = tree, position
        self.begun = time.perf_counter()
        self.end = self.begun + (math.inf if budget.seconds is None else budget.seconds)
        nodes = sys.maxsize if budget.nodes is None else max(budget.nodes, 1)
        self.quotas = [(nodes + i) // threads for i in range(threads)]
        self.facts: NDArray[np.int64] = apart(1, FACTS_SIZE)[0]
        self.facts[USED] = 1
        self.sums: NDArray[np.float64] = np.zeros(position.game.players)
        self.closed = False
        tree.clear()

    def slices(self, thread: int, seed: int, stop: Event) -> Iterator[None]:
        """Let simulations run, with a pause after every few of them; at least once."""
        game, state, tree = self.position.game, self.position.state.copy(), self.tree
        rows, left = game.rules.rows_for(state, ROOM), self.quotas[thread]
        room, rng = apart(rows, state.shape[1]), generator(seed, thread)
        arrays = tree.visits, tree.values, tree.actions, tree.blocks, self.facts, self.sums
        uct = entries_of(game.name).uct
        while left > 0:
            uct(state, room, rng, *arrays, min(SLICE, left), WIDENESS)
            left -= SLICE
            yield
            if self.closed or stop.is_set() or time.perf_counter() >= self.end:
                return

    def run(self, thread: int, seed: int, stop: Event) -> None:
        for _slice in self.slices(thread, seed, stop):
            pass

    def choice(self) -> Choice:
        tree, position = self.tree, self.position
        children = [(int(tree.actions[i]), i) for i in tree.children(0)]
        visits = {action: int(tree.visits[i]) for action, i in children}
        worths = {a: float(tree.values[i]) / max(visits[a], 1) for a, i in children}
        line = tree.line() or (position.legal()[0],)  # a tree with no room at all has none
        means = self.sums / max(int(self.facts[DONE]), 1)
        return Choice(
            action=line[0],
            values=tuple(means.tolist()),
            visits=visits,
            worths=worths,
            line=line,
            nodes=int(self.facts[DONE]),
            depth=int(self.facts[DEPTH]),
            seconds=time.perf_counter() - self.begun,
        )


class Searcher:
    """Searches one position after the other in the same memory."""

    def __init__(self, hash_mib: int = 64, threads: int = 1) -> None:
        self.tree = Tree((hash_mib << 20) // NODE_BYTES)
        self.threads = threads if JIT else 1  # plain Python has one at a time anyway

    def choose(self, position: Position, budget: Budget, seed: int = 0) -> Choice:
        *_, last = self.think(position, budget, seed, Event())
        return last

    def think(self, position: Position, budget: Budget, seed: int, stop: Event) -> Iterator[Choice]:
        """What was found so far, every now and then; the last one when the search has ended."""
        if position.over:
            raise MatchOver(_("{game}: the match is over").format(game=position.game.name))
        search, told = Search(self.tree, position, budget, self.threads), 0.0
        with ThreadPoolExecutor(max(self.threads - 1, 1)) as pool:
            others = [
                pool.submit(search.run, thread, seed, stop) for thread in range(1, self.threads)
            ]
            try:
                for _slice in search.slices(0, seed, stop):
                    if time.perf_counter() - search.begun > told + REPORT:
                        told += REPORT
                        yield search.choice()
                for other in others:
                    other.result()
            finally:
                search.closed = True
        yield search.choice()
