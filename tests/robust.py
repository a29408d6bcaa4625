"""What it means that a search always answers. Used by the tests, and at length by `make soak`."""

import random
from collections.abc import Iterator
from itertools import count, islice
from threading import Event

from roundel.bots import Budget, Searcher
from roundel.core.errors import MatchOver
from roundel.core.game import Game
from roundel.core.playthrough import random_match
from roundel.core.position import Position

FROM_A_MATCH = 6


def some_positions(game: Game, many: int, seed: int) -> list[Position]:
    """Positions of random matches: the ends, forced ones where there are some, and others."""
    return list(islice(_positions(game, seed), many))


def _positions(game: Game, first: int) -> Iterator[Position]:
    for seed in count(first):
        *found, end = random_match(game, seed)
        forced = [position for position in found if len(position.legal()) == 1]
        yield end
        yield from forced[:2]
        yield from random.Random(seed).sample(found, min(FROM_A_MATCH, len(found)))


def answers(position: Position, budget: Budget) -> int:
    """Asked with a budget, and stopped at once: a legal action, or the match is over."""
    searcher, stop = Searcher(hash_mib=4), Event()
    stop.set()
    if position.over:
        assert refuses(searcher, position, budget), position.fen()
        return 1
    for limits, told in ((budget, Event()), (Budget(), stop), (Budget(seconds=0), Event())):
        *_, found = searcher.think(position, limits, 0, told)
        assert found.action in position.legal(), f"{limits} in {position.fen()}"
        follow(position, found.line)
    return 1


def refuses(searcher: Searcher, position: Position, budget: Budget) -> bool:
    try:
        searcher.choose(position, budget)
    except MatchOver:
        return True
    return False


def follow(position: Position, line: tuple[int, ...]) -> None:
    """Whether a line can be played; what cannot raises."""
    for action in line:
        position = position.play(action)


def bot_match(game: Game, searcher: Searcher, seed: int) -> int:
    """A match of a search with hardly any nodes against itself; returns its length."""
    position = game.start()
    while not position.over:
        position = position.play(searcher.choose(position, Budget(nodes=2), seed).action)
    return position.ply
