"""Elo with error bars, for matches of two, three and four players in one model.

Every player has a strength; a player wins a match with the probability
exp(strength) / sum of exp(strength) over all seats (Plackett and Luce; with two players this is the
model of Bradley and Terry, which is Elo's). A win shared by k players is 1/k of a win for each. The
strengths are the most likely ones, found by Newton's method; the error bars come from the Fisher
information.

A prior so flat that it changes nothing measurable keeps a player finite who has won everything.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ELO = 400 / math.log(10)  # points for a strength of 1
FLAT = 2000 / ELO  # the standard deviation of the prior
NORMAL_95 = 1.959964  # standard deviations to each side that hold 95 % of a normal distribution
STEP = 1.0  # Newton goes no further at once: far away from the end it would overshoot
CLOSE = 1e-9

Floats = NDArray[np.float64]


class Outcome(NamedTuple):
    """One match: who sat where, and which seats won or shared the win."""

    players: tuple[str, ...]
    winners: tuple[int, ...]

    @property
    def shares(self) -> list[float]:
        seats = range(len(self.players))
        return [1 / len(self.winners) if seat in self.winners else 0.0 for seat in seats]


class Rating(NamedTuple):
    """Relative to the average of all players; the truth is within `error` in 95 of 100 cases."""

    elo: float
    error: float


def rate(names: Sequence[str], outcomes: Sequence[Outcome]) -> dict[str, Rating]:
    places = {name: place for place, name in enumerate(names)}
    size = len(outcomes[0].players) if outcomes else 2
    seats = np.array([[places[p] for p in o.players] for o in outcomes], int).reshape(-1, size)
    shares = np.array([outcome.shares for outcome in outcomes]).reshape(-1, size)
    strengths = np.zeros(len(names))
    while True:
        slope, curve = derivatives(strengths, seats, shares)
        step = np.clip(np.linalg.solve(curve, slope), -STEP, STEP)
        strengths += step
        if np.abs(step).max() < CLOSE:
            break
    errors = np.sqrt(np.diag(centred(np.asarray(np.linalg.inv(curve), float))))
    pairs = zip(strengths - strengths.mean(), errors, strict=True)
    ratings = [Rating(float(ELO * s), float(ELO * NORMAL_95 * e)) for s, e in pairs]
    return dict(zip(names, ratings, strict=True))


def derivatives(
    strengths: Floats, seats: NDArray[np.int64], shares: Floats
) -> tuple[Floats, Floats]:
    """Of the logarithm of the likelihood: its slope, and its curvature (downwards)."""
    size = len(strengths)
    weights = np.exp(strengths[seats] - strengths[seats].max(axis=1, keepdims=True))
    chances = weights / weights.sum(axis=1, keepdims=True)
    slope, curve = -strengths / FLAT**2, np.eye(size) / FLAT**2
    np.add.at(slope, seats, shares - chances)
    squares = chances[:, :, None] * (np.eye(seats.shape[1]) - chances[:, None, :])
    np.add.at(curve, (seats[:, :, None], seats[:, None, :]), squares)
    return slope, curve


def centred(covariance: Floats) -> Floats:
    """Only differences are measured: what all players have in common is taken out."""
    size = len(covariance)
    average = np.eye(size) - 1 / size
    result: Floats = average @ covariance @ average
    return result
