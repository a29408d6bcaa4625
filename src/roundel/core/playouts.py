"""Random matches, whole and fast: what benchmarks measure and what plain tree searches live on."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from roundel.core.position import Position
from roundel.kernel.engine import TALLY_SIZE
from roundel.kernel.randoms import generator

ROOM = 1 << 12  # plies that games which look back can remember at first
LINE = 16  # 64-bit words: two of a processor's cache lines


def apart(rows: int, columns: int) -> NDArray[np.int64]:
    """Memory that shares no cache line with anything, or threads would wait for each other."""
    around = -(-LINE // columns)
    return np.zeros((rows + 2 * around, columns), np.int64)[around:-around]


def run(
    position: Position, matches: int, rng: NDArray[np.uint64], room: int = ROOM
) -> NDArray[np.int64]:
    """Play that many random matches from here; returns the tally of `kernel/engine.py`.

    Room for a match that is longer than expected is made between playouts, never in one.
    """
    game, state = position.game, position.state.copy()
    words: NDArray[np.int64] = apart(1, game.rules.WORDS)[0]
    tally: NDArray[np.int64] = apart(1, TALLY_SIZE)[0]
    own_rng: NDArray[np.uint64] = apart(1, 1)[0].view(np.uint64)
    own_rng[:] = rng
    while matches:
        scratch = apart(game.rules.rows_for(state, room), state.shape[1])
        matches -= game.engine.playouts(state, scratch, words, own_rng, matches, tally)
        room *= 2
    rng[:] = own_rng
    return tally


def run_threads(position: Position, matches: int, seed: int, threads: int) -> NDArray[np.int64]:
    """The same on several threads at once, that many on each; the tallies are added up."""
    rngs = [generator(seed, stream) for stream in range(threads)]
    if threads == 1:
        return run(position, matches, rngs[0])
    _ = position.game.engine.playouts  # compiled before the threads need it
    with ThreadPoolExecutor(threads) as pool:
        tallies = list(pool.map(lambda rng: run(position, matches, rng), rngs))
    total: NDArray[np.int64] = np.sum(tallies, axis=0)
    return total
