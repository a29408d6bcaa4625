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
from roundel.search import alphabeta_search, tree_search
from roundel.search.alphabeta_search import PLACE_BYTES, AlphaBetaSearch, TranspositionTable
from roundel.search.choice import Budget, Choice
from roundel.search.judge import judge_of
from roundel.search.levels import LEVELS, Level, slip
from roundel.search.memories import Key, Memories
from roundel.search.options import SearchOptions
from roundel.search.tree_search import NODE_BYTES, Tree, TreeSearch

REPORT = 0.5  # seconds from one report to the next
TICK = 0.005  # seconds from one look at the clock to the next
RESERVE = 0.003  # seconds for what is to be done when the time is up
CHECK_NODES, CHECK_RATE = 20_000, 100_000  # of a win check: at most, and a second of the budget
MOST_CHILDREN = 64  # of a node, on average: more than any game here has
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


def smaller(one: float | None, other: float | None) -> float | None:
    return min((limit for limit in (one, other) if limit is not None), default=None)


def entries_of(name: str) -> list[Entries]:
    """All that is compiled for the searches of a game."""
    manifest, needed = games.manifest(name), [tree_search.plain_entries_of(name)]
    if judge_of(manifest) is not None:
        needed += alphabeta_search.entries_of(name)
        if any(manifest.with_options(text).players > 2 for text in manifest.option_sets):
            needed.append(tree_search.entries_of(name))
    return needed


