"""What a position is worth, by a game's own features and weights.

A game's `evaluate.py` offers

    FEATURES              what each feature counts, in a line of words
    STAGES, stage(state)  kernel: weights differ from one stage of a match to the next
    features(state, out)  kernel: fill out[player, feature] for every player

and `weights.txt` beside it, written by `scripts/tune.py`, a weight for each feature and stage. The
chance to win is the softmax of the players' weighted sums, which is what the weights are fitted
for; a value is what `Position.returns` would be on average with these chances.

For more than two players there is a finer judge. A game's `situations.py` offers

    PLAYERS                 with how many players they judge better than random matches do
    SITUATIONS              how many there are
    LOOKS                   how many of them a player is in at once
    STAGES, stage(state)    as above
    situations(state, out)  kernel: fill out[player, look] for every player

and `situations.npz`, written by `scripts/learn.py`, what each of them weighs in each stage.
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
    for player in range(out.size):
        score = 0.0
        for i in range(weights.size):
            score += weights[i] * found[player, i]
        out[player] = score
    as_values(out)


@kernel
def look_up(seen, weights, out):
    """The same of situations that were seen."""
    for player in range(out.size):
        score = 0.0
        for i in range(seen.shape[1]):
            score += weights[seen[player, i]]
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


@functools.cache
def situation_weights_of(name: str) -> NDArray[np.float32]:
    """What the situations of a game weigh, a row for each stage."""
    with np.load(games.manifest(name).folder / "situations.npz") as data:
        return np.ascontiguousarray(data["weights"], np.float32)
