"""A stand-in for somebody who has just read the rules, to try the lowest levels with.

A newcomer looks at a dozen of the actions and at a dozen answers to each, takes a win or points,
and does not like to give them away. There is no plan: whoever beats that is still a beginner.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from roundel.bots import Budget, Searcher
from roundel.core.game import Action, Game
from roundel.core.position import Position

LOOKS = 12
WIN = 1000.0
LONGEST = 300  # plies; then nobody has won


def act(position: Position, rng: random.Random) -> Action:
    looked = some(position.legal(), rng)
    return max(looked, key=lambda action: (promise(position, action, rng), rng.random()))


def some(actions: Sequence[Action], rng: random.Random) -> list[Action]:
    return rng.sample(list(actions), min(LOOKS, len(actions)))


def promise(position: Position, action: Action, rng: random.Random) -> float:
    """What an action gains, less what the best answer does that was looked at."""
    after = position.play(action)
    gained = gain(position, after)
    if after.over or after.player == position.player:
        return gained
    return gained - max(gain(after, after.play(answer)) for answer in some(after.legal(), rng))


def gain(before: Position, after: Position) -> float:
    """What an action has brought to who played it."""
    player = before.player or 0
    if after.outcome:
        return WIN if after.outcome == (player,) else -WIN * (player not in after.outcome)
    return float(after.points[player] - before.points[player])


def score(game: Game, level: int, matches: int) -> float:
    """How many matches of two a newcomer wins against a level, beginning every other one."""
    searcher = Searcher()
    return sum(share(game, searcher, Budget(level=level), match) for match in range(matches))


def share(game: Game, searcher: Searcher, budget: Budget, match: int) -> float:
    position, rng, seat = game.start(), random.Random(match), match % 2
    while not position.over and position.ply < LONGEST:
        if position.player == seat:
            action = act(position, rng)
        else:
            action = searcher.choose(position, budget, rng.getrandbits(32)).action
        position = position.play(action)
    winners = position.outcome or (0, 1)
    return (seat in winners) / len(winners)
