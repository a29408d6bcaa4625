"""Fit weights to who won: a conditional logit, by Newton's method.

The chance of a player is the softmax of the players' weighted features (`search/judge.py`), with
the same weights for all players. The weights are fitted to all positions first, and then to those
of each stage, where they are pulled towards the first.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

HELD_OUT = 5  # one match in so many
FEW = 200  # positions of a stage; with fewer it takes the weights of all stages
PULL, STAGE_PULL = 5.0, 20.0  # towards 0, and of a stage towards all
STEP, STEPS, CLOSE = 1.0, 100, 1e-4  # Newton: at once, at most, and good enough

Floats = NDArray[np.float64]


class Sample(NamedTuple):
    """Arrays with a row for each position, and in the first three of them one for each seat."""

    features: Floats
    shares: Floats  # of the win
    seated: NDArray[np.bool_]  # not all matches have as many players
    stages: NDArray[np.int64]
    matches: NDArray[np.int64]

    def where(self, chosen: NDArray[np.bool_]) -> Sample:
        return Sample(*cast(Any, [each[chosen] for each in self]))


def chances(sample: Sample, weights: Floats) -> Floats:
    scores = np.where(sample.seated, sample.features @ weights, -np.inf)
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    found: Floats = shares / shares.sum(axis=1, keepdims=True)
    return found


def loss(sample: Sample, weights: Floats) -> float:
    """How surprising the winners are; nan without positions."""
    if not len(sample.matches):
        return float("nan")
    found = np.log(np.maximum(chances(sample, weights), 1e-12))
    return float(-(sample.shares * found).sum(axis=1).mean())


def fit(sample: Sample, pull: float, towards: Floats) -> Floats:
    """The likeliest weights, if those that they are pulled towards were seen in `pull` matches."""
    weights, size = towards.copy(), towards.size
    for _step in range(STEPS):
        expected = chances(sample, weights)
        slope = np.einsum("nsf,ns->f", sample.features, sample.shares - expected)
        mean = np.einsum("nsf,ns->nf", sample.features, expected)
        apart = (sample.features - mean[:, None]).reshape(-1, size)
        curve = (apart * expected.reshape(-1, 1)).T @ apart + pull * np.eye(size)
        step = np.linalg.solve(curve, slope - pull * (weights - towards))
        weights += np.clip(step, -STEP, STEP)
        if np.abs(step).max() < CLOSE:
            break
    return weights


def fit_stages(sample: Sample, stages: int) -> Floats:
    """A row of weights for each stage."""
    overall = fit(sample, PULL, np.zeros(sample.features.shape[2]))
    rows = []
    for stage in range(stages):
        here = sample.stages == stage
        is_enough = here.sum() >= FEW
        rows.append(fit(sample.where(here), STAGE_PULL, overall) if is_enough else overall)
    return np.array(rows)


def report(sample: Sample, stages: int) -> str:
    """How well weights that know nothing of every fifth match foretell it."""
    held = sample.matches % HELD_OUT == 0
    if held.all():
        return "too few matches to hold some out"
    weights, test = fit_stages(sample.where(~held), stages), sample.where(held)
    lines = [f"{'stage':>5} {'positions':>9} {'held out':>8} {'log loss':>8} {'coin':>8}"]
    for stage in range(stages):
        part = test.where(test.stages == stage)
        losses = loss(part, weights[stage]), loss(part, 0 * weights[stage])
        count = (sample.stages == stage).sum()
        lines.append(f"{stage:5} {count:9} {len(part.matches):8} {losses[0]:8.4f} {losses[1]:8.4f}")
    return "\n".join(lines)
