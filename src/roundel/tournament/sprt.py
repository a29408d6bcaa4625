"""The sequential test: is the first player's Elo advantage `elo1` rather than `elo0`?

The generalised sequential probability ratio test that chess programmers use. What is counted is how
each opening went, which both players have played from both seats: a pair of matches has one of five
scores, and these have much less noise than single matches. The likelihood of a hypothesis is that
of the distribution that fits the counts best among all with the mean that the hypothesis says.
"""

from __future__ import annotations

import math

from roundel.core.lang import _
from roundel.tournament.schedule import WrongSchedule

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of a pair of matches
UNSEEN = 1e-3  # counts for a score that never occurred, or nothing could be said about it
STEPS = 100  # halvings


class Sprt:
    """One test as it goes on; once it is decided it stays so."""

    def __init__(self, elo0: float, elo1: float, error: float = 0.05) -> None:
        if not elo0 < elo1:
            text = _("expected elo0 below elo1, got {elo0:g} and {elo1:g}")
            raise WrongSchedule(text.format(elo0=elo0, elo1=elo1))
        self.elo0, self.elo1 = elo0, elo1
        self.bound = math.log((1 - error) / error)  # `error`: how often each mistake may happen
        self.counts = dict.fromkeys(SCORES, 0)
        self.llr = 0.0  # the logarithm of how much likelier elo1 is than elo0
        self.accepted = ""  # H0 or H1

    @property
    def pairs(self) -> int:
        return sum(self.counts.values())

    def add(self, score: float) -> None:
        """How the first player did in the next pair of matches, from 0 to 1."""
        if self.accepted:
            return
        self.counts[score] += 1
        filled = {score: count or UNSEEN for score, count in self.counts.items()}
        low, high = (log_likelihood(filled, mean(elo)) for elo in (self.elo0, self.elo1))
        self.llr = high - low
        if abs(self.llr) >= self.bound:
            self.accepted = "H1" if self.llr > 0 else "H0"


def mean(elo: float) -> float:
    """The score that an Elo advantage promises."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def log_likelihood(counts: dict[float, float], wanted: float) -> float:
    """Of the distribution with the wanted mean that fits best, up to a constant.

    With the multiplier t of that condition, it is p / (1 + t (score - wanted)), where p are the
    frequencies that were counted; t is where the weighted sum of the deviations is 0.
    """
    low, high = -1 / (SCORES[-1] - wanted), 1 / (wanted - SCORES[0])
    for _step in range(STEPS):
        t = (low + high) / 2
        if sum(n * (s - wanted) / (1 + t * (s - wanted)) for s, n in counts.items()) > 0:
            low = t
        else:
            high = t
    return -sum(n * math.log(1 + t * (s - wanted)) for s, n in counts.items())
