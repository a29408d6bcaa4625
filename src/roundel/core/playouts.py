"""Random matches, whole and fast: what benchmarks measure and what plain tree searches live on."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from roundel.core.engine import TALLY_SIZE
from roundel.core.position import Position
from roundel.core.randoms import generator

ROOM = 1 << 12  # plies that games which look back can remember at first


def run(
    position: Position, many: int, rng: NDArray[np.uint64], room: int = ROOM
) -> NDArray[np.int64]:
    """Play `many` random matches from here; returns the tally of `core/engine.py`.

    Room for a match that is longer than expected is made between playouts, never in one.
    """
    game, state = position.game, position.state.copy()
    words, tally = np.empty(game.rules.WORDS, np.int64), np.zeros(TALLY_SIZE, np.int64)
    while many:
        scratch = np.zeros((game.rules.rows_for(state, room), state.shape[1]), np.int64)
        many -= game.engine.playouts(state, scratch, words, rng, many, tally)
        room *= 2
    return tally


def run_threads(position: Position, many: int, seed: int, threads: int) -> NDArray[np.int64]:
    """The same on several threads at once, `many` matches on each; the tallies are added up."""
    rngs = [generator(seed, stream) for stream in range(threads)]
    if threads == 1:
        return run(position, many, rngs[0])
    _ = position.game.engine.playouts  # compiled before the threads need it
    with ThreadPoolExecutor(threads) as pool:
        tallies = list(pool.map(lambda rng: run(position, many, rng), rngs))
    total: NDArray[np.int64] = np.sum(tallies, axis=0)
    return total
