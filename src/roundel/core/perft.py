"""Count the leaves of the game tree: the first test of any rules."""

from collections.abc import Iterator

import numpy as np

from roundel.core.game import Action
from roundel.core.position import Position


def perft(position: Position, depth: int) -> int:
    """The number of action sequences of that length; matches that end earlier do not count."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.legal())
    game, state = position.game, position.state
    rows = game.rules.rows_for(state, depth)
    states = np.zeros((depth, rows, state.shape[1]), np.int64)
    states[0, : len(state)] = state
    words = np.empty((depth, game.rules.WORDS), np.int64)
    return int(game.engine.perft(states, words, np.zeros(depth, np.int64), depth))


def divide(position: Position, depth: int) -> Iterator[tuple[Action, int]]:
    """perft, split by the first action: where two rule sets disagree. `depth` is at least 1."""
    for action in position.legal():
        yield action, perft(position.play(action), depth - 1)
