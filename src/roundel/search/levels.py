"""Ten levels of play: how far a search looks, and how it errs.

A level looks at a number of nodes. Below the highest it then may take an action that is a little
worse than the best: the more it loses by that, the less often. The lowest levels also overlook some
actions, as beginners do. Nobody errs on purpose when little can change any more: in a match that is
as good as won or lost, the differences that count shrink with what is left to win.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from roundel.core.game import Action
from roundel.search.choice import Choice

FURTHEST = 5  # an action that loses more than so many times the carelessness is never taken


@dataclass(frozen=True)
class Level:
    nodes: int | None = None  # positions or simulations
    seconds: float | None = None
    carelessness: float = 0.0  # how much worse an action may easily be, in values from -1 to 1
    blindness: float = 0.0  # how many of the actions are overlooked

    @property
    def width(self) -> float:
        """How much worse than the best an action may be and still be considered."""
        return FURTHEST * self.carelessness


LEVELS = {
    1: Level(nodes=200, carelessness=0.35, blindness=0.5),
    2: Level(nodes=300, carelessness=0.25, blindness=0.35),
    3: Level(nodes=400, carelessness=0.18, blindness=0.2),
    4: Level(nodes=800, carelessness=0.12),
    5: Level(nodes=1_500, carelessness=0.08),
    6: Level(nodes=3_000, carelessness=0.05),
    7: Level(nodes=6_000, carelessness=0.03),
    8: Level(nodes=20_000, carelessness=0.015),
    9: Level(nodes=80_000, carelessness=0.005),
    10: Level(seconds=3.0),
}


def slip(choice: Choice, level: Level, rng: random.Random) -> Action:
    """The action that a level takes, knowing what the search has found."""
    if not level.carelessness:
        return choice.action
    best = choice.worths[choice.action]
    scale = level.carelessness * max(1 - best * best, 0.0)
    seen = [a for a in choice.worths if a == choice.action or choice.visits[a]]
    seen = [a for a in seen if rng.random() >= level.blindness] or [rng.choice(seen)]
    top = max(choice.worths[a] for a in seen)
    chances = [likelihood(top - choice.worths[a], scale) for a in seen]
    return rng.choices(seen, chances)[0]


def likelihood(loss: float, scale: float) -> float:
    """How readily an action is taken that is so much worse than another.

    >>> likelihood(0, 0), likelihood(0.1, 0), likelihood(0.1, 0.1) == math.exp(-1)
    (1.0, 0.0, True)
    """
    if loss > FURTHEST * scale:
        return 0.0
    return math.exp(-loss / scale) if scale else 1.0
