"""The compiled face of the rules: random picks, playouts, memory."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from numba.core import runtime
from numpy.typing import NDArray

from roundel import games
from roundel.core.game import Game
from roundel.core.playouts import run, run_threads
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.kernel.cache import Entries
from roundel.kernel.engine import ACTIONS, STATE, TALLY_SIZE, VALUES, WORDS
from roundel.kernel.jit import JIT
from roundel.kernel.randoms import generator


def make_sample(G: Any) -> Any:
    def sample(state, words, rng, out):  # type: ignore[no-untyped-def]
        """Fill `out` with random picks, which `playouts` would play."""
        for i in range(out.shape[0]):
            out[i] = G.pick(state, words, rng)

    return sample


@cache
def sampler(name: str) -> Any:
    signature = f"void({STATE}, {WORDS}, uint64[::1], {VALUES})"
    rules: Any = games.manifest(name).rules
    return Entries(f"test-{name}", rules, {"sample": (make_sample, signature)}).sample


def draws(position: Position, many: int) -> NDArray[np.int64]:
    game, out = position.game, np.empty(many, np.int64)
    words = np.empty(game.rules.WORDS, np.int64)
    sampler(game.name)(position.state.copy(), words, generator(1), out)
    return out


def some_positions(game: Game) -> Iterator[Position]:
    *positions, _ = random_match(game, seed=4)
    yield from positions[:: max(1, len(positions) // 8)]


def test_every_legal_action_is_picked_with_the_same_chance(game: Game) -> None:
    """Pearson's chi-square, six standard deviations wide; the draws are the same on every run."""
    for position in some_positions(game):
        legal = position.legal()
        each = 50 if JIT else 0
        counts = dict.fromkeys(legal, 0)
        for action in draws(position, each * len(legal) + 10):
            counts[int(action)] += 1  # a KeyError: something was picked that is not legal
        if each and len(legal) > 1:
            expected = sum(counts.values()) / len(legal)
            chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
            freedom = len(legal) - 1
            assert chi_square < freedom + 6 * (2 * freedom) ** 0.5


def test_playouts_begin_where_they_are_told_and_are_repeatable(game: Game) -> None:
    position = list(random_match(game, seed=6))[-4]
    tally = run(position, 30, generator(2))
    assert 30 <= tally[ACTIONS] <= 30 * 200
    assert np.array_equal(tally, run(position, 30, generator(2)))


def test_threads_add_up(game: Game) -> None:
    position = list(random_match(game, seed=6))[-4]
    alone = [run(position, 5, generator(7, stream)) for stream in range(2)]
    assert np.array_equal(run_threads(position, 5, seed=7, threads=2), alone[0] + alone[1])
    assert np.array_equal(run_threads(position, 5, seed=7, threads=1), alone[0])


RUNTIME: Any = runtime  # Numba's own count of what compiled code allocates


def allocations(position: Position, many: int) -> int:
    """How often compiled code asks for memory while it plays so many matches."""
    game, state = position.game, position.state.copy()
    scratch = np.zeros((game.rules.rows_for(state, 1 << 14), state.shape[1]), np.int64)
    words, tally = np.empty(game.rules.WORDS, np.int64), np.zeros(TALLY_SIZE, np.int64)
    before = RUNTIME.rtsys.get_allocation_stats().alloc
    game.engine.playouts(state, scratch, words, generator(1), many, tally)
    return int(RUNTIME.rtsys.get_allocation_stats().alloc - before)


def test_a_playout_allocates_nothing(game: Game) -> None:
    """Only the call itself does, for its arguments, whether it plays one match or many."""
    RUNTIME._nrt_python.memsys_enable_stats()
    start = game.start()
    assert allocations(start, 100 if JIT else 2) == allocations(start, 1)
