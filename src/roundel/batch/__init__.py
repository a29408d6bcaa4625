"""Many matches of one game at once, as arrays: for learning and for measuring.

A match that ends is replaced by a new one in the same step: `done`, `returns` and `points` tell
about the old one, everything else about the new one. All arrays belong to the batch and are written
again by its next call; copy what you keep. The states are shared out among threads, which hold no
lock of Python; the results are the same for any number of them.
"""

from __future__ import annotations

import functools
import math
import os
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from roundel import games
from roundel.batch.crew import Arrays, Crew
from roundel.core.errors import IllegalAction, InvalidBatch
from roundel.core.game import Game
from roundel.core.lang import _
from roundel.core.playouts import apart
from roundel.core.position import Position
from roundel.core.symmetry import Symmetry
from roundel.kernel import planes as no_planes
from roundel.kernel.batching import (
    ALL_LEGAL,
    CHOOSE,
    CLEAR,
    LOOK,
    NO_ROOM,
    OBSERVE,
    STEP,
    UNPACK,
    batching,
)
from roundel.kernel.cache import Entries
from roundel.kernel.jit import JIT

ROOM = 32  # plies that games which look back can remember at first
LISTED = 8  # legal actions that a refusal names

Ints = NDArray[np.int64]


@functools.cache
def entries_of(name: str) -> Entries:
    """The compiled entries of a game for batches."""
    manifest = games.manifest(name)
    return batching(name, cast(Any, manifest.rules), manifest.observe or no_planes)


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Batch:
    """`size` matches of the game that `spec` names.

    - `states`: int64 [size, rows, columns], as in `Position.state`; may become a larger array
    - `players`: int64 [size], whose action it is
    - `done`: bool [size], where the last step ended a match
    - `returns`: float32 [size, players], of the matches that ended; otherwise 0
    - `points`: int64 [size, players], the final points of these; otherwise 0

    Examples:
        >>> from roundel import games
        >>> batch = Batch(games.names()[0], size=3, seed=1, threads=1)
        >>> batch.legal_mask().shape == (3, batch.game.num_actions)
        True
        >>> while not batch.done.any():
        ...     batch.step(batch.random_actions())
        >>> bool((batch.returns[batch.done].sum(axis=1) == 0).all())
        True
    """

    def __init__(self, spec: str, size: int, seed: int = 0, threads: int | None = None) -> None:
        if size < 1 or (threads is not None and threads < 1):
            text = _("expected at least one state and thread, got {size} and {threads}")
            raise InvalidBatch(text.format(size=size, threads=threads))
        self.game: Game = games.load(spec)
        # Plain Python has one thread at a time anyway, and none that may wait awake.
        self.size, self.threads = size, min(threads or cores(), size) if JIT else 1
        self._entries = entries_of(self.game.name)
        self._crew = Crew(self._entries, size, self.threads)
        rules, players = self.game.rules, self.game.players
        self._start = rules.initial(self.game.options)
        rows = rules.rows_for(self._start, ROOM)
        self.states: Ints = np.zeros((size, rows, self._start.shape[1]), np.int64)
        self.players: Ints = np.zeros(size, np.int64)
        self.done: NDArray[np.bool_] = np.zeros(size, np.bool_)
        self.returns: NDArray[np.float32] = np.zeros((size, players), np.float32)
        self.points: Ints = np.zeros((size, players), np.int64)
        self._words: Ints = np.zeros((size, rules.WORDS), np.int64)
        self._rngs: NDArray[np.uint64] = np.ones((size, 1), np.uint64)
        self._used: Ints = np.zeros(size, np.int64)
        self._actions: Ints = np.zeros(size, np.int64)
        self._shown = self._mask = np.zeros((size, 0), np.int64)  # until somebody asks for it
        self._planes: NDArray[np.int8] = np.zeros((size, 0, 0), np.int8)
        self._kinds: Ints = np.zeros(size, np.int64)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin all matches anew. Random choices go on as they were, or from a seed."""
        if seed is not None:
            if seed < 0:
                raise InvalidBatch(_("expected a seed from 0 on, got {seed}").format(seed=seed))
            numbers = np.random.SeedSequence(seed).generate_state(self.size, np.uint64)
            self._rngs[:, 0] = numbers | np.uint64(1)
        self.states[:, : len(self._start)] = self._start
        self._forget_the_last_step()
        self.standing()

    def _forget_the_last_step(self) -> None:
        self._looked = False
        self.done[:], self.returns[:], self.points[:] = False, 0, 0

    def _grow(self) -> None:
        """Twice the room for games that look back."""
        room = np.zeros_like(self.states)
        self.states = np.concatenate([self.states, room], axis=1)

    def _obey(self, command: int) -> None:
        if not self._crew.arrays or self._crew.arrays[0] is not self.states:
            self._crew.recall()
            self._crew.arrays = self._arrays()
        self._crew.obey(command)

    def _arrays(self) -> Arrays:
        """In the order in which `work` of `kernel/batching.py` takes them."""
        fixed = self.states, self._start, self._rngs, self._actions, self._words, self._used
        ends = self.players, self.done, self.returns, self.points
        return *fixed, *ends, self._shown, self._mask, self._planes, self._kinds

    # -- Actions ----------------------------------------------------------------

    def _look(self) -> None:
        """Know what is legal. Behind the words in use there may be anything."""
        if not self._looked:
            self._obey(LOOK)
            self._looked = True

    def legal_words(self) -> Ints:
        """int64 [size, words]: action 64 * w + b is legal if bit b of word w is set."""
        self._look()
        self._obey(CLEAR)
        return self._words

    def legal_mask(self) -> NDArray[np.bool_]:
        """bool [size, num_actions]: which actions are legal."""
        self._look()
        if not self._mask.size:
            self._crew.recall()
            words = self.game.rules.WORDS
            self._shown = np.zeros((self.size, words + 1), np.int64)  # and how many are in use
            self._mask = np.zeros((self.size, 8 * words), np.int64)
        self._obey(UNPACK)
        return cast("NDArray[np.bool_]", self._mask.view(np.bool_))

    def random_actions(self) -> Ints:
        """int64 [size]: a legal action of each state, each with the same chance."""
        self._obey(CHOOSE)
        return self._actions

    def step(self, actions: ArrayLike) -> None:
        """Play one action in every state. If one of them is not legal, none is played."""
        chosen = np.ascontiguousarray(actions)
        if chosen.shape != (self.size,) or not np.issubdtype(chosen.dtype, np.integer):
            given = f"{chosen.dtype} {list(chosen.shape)}"
            text = _("expected {size} whole numbers as actions, got {found}")
            raise InvalidBatch(text.format(size=self.size, found=given))
        chosen = chosen.astype(np.int64, copy=False)
        self._look()
        verdict = self._entries.check(self.states, self._words, self._used, chosen)
        if verdict == NO_ROOM:
            self._grow()
        elif verdict != ALL_LEGAL:
            raise self._refusal(int(verdict), int(chosen[verdict]))
        self._actions[:] = chosen
        self._obey(STEP)

    def _refusal(self, i: int, action: int) -> IllegalAction:
        legal = self.position(i).legal()
        listed = ", ".join(map(str, legal[:LISTED])) + (", ..." if len(legal) > LISTED else "")
        text = _(
            "{game}: action {action} of state {state} is not legal there; "
            "expected one of {many}: {listed}"
        )
        where = {"game": self.game.name, "action": action, "state": i}
        return IllegalAction(text.format(**where, many=len(legal), listed=listed))

    # -- Random play ------------------------------------------------------------

    def wander(self, actions: int) -> tuple[Ints, NDArray[np.float32]]:
        """Play that many random actions in every state, one call for all.

        Returns how many matches ended in each, int64 [size], and the sums of their returns,
        float32 [size, players]. Faster than as many steps: nothing waits for the slowest thread.
        """
        self._forget_the_last_step()
        remaining: Ints = np.full(self.size, actions, np.int64)
        ended: Ints = np.zeros(self.size, np.int64)
        totals: NDArray[np.float32] = np.zeros_like(self.returns)
        rest = self._start, self._rngs, remaining, ended, totals
        wander = self._entries.wander
        while not all(self._crew.share(functools.partial(wander, self.states, *rest))):
            self._grow()
        self.standing()
        return ended, totals

    def rollouts(self, matches: int) -> NDArray[np.float32]:
        """float32 [size, players]: the mean returns of that many random matches from each state.

        The states stay as they are.
        """
        if matches < 1:
            text = _("expected at least one random match, got {many}")
            raise InvalidBatch(text.format(many=matches))
        remaining: Ints = np.full(self.size, matches, np.int64)
        totals: NDArray[np.float32] = np.zeros_like(self.returns)
        rows, rollouts = self.states.shape[1], self._entries.rollouts

        def work(lo: int, hi: int) -> bool:
            scratch = apart(rows, self.states.shape[2])
            return bool(rollouts(self.states, scratch, self._rngs, remaining, totals, lo, hi))

        while not all(self._crew.share(work)):
            rows *= 2
        return totals / np.float32(matches)

    # -- Standing -----------------------------------------------------------------

    def standing(self) -> Ints:
        """int64 [size, players]: the points in the matches that go on."""
        points = np.zeros_like(self.points)
        self._crew.share(
            functools.partial(self._entries.standing, self.states, self.players, points)
        )
        return points

    def position(self, i: int) -> Position:
        """A copy of one state, to look at and to play on."""
        return Position(self.game, self.states[i, : self.rows_of(i)].copy(), from_start=False)

    def put(self, i: int, position: Position) -> None:
        """Let the match of state i go on from a position."""
        player = position.player
        if position.game != self.game or player is None:
            text = _("expected an unfinished match of {spec}, got {position!r}")
            raise InvalidBatch(text.format(spec=self.game.spec, position=position))
        rows = self.game.rules.rows_for(position.state, 0)
        while rows > self.states.shape[1]:
            self._grow()
        self.states[i, :rows] = position.state[:rows]
        self.players[i] = player
        self._looked = False

    def rows_of(self, i: int) -> int:
        """How many rows of a state have a meaning; the others are room for what may come."""
        return self.game.rules.rows_for(self.states[i], 0)

    # -- Observations -----------------------------------------------------------

    def observe(self) -> NDArray[np.int8]:
        """int8 [size, planes, ...]: every state as the player to act sees it.

        The game's `observe.py` tells what the planes are and how the cells lie.
        """
        planes, grid = len(self._observer.PLANES), self._observer.grid(self.game.options)
        if not self._planes.size:
            self._crew.recall()
            self._planes = np.zeros((self.size, planes, math.prod(grid)), np.int8)
        self._obey(OBSERVE)
        return self._planes.reshape(self.size, planes, *grid)

    @property
    def kinds(self) -> Ints:
        """int64 [size]: the row of `Symmetry.actions` that holds in each state last observed."""
        return self._kinds

    @functools.cached_property
    def symmetries(self) -> list[Symmetry]:
        """The symmetries of the board, the identity first (`core/symmetry.py`)."""
        return list(self._observer.symmetries(self.game.options))

    @property
    def _observer(self) -> Any:  # a module of the game
        if not self.game.manifest.observe:
            raise InvalidBatch(_("{game} has no observations").format(game=self.game.name))
        return self.game.manifest.observe


def planes_of(position: Position) -> NDArray[np.int8]:
    """int8 [planes, ...]: one position as `Batch.observe` shows it."""
    batch = Batch(position.game.spec, 1, threads=1)
    batch.put(0, position)
    planes: NDArray[np.int8] = batch.observe()[0]
    return planes
