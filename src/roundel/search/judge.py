"""What a position is worth, by what a game itself knows of it.

A game brings features (`search/features.py`) or, finer and learnt from far more matches, situations
(`search/situations.py`). Either way what is found for a player is weighed and added up. The chance
to win is the softmax of the players' sums, which is what the weights are fitted for.
"""

from typing import Any, NamedTuple, cast

from numpy.typing import NDArray

from roundel.core.game import Manifest
from roundel.kernel.cache import Entries
from roundel.kernel.engine import STATE
from roundel.search import features, situations


class Judge(NamedTuple):
    """What is to be seen in a position of a game, and how that is weighed."""

    name: str
    eyes: Any  # the game's `evaluate.py` or `situations.py`
    scales: Any  # the module of this folder that weighs what they see

    def room(self, players: int) -> NDArray[Any]:
        """What the eyes fill."""
        found: NDArray[Any] = self.scales.room_for(self.eyes, players)
        return found

    def weights(self) -> NDArray[Any]:
        """A row for each stage, read once."""
        found: NDArray[Any] = self.scales.weights_of(self.name)
        return found


def judge_of(manifest: Manifest) -> Judge | None:
    """The best one that a game brings, if any."""
    if manifest.situations is not None:
        return Judge(manifest.name, manifest.situations, situations)
    if manifest.evaluate is not None:
        return Judge(manifest.name, manifest.evaluate, features)
    return None


def make_look(G: Any, E: Any) -> Any:
    def look(state, out):
        """Fills `out`; returns the stage."""
        E.features(state, out)
        return E.stage(state)

    return look


def looking(manifest: Manifest) -> Entries:
    """What a game's own eyes see, for `scripts/tune.py` and tests."""
    judge, rules = cast(Judge, judge_of(manifest)), cast(Any, manifest.rules)
    makers = {"look": (make_look, f"int64({STATE}, {judge.scales.FOUND})")}
    return Entries(judge.name, rules, makers, judge.eyes)
