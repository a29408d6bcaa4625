"""Fit what patterns weigh to who won: a conditional logit, one position after the other.

As `scripts/fitting.py`, but for thousands of weights: each position draws those of what is seen in
it a little towards how its match went, as in `scripts/learn.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from roundel.core.game import Game
from roundel.kernel.cache import Entries
from roundel.search.patterns import weigh
from scripts.learn import draw

PASSES = 4
HELD_OUT = 5  # one match in so many
Floats = NDArray[np.float32]


class KeptPositions(NamedTuple):
    """Positions of matches of one game. Their states are copied together, without their past."""

    game: Game
    states: NDArray[np.int64]
    shares: NDArray[np.float64]  # of the win, for each player
    matches: NDArray[np.int64]

    def where(self, chosen: NDArray[np.bool_]) -> KeptPositions:
        return self._replace(
            states=self.states[chosen], shares=self.shares[chosen], matches=self.matches[chosen]
        )


def make_study(G: Any, S: Any) -> Any:
    def study(states, shares, order, weights, pulls, surprise):
        """Look at positions, and learn from each if there are pulls; `surprise` gets the log loss
        of each stage, and how many positions that is of."""
        players = shares.shape[1]
        sides = S.SIDES[players]
        seen = np.empty((sides, S.PATTERNS_PER_SIDE), np.int64)
        value = np.empty(players, np.float64)
        for i in order:
            S.features(states[i], seen)
            stage = S.stage(states[i])
            weigh(seen, weights[stage], value)
            surprise[stage, 1] += 1
            for p in range(players):
                chance = (value[p] * (players - 1) + 1) / players
                surprise[stage, 0] -= shares[i, p] * np.log(max(chance, 1e-9))
                for side in range(p, sides if pulls.size else 0, players):
                    draw(weights[stage], pulls[stage], seen[side], shares[i, p] - chance)

    return study


MAKERS = {
    "study": (
        make_study,
        "void(int64[:,:,::1], float64[:,::1], int64[::1], float32[:,::1], "
        "float32[:,:,::1], float64[:,::1])",
    ),
}
NO_PULLS = np.empty((0, 0, 0), np.float32)


def look(kept: KeptPositions, order: NDArray[np.int64], weights: Floats, pulls: Floats) -> Any:
    rules, patterns = cast(Any, kept.game.rules), kept.game.manifest.patterns
    surprise = np.zeros((len(weights), 2))
    study = Entries(kept.game.name, rules, MAKERS, patterns).study
    study(kept.states, kept.shares, order, weights, pulls, surprise)
    return surprise


def study(everything: Sequence[KeptPositions], weights: Floats, seed: int) -> Floats:
    """Better weights, from several looks at all positions in any order."""
    found, rng = weights.copy(), np.random.default_rng(seed)
    pulls = np.zeros((len(found), 2, found.shape[1]), np.float32)
    for _pass in range(PASSES):
        for kept in everything:
            look(kept, rng.permutation(len(kept.states)), found, pulls)
    return found


def surprise(everything: Sequence[KeptPositions], weights: Floats) -> Any:
    """How surprising the winners are in each stage, and of how many positions that is."""
    return sum(look(kept, np.arange(len(kept.states)), weights, NO_PULLS) for kept in everything)


def report(everything: Sequence[KeptPositions], weights: Floats, seed: int) -> str:
    """How well weights that know nothing of every fifth match foretell it, and those before."""
    held = [kept.where(kept.matches % HELD_OUT == 0) for kept in everything]
    others = [kept.where(kept.matches % HELD_OUT != 0) for kept in everything]
    after, before = surprise(held, study(others, weights, seed)), surprise(held, weights)
    lines = [f"{'stage':>5} {'held out':>8} {'log loss':>8} {'before':>8}"]
    for stage in np.flatnonzero(after[:, 1]):
        losses = after[stage, 0] / after[stage, 1], before[stage, 0] / before[stage, 1]
        lines.append(f"{stage:5} {after[stage, 1]:8.0f} {losses[0]:8.4f} {losses[1]:8.4f}")
    return "\n".join(lines)
