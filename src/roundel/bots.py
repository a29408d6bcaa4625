"""Who can choose an action beside people: bots, by their names.

`choose` asks the strongest of them and tells why; a table only wants `BOTS[name](seed)`, which is a
function from a position to an action.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from roundel.core.game import Action
from roundel.core.position import Position
from roundel.search.searcher import Budget, Choice, Searcher

__all__ = ["BOTS", "STRONGEST", "Bot", "Budget", "Choice", "Searcher", "choose"]

Bot = Callable[[Position], Action]
THINKING = Budget(seconds=1.0)  # of a bot at a table


def choose(
    position: Position, budget: Budget = THINKING, seed: int = 0, threads: int = 1
) -> Choice:
    """The best action that can be found within a budget; `MatchOver` if there is none.

    With one thread and a budget of nodes the answer is the same on every run.
    """
    return Searcher(threads=threads).choose(position, budget, seed)


def random_bot(seed: int) -> Bot:
    """Any legal action; the same for the same seed and position."""
    return lambda position: random.Random(f"{seed} {position.fen()}").choice(position.legal())


def uct_bot(seed: int) -> Bot:
    """Monte Carlo tree search with random matches."""
    searcher = Searcher()
    return lambda position: searcher.choose(position, THINKING, seed).action


BOTS: dict[str, Callable[[int], Bot]] = {"random": random_bot, "uct": uct_bot}
STRONGEST = "uct"
