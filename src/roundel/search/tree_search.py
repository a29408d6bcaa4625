"""Tree search of one position, on several threads: the plain one, and the one with a judge."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from roundel import games
from roundel.core.game import Action
from roundel.core.playouts import apart
from roundel.core.position import Position
from roundel.kernel.cache import Entries
from roundel.kernel.jit import JIT
from roundel.kernel.randoms import generator
from roundel.search import mcts, uct
from roundel.search.arrays import lazy_zeros
from roundel.search.judge import Judge, judge_of
from roundel.search.mcts import TRUST
from roundel.search.options import SearchOptions
from roundel.search.uct import COUNT, COUNT_BITS, COUNTERS_SIZE, DEEPEST, DEPTH, DONE, USED

ARRAYS = ("visits", "values", "actions", "blocks", "judged", "proofs")
UCB = 1.0  # how widely the plain search looks, for returns from -1 to 1
NODE_BYTES = 4 + 4 + 4 + 8 + 4 + 1
LIKELY = 0.9  # a win at once wins always, but threads lose a visit or a result now and then
UNPROVED = 0.9999  # the most that an action is worth that is not proved to win
SLICE = 64 if JIT else 1  # simulations between two looks at whether to stop
PIECE = 1 << 12  # nodes that are moved at a time
ROOM = DEEPEST + 3072  # plies that games which look back can remember in a simulation


@functools.cache
def plain_entries_of(name: str) -> Entries:
    return uct.search_entries(name, cast(Any, games.manifest(name).rules))


@functools.cache
def entries_of(name: str) -> Entries:
    manifest = games.manifest(name)
    return mcts.search_entries(cast(Any, manifest.rules), cast(Judge, judge_of(manifest)))


@dataclass
class Tree:
    """The arrays of `search/mcts.py`; memory is used only as far as the tree grows."""

    size: int
    visits: NDArray[np.int32] = field(init=False)
    values: NDArray[np.float32] = field(init=False)
    actions: NDArray[np.int32] = field(init=False)
    blocks: NDArray[np.int64] = field(init=False)
    judged: NDArray[np.float32] = field(init=False)
    proofs: NDArray[np.int8] = field(init=False)
    used: int = 1
    root: Position | None = None  # what the tree is about
    expected: Position | None = None  # where the match probably goes on

    def __post_init__(self) -> None:
        self.visits, self.actions = (lazy_zeros(self.size, np.int32) for _ in range(2))
        self.values, self.judged = (lazy_zeros(self.size, np.float32) for _ in range(2))
        self.blocks = lazy_zeros(self.size, np.int64)
        self.proofs = lazy_zeros(self.size, np.int8)

    @property
    def arrays(self) -> tuple[NDArray[np.generic], ...]:
        return tuple(getattr(self, name) for name in ARRAYS)

    @property
    def bytes(self) -> int:
        return self.size * NODE_BYTES

    def clear(self) -> None:
        for array in self.arrays:
            array[0] = 0
        self._free(1)

    def _free(self, used: int) -> None:
        """Behind it there are no proofs: the plain search would believe them, as it writes none."""
        self.proofs[used : self.used] = 0
        self.used = used

    def children(self, node: int) -> range:
        block = int(self.blocks[node])
        return range(block >> COUNT_BITS, (block >> COUNT_BITS) + (block & COUNT))

    # -- Reuse ----------------------------------------------------------------------

    def grow_from(self, position: Position) -> None:
        """Keep what is known of a position below the last one, and only that."""
        node = None if self.root is None else self._find(self.root.actions_to(position))
        self.root, self.expected = position, None
        if node is None:
            self.clear()
        elif node:
            self.move(node, self.size, self.size)

    def _find(self, actions: list[Action] | None) -> int | None:
        """The node that some actions lead to."""
        node: int | None = None if actions is None else 0
        for action in actions or ():
            children = self.children(node or 0)
            node = next((i for i in children if self.actions[i] == action), None)
            if node is None:
                return None
        return node

    def move(self, root: int, most: int, size: int = 0) -> None:
        """Only a node and what is below it, one ply after the other, move to new arrays; the
        deepest nodes are left out if there are too many. Piece by piece, to need little besides."""
        kept = self._nodes_below(root, most)
        self.size, self.used = size or len(kept), len(kept)
        for name in ARRAYS:
            old = getattr(self, name)
            new = lazy_zeros(self.size, old.dtype.type)
            for start in range(0, len(kept), PIECE):
                piece = kept[start : start + PIECE]
                new[start : start + len(piece)] = old[piece]
            setattr(self, name, new)
        blocks = self.blocks[: self.used]
        inner = np.flatnonzero(blocks)
        counts = blocks[inner] & COUNT
        ends = 1 + np.cumsum(counts)
        blocks[inner] = np.where(ends <= self.used, (ends - counts) << COUNT_BITS | counts, 0)

    def _nodes_below(self, root: int, most: int) -> NDArray[np.int32]:
        nodes = lazy_zeros(min(self.used, most), np.int32)
        nodes[0], done, total = root, 0, 1
        while done < total < len(nodes):
            blocks = self.blocks[nodes[done : min(done + PIECE, total)]]
            done = min(done + PIECE, total)
            blocks = blocks[blocks != 0]
            counts = blocks & COUNT
            ends = np.cumsum(counts)
            children = np.repeat((blocks >> COUNT_BITS) - ends + counts, counts)
            children = (children + np.arange(len(children)))[: len(nodes) - total]
            nodes[total : total + len(children)] = children
            total += len(children)
        return nodes[:total]

    def at_rest(self, room: int) -> Tree:
        """What will be needed if the match goes on as expected, in so many bytes at most."""
        if self.bytes > room:
            node = None
            if self.root is not None and self.expected is not None:
                node = self._find(self.root.actions_to(self.expected))
            if node is not None:
                self.root = self.expected
            self.move(node or 0, max(room // NODE_BYTES, 1))
        return self


class TreeSearch:
    """One search of one position, shared by threads."""

    def __init__(
        self, tree: Tree, position: Position, options: SearchOptions, is_plain: bool = False
    ) -> None:
        self.tree, self.position, self.is_plain = tree, position, is_plain
        self.seed, threads = options.seed, options.threads
        nodes = sys.maxsize if options.nodes is None else max(options.nodes, 1)
        self.quotas = [(nodes + i) // threads for i in range(threads)]
        self.counters: NDArray[np.int64] = apart(1, COUNTERS_SIZE)[0]
        self.counters[USED] = tree.used
        self.sums: NDArray[np.float64] = np.zeros(position.game.players)
        self.is_halted = False

    def halt(self) -> None:
        self.is_halted = True

    def run(self, thread: int) -> None:
        """Let simulations run, a few at a time, until told to stop; at least once."""
        simulate, left = self._simulating(thread), self.quotas[thread]
        while left > 0:
            simulate(min(SLICE, left))
            left -= SLICE
            if self.is_halted or self.tree.proofs[0]:
                break
        self.tree.used = int(self.counters[USED])
        if self.is_plain and thread == 0:
            self._prove_wins_at_once()

    def _simulating(self, thread: int) -> Callable[[int], None]:
        """The compiled search, but for how many simulations."""
        game, state, tree = self.position.game, self.position.state.copy(), self.tree
        rows, rng = game.rules.rows_for(state, ROOM), generator(self.seed, thread)
        room, child = apart(rows, state.shape[1]), apart(rows, state.shape[1])
        if self.is_plain:
            plain, arrays = plain_entries_of(game.name).uct, tree.arrays[:4]
            return lambda simulations: plain(
                state, room, rng, *arrays, self.counters, self.sums, simulations, UCB
            )
        search, judge = entries_of(game.name).mcts, cast(Judge, judge_of(game.manifest))
        judging = judge.weights(), judge.buffer(game.players)
        return lambda simulations: search(
            state, room, child, rng, *tree.arrays, self.counters, self.sums, *judging, simulations
        )

    def _prove_wins_at_once(self) -> None:
        """Random matches cannot tell them from actions that are only likely to win."""
        tree, player = self.tree, cast(int, self.position.player)
        for child in tree.children(0):
            if tree.values[child] > LIKELY * tree.visits[child]:
                end = self.position.play(int(tree.actions[child]))
                if end.outcome == (player,):
                    tree.proofs[child] = tree.proofs[0] = 1 << player
                    tree.judged[child] = 1

    # -- What was found -------------------------------------------------------------

    @property
    def nodes(self) -> int:
        return int(self.counters[DONE])

    @property
    def depth(self) -> int:
        return int(self.counters[DEPTH])

    def principal_line(self) -> tuple[Action, ...]:
        """The best actions, one after the other; a tree without any room has none."""
        line: list[Action] = []
        node = self._best(0)
        while node is not None and (self.tree.visits[node] or not line):
            line.append(int(self.tree.actions[node]))
            node = self._best(node)
        return tuple(line) or (self.position.legal()[0],)

    def _best(self, node: int) -> int | None:
        """The child that was visited most, unless one is proved to be worth as much."""
        tree, children = self.tree, self.tree.children(node)
        known = max((i for i in children if tree.proofs[i]), key=self._worth, default=None)
        tried = (i for i in children if not tree.proofs[i])
        most = max(tried, key=lambda i: tree.visits[i], default=None)
        if known is None or most is None:
            return most if known is None else known
        return known if self._worth(known) >= self._worth(most) else most

    def values(self) -> tuple[float, ...]:
        """What was seen on average, or what is proved."""
        if winners := int(self.tree.proofs[0]):
            players = self.sums.size
            shares = ((winners >> p & 1) / winners.bit_count() for p in range(players))
            return tuple((players * share - 1) / (players - 1) for share in shares)
        return tuple((self.sums / max(self.nodes, 1)).tolist())

    def visits(self) -> dict[Action, int]:
        """To judge a child is to visit it."""
        tree, judged = self.tree, int(not self.is_plain)
        return {int(tree.actions[i]): int(tree.visits[i]) + judged for i in tree.children(0)}

    def worths(self) -> dict[Action, float]:
        tree = self.tree
        return {int(tree.actions[i]): self._worth(i) for i in tree.children(0)}

    def _worth(self, child: int) -> float:
        """What was seen and what the judge said, or what is proved: nothing else is quite sure."""
        tree = self.tree
        if tree.proofs[child]:
            return float(tree.judged[child])
        judged, trust = (0.0, 1.0) if self.is_plain else (float(tree.judged[child]), TRUST)
        seen = float(tree.values[child]) + trust * judged
        return min(seen / (float(tree.visits[child]) + trust), UNPROVED)
