"""Games whose rules look back at earlier positions keep these in further rows of the state.

Such a game has its own `full` and `rows_for`; all others import these two.
"""

from roundel.core.jit import kernel


@kernel
def full(state):
    """Whether the state has no room left for one more action."""
    return False


def rows_for(state, plies):
    """How many rows a state needs so that `plies` more actions can be played on it."""
    return state.shape[0]
