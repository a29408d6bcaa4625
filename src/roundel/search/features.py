"""Judging by features: each counts something, and has a weight.

A game's `evaluate.py` offers

    FEATURES              what each feature counts, in a line of words
    STAGES, stage(state)  kernel: weights differ from one stage of a match to the next
    features(state, out)  kernel: fill out[player, feature] for every player

and `weights.txt` beside it, written by `scripts/tune.py`, a weight for each feature and stage.
"""

import functools
from collections.abc import Sequence
from math import exp
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from roundel import games
from roundel.kernel.bits import popcount
from roundel.kernel.jit import kernel

FEATURES_TYPE, WEIGHTS_TYPE = "float64[:,::1]", "float64[:,::1]"
FILE = "weights.txt"


class Evaluate(Protocol):
    """What Python reads of a game's `evaluate.py`."""

    FEATURES: Sequence[str]


@kernel
def weigh(features, weights, out):
    """The value for each player, from -1 to 1, of its features."""
    for player in range(out.size):
        score = 0.0
        for i in range(weights.size):
            score += weights[i] * features[player, i]
        out[player] = score
    as_values(out)


@kernel
def as_values(out):
    """Sums of weights as values."""
    highest = out[0]
    for player in range(1, out.size):
        highest = max(highest, out[player])
    total = 0.0
    for player in range(out.size):
        out[player] = exp(out[player] - highest)
        total += out[player]
    for player in range(out.size):
        out[player] = as_value(out[player] / total, out.size)


@kernel
def as_value(share, players):
    """A share of the win, or the chance of one, as a value: 0 is an equal's, 1 all of it.

    Not `write_returns`, to which a win that is shared is worth more than that share of a win.
    """
    return (players * share - 1) / (players - 1)


@kernel
def share_of(winners, player):
    """What a match that has ended so gives to a player."""
    return ((winners >> player) & 1) / popcount(winners)


@kernel
def write_end(winners, out):
    """Everybody's values when a match has ended."""
    for player in range(out.size):
        out[player] = as_value(share_of(winners, player), out.size)


def buffer_for(evaluate: Evaluate, players: int) -> NDArray[np.float64]:
    """What `features` fills."""
    return np.empty((players, len(evaluate.FEATURES)))


@functools.cache
def weights_of(name: str) -> NDArray[np.float64]:
    """The weights of a game, a row for each stage."""
    columns = np.loadtxt(games.manifest(name).folder / FILE, ndmin=2)
    return np.ascontiguousarray(columns.T)
