"""Random matches, written down before they are played: so the load costs little of the machine."""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass

from roundel import games

LONGEST = 200  # actions of a match that are played
DIFFERENT = 16  # matches of each game


@dataclass(frozen=True)
class Score:
    """Which seat plays what, one action after the other."""

    spec: str
    players: int
    steps: tuple[tuple[int, str], ...]


@functools.cache
def score(seed: int) -> Score:
    names = games.names()
    game = games.load(names[seed % len(names)])
    rng, position, steps = random.Random(seed), game.start(), list[tuple[int, str]]()
    while position.player is not None and len(steps) < LONGEST:
        action = rng.choice(position.legal())
        steps.append((position.player, position.write(action)))
        position = position.play(action)
    return Score(game.spec, game.players, tuple(steps))


def some_score(number: int) -> Score:
    """One of a few matches, since each is played many times."""
    return score(number % (DIFFERENT * len(games.names())))


def replays(spec: str, texts: list[str]) -> bool:
    """Whether all of it is legal; raises what is wrong otherwise."""
    return games.load(spec).start(" ".join(texts)).ply == len(texts)
