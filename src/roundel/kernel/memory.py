"""Games whose rules look back at earlier positions keep these in further rows of the state.

Such a game has its own `full` and `rows_for`; all others import these two.
"""

import numpy as np

from roundel.kernel.jit import kernel


@kernel
def full(state):
    """Whether the state has no room left for one more action."""
    return False


def rows_for(state, plies):
    """How many rows a state needs so that `plies` more actions can be played on it."""
    return state.shape[0]


def state_stack(rules, state, plies):
    """`plies` states to play on one after the other, each with room for so many more actions; the
    first is a copy of the given one.

    A state may have more rows than it needs: an action that cannot be undone forgets what was
    remembered before it, but not the rows for that.
    """
    states = np.zeros((plies, rules.rows_for(state, plies), state.shape[1]), np.int64)
    rows = min(state.shape[0], states.shape[1])
    states[0, :rows] = state[:rows]
    return states
