"""A search as it goes on: which one it is, threads, budgets, and what it has found so far."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from threading import Event

from roundel import games
from roundel.core.errors import MatchOver, RoundelError
from roundel.core.game import Game
from roundel.core.lang import _
from roundel.core.position import Position
from roundel.kernel.cache import Entries
from roundel.kernel.jit import JIT
from roundel.search import deepening, trees
from roundel.search.choice import Budget, Choice
from roundel.search.deepening import PLACE_BYTES, Deepening, Table
from roundel.search.judge import judge_of
from roundel.search.levels import LEVELS, Level, slip
from roundel.search.trees import NODE_BYTES, Growing, Tree

REPORT = 0.5  # seconds from one report to the next
TICK = 0.005  # seconds from one look at the clock to the next
RESERVE = 0.003  # seconds for what is to be done when the time is up
QUICK, QUICK_RATE = 20_000, 100_000  # nodes of a first look, at most and a second of the budget
PLACES_PER_NODE, PLACES_PER_SECOND = 4, 1 << 22  # of a table: more would only cost time to fill


class WrongLevel(RoundelError):
    """There is no such level."""


def level_of(budget: Budget) -> Level:
    """How the search may play; full strength if no level is asked for."""
    if budget.level is None:
        return Level()
    if budget.level not in LEVELS:
        text = _("no level {level}; levels go from {low} to {high}")
        raise WrongLevel(text.format(level=budget.level, low=min(LEVELS), high=max(LEVELS)))
    return LEVELS[budget.level]


def least(one: float | None, other: float | None) -> float | None:
    return min((limit for limit in (one, other) if limit is not None), default=None)


def entries_of(name: str) -> list[Entries]:
    """All that is compiled for the searches of a game."""
    manifest, found = games.manifest(name), [trees.plain_entries_of(name)]
    if judge_of(manifest) is not None:
        found += deepening.entries_of(name)
        if any(manifest.with_options(text).players > 2 for text in manifest.option_sets):
            found.append(trees.entries_of(name))
    return found


class Searcher:
    """Searches one position after the other in the same memory.

    Two players: alpha-beta. More: tree search, after a look for a win. `is_plain`, and for games
    that bring no judgement of their own: tree search by random matches only.
    """

    def __init__(self, hash_mib: int = 64, threads: int = 1, is_plain: bool = False) -> None:
        self.room = hash_mib << 20
        self.threads = threads if JIT else 1  # plain Python has one at a time anyway
        self.is_plain = is_plain
        self.table: Table | None = None
        self.tree: Tree | None = None

    def warm(self, game: Game) -> None:
        """Compile and read what the search of a game needs: no clock should wait for that."""
        judge = None if self.is_plain else judge_of(game.manifest)
        if judge is None:
            needed = [trees.plain_entries_of(game.name)]
        else:
            judge.weights()
            needed = [*deepening.entries_of(game.name)]
            if game.players > 2:
                needed.append(trees.entries_of(game.name))
        for entries in needed:
            for name in entries.names:
                getattr(entries, name)

    def _is_plain_for(self, game: Game) -> bool:
        return self.is_plain or judge_of(game.manifest) is None

    def choose(self, position: Position, budget: Budget, seed: int = 0) -> Choice:
        *_, last = self.think(position, budget, seed, Event())
        return last

    def think(self, position: Position, budget: Budget, seed: int, stop: Event) -> Iterator[Choice]:
        """What was found so far, every now and then; the last one when the search has ended."""
        if position.over:
            raise MatchOver(_("{game}: the match is over").format(game=position.game.name))
        self.warm(position.game)
        level, begun = level_of(budget), time.perf_counter()
        seconds = least(budget.seconds, level.seconds if budget.nodes is None else None)
        end = begun + (math.inf if seconds is None else max(seconds - RESERVE, 0))
        nodes = least(budget.nodes, level.nodes)
        limits = Budget(seconds, None if nodes is None else int(nodes))
        search = self._begin(position, limits, seed, level)
        with ThreadPoolExecutor(self.threads) as pool:
            tasks = [pool.submit(search.run, thread) for thread in range(self.threads)]
            told = begun
            try:
                while wait(tasks, min(TICK, max(end - time.perf_counter(), 0))).not_done:
                    now = time.perf_counter()
                    if now >= end or stop.is_set():
                        search.halt()
                    if now > told + REPORT:
                        told = now
                        yield describe(search, begun)
            finally:
                search.halt()
        for task in tasks:
            task.result()
        found = describe(search, begun)
        action = slip(found, level, random.Random(f"{seed} {position.fen()}"))
        yield found if action == found.action else replace(found, action=action, line=(action,))

    def _begin(
        self, position: Position, limits: Budget, seed: int, level: Level
    ) -> Deepening | Growing | Looking:
        is_plain = self._is_plain_for(position.game)
        if position.game.players == 2 and not is_plain:
            table = self._table_for(limits)
            return Deepening(table, position, limits.nodes, self.threads, seed, level.width)
        if self.tree is None:
            self.tree = Tree(self.room // NODE_BYTES)
        if is_plain or limits.nodes is not None:
            self.tree.root = None
        self.tree.grow_from(position)
        growing = Growing(self.tree, position, limits.nodes, self.threads, seed, is_plain)
        return growing if is_plain else Looking(self._first_look(position, limits, seed), growing)

    def _first_look(self, position: Position, limits: Budget, seed: int) -> Deepening:
        nodes = QUICK if limits.seconds is None else int(min(QUICK, QUICK_RATE * limits.seconds))
        nodes = nodes if limits.nodes is None else min(nodes, limits.nodes // 4)
        return Deepening(Table(PLACES_PER_NODE * nodes), position, nodes, 1, seed, 0)

    def _table_for(self, limits: Budget) -> Table:
        """With a limit of nodes it is always new, so that the answer is always the same."""
        most = self.room // PLACE_BYTES
        if limits.nodes is not None:
            return Table(min(most, PLACES_PER_NODE * limits.nodes))
        wanted = most if limits.seconds is None else int(PLACES_PER_SECOND * limits.seconds)
        if self.table is None or self.table.places < min(wanted, most) // 2:
            self.table = Table(min(wanted, most))
        return self.table

    def forget(self) -> None:
        """Begin the next search as if it were the first."""
        self.table = self.tree = None


class Looking:
    """A tree search of more than two players, after a short one that takes all others for one
    opponent: a win against that is sure."""

    def __init__(self, look: Deepening, growing: Growing) -> None:
        self.look, self.growing = look, growing

    @property
    def nodes(self) -> int:
        return self.look.nodes + self.growing.nodes

    def halt(self) -> None:
        self.look.halt()
        self.growing.halt()

    def run(self, thread: int) -> None:
        if thread == 0:
            self.look.run(0)
        if self.look.is_won:
            self.growing.halt()
        else:
            self.growing.run(thread)


def describe(search: Deepening | Growing | Looking, begun: float) -> Choice:
    nodes = search.nodes
    if isinstance(search, Looking):
        search = search.look if search.look.is_won else search.growing
    line = search.line()
    return Choice(
        action=line[0],
        values=search.values(),
        visits=search.visits(),
        worths=search.worths(),
        line=line,
        nodes=nodes,
        depth=max(search.depth, len(line)),
        seconds=time.perf_counter() - begun,
    )
