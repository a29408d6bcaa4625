"""Judging by patterns: each side shows some of thousands of them, and each weighs something.

A game's `patterns.py` offers

    PATTERNS              how many there are
    PATTERNS_PER_SIDE     how many of them a side shows at once
    SIDES                 how many sides there are, by the number of players; side i is on the side
                          of player i, or of player i less the number of players
    STAGES, stage(state)  as an `evaluate.py` does
    SHARPNESS             for each stage: a factor; above 1 it makes the search surer than the quick
                          matches that it learnt from
    features(state, out)  kernel: fill out[side] with the patterns of every side; a side whose
                          first is negative is not asked about

and `patterns.npz`, what each of them weighs in each stage: `scripts/learn.py` begins it,
`scripts/tune.py` makes it better.
"""

import functools
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from roundel import games
from roundel.kernel.jit import kernel
from roundel.search.features import as_values

FEATURES_TYPE, WEIGHTS_TYPE = "int64[:,::1]", "float32[:,::1]"
FILE = "patterns.npz"


class Patterns(Protocol):
    """What Python reads of a game's `patterns.py`."""

    SIDES: Sequence[int]
    PATTERNS_PER_SIDE: int


@kernel
def weigh(seen, weights, out):
    """The value for each player, from -1 to 1, of patterns that were seen."""
    players = out.size
    for player in range(players):
        out[player] = 0.0
    for side in range(seen.shape[0]):
        if seen[side, 0] >= 0:
            score = 0.0
            for i in range(seen.shape[1]):
                score += weights[seen[side, i]]
            out[side if side < players else side - players] += score
    as_values(out)


def buffer_for(patterns: Patterns, players: int) -> NDArray[np.int64]:
    """What `features` fills."""
    return np.empty((patterns.SIDES[players], patterns.PATTERNS_PER_SIDE), np.int64)


@functools.cache
def weights_of(name: str) -> NDArray[np.float32]:
    """What the patterns of a game weigh, a row for each stage."""
    with np.load(games.manifest(name).folder / FILE) as data:
        return np.ascontiguousarray(data["weights"], np.float32)
