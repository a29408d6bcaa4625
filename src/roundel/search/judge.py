"""What a position is worth, by what a game itself knows of it.

A game brings features (`search/features.py`) or, finer and learnt from far more matches, patterns
(`search/patterns.py`). Either way what is found for a player is weighed and added up. The chance
to win is the softmax of the players' sums, which is what the weights are fitted for.
"""

from types import ModuleType
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from roundel.core.game import Manifest
from roundel.kernel.cache import Entries
from roundel.kernel.engine import STATE
from roundel.search import features, patterns


class Judge(NamedTuple):
    """What is to be seen in a position of a game, and how that is weighed."""

    name: str
    extractor: ModuleType  # the game's `evaluate.py` or `patterns.py`
    weigher: ModuleType  # `features` or `patterns` of this folder, which weighs what is extracted

    def buffer(self, players: int) -> NDArray[np.generic]:
        """What the extractor fills."""
        filled: NDArray[np.generic] = self.weigher.buffer_for(self.extractor, players)
        return filled

    def weights(self) -> NDArray[np.generic]:
        """A row for each stage, read once."""
        rows: NDArray[np.generic] = self.weigher.weights_of(self.name)
        return rows


def judge_of(manifest: Manifest) -> Judge | None:
    """The best one that a game brings, if any."""
    if manifest.patterns is not None:
        return Judge(manifest.name, manifest.patterns, patterns)
    if manifest.evaluate is not None:
        return Judge(manifest.name, manifest.evaluate, features)
    return None


def make_extract(G: Any, E: Any) -> Any:
    def extract(state, out):
        """Fills `out`; returns the stage."""
        E.features(state, out)
        return E.stage(state)

    return extract


def extractor_entries(manifest: Manifest) -> Entries:
    """What a game's own extractor finds, for `scripts/tune.py` and tests."""
    judge, rules = cast(Judge, judge_of(manifest)), cast(Any, manifest.rules)
    makers = {"extract": (make_extract, f"int64({STATE}, {judge.weigher.FEATURES_TYPE})")}
    return Entries(judge.name, rules, makers, judge.extractor)
