"""How bad an action was: its drop, what that is called, and how accurately players played.

The drop is what an action costs its player in winning chances: the chance that the best action
gives by the search before it, minus the chance that the search after it has. What the search would
have played itself and what was forced costs nothing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from roundel.analysis.thought import Candidate, Thought
from roundel.core.game import Manifest
from roundel.core.lang import N_

FILE = "mistake_thresholds.json"  # in a game's folder; `scripts/mistake_thresholds.py` writes it
EARLIER_FILE = "drops.json"  # what games written for earlier versions call it
VERDICTS = (N_("inaccuracy"), N_("mistake"), N_("blunder"))


@dataclass(frozen=True)
class Thresholds:
    """From which drop on an action is called so, in percentage points."""

    inaccuracy: float = 5.0
    mistake: float = 10.0
    blunder: float = 20.0

    def verdict(self, drop: float) -> str:
        """The worst word that a drop deserves; empty for a small one."""
        earned = [word for word in VERDICTS if drop >= getattr(self, word)]
        return earned[-1] if earned else ""

    def accuracy(self, drops: Iterable[float]) -> float | None:
        """100 is perfect; an action that is just a blunder counts 50, one twice as bad 25.

        Examples:
            >>> Thresholds(blunder=20).accuracy([0, 20]), Thresholds(blunder=20).accuracy([])
            (75.0, None)
        """
        each = [100 * 0.5 ** (drop / self.blunder) for drop in drops]
        return round(fmean(each), 1) if each else None


def thresholds(manifest: Manifest) -> Thresholds:
    """Those that a game's folder has; a game without any gets the house's."""
    for path in (manifest.folder / FILE, manifest.folder / EARLIER_FILE):
        if path.is_file():
            values = json.loads(path.read_text(encoding="utf-8"))
            return Thresholds(**{word: float(values[word]) for word in VERDICTS})
    return Thresholds()


def drop(before: Thought, action: str, after: Thought) -> float:
    """What an action has cost its player."""
    if before.player is None or before.forced or not before.candidates:
        return 0.0
    best = before.candidates[0]
    if best.action == action:
        return 0.0
    return round(max(best.chance - doubt(best) - after.chances[before.player], 0.0), 2)


def doubt(candidate: Candidate) -> float:
    """How far off a chance may be, as one standard error of so many wins and losses.

    Of many actions that a tree search tried a little, the best one looks better than it is. Where
    nodes are counted and not matches, this is next to nothing.
    """
    return math.sqrt(candidate.chance * (100 - candidate.chance) / max(candidate.visits, 1))