class Searcher:
    """Searches one position after the other in the same memory.

    What was found for a `match` (any text of the caller's) helps its next search, also when others
    were searched in between. Without one, only the last search is remembered.

    Two players: alpha-beta. More: tree search, after a look for a win. `is_plain`, and for games
    that bring no judgement of their own: tree search by random matches only.
    """

    def __init__(self, hash_mib: int = 64, threads: int = 1, is_plain: bool = False) -> None:
        self.memory = hash_mib << 20
        self.threads = threads if JIT else 1  # plain Python has one at a time anyway
        self.is_plain = is_plain
        self.memories = Memories(self.memory)

    def warm(self, game: Game) -> None:
        """Compile and read what the search of a game needs: no clock should wait for that."""
        judge = None if self.is_plain else judge_of(game.manifest)
        if judge is None:
            needed = [tree_search.plain_entries_of(game.name)]
        else:
            judge.weights()
            needed = [*alphabeta_search.entries_of(game.name)]
            if game.players > 2:
                needed.append(tree_search.entries_of(game.name))
        for entries in needed:
            for name in entries.names:
                getattr(entries, name)

    def _is_plain_for(self, game: Game) -> bool:
        return self.is_plain or judge_of(game.manifest) is None

    def choose(self, position: Position, budget: Budget, seed: int = 0, match: str = "") -> Choice:
        *_, last = self.think(position, budget, seed, Event(), match)
        return last

    def think(
        self, position: Position, budget: Budget, seed: int, stop: Event, match: str = ""
    ) -> Iterator[Choice]:
        """What was found so far, every now and then; the last one when the search has ended."""
        if position.over:
            raise MatchOver(_("{game}: the match is over").format(game=position.game.name))
        self.warm(position.game)
        level, begun = level_of(budget), time.perf_counter()
        seconds = smaller(budget.seconds, level.seconds if budget.nodes is None else None)
        end = begun + (math.inf if seconds is None else max(seconds - RESERVE, 0))
        nodes = smaller(budget.nodes, level.nodes)
        limits = Budget(seconds, None if nodes is None else int(nodes))
        search = self._begin(position, limits, seed, level, match)
        with ThreadPoolExecutor(self.threads) as pool:
            tasks = [pool.submit(search.run, thread) for thread in range(self.threads)]
            reported = begun
            try:
                while wait(tasks, min(TICK, max(end - time.perf_counter(), 0))).not_done:
                    now = time.perf_counter()
                    if now >= end or stop.is_set():
                        search.halt()
                    if now > reported + REPORT:
                        reported = now
                        yield describe(search, begun)
            finally:
                search.halt()
        for task in tasks:
            task.result()
        choice = describe(search, begun)
        if isinstance(search, WinCheckThenTree):
            search.tree.tree.expected = position.play(choice.action)
        action = slip(choice, level, random.Random(f"{seed} {position.fen()}"))
        yield choice if action == choice.action else replace(choice, action=action, line=(action,))

    def _begin(
        self, position: Position, limits: Budget, seed: int, level: Level, match: str
    ) -> Search:
        is_plain = self._is_plain_for(position.game)
        options = SearchOptions(limits.nodes, self.threads, seed)
        key = position.game.name, match
        if position.game.players == 2 and not is_plain:
            return AlphaBetaSearch(self._table_for(key, limits), position, options, level.width)
        tree = self._tree_for(key, limits, is_plain)
        tree.grow_from(position)
        search = TreeSearch(tree, position, options, is_plain)
        return search if is_plain else WinCheckThenTree(win_check(position, limits, seed), search)

    def _tree_for(self, key: Key, limits: Budget, is_plain: bool) -> Tree:
        """With a limit of nodes it is always empty and of the same size, so that the answer is
        always the same; the tree of a match stays as it is then."""
        is_empty = is_plain or limits.nodes is not None
        if is_empty and key[1]:
            nodes = self.memory if limits.nodes is None else limits.nodes
            self.memories.make_room(None, min(nodes * MOST_CHILDREN * NODE_BYTES, self.memory))
            return Tree(self.memory // NODE_BYTES)
        size = self.memories.make_room(key) // NODE_BYTES
        tree = self.memories.kept.get(key)
        if not isinstance(tree, Tree) or (is_empty and tree.size != size):
            tree = Tree(size)
        elif tree.size != size:
            tree.move(0, size, size)
        if is_empty:
            tree.root = None
        self.memories.kept[key] = tree
        return tree

    def _table_for(self, key: Key, limits: Budget) -> TranspositionTable:
        """With a limit of nodes it is always new, so that the answer is always the same."""
        if limits.nodes is not None:
            places = min(self.memory // PLACE_BYTES, PLACES_PER_NODE * limits.nodes)
            if key[1]:
                self.memories.make_room(None, places * PLACE_BYTES)
            return TranspositionTable(places)
        most = self.memories.make_room(key) // PLACE_BYTES
        wanted = most if limits.seconds is None else int(PLACES_PER_SECOND * limits.seconds)
        table = self.memories.kept.get(key)
        if not isinstance(table, TranspositionTable):
            table = TranspositionTable(min(wanted, most))
        elif table.places < min(wanted, most) // 2:
            table = table.resized(min(wanted, most))
        self.memories.kept[key] = table
        return table

    def forget(self) -> None:
        """Begin the next search as if it were the first."""
        self.memories.kept.clear()

    def forget_match(self, match: str) -> None:
        """It is over: what was found for it leaves its room to others."""
        self.memories.drop(match)


class WinCheckThenTree:
    """A tree search of more than two players, after a short one that takes all others for one
    opponent: a win against that is sure."""

    def __init__(self, check: AlphaBetaSearch, tree: TreeSearch) -> None:
        self.check, self.tree = check, tree

    @property
    def nodes(self) -> int:
        return self.check.nodes + self.tree.nodes

    def halt(self) -> None:
        self.check.halt()
        self.tree.halt()

    def run(self, thread: int) -> None:
        if thread == 0:
            self.check.run(0)
        if self.check.is_won:
            self.tree.halt()
        else:
            self.tree.run(thread)


def win_check(position: Position, limits: Budget, seed: int) -> AlphaBetaSearch:
    """A search that is short beside the limits."""
    nodes = CHECK_NODES
    if limits.seconds is not None:
        nodes = min(nodes, int(CHECK_RATE * limits.seconds))
    if limits.nodes is not None:
        nodes = min(nodes, limits.nodes // 4)
    table = TranspositionTable(PLACES_PER_NODE * nodes)
    return AlphaBetaSearch(table, position, SearchOptions(nodes, threads=1, seed=seed))


Search = AlphaBetaSearch | TreeSearch | WinCheckThenTree


def describe(search: Search, begun: float) -> Choice:
    nodes = search.nodes
    if isinstance(search, WinCheckThenTree):
        search = search.check if search.check.is_won else search.tree
    line = search.principal_line()
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
