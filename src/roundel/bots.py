"""Who can choose an action beside people: bots, by their names.

`choose` asks the strongest of them, or a level, and tells why; a table only wants
`BOTS[name](seed)`, which is a function from a position to an action.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable

from roundel.core.game import Action
from roundel.core.position import Position
from roundel.search.choice import Budget, Choice
from roundel.search.levels import LEVELS
from roundel.search.searcher import Searcher

__all__ = ["BOTS", "LEVELS", "Bot", "Budget", "Choice", "Searcher", "choose", "searching_bot"]

Bot = Callable[[Position], Action]
THINKING = Budget(seconds=1.0)  # of a bot that is told nothing else


def choose(
    position: Position, budget: Budget = THINKING, seed: int = 0, threads: int = 1
) -> Choice:
    """The best action that can be found within a budget; `MatchOver` if there is none.

    With one thread and a budget of nodes the answer is the same on every run.

    Examples:
        >>> from roundel import games
        >>> position = games.load(games.names()[0]).start()
        >>> choice = choose(position, Budget(nodes=200))
        >>> choice.action in position.legal() and choice.line[0] == choice.action
        True
        >>> [position.game.players == len(choice.values), choice.nodes <= 200]
        [True, True]
    """
    return Searcher(threads=threads).choose(position, budget, seed)


def random_bot(seed: int) -> Bot:
    """Any legal action; the same for the same seed and position."""
    return lambda position: random.Random(f"{seed} {position.fen()}").choice(position.legal())


def searching_bot(searcher: Searcher, budget: Budget, seed: int) -> Bot:
    return lambda position: searcher.choose(position, budget, seed).action


def uct_bot(seed: int) -> Bot:
    """Monte Carlo tree search with random matches and nothing else."""
    return searching_bot(Searcher(is_plain=True), THINKING, seed)


def level_bot(level: int, seed: int) -> Bot:
    return searching_bot(Searcher(), Budget(level=level), seed)


BOTS: dict[str, Callable[[int], Bot]] = {
    "random": random_bot,
    "uct": uct_bot,
    **{f"level{level}": functools.partial(level_bot, level) for level in LEVELS},
}
