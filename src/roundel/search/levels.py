"""Ten levels of play: how far a search looks, and how it errs.

A level looks at a number of nodes. Below the highest it then may take an action that is a little
worse than the best: the more it loses by that, the less often. Most levels also overlook some
actions, but only beginners a win that the search has seen. Nobody errs on purpose when little can
change any more: in a match that is as good as won or lost, the differences that count shrink with
what is left to win.
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
    blindness_to_wins: float = 0.0  # and of those that are known to win

    @property
    def width(self) -> float:
        """How much worse than the best an action may be and still be considered."""
        return FURTHEST * self.carelessness

    def overlooks(self, worth: float) -> float:
        """How often an action that is worth so much is overlooked."""
        return self.blindness if worth < 1 else self.blindness_to_wins


LEVELS = {
    1: Level(nodes=100, carelessness=0.5, blindness=0.65, blindness_to_wins=0.65),
    2: Level(nodes=300, carelessness=0.3, blindness=0.4, blindness_to_wins=0.25),
    3: Level(nodes=600, carelessness=0.18, blindness=0.28, blindness_to_wins=0.06),
    4: Level(nodes=800, carelessness=0.14, blindness=0.24),
    5: Level(nodes=1_500, carelessness=0.1, blindness=0.16),
    6: Level(nodes=3_000, carelessness=0.06, blindness=0.09),
    7: Level(nodes=6_000, carelessness=0.03, blindness=0.03),
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
    noticed = [a for a in seen if rng.random() >= level.overlooks(choice.worths[a])]
    noticed = noticed or [rng.choice(seen)]
    top = max(choice.worths[a] for a in noticed)
    chances = [likelihood(top - choice.worths[a], scale) for a in noticed]
    return rng.choices(noticed, chances)[0]


def likelihood(loss: float, scale: float) -> float:
    """How readily an action is taken that is so much worse than another.

    >>> likelihood(0, 0), likelihood(0.1, 0), likelihood(0.1, 0.1) == math.exp(-1)
    (1.0, 0.0, True)
    """
    if loss > FURTHEST * scale:
        return 0.0
    return math.exp(-loss / scale) if scale else 1.0
