"""Judging by situations: each side is in many of thousands of them, and each weighs something.

A game's `situations.py` offers

    SITUATIONS            how many there are
    LOOKS                 how many of them a side is in at once
    SIDES                 how many sides there are, by the number of players; side i is on the side
                          of player i, or of player i less the number of players
    STAGES, stage(state)  as an `evaluate.py` does
    SURENESS              for each stage: how much surer what was learnt from quick matches is made
    features(state, out)  kernel: fill out[side, look] with the situations of every side; a side
                          whose first is negative is not asked about

and `situations.npz`, what each of them weighs in each stage: `scripts/learn.py` begins it,
`scripts/tune.py` makes it better.
"""

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roundel import games
from roundel.kernel.jit import kernel
from roundel.search.features import as_values

FOUND, WEIGHTS = "int64[:,::1]", "float32[:,::1]"
FILE = "situations.npz"


@kernel
def weigh(seen, weights, out):
    """The value for each player, from -1 to 1, of situations that were seen."""
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


def room_for(situations: Any, players: int) -> NDArray[np.int64]:
    """What `features` fills."""
    return np.empty((situations.SIDES[players], situations.LOOKS), np.int64)


@functools.cache
def weights_of(name: str) -> NDArray[np.float32]:
    """What the situations of a game weigh, a row for each stage."""
    with np.load(games.manifest(name).folder / FILE) as data:
        return np.ascontiguousarray(data["weights"], np.float32)
