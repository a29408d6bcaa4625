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
    start: str = ""  # position text, if they do not go from the start of the game

    def from_ply(self, ply: int) -> Score:
        """What is left of it."""
        played = " ".join(text for _seat, text in self.steps[:ply])
        start = games.load(self.spec).start(played).fen()
        return Score(self.spec, self.players, self.steps[ply:], start)


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


def half_played(number: int) -> Score:
    """The same, but somewhere in the middle: people do not begin all at the same moment."""
    whole = some_score(number)
    return whole.from_ply(random.Random(number).randrange(len(whole.steps)))


def replays(spec: str, texts: list[str]) -> bool:
    """Whether all of it is legal; raises what is wrong otherwise."""
    return games.load(spec).start(" ".join(texts)).ply == len(texts)
