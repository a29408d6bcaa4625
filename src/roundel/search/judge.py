"""What a position is worth, by a game's own features and weights.

A game's `evaluate.py` offers

    FEATURES              what each feature counts, in a line of words
    STAGES, stage(state)  kernel: weights differ from one stage of a match to the next
    features(state, out)  kernel: fill out[player, feature] for every player

and `weights.txt` beside it, written by `scripts/tune.py`, a weight for each feature and stage. The
chance to win is the softmax of the players' weighted sums, which is what the weights are fitted
for; a value is what `Position.returns` would be on average with these chances.
"""

import functools
from math import exp
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roundel import games
from roundel.core.engine import STATE
from roundel.core.jit import Entries, kernel

FOUND = "float64[:,::1]"  # a feature of each player


@kernel
def weigh(found, weights, out):
    """The value for each player, from -1 to 1, of features that were found."""
    highest = -1e300
    for player in range(out.size):
        score = 0.0
        for i in range(weights.size):
            score += weights[i] * found[player, i]
        out[player] = score
        highest = max(highest, score)
    total = 0.0
    for player in range(out.size):
        out[player] = exp(out[player] - highest)
        total += out[player]
    for player in range(out.size):  # as `write_returns`, with chances instead of winners
        out[player] = (out.size * out[player] / total - 1) / (out.size - 1)


def make_features(G: Any, E: Any) -> Any:
    def features(state, out):
        """Fills `out`; returns the stage."""
        E.features(state, out)
        return E.stage(state)

    return features


MAKERS = {"features": (make_features, f"int64({STATE}, {FOUND})")}


def judging(name: str, rules: ModuleType, evaluate: ModuleType) -> Entries:
    return Entries(name, rules, MAKERS, evaluate)


@functools.cache
def weights_of(name: str) -> NDArray[np.float64]:
    """The weights of a game, a row for each stage."""
    found = np.loadtxt(games.manifest(name).folder / "weights.txt", ndmin=2)
    return np.ascontiguousarray(found.T)
